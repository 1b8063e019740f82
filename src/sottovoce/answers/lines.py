"""What an answer says, line by line: a label and a fact each. Printing makes the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sottovoce.messages import Fact

Line = tuple[Fact | str, Fact | str]
"""A label and what it says; a text of the asker's (a column, a category) stands for itself."""


def line(label: str, fact: Fact | str) -> Line:
    """A line with a label of the catalogue."""
    return Fact(f"label-{label}"), fact


def table(label: str, header: Iterable[Any], rows: Iterable[Iterable[Any]]) -> Line:
    """A line that goes over several: aligned columns under a header, the first one to the left."""
    return line(label, Fact("table", rows=(tuple(header), *map(tuple, rows))))


def key(label: Fact | str) -> str:
    """What a label is, whatever it says: its code, or the asker's text."""
    return label.code.removeprefix("label-") if isinstance(label, Fact) else label


def told(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """Lines in words; one that goes over several has an empty label from the second on."""
    return [
        ("" if place else str(label), text) for label, fact in lines for place, text in enumerate(str(fact).split("\n"))
    ]


def fixed(value: float, digits: int) -> Fact:
    """A number with so many decimals."""
    return Fact("fixed", value=value, digits=digits)


def fixed_ends(ends: tuple[float, float], digits: int, *, joined: str = "dots") -> Fact:
    """An interval with so many decimals, its ends joined by dots or by a comma."""
    return Fact(f"fixed-ends-{joined}", low=ends[0], high=ends[1], digits=digits)
