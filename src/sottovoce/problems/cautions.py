"""What every answer is looked at for before it is told: numbers outside their intervals, and a range that may be wrong.

From tallies alone, so that `decide` stays pure, and whoever replays a survey is told the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from sottovoce.answers import CLAMPED, RANGE_WRONG, Answer, Estimate, HistogramEstimate, QuantilesEstimate, level_name
from sottovoce.messages import Question, Tally, few
from sottovoce.schemes import AtEnd, at_ends

FINE = 0.02
"""Of the range: what lies no farther from an end is at it."""
SUSPECT = 0.05
"""The share of the users at an end above which the range is suspected."""
ALARMS = 0.01
"""The chance that it is suspected although no more than `SUSPECT` of the users lie at its ends, over all rounds."""
NEARLY_ALL = 0.9
NEAR = 0.1
"""Of the range: an interval that touches an end and reaches no farther from it says that users lie there."""
ENDS = (("low", "below", "lower"), ("high", "above", "higher"))


def cautions(
    answer: Answer, declared: tuple[float, float] | None, seen: Sequence[tuple[Question, Tally]]
) -> tuple[str, ...]:
    """Warnings about an answer, from what was `declared` and what the rounds have `seen`."""
    doubts = list(answer.doubts())
    if declared is None:
        return tuple(doubts)
    if isinstance(answer, Estimate):
        doubts += _mean(answer, declared, seen)
    elif isinstance(answer, QuantilesEstimate) and answer.curve.step is None:
        doubts += _quantiles(answer, declared)
    elif isinstance(answer, HistogramEstimate) and answer.edges is not None:
        doubts += _histogram(answer)
    return tuple(doubts)


def _mean(answer: Estimate, declared: tuple[float, float], seen: Sequence[tuple[Question, Tally]]) -> list[str]:
    low, high = declared
    looks = [at_ends(asked, tally, low=low, high=high, reach=FINE * (high - low)) for asked, tally in seen]
    z = NormalDist().inv_cdf(1 - ALARMS / max(1, 2 * len(looks)))
    told = []
    for place, (end, side, further) in enumerate(ENDS):
        shares = [found for look in looks if (found := look[place]) is not None]
        most = max(shares, key=lambda one: one.share - z * one.error, default=None)
        if most is not None and most.share - z * most.error > SUSPECT:
            told.append(_suspected(most, declared[place], end, side, further, z))
        elif _touched(answer.interval, declared, place):
            told.append(
                f"the interval touches the {end} end of the declared range, {declared[place]:g}: users may lie {side} "
                f"it, {CLAMPED}; {_unless(end, further)}"
            )
    return told


def _touched(interval: tuple[float, float], declared: tuple[float, float], place: int) -> bool:
    """Whether an interval touches an end of the range, the value clamped to it or not, and reaches not far from it."""
    low, high = declared
    far = interval[1] - low if place == 0 else high - interval[0]
    return interval[place] == declared[place] and far <= NEAR * (high - low)


def _suspected(found: AtEnd, at: float, end: str, side: str, further: str, z: float) -> str:
    share, least = min(1.0, found.share), max(0.0, found.share - z * found.error)
    return (
        f"{RANGE_WRONG}: about {share:.0%} of the users (at least {least:.0%}) lie at its {end} end, within "
        f"{few(found.reach, 3)} of {at:g}, and those {side} it are clamped; {_unless(end, further)}"
    )


def _unless(end: str, further: str) -> str:
    return f"unless no {further} value can occur, as with ratings or yes and no, declare a {further} {end}"


def _quantiles(answer: QuantilesEstimate, declared: tuple[float, float]) -> list[str]:
    told = []
    for place, (end, side, further) in enumerate(ENDS):
        own = zip(answer.q, answer.intervals, strict=True)
        levels = [level_name(q) for q, interval in own if _touched(interval, declared, place)]
        if levels:
            which = f"the interval of {levels[0]} touches"
            if len(levels) > 1:
                which = f"the intervals of {', '.join(levels)} touch"
            told.append(
                f"{which} the {end} end of the declared range, {declared[place]:g}: observations may lie {side} it, "
                f"{CLAMPED}; {_unless(end, further)}"
            )
    return told


def _histogram(answer: HistogramEstimate) -> list[str]:
    told = []
    for place, (end, side, further) in zip((0, -1), ENDS, strict=True):
        least = answer.intervals[place][0]
        if least >= NEARLY_ALL:
            told.append(
                f"{RANGE_WRONG}: about {answer.value[place]:.0%} of the observations (at least {least:.0%}) "
                f"lie in the bin at its {end} end, {answer.labels[place]}, where those {side} it are counted too; "
                f"{_unless(end, further)}"
            )
    return told
