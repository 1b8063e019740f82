"""Statements as both databases take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    """What both drivers' cursors offer."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Execute(Protocol):
    """Runs one statement inside a transaction. Parameters are written as question marks."""

    def __call__(self, statement: str, parameters: Sequence[object] = (), /) -> Cursor: ...
