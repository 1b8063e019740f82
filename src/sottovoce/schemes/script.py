"""A protocol is a frozen value with one pure method."""

from __future__ import annotations

import itertools
import math
from typing import Protocol as Interface
from typing import TypeVar

from sottovoce.messages import InvalidInput, Question, Slots, Tally

Answer_co = TypeVar("Answer_co", covariant=True)


class Protocol(Interface[Answer_co]):
    """What every engine runs.

    `decide` is pure: the same tallies give the same next step, on any machine, in any process. It returns the next
    question, or the answer (an `Estimate`, or an object of the same spirit for answers that are not one number).
    """

    @property
    def users(self) -> int:
        """How many slots there are."""
        ...

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Answer_co:
        """The next step, given the tally of every question asked so far."""
        ...


def check_users(users: int, *, at_least: int = 1) -> None:
    """A usable number of users, or a clear error."""
    if isinstance(users, bool) or not isinstance(users, int) or users < at_least:
        raise InvalidInput(f"users must be a whole number, at least {at_least}; got {users!r}")


def check_observations(observations: int) -> None:
    """A usable (typical, public) number of observations per user, or a clear error."""
    if isinstance(observations, bool) or not isinstance(observations, int) or observations < 1:
        raise InvalidInput(f"observations (per user) must be a whole number, at least 1; got {observations!r}")


def check_confidence(confidence: float) -> None:
    """A usable confidence level, or a clear error."""
    if not 0 < confidence <= 1 - 1e-9:
        raise InvalidInput(f"confidence must lie strictly between 0 and 1 (at most 1 − 1e-9); got {confidence!r}")


def two_sided(confidence: float) -> float:
    """The normal quantile of a two-sided interval."""
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf((1 + confidence) / 2)


def upper_tail(z: float) -> float:
    """P(N(0, 1) > z)."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def split(users: int, parts: int) -> tuple[Slots | None, ...]:
    """Consecutive folds as even as possible: every slot in exactly one. A fold that would be empty is None."""
    bounds = [users * part // parts for part in range(parts + 1)]
    pairs = itertools.pairwise(bounds)
    return tuple(Slots(first=start, count=stop - start) if stop > start else None for start, stop in pairs)


def only(tally: Tally) -> tuple[int, tuple[int, ...]]:
    """The number of answers and the cells of a tally without groups."""
    return tally.reports[0], tally.cells[0]


def check_answered(tally: Tally, question: Question) -> None:
    """A round that nobody answered cannot be decided upon."""
    if min(tally.reports) < 1:
        silent = sum(1 for reports in tally.reports if reports < 1)
        raise InvalidInput(
            f"survey {question.survey!r} round {question.round} ({question.role}): {silent} of {len(tally.reports)} "
            f"groups have no report; keep the round open or plan for fewer groups"
        )


def within(interval: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """The part of an interval inside the declared range.

    One that lies outside is first moved to the nearest end, so that it keeps half of its width: the truth is inside
    the range, hence never farther from the moved centre than from the old one.
    """
    half = (interval[1] - interval[0]) / 2
    centre = min(max(interval[0] + half, low), high)
    return max(low, min(interval[0], centre - half)), min(high, max(interval[1], centre + half))
