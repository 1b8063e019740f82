"""What every answer is looked at for before it is told: numbers outside their intervals, and a range that may be wrong.

From tallies alone, so that `decide` stays pure, and whoever replays a survey is told the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from sottovoce.answers import Answer, Estimate, HistogramEstimate, Note, NoteCode, QuantilesEstimate, level_name
from sottovoce.messages import Question, Tally
from sottovoce.schemes import at_ends

FINE = 0.02
"""Of the range: what lies no farther from an end is at it."""
SUSPECT = 0.05
"""The share of the users at an end above which the range is suspected."""
ALARMS = 0.01
"""The chance that it is suspected although no more than `SUSPECT` of the users lie at its ends, over all rounds."""
NEARLY_ALL = 0.9
NEAR = 0.1
"""Of the range: an interval that touches an end and reaches no farther from it says that users lie there."""
ENDS = ("low", "high")


def cautions(
    answer: Answer, declared: tuple[float, float] | None, seen: Sequence[tuple[Question, Tally]]
) -> tuple[Note, ...]:
    """Notes about an answer, from what was `declared` and what the rounds have `seen`."""
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


def _mean(answer: Estimate, declared: tuple[float, float], seen: Sequence[tuple[Question, Tally]]) -> list[Note]:
    low, high = declared
    looks = [at_ends(asked, tally, low=low, high=high, reach=FINE * (high - low)) for asked, tally in seen]
    z = NormalDist().inv_cdf(1 - ALARMS / max(1, 2 * len(looks)))
    notes = []
    for place, end in enumerate(ENDS):
        shares = [found for look in looks if (found := look[place]) is not None]
        most = max(shares, key=lambda one: one.share - z * one.error, default=None)
        if most is not None and most.share - z * most.error > SUSPECT:
            notes.append(
                Note(
                    NoteCode.RANGE_MAY_MISS_USERS,
                    end=end,
                    at=declared[place],
                    share=min(1.0, most.share),
                    least=max(0.0, most.share - z * most.error),
                    reach=most.reach,
                )
            )
        elif _touched(answer.interval, declared, place):
            notes.append(Note(NoteCode.INTERVAL_TOUCHES_END, end=end, at=declared[place]))
    return notes


def _touched(interval: tuple[float, float], declared: tuple[float, float], place: int) -> bool:
    """Whether an interval touches an end of the range, the value clamped to it or not, and reaches not far from it."""
    low, high = declared
    far = interval[1] - low if place == 0 else high - interval[0]
    return interval[place] == declared[place] and far <= NEAR * (high - low)


def _quantiles(answer: QuantilesEstimate, declared: tuple[float, float]) -> list[Note]:
    notes = []
    for place, end in enumerate(ENDS):
        own = zip(answer.q, answer.intervals, strict=True)
        levels = tuple(level_name(q) for q, interval in own if _touched(interval, declared, place))
        if levels:
            notes.append(
                Note(NoteCode.QUANTILES_TOUCH_END, end=end, at=declared[place], levels=levels, count=len(levels))
            )
    return notes


def _histogram(answer: HistogramEstimate) -> list[Note]:
    return [
        Note(
            NoteCode.RANGE_MAY_MISS_OBSERVATIONS,
            end=end,
            bin=answer.labels[place],
            share=answer.value[place],
            least=answer.intervals[place][0],
        )
        for place, end in zip((0, -1), ENDS, strict=True)
        if answer.intervals[place][0] >= NEARLY_ALL
    ]
