"""What a computed cell depends on, as a digest: the code that `compute` reaches inside this room, and its constants.

Changing the words of a claim or the colour of a line keeps finished cells; changing a simulation does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

ROOM = "sottovoce.paper"


@cache
def digest(function: Callable[..., Any]) -> str:
    """Hexadecimal; the same for the same code, constants and called code."""
    parts: dict[str, str] = {}
    _walk(function, parts)
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()


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
