"""What stands beside an answer: dates, how its file was read, what was looked up there, what was planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.rehearsal import Result

DATE = "date"
"""Heads what stands right behind the answer in plain words, not below with the method."""
_TOLD = 6
_OBSERVED = ("value", "number", "quantile", "mean")
"""Numbers of an answer that are in units of the observations; shares are not."""


def beside(found: Result) -> list[Line]:
    """Lines; none where a plain file was read as it is, and all was declared."""
    from sottovoce.answers import Severity, line
    from sottovoce.messages import Fact

    reading, plan = found.reading, found.plan
    lines = dates(found.answer) if reading is not None and reading.units else []
    lines += [] if reading is None else [line("reading", one) for one in reading.findings()]
    lines += [line("rehearsal", note) for note in found.answer.noted(Severity.INFO)]
    if plan is not None:
        users, planned = found.survey.users, plan.protocol.users
        asked = None if users == planned else users
        lines.append(line("planned", Fact("planned-halfwidth", halfwidth=plan.halfwidth, users=planned, asked=asked)))
    return lines


def dates(answer: Any) -> list[Line]:
    """Days since 1970 as the dates that they are, with the ends of their intervals."""
    import numpy as np

    from sottovoce.answers import line
    from sottovoce.data import written
    from sottovoce.messages import Fact

    first = answer.stated()[0]
    if first.what not in _OBSERVED:
        return []
    values, ends = np.atleast_1d(first.values), np.reshape(first.intervals, (-1, 2))
    found = []
    for place, numbers in enumerate(zip(values, ends[:, 0], ends[:, 1], strict=True)):
        date, low, high = (written(round(float(day))) for day in numbers)
        if date and low and high:
            name = first.names[place] if len(first.names) else ""
            found.append(Fact("date-with-ends", name=name, date=date, low=low, high=high))
    more = max(0, len(found) - _TOLD)
    return [line(DATE, Fact("dates", dates=tuple(found[:_TOLD]), more=more))] if found else []
