"""Notes: what is to be known about an answer, as a code and numbers; and what every answer is looked at for.

A program reacts to a code, never to a sentence. The set of codes is closed: `docs/schema/answer-2.json` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from sottovoce.messages import Fact, Malformed

_SHOWN = 5
_ROUNDING = 1e-9
"""Of the width of an interval, or of a range: what is nearer is not outside."""


class Severity(StrEnum):
    """How much a note matters."""

    INFO = "info"
    """Good to know; the answer is as good as it says."""
    WARNING = "warning"
    """The answer may mislead whoever does not know this."""


class NoteCode(StrEnum):
    """Every note there is."""

    AS_WRITTEN = "as-written"
    """A warning of an answer of format 1, whose sentence is all that is known."""

    # numbers and intervals
    OUTSIDE_INTERVAL = "outside-interval"
    OUTSIDE_RANGE = "outside-range"
    PULLED_TO_MIDDLE = "pulled-to-middle"
    NOT_SHRUNK = "not-shrunk"
    FEW_COULD_HIDE = "few-could-hide"

    # the declared range
    RANGE_MAY_MISS_USERS = "range-may-miss-users"
    RANGE_MAY_MISS_OBSERVATIONS = "range-may-miss-observations"
    INTERVAL_TOUCHES_END = "interval-touches-end"
    QUANTILES_TOUCH_END = "quantiles-touch-end"
    RANGE_FOUND = "range-found"
    RANGE_MISSES_DATA = "range-misses-data"

    # users
    FEW_REPORTS = "few-reports"
    ASKED_AT_ONCE = "asked-at-once"
    SLOTS_BY_ARRIVAL = "slots-by-arrival"
    OPEN_TO_ANYBODY = "open-to-anybody"

    # what a method assumes, and the reports contradict
    WRONG_PLACE = "wrong-place"
    UNSETTLED_PLACE = "unsettled-place"
    USERS_DIFFER = "users-differ"
    USERS_ELSEWHERE = "users-elsewhere"
    VOTES_ELSEWHERE = "votes-elsewhere"

    # sparse vectors
    SELECTED_BY_CHANCE = "selected-by-chance"
    MORE_MAY_DIFFER = "more-may-differ"
    NOTHING_CAN_BE_FOUND = "nothing-can-be-found"

    # the choice of a centre
    CENTRE_NOT_SETTLED = "centre-not-settled"
    THEOREM_PROMISES_NOTHING = "theorem-promises-nothing"

    # densities
    USERS_FAR_APART = "users-far-apart"
    MAY_BE_DISCRETE = "may-be-discrete"

    # mixture
    COMPONENT_MAY_NOT_EXIST = "component-may-not-exist"
    COMPONENT_MAY_BE_ELSEWHERE = "component-may-be-elsewhere"
    COMPONENT_HARDLY_ABOVE_ZERO = "component-hardly-above-zero"
    COMPONENT_BELOW_CUT = "component-below-cut"
    COMPONENT_BEYOND_RESIDUALS = "component-beyond-residuals"
    COMPONENT_OF_USERS_WHO_DIFFER = "component-of-users-who-differ"
    COMPONENTS_OVERLAP = "components-overlap"
    COMPONENTS_MAY_BE_MISSED = "components-may-be-missed"
    COMPONENTS_COUNTED = "components-counted"
    USERS_NEAR_NO_COMPONENT = "users-near-no-component"

    # range: why there is none
    NO_RANGE_ABOVE_CHANCE = "no-range-above-chance"
    NO_RANGE_FROM_SO_FEW = "no-range-from-so-few"
    NO_RANGE_BUT_ZERO = "no-range-but-zero"
    NO_RANGE_UP_TO_LARGEST = "no-range-up-to-largest"

    # groups
    GROUPS_TOO_SMALL = "groups-too-small"

    # baselines
    SIMULATION_ONLY = "simulation-only"

    # a rehearsal
    GROUPS_LOOKED_UP = "groups-looked-up"
    OBSERVATIONS_LOOKED_UP = "observations-looked-up"
    IN_SEVERAL_GROUPS = "in-several-groups"
    USERS_WITHOUT_DATA = "users-without-data"
    CELLS_MISSING = "cells-missing"
    ODD_CELLS = "odd-cells"
    ROWS_LEFT_OUT = "rows-left-out"

    # tallies that were counted elsewhere
    REPORTS_MISSING = "reports-missing"

    @property
    def severity(self) -> Severity:
        """The severity of every note with this code."""
        return Severity.INFO if self in _GOOD_TO_KNOW else Severity.WARNING

    @property
    def range_misses(self) -> bool:
        """Whether it says that the declared range may miss users: an interval then holds for what is left."""
        return self in _RANGE_MISSES


_RANGE_MISSES = frozenset(
    {
        NoteCode.RANGE_MAY_MISS_USERS,
        NoteCode.RANGE_MAY_MISS_OBSERVATIONS,
        NoteCode.INTERVAL_TOUCHES_END,
        NoteCode.QUANTILES_TOUCH_END,
        NoteCode.RANGE_FOUND,
        NoteCode.RANGE_MISSES_DATA,
    }
)
_GOOD_TO_KNOW = frozenset({NoteCode.FEW_COULD_HIDE, NoteCode.OBSERVATIONS_LOOKED_UP})


class Note(Fact):
    """One of the codes, with its numbers: ``Note(NoteCode.FEW_REPORTS, strength=40.0)``."""

    __slots__ = ()

    def __init__(self, code: str, /, **data: Any) -> None:
        super().__init__(NoteCode(code), **data)

    @property
    def severity(self) -> Severity:
        return NoteCode(self.code).severity

    def to_plain(self) -> dict[str, Any]:
        """As JSON has it, with the severity, which follows from the code."""
        plain = super().to_plain()
        return {"code": plain["code"], "severity": self.severity.value, "data": plain["data"]}

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Read what `to_plain` wrote; `Malformed` for a code that there is none of."""
        if not isinstance(plain, dict) or plain.get("code") not in list(NoteCode):
            raise Malformed("a note has one of the codes of answers.NoteCode; this one has none of them")
        return super().from_plain({name: value for name, value in plain.items() if name != "severity"})


@dataclass(frozen=True, kw_only=True, eq=False)
class StatedNumbers:
    """Some numbers of one kind: each has a name, an interval of its own, and a range in which it must lie."""

    what: str
    """``share``, ``value``: what one of them is; a case of the message."""
    names: Sequence[Fact | str]
    """What to call each; none where there is only one."""
    values: ArrayLike
    intervals: ArrayLike
    low: ArrayLike = -np.inf
    high: ArrayLike = np.inf
    model: bool = False
    """Whether the intervals are those of a model."""

    def inconsistencies(self) -> list[Note]:
        """A note for those that lie outside their own interval, and one for those that only leave their range."""
        values, ends = np.atleast_1d(np.asarray(self.values, dtype=np.float64)), np.asarray(self.intervals, dtype=float)
        ends = ends.reshape(-1, 2)
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), values.shape) for end in (self.low, self.high))
        out, beyond = outside(values, ends[:, 0], ends[:, 1]), outside(values, low, high)
        return [*self._noted(out, NoteCode.OUTSIDE_INTERVAL), *self._noted(beyond & ~out, NoteCode.OUTSIDE_RANGE)]

    def _noted(self, outside: np.ndarray, code: NoteCode) -> list[Note]:
        places = np.flatnonzero(outside)
        if not len(places):
            return []
        named = tuple(self.names[place] for place in places[:_SHOWN]) if len(outside) > 1 else ()
        more = len(places) > _SHOWN
        return [
            Note(code, what=self.what, model=self.model, count=len(places), all=len(outside), names=named, more=more)
        ]


class AtEnd(Protocol):
    """What a round says about users at an end of the range."""

    @property
    def share(self) -> float:
        """The share of the users."""
        ...

    @property
    def error(self) -> float:
        """The standard error of the share."""
        ...

    @property
    def reach(self) -> float:
        """How near to the end they lie."""
        ...


Looks = Callable[[float], list[tuple[AtEnd | None, AtEnd | None]]]
"""What each round says of users no farther than so much from the low end, and from the high end."""
ENDS = ("low", "high")
_NEAR = 0.1
"""Of the range: an interval that touches an end and reaches no farther from it says that users lie there."""


def touches(interval: tuple[float, float], declared: tuple[float, float], place: int) -> bool:
    """Whether an interval touches an end of the range, the value clamped to it or not, and reaches not far from it."""
    low, high = declared
    far = interval[1] - low if place == 0 else high - interval[0]
    return interval[place] == declared[place] and far <= _NEAR * (high - low)


def outside(values: ArrayLike, low: ArrayLike, high: ArrayLike) -> np.ndarray:
    """By more than rounding explains. Also false for NaN: what is not known is not outside."""
    values, low, high = (np.asarray(one, dtype=np.float64) for one in (values, low, high))
    with np.errstate(invalid="ignore"):
        width = high - low
        slack = _ROUNDING * np.where(np.isfinite(width), width, 1.0) + 1e-12 * np.abs(values)
        return np.asarray((values < low - slack) | (values > high + slack))
