"""Dates and times as numbers: days since 1970-01-01, the time of day as a fraction."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import numpy as np

UNIT = "days since 1970-01-01"
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


def days(text: str, *, order: str | None = None) -> float | None:
    """What a cell says, or None: ISO 8601; day.month.year; with slashes or hyphens only in an `order` that is known."""
    found = _ISO.fullmatch(text)
    if found is not None:
        year, month, day, time, zone = found.groups()
        return _moment(int(year), int(month), int(day), time, zone)
    found = _LOCAL.fullmatch(text)
    if found is None:
        return None
    first, sign, second, year, time = found.groups()
    order = "dmy" if sign == "." and order != "mdy" else order
    if order not in ("dmy", "mdy"):
        return None
    day, month = (first, second) if order == "dmy" else (second, first)
    return _moment(int(year), int(month), int(day), time, None)


def order_of(cells: list[str]) -> str | None:
    """Which of day and month comes first, where some number above 12 tells and none contradicts."""
    seen = [found.groups() for found in map(_LOCAL.fullmatch, cells) if found is not None and found[2] != "."]
    first, second = any(int(one[0]) > 12 for one in seen), any(int(one[2]) > 12 for one in seen)
    return None if first == second else "dmy" if first else "mdy"


def doubtful(text: str) -> bool:
    """Whether a cell is a date if one knew whether the day or the month comes first."""
    return days(text) is None and (days(text, order="dmy") is not None or days(text, order="mdy") is not None)


def worded(text: str) -> bool:
    """Whether a cell seems to be a date that is not read: a month by its name, or a year of two digits."""
    return _WORDED.fullmatch(text) is not None


def in_days(value: Any) -> Any:
    """A date, a time, or ISO text of one as a number of days; anything else as it is."""
    if isinstance(value, str):
        found = days(value.strip())
        return value if found is None else found
    if isinstance(value, dt.date):
        return number(value)
    if isinstance(value, np.datetime64):
        return float((value - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"))
    return value


def number(moment: dt.date) -> float:
    """The day of a date; of a time, in UTC where it names its zone."""
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return (moment - _EPOCH) / dt.timedelta(days=1)


def written(day: float) -> str:
    """A number of days as a date, to the minute where it is not whole; empty where no calendar has it."""
    try:
        moment = _EPOCH + dt.timedelta(days=day)
    except (OverflowError, ValueError):
        return ""
    return f"{moment:%Y-%m-%d}" if float(day).is_integer() else f"{moment:%Y-%m-%d %H:%M}"


def _moment(year: int, month: int, day: int, time: str | None, zone: str | None) -> float | None:
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
