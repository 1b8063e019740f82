"""What an answer says of how its file was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.data import Reading

DATE = "date"
"""Heads what stands right behind the answer in plain words, not below with the method."""
_TOLD = 6
_OBSERVED = ("value", "number", "quantile", "mean")
"""Numbers of an answer that are in units of the observations; shares are not."""


def read_notes(reading: Reading | None, found: Any) -> list[tuple[str, str]]:
    """Labels and texts; nothing where a plain file was read as it is. An estimate of dates is also told as a date."""
    notes = [] if reading is None else [("reading", str(note)) for note in reading.notes()]
    return [*(as_dates(found) if reading is not None and reading.units else []), *notes]


def as_dates(found: Any) -> list[tuple[str, str]]:
    """Days since 1970 as the dates that they are, with the ends of their intervals."""
    import numpy as np

    from sottovoce.data import written

    first = found.stated()[0]
    if first.what not in _OBSERVED:
        return []
    values, ends = np.atleast_1d(first.values), np.reshape(first.intervals, (-1, 2))
    told = []
    for place, (value, (low, high)) in enumerate(zip(values, ends, strict=True)):
        days = [written(round(float(day))) for day in (value, low, high)]
        if all(days):
            name = f"{first.names[place]}: " if len(first.names) else ""
            told.append(f"{name}{days[0]} (between {days[1]} and {days[2]})")
    more = f"; {len(told) - _TOLD:,} more" if len(told) > _TOLD else ""
    return [(DATE, "; ".join(told[:_TOLD]) + more)] if told else []
