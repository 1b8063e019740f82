"""A document with something else in one of its places: what is no question any more, and what is another question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sottovoce.messages import canonical

OTHERS: tuple[Any, ...] = (
    None, True, "1", "", -1, 0, 1, 2, 0.5, 1.5, -0.25, 3, 255, 65536, 65537, 2**40, 2**53, 1e16, 1e150, 1e300,
    5e-324, [], [0], ["1"], {}, [[0]], "18446744073709551615", "18446744073709551616", "٣", "grid", "l2",
)  # fmt: skip
"""What is put where something else belongs."""


def kinds(plain: Any, path: tuple[Any, ...]) -> tuple[str, ...]:
    """The kinds of what stands above a place: the same place of the same kinds is looked at once."""
    found = []
    for part in path[:-1]:
        plain = plain[part]
        if isinstance(plain, dict) and "kind" in plain:
            found.append(plain["kind"])
    return tuple(found)


def paths(plain: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document; of a list, its first and its last."""
    if isinstance(plain, dict):
        inner: list[Any] = list(plain)
    elif isinstance(plain, list):
        inner = sorted({0, len(plain) - 1} & set(range(len(plain))))
    else:
        return
    for part in inner:
        yield (*above, part)
        yield from paths(plain[part], (*above, part))


def changed(name: str, data: bytes, path: tuple[Any, ...], turn: int) -> Iterator[tuple[str, bytes]]:
    """By turns: another value, the place gone, a neighbour more, the value a little different."""
    plain = json.loads(data)
    *parents, last = path
    held = plain
    for part in parents:
        held = held[part]
    how = turn % 8
    if how == 0:
        held.pop(last)
    elif how == 1 and isinstance(held, dict):
        held["zzz"] = held[last]
    elif how == 1:
        held.append(held[last])
    elif how == 2 and type(held[last]) in (int, float):
        held[last] = max(-(2**53), min(2**53, held[last] + 1)) if type(held[last]) is int else held[last] * 1.5
    elif how == 2 and isinstance(held[last], list):
        held[last] = held[last][::-1]
    elif how == 2 and isinstance(held[last], str) and held[last].isdigit():
        held[last] = str(int(held[last]) + 1)
    elif how == 3 and type(held[last]) in (int, float):
        held[last] = -held[last]
    else:
        held[last] = OTHERS[(turn * 11) % len(OTHERS)]
    sent = canonical.dumps(plain)
    if sent != data:
        yield f"{name}: another {'.'.join(map(str, path))}", sent


def departed(data: bytes, path: tuple[Any, ...], turn: int) -> Iterator[bytes]:
    """Something else that could have been asked: other numbers, by much or by little, other names, other lists."""
    plain = json.loads(data)
    *parents, last = path
    held = plain
    for part in parents:
        held = held[part]
    value = held[last]
    parts = (1 + 1e-9, 1 + 4e-11, 1 + 6e-11, 1 - 1e-15, 1.5, 0.5, -1.0)
    if isinstance(value, bool) or value is None:
        others: list[Any] = [1]
    elif isinstance(value, int):
        others = [value + 1, value - 1, value + 0.5, value + 1e-10, value + 2.0**-33][turn % 2 :: 2]
    elif isinstance(value, float):
        others = [value * part for part in parts[turn % 2 :: 2]]
    elif isinstance(value, list):
        others = [value[::-1], value[:-1], value + value[-1:]][turn % 2 :: 2]
    elif isinstance(value, str) and value.isdigit():
        others = [str(int(value) - 1)]
    elif isinstance(value, str):
        others = {"role": ["refine", "vote", "mean"], "survey": ["0" * 64]}.get(last, [])
    else:
        others = []
    for other in others:
        held[last] = other
        sent = canonical.dumps(plain)
        if sent != data:
            yield sent
