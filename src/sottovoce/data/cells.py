"""Cells as numbers: text by what the other cells of its column say, dates as days since 1970, arrays of anything."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.records import ReadingOptions
from sottovoce.messages import Fact, InvalidInput

DATE_UNIT = "days since 1970-01-01"
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?", re.I
)
_LOCAL = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?[T ]\s*(\d{1,2}:\d{2}(?::\d{2})?))?", re.I)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_WORDED = re.compile(
    rf"\d{{1,2}}([./-])\d{{1,2}}\1\d{{2}}|\d{{1,2}}\W+(?:{_MONTHS})\w*\W+\d{{2,4}}|(?:{_MONTHS})\w*\W+\d{{1,2}}\W+\d{{4}}",
    re.I,
)
_DAY = 86_400.0
_EPOCH = dt.datetime(1970, 1, 1)
_HELD = {
    "c": "complex numbers",
    "m": "durations",
    "O": "objects",
    "S": "bytes",
    "T": "text",
    "U": "text",
    "V": "records",
}
_FIXES = {
    "text": "skip_bad=True (--skip-bad) reads text that says numbers, a histogram with categories= counts labels",
    "durations": "divide them by a unit first, such as a day",
}
"""What to do about it, where something can be done."""
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))
"""What stands for a missing observation in a file, whatever the case, where no category is called so."""
MINUS = "\u2212"
"""As text is set."""
CellKind = Literal["number", "yes/no", "date"]
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


def parse_date(text: str, *, order: str | None = None) -> float | None:
    """What a cell says, or None: ISO 8601; day.month.year; with slashes or hyphens only in an `order` that is known."""
    match = _ISO.fullmatch(text)
    if match is not None:
        year, month, day, time, zone = match.groups()
        return _days_of_parts(int(year), int(month), int(day), time, zone)
    match = _LOCAL.fullmatch(text)
    if match is None:
        return None
    first, sign, second, year, time = match.groups()
    order = "dmy" if sign == "." and order != "mdy" else order
    if order not in ("dmy", "mdy"):
        return None
    day, month = (first, second) if order == "dmy" else (second, first)
    return _days_of_parts(int(year), int(month), int(day), time, None)


def day_month_order(cells: list[str]) -> str | None:
    """Which of day and month comes first, where some number above 12 tells and none contradicts."""
    dates = [match.groups() for match in map(_LOCAL.fullmatch, cells) if match is not None and match[2] != "."]
    first, second = any(int(one[0]) > 12 for one in dates), any(int(one[2]) > 12 for one in dates)
    return None if first == second else "dmy" if first else "mdy"


def is_ambiguous_date(text: str) -> bool:
    """Whether a cell is a date if one knew whether the day or the month comes first."""
    return parse_date(text) is None and (
        parse_date(text, order="dmy") is not None or parse_date(text, order="mdy") is not None
    )


def is_unread_date(text: str) -> bool:
    """Whether a cell seems to be a date that is not read: a month by its name, or a year of two digits."""
    return _WORDED.fullmatch(text) is not None


def in_days(value: Any) -> Any:
    """A date, a time, or ISO text of one as a number of days; anything else as it is."""
    if isinstance(value, str):
        day = parse_date(value.strip())
        return value if day is None else day
    if isinstance(value, dt.date):
        return day_number(value)
    if isinstance(value, np.datetime64):
        return float((value - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"))
    return value


def day_number(moment: dt.date) -> float:
    """The day of a date; of a time, in UTC where it names its zone."""
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return (moment - _EPOCH) / dt.timedelta(days=1)


def date_text(day: float) -> str:
    """A number of days as a date, to the minute where it is not whole; empty where no calendar has it."""
    try:
        moment = _EPOCH + dt.timedelta(days=day)
    except (OverflowError, ValueError):
        return ""
    return f"{moment:%Y-%m-%d}" if float(day).is_integer() else f"{moment:%Y-%m-%d %H:%M}"


def _days_of_parts(year: int, month: int, day: int, time: str | None, zone: str | None) -> float | None:
    try:
        date = (dt.date(year, month, day) - _EPOCH.date()).days
        if time is None:
            return float(date)
        hours, minutes, *rest = time.replace(",", ".").split(":")
        seconds = float(rest[0]) if rest else 0.0
        if int(hours) > 23 or int(minutes) > 59 or seconds >= 60:
            return None
        offset = 0
        if zone not in (None, "Z", "z"):
            assert zone is not None
            sign = -1 if zone[0] == "-" else 1
            offset = sign * (60 * int(zone[1:3]) + int(zone[-2:]))
        return date + (3600 * int(hours) + 60 * int(minutes) + seconds - 60 * offset) / _DAY
    except ValueError:
        return None


def as_floats(array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
    """Numbers and booleans as floats, dates as days since 1970, missing cells (None, masked) as NaN.

    Anything else is an error about `what`.
    """
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray):
        cells = array.data.copy()
        if kind == "O":
            cells[np.ma.getmaskarray(array)] = None
        return np.where(np.ma.getmaskarray(array), np.nan, as_floats(cells, what=what))
    if kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):  # wider floats than ours become infinite: encoders are total
            return array.astype(np.float64, copy=False)
    if kind == "M":  # a time that is none becomes NaN
        return np.asarray((array - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"), dtype=np.float64)
    if kind == "O" and any(isinstance(cell, date) for cell in array.flat):
        days = [day_number(cell) if isinstance(cell, date) else cell for cell in array.flat]
        if all(cell is None or isinstance(cell, float) for cell in days):
            return np.array([np.nan if cell is None else cell for cell in days]).reshape(array.shape)
    if kind == "O" and all(map(_is_number, array.flat)):
        return np.array([_real(cell) for cell in array.flat], dtype=np.float64).reshape(array.shape)
    held = "text" if kind == "O" and any(isinstance(cell, str) for cell in array.flat) else _HELD.get(kind, "objects")
    raise InvalidInput(rule=f"{what} must hold numbers, not {held}", fix=_FIXES.get(held, ""))


def _is_number(cell: Any) -> bool:
    if isinstance(cell, np.timedelta64):  # numpy calls it an integer
        return False
    return cell is None or cell is np.ma.masked or isinstance(cell, (Real, Decimal, np.bool_))


def _real(cell: Any) -> float:
    if cell is None or cell is np.ma.masked:
        return np.nan
    try:
        return float(cell)
    except OverflowError:  # an integer or a fraction that no float can hold
        return np.inf if cell > 0 else -np.inf
    except ValueError:  # a signalling NaN of the decimal module
        return np.nan


def plain_number(text: str) -> float | None:
    """The number that a cell of text says, infinite ones and NaN too; None where it says none."""
    try:
        return None if "_" in text else float(text.replace(MINUS, "-"))  # float() would read 1_000
    except ValueError:
        return None


@dataclass(frozen=True, kw_only=True)
class CellReader:
    """How the cells of one column are read.

    `decimal` is None where no cell showed it, and ``?`` where cells contradict each other; it is then a point.
    """

    kind: CellKind = "number"
    decimal: str | None = None
    order: str | None = None

    @property
    def plain(self) -> bool:
        """Whether numbers are written as programs write them."""
        return self.kind == "number" and self.decimal != ","

    @property
    def unit(self) -> str | None:
        """What the numbers count, where cells do not say numbers."""
        return DATE_UNIT if self.kind == "date" else None

    def number(self, cell: str) -> float | None:
        """What a cell says; NaN where it is missing, None where it is odd."""
        text = cell.strip().lower().replace(MINUS, "-")
        if text in WORDS:
            return WORDS[text] if self.kind != "date" or math.isnan(WORDS[text]) else None
        if self.kind == "date":
            return parse_date(cell.strip(), order=self.order)
        if self.kind == "yes/no":
            return TRUTHS.get(text)
        return self._written(text)

    def numbers(self, cells: Sequence[str]) -> list[float | None]:
        """What cells say: all at once where each is a plain number, one by one where not."""
        if self.plain and "_" not in "".join(cells):  # float() would read 1_000
            try:
                return list(map(float, cells))
            except ValueError:
                pass
        return list(map(self.number, cells))

    def hint(self, cell: str) -> Fact | None:
        """What to say beforehand so that an odd cell is none: an option and its value; None where nothing helps."""
        text = cell.strip()
        if is_ambiguous_date(text):
            return Fact("hint-dates", option="--dates", value="dmy")
        if self.kind != "number":
            return None
        if self.decimal is None and _EITHER.fullmatch(text):
            return Fact("hint-decimal-or-thousands", option="--decimal", value=".")
        if self.decimal is None and CellReader(decimal=",").number(text) is not None:
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
        number = plain_number(text)
        if number is not None:
            return number
        if (_GROUPS["."] if self.decimal == "." else _CLEAR).fullmatch(text):
            return float(text.replace(",", ""))
        if _BLANKS.fullmatch(text) and "," not in text:
            return float(re.sub(r"[^0-9.+-]", "", text))
        return None


def is_number_with_unit(cell: str, *, units: bool = True) -> bool:
    """Whether a cell says a number with a currency or a percent sign beside it, or with a unit, if those count."""
    match = _DRESSED.fullmatch(cell.strip().replace(MINUS, "-"))
    if match is None or (match["unit"] and not units):
        return False
    return any(CellReader(decimal=sign).number(match[1]) is not None for sign in (".", ","))


def cell_reader(cells: Sequence[str], stated: ReadingOptions) -> CellReader:
    """How to read a column, from some of its cells: what most of them are; numbers, where that is undecided."""
    there = [cell.strip().replace(MINUS, "-") for cell in cells if cell.strip().lower() not in MISSING]
    numbers = CellReader(decimal=stated.decimal or _decimal_sign(there))
    order = stated.dates if stated.dates in ("dmy", "mdy") else day_month_order(there)
    days = CellReader(kind="date", order=order)
    read = {
        one: sum(one.number(cell) is not None for cell in there) for one in (numbers, CellReader(kind="yes/no"), days)
    }
    best = max(read, key=read.__getitem__)  # of several the first
    if not read[best] and any(map(is_ambiguous_date, there)):
        return days
    return best


def _decimal_sign(cells: Sequence[str]) -> str | None:
    """The decimal sign that some cells show, None where none does, ``?`` where they contradict each other."""
    point = any(_POINT.fullmatch(cell) and not _EITHER.fullmatch(cell) for cell in cells)
    comma = any(_COMMA.fullmatch(cell) and not _EITHER.fullmatch(cell) for cell in cells)
    return "?" if point and comma else "," if comma else "." if point else None
