"""What was published, as plain data that can be read in one way only, and whether two documents say the same.

They are the same to the letter, equal but for the last digits of their numbers, or different.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sottovoce.messages import Fact, Malformed, canonical, from_plain, to_plain

Message = TypeVar("Message")


def message_as_read(message: Message) -> Message:
    """A message as whoever reads it has it: its numbers with a point are floats, whatever they were made of."""
    return from_plain(type(message), json.loads(canonical.dumps(to_plain(message))))


def parse_answer(text: str) -> Any:
    """An answer's plain data, from the only text that an answer with these data has: ``Answer.to_json``.

    Raises
    ------
    Malformed
        It is no JSON, holds a name twice, a number that is none, or is written in another form.
    """
    try:
        plain = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        again = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("it is no JSON document") from None
    if again != text:
        raise Malformed("it is not in the form in which answers are written")
    return plain


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(made := dict(pairs)) < len(pairs):
        raise Malformed("it holds a name twice")
    return made


def _constant(token: str) -> Any:
    raise Malformed(f"it holds {token}, which is no number")


SHOWN = 60
"""Letters of a value that a difference shows."""


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """How far numbers may lie apart and still be called equal up to rounding."""

    relative: float
    absolute: float
    """For numbers that are nothing but rounding: differences that cancel."""
    most: float = math.inf
    """However large the numbers are: of a range far from zero, a small part."""
    least: float = 0.0
    """As `relative`: so far apart numbers may be all the same."""

    def close(self, one: float, other: float) -> bool:
        size = max(abs(one), abs(other))
        near = max(self.absolute, self.least * size, min(self.relative * size, self.most))
        return abs(one - other) <= near < math.inf


def difference(where: str, expected: str, got: str, what: str = "value") -> Fact:
    """Where two documents differ, and in what: a ``"value"``, the ``"order"`` of names, or how many ``"entries"``."""
    return Fact("difference", where=where, what=what, expected=expected, got=got)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """How many numbers differ but are close, how many things differ for good, and the first of those."""

    rounded: int = 0
    differing: int = 0
    different: Fact | None = None

    @property
    def identical(self) -> bool:
        return self.rounded == 0 and self.different is None


def compare(expected: Any, got: Any, tolerance: Tolerance) -> Compared:
    """Plain data, field by field; only two numbers with a point can be close. Anything else is the same or is not."""
    first: Fact | None = None
    rounded = differing = 0
    for where, what, own, other in _leaves("", expected, got):
        if type(own) is type(other) and own == other:
            continue
        if type(own) is type(other) is float and tolerance.close(own, other):
            rounded += 1
            continue
        differing += 1
        first = first or difference(where, _short(own), _short(other), what)
    return Compared(rounded=rounded, differing=differing, different=first)


def compare_unequal(expected: Any, got: Any, tolerance: Tolerance) -> Compared:
    """How two differ that are not the same to the letter, even where nothing but the sign of a zero differs."""
    compared = compare(expected, got, tolerance)
    return replace(compared, rounded=max(1, compared.rounded))


def _leaves(where: str, expected: Any, got: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """Values that stand in the same place; where two places differ in kind or length, those."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if expected.keys() == got.keys() and list(expected) != list(got):
            yield where, "order", list(expected), list(got)
        for name in sorted(expected.keys() | got.keys(), key=str):
            inside = f"{where}.{name}" if where else str(name)
            if name in expected and name in got:
                yield from _leaves(inside, expected[name], got[name])
            else:
                yield inside, "value", expected.get(name, "nothing"), got.get(name, "nothing")
    elif isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            yield where, "entries", len(expected), len(got)
        else:
            for place, (own, other) in enumerate(zip(expected, got, strict=True)):
                yield from _leaves(f"{where}[{place}]", own, other)
    else:
        yield where, "value", expected, got


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
