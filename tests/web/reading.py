"""The page's readers beside Python's: tasks for them, and documents that differ a little from good ones."""

from __future__ import annotations

import json
import math
import random
from base64 import b64encode
from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

from sottovoce.messages import canonical
from tests.support.node import lines

READER = Path(__file__).with_name("reader.mjs")
CLOSE = Fraction(1, 10**58)
"""So far apart are bounds on one logarithm at most."""


def ask(*tasks: Sequence[Any]) -> list[Any]:
    return lines(READER, tasks)


def sent(data: bytes) -> str:
    return b64encode(data).decode()


NUMBERS = [0, 1, 2, 3, 10, -1, 0.5, -0.5, 1.5, 1e-7, 5e-324, 1e21, 1e300, -1e300, 2**53, -(2**53), 2.0**53 + 2, 65537]
TEXTS = ["", "1", "0", "-1", "01", str(2**63), str(2**64), str(2**64 - 1), "l2", "linf", "a" * 64, "x\u200by", "\u00a0"]
OTHERS = [
    True,
    False,
    None,
    [],
    {},
    [0],
    [1.0, 2.0],
    [[0.0]],
    ["1"],
    ["bins"],
    ["average"],
    ["table"],
    {"__proto__": 1},
]
MEMBERS = [{"kind": "average"}, {"kind": "averages", "size": 2}, {"kind": "bins", "edges": []}, {"kind": "constructor"}]


def values(dice: random.Random) -> Any:
    return deepcopy(dice.choice([*NUMBERS, *TEXTS, *OTHERS, *MEMBERS, "\U0001f600" * 128, "\U0001f600" * 129]))


def containers(plain: Any) -> list[Any]:
    held = list(plain.values()) if isinstance(plain, dict) else plain if isinstance(plain, list) else None
    return [] if held is None else [plain, *(found for one in held for found in containers(one))]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Another document: one field changed, left out or added; or another letter."""
    if dice.random() < 0.3:
        place, cut = dice.randrange(len(data)), dice.randrange(3)
        letters = dice.choice(
            [b"", b"0", b"1", b"9", b"-", b".", b"e", b'"', b",", b"[", b"]", b"{", b" ", b"\\", b"\xc3", b"a"]
        )
        return data[:place] + letters + data[place + cut :]
    plain = json.loads(data)
    for _ in range(dice.choice([1, 1, 1, 2])):
        inside = dice.choice([one for one in containers(plain) if len(one)] or [plain])
        if not len(inside):
            continue
        key: Any = dice.choice(list(inside)) if isinstance(inside, dict) else dice.randrange(len(inside))
        number = inside[key]
        near = isinstance(number, (int, float)) and not isinstance(number, bool)
        what = dice.random()
        if what < 0.35 and near:
            changes = [number + 1, number - 1, -number, number * 2, number / 2, math.nextafter(number, 9.0)]
            changed = dice.choice(changes)
            inside[key] = changed if abs(changed) < 2**53 else float(changed)
        elif what < 0.8:
            inside[key] = values(dice)
        elif what < 0.9:
            del inside[key]
        elif isinstance(inside, dict):
            inside[dice.choice(["more", "kind", "column", "rows", "__proto__", "é"])] = values(dice)
        else:
            inside.insert(key, dice.choice([inside[key], values(dice)]))
    return canonical.dumps(plain)
