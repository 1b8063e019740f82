"""What a column holds, from all of its cells."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from decimal import Decimal
from typing import Literal

from sottovoce.data import dates
from sottovoce.data.categories import MISSING
from sottovoce.data.cells import Cells, dressed

Kind = Literal[
    "number", "whole number", "yes/no", "date", "category", "text", "id", "unclear", "empty", "user", "other"
]
LABELS = 12
"""Labels of a category that are shown and suggested."""
_PERSON = re.compile(
    r"users?|uid|students?|persons?|participants?|patients?|customers?|clients?|members?|devices?|phones?|cards?|"
    r"accounts?|subjects?|respondents?|employees?|drivers?|guests?|players?|voters?|who|u",
    re.I,
)
_FEW = 50
_LONGEST = 200
_MANY = 20


def kind_of(cells: Counter[str], reader: Cells) -> tuple[Kind, frozenset[str]]:
    """The kind, and those of the cells that are odd for it."""
    there = {cell: count for cell, count in cells.items() if cell.strip().lower() not in MISSING}
    total = sum(there.values())
    if not total:
        return "empty", frozenset()
    read = {cell: reader.number(cell) for cell in there}
    odd = frozenset(cell for cell, number in read.items() if number is None)
    if 2 * sum(there[cell] for cell in odd) > total:
        if all(reader.hint(cell) for cell in odd):
            return "unclear", odd
        if len(there) == total and total >= _MANY:
            return "id", frozenset()
        few = len(there) <= _FEW and (2 * len(there) <= total or len(there) <= 3)
        few = few and not all(
            dressed(cell, units=False) or dates.worded(cell.strip()) for cell in odd
        )  # numbers in disguise
        few = few and all(len(cell) <= _LONGEST and cell.isprintable() for cell in there)
        return "category" if few else "text", frozenset()
    if reader.kind != "number":
        return reader.kind, odd
    numbers = [number for number in read.values() if number is not None and math.isfinite(number)]
    if all(cell.strip().lower() in ("true", "false") for cell in there if cell not in odd):
        return "yes/no", odd
    if not all(number.is_integer() for number in numbers):
        return "number", odd
    return "id" if len(there) == total and total >= _MANY and numbers and _running(numbers) else "whole number", odd


def _running(numbers: list[float]) -> bool:
    """Whether numbers that all differ could count rows: as many as the range has."""
    return max(numbers) - min(numbers) < 2 * len(numbers)


def outer(kind: Kind, cells: Counter[str], reader: Cells) -> tuple[float, float] | None:
    """Round bounds outside of all numbers that are read; dates: firsts of months, or of years."""
    numbers = [number for cell in cells if (number := reader.number(cell)) is not None and math.isfinite(number)]
    if kind == "yes/no":
        return 0.0, 1.0
    if not numbers or kind not in ("number", "whole number", "date"):
        return None
    low, high = min(numbers), max(numbers)
    if kind == "date":
        return _first(low, years=high - low > 1000, after=False), _first(high, years=high - low > 1000, after=True)
    step = float(f"1e{Decimal(high - low).adjusted()}") if high > low else 1.0
    if not math.isfinite(high / step) or step == 0:
        return low, high
    ends = math.floor(low / step), math.ceil(high / step)
    low, high = (float(f"{end * step:.12g}") for end in (ends[0], max(ends[1], ends[0] + 1)))
    return low, high


def _first(day: float, *, years: bool, after: bool) -> float:
    """The first of the month, or year, of a day; or of the next one."""
    try:
        date = dt.date(1970, 1, 1) + dt.timedelta(days=math.floor(day))
        month = 12 * date.year + (0 if years else date.month - 1)
        first = dt.date(month // 12, month % 12 + 1, 1)
        if after and dates.number(first) < day:
            month += 12 if years else 1
            first = dt.date(month // 12, month % 12 + 1, 1)
    except (OverflowError, ValueError):
        return day
    return dates.number(first)


def guess_user(counts: dict[str, tuple[Kind, int, int]]) -> str | None:
    """The column that could say whose a row is, by its name and by how often its cells come again.

    `counts` has for each column its kind, how many cells differ, and how many there are.
    """
    best, found = (0, 0, 0), None
    for name, (kind, distinct, total) in counts.items():
        if kind not in ("whole number", "category", "text", "id") or distinct < 2:
            continue
        words = [word for word in re.split(r"[^A-Za-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)) if word]
        called = 2 * any(_PERSON.fullmatch(word) for word in words) or any(
            word.lower() in ("id", "name") for word in words
        )
        again = kind != "id" and total >= 1.2 * distinct
        score = (int(called), int(again), distinct)
        if (called or again) and score > best:
            best, found = score, name
    return found
