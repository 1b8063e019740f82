"""A cell of text as a number: what the other cells of its column say about how to read it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sottovoce.data import dates
from sottovoce.data.categories import MISSING
from sottovoce.data.numeric import MINUS, plain_number
from sottovoce.data.stated import Stated
from sottovoce.messages import Fact

Kind = Literal["number", "yes/no", "date"]
WORDS = {"true": 1.0, "false": 0.0} | dict.fromkeys(MISSING, math.nan)
TRUTHS = {"true": 1.0, "t": 1.0, "yes": 1.0, "y": 1.0, "1": 1.0, "false": 0.0, "f": 0.0, "no": 0.0, "n": 0.0, "0": 0.0}
_BLANKS = re.compile(r"[+-]?\d{1,3}(?:[ \u00a0\u202f'\u2019]\d{3})+(?:[.,]\d*)?")
_GROUPS = {
    ".": re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?"),
    ",": re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?"),
}
_CLEAR = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3}){2,}(?:\.\d*)?|(?:,\d{3})+\.\d*)")
"""Groups of thousands that no decimal comma could be: two of them, or one before a point."""
_POINT = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d*\.\d+)")
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+,\d+|\d*,\d+)")
_EITHER = re.compile(r"[+-]?\d{1,3}[.,]\d{3}")
"""Thousands, or three decimals."""

_DRESSED = re.compile(
    r"(?:[$%\u00a2-\u00a5\u20a0-\u20cf]|[A-Z]{3}\s)?\s*([+-]?\d[\d.,'\u2019 \u00a0\u202f]*?)\s*"
    r"(?:[$%\u00a2-\u00a5\u20a0-\u20cf\u00b0\u2030]|(?P<unit>\s[^\W\d_]{1,5}))?"
)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """How the cells of one column are read.

    `decimal` is None where no cell showed it, and ``?`` where cells contradict each other; it is then a point.
    """

    kind: Kind = "number"
    decimal: str | None = None
    order: str | None = None

    @property
    def plain(self) -> bool:
        """Whether numbers are written as programs write them."""
        return self.kind == "number" and self.decimal != ","

    @property
    def unit(self) -> str | None:
        """What the numbers count, where cells do not say numbers."""
        return dates.UNIT if self.kind == "date" else None

    def number(self, cell: str) -> float | None:
        """What a cell says; NaN where it is missing, None where it is odd."""
        text = cell.strip().lower().replace(MINUS, "-")
        if text in WORDS:
            return WORDS[text] if self.kind != "date" or math.isnan(WORDS[text]) else None
        if self.kind == "date":
            return dates.days(cell.strip(), order=self.order)
        if self.kind == "yes/no":
            return TRUTHS.get(text)
        return self._written(text)

    def hint(self, cell: str) -> Fact | None:
        """What to say beforehand so that an odd cell is none: an option and its value; None where nothing helps."""
        text = cell.strip()
        if dates.doubtful(text):
            return Fact("hint-dates", option="--dates", value="dmy")
        if self.kind != "number":
            return None
        if self.decimal is None and _EITHER.fullmatch(text):
            return Fact("hint-decimal-or-thousands", option="--decimal", value=".")
        if self.decimal is None and Cells(decimal=",").number(text) is not None:
            return Fact("hint-decimal-comma", option="--decimal", value=",")
        return None

    def _written(self, text: str) -> float | None:
        if self.decimal == ",":
            if _GROUPS[","].fullmatch(text):
                return float(text.replace(".", "").replace(",", "."))
            if _BLANKS.fullmatch(text) and "." not in text:
                return float(re.sub(r"[^0-9,+-]", "", text).replace(",", "."))
            if "." not in text:
                return plain_number(text.replace(",", ".", 1)) if text.count(",") <= 1 else None
            return None
        found = plain_number(text)
        if found is not None:
            return found
        if (_GROUPS["."] if self.decimal == "." else _CLEAR).fullmatch(text):
            return float(text.replace(",", ""))
        if _BLANKS.fullmatch(text) and "," not in text:
            return float(re.sub(r"[^0-9.+-]", "", text))
        return None


def dressed(cell: str, *, units: bool = True) -> bool:
    """Whether a cell says a number with a currency or a percent sign beside it, or with a unit, if those count."""
    found = _DRESSED.fullmatch(cell.strip().replace(MINUS, "-"))
    if found is None or (found["unit"] and not units):
        return False
    return any(Cells(decimal=sign).number(found[1]) is not None for sign in (".", ","))


def reader(cells: Sequence[str], stated: Stated) -> Cells:
    """How to read a column, from some of its cells: what most of them are; numbers, where that is undecided."""
    there = [cell.strip().replace(MINUS, "-") for cell in cells if cell.strip().lower() not in MISSING]
    numbers = Cells(decimal=stated.decimal or _decimal(there))
    order = stated.dates if stated.dates in ("dmy", "mdy") else dates.order_of(there)
    days = Cells(kind="date", order=order)
    read = {one: sum(one.number(cell) is not None for cell in there) for one in (numbers, Cells(kind="yes/no"), days)}
    best = max(read, key=read.__getitem__)  # of several the first
    if not read[best] and any(map(dates.doubtful, there)):
        return days
    return best


def _decimal(cells: Sequence[str]) -> str | None:
    """The decimal sign that some cells show, None where none does, ``?`` where they contradict each other."""
    point = any(_POINT.fullmatch(cell) and not _EITHER.fullmatch(cell) for cell in cells)
    comma = any(_COMMA.fullmatch(cell) and not _EITHER.fullmatch(cell) for cell in cells)
    return "?" if point and comma else "," if comma else "." if point else None
