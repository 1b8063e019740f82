"""What a computed cell depends on, as a digest: the code that `compute` reaches inside this room, and its constants.

Changing the words of a claim or the colour of a line keeps finished cells; changing a simulation does not, nor does
changing a room that surveys are made of: figures ask the protocols themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

ROOM = "sottovoce.paper"
BELOW = (
    "messages", "theory", "device", "design", "answers", "risk", "methods", "baselines", "problems", "engines", "data",
)  # fmt: skip
"""Rooms that protocols and their simulation are made of."""


@cache
def digest(function: Callable[..., Any]) -> str:
    """Hexadecimal; the same for the same code, constants and called code."""
    parts: dict[str, str] = {"below": _below()}
    _walk(function, parts)
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()


@cache
def _below() -> str:
    home = Path(__file__).parents[1]
    found = hashlib.sha256()
    for room in BELOW:
        for path in sorted((home / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _walk(value: Any, parts: dict[str, str], name: str = "") -> None:
    if isinstance(value, ModuleType):
        if value.__name__.startswith(ROOM) and value.__file__ and value.__name__ not in parts:
            parts[value.__name__] = Path(value.__file__).read_text(encoding="utf-8")
        return
    if not isinstance(value, FunctionType):
        parts.setdefault(name, repr(value) if isinstance(value, (int, float, str, tuple, list, dict)) else "")
        return
    label = f"{value.__module__}.{value.__qualname__}"
    if label in parts or not value.__module__.startswith(ROOM):
        return
    codes = list(_codes(value.__code__))
    parts[label] = repr([(code.co_code, [c for c in code.co_consts if not isinstance(c, CodeType)]) for code in codes])
    for code in codes:
        for used in code.co_names:
            if used in value.__globals__:
                _walk(value.__globals__[used], parts, f"{value.__module__}.{used}")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
