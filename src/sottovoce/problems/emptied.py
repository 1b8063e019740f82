"""Users without any observation: where they fall, and how far an interval reaches that allows for them.

A device always answers; one that holds nothing sends what the question says, the middle or a random input. A survey
cannot see how many do. So far as they are declared (`empty_at_most`), intervals are widened until they hold the truth
among the users who hold something.

*What one of them counts as.* Any question asks an empty device for something that a user with data could have sent, so
that a guarantee which holds whatever the users are holds for the mixture too. In a question whose answers go into the
estimate, the entry e that it stands for is known: of a position in [a, b] the middle (a + b)/2, also of a random one,
on average; of an item the middle category, or 1/k for each of k; of a direction, which is asked from a centre, the
centre itself: the device lies at distance nothing from it, and sends either of two opposite directions by the toss of a
coin; of a Hadamard coefficient 0, which is 1/k for all. Rounds that only find out where users are (bins, lengths,
checks, votes) are in no estimate: there an empty device lies at the centre, or in a bin, and is seen like any other.

*The formula.* Let w be the share of the users without data, e what one of them counts as, and μ the truth among the
others. What is observed is m = (1 − w)·μ + w·e, hence μ = e + (m − e)/(1 − w) (`unmixed`), which is monotone in m, in e
and, for given m and e, in w: its derivative in w is (m − e)/(1 − w)². So when [L, U] holds m, and e lies in [e₀, e₁],
μ lies between the least and the largest of `unmixed` at the corners (`widened`), for every share w from 0 to w̄.
Several rounds with weights that add up to one count an empty user as the same average of what each of them does, which
lies between the least and the largest of these (`fallen`), whatever the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sottovoce.answers import (
    Answer,
    Assumes,
    CdfEstimate,
    Curve,
    Estimate,
    HistogramEstimate,
    QuantilesEstimate,
    VectorEstimate,
)
from sottovoce.messages import (
    Average,
    Category,
    Coefficient,
    Direction,
    Entry,
    Fact,
    Inside,
    InvalidInput,
    Position,
    Question,
    Rotated,
    Vector,
)
from sottovoce.schemes import Script

Interval = tuple[float, float]
VOTES = Fact("empty-users-vote")
"""Why intervals cannot allow for users without data where a vote decides where all others are asked."""
SYMBOL = (
    'empty="symbol" counts users without data apart, which sv.{0}(…, empty="symbol") and sotto estimate {0} … --empty '
    'symbol do; these settings take "middle" or "random"'
)


def check_empty(problem: str, empty: str, at_most: float) -> None:
    """Refuse a place where nobody falls, and what no share is."""
    if empty == "symbol":
        raise InvalidInput(rule=SYMBOL.format(problem))
    if empty not in ("middle", "random"):
        raise InvalidInput(rule="empty must be middle or random", got=empty)
    if not isinstance(at_most, float) or not 0 <= at_most < 1:
        raise InvalidInput(
            rule="empty_at_most is the largest share of the users who hold nothing, from 0 to below 1", got=at_most
        )


def placed(script: Script[Any], empty: str) -> Script[Any]:
    """The same rounds, each question saying where users with nothing fall; those that have a place of their own stay.

    What the rounds read is the tally as if it were of their own question: channel and slots are the same.
    """
    try:
        own = next(script)
        while True:
            asked = own
            if empty != "middle" and own.encoder.statistic.silent:
                asked = replace(own, encoder=replace(own.encoder, empty=empty))
            tally = yield asked
            own = script.send(tally if asked is own else tally.as_of(own))
    except StopIteration as stop:
        return stop.value
    finally:
        script.close()


def unmixed(observed: float, empty: float, share: float) -> float:
    """The truth among users with data, when a `share` of the users without counts as `empty`."""
    return empty + (observed - empty) / (1 - share)


def widened(interval: Interval, empty: Interval, at_most: float, within: Interval) -> Interval:
    """An interval for the truth among users with data, from one for all users: see above. It lies `within`."""
    lows = [interval[0], *(unmixed(interval[0], one, at_most) for one in empty)]
    highs = [interval[1], *(unmixed(interval[1], one, at_most) for one in empty)]
    return max(within[0], min(lows)), min(within[1], max(highs))


def allowed_for(answer: Answer, asked: Sequence[Question], at_most: float) -> Answer:
    """The answer with intervals that allow for up to this share of users without data; `asked` is all that was asked.

    *A mean, a vector, shares*: by the formula above, entry by entry, with e between what the questions of the estimate
    count an empty user as. Where an interval holds whatever the users are, what it allows for users beyond the ends, or
    outside the radius, of the last question stays as it is: an empty user lies inside, or adds to it. So it holds
    (1 − w)·μ + w·e. A model interval holds the same if users with data are as the model says. *A distribution
    function*: e lies in [0, 1], whatever the question, and rises with the place. Of several looks each has an e of its
    own; the ends of all are at most (1 − w)·F + w, and at least (1 − w)·F, so those of the band are. *A quantile*: as
    F_all = (1 − w)·F + w·E with E in [0, 1], where F reaches q, F_all lies in [(1 − w̄)·q, (1 − w̄)·q + w̄]; where the
    band of F_all passes these two levels are the ends.
    """
    unit = (0.0, 1.0)
    known: dict[str, Any] = {"empty_at_most": at_most}
    if isinstance(answer, Estimate):
        (falls,), ends = fallen(asked, 1), (answer.low, answer.high)
        for name in ("interval", "model_interval"):
            if (own := getattr(answer, name)) is not None:
                known[name] = widened(own, falls or ends, at_most, ends)
    elif isinstance(answer, (HistogramEstimate, VectorEstimate)):
        boxed = isinstance(answer, VectorEstimate)
        within = list(zip(answer.low, answer.high, strict=True)) if boxed else [unit] * len(answer)  # type: ignore[union-attr]  # a vector
        rows = [(own or ends, ends) for own, ends in zip(fallen(asked, len(answer)), within, strict=True)]
        for name in ("intervals", "simultaneous", "model_intervals", "model_simultaneous"):
            if pairs := getattr(answer, name):
                known[name] = tuple(
                    widened(one, own, at_most, ends) for one, (own, ends) in zip(pairs, rows, strict=True)
                )
    elif isinstance(answer, (QuantilesEstimate, CdfEstimate)):
        band = tuple(widened(one, unit, at_most, unit) for one in answer.curve.band)
        known["curve"] = replace(answer.curve, band=band)
        if isinstance(answer, QuantilesEstimate):
            known["intervals"] = tuple(
                _quantile(answer.curve, q, one, at_most) for q, one in zip(answer.q, answer.intervals, strict=True)
            )
            known["model_intervals"] = None
        else:
            known["model_band"] = None
    else:
        raise AssertionError("settings with empty_at_most have one of these answers")
    return replace(answer, assumes=Assumes.FEW_WITHOUT_DATA, **known)


def fallen(asked: Sequence[Question], entries: int) -> list[Interval | None]:
    """Between what and what a user without data counts, in each entry; None where no question said anything of it."""
    found: list[list[float]] = [[] for _ in range(entries)]
    for question in asked:
        for entry, at in _counted_as(question).items():
            found[entry].append(at)
    return [(min(own), max(own)) if own else None for own in found]


def _counted_as(asked: Question) -> dict[int, float]:
    """What a user without data stands for in each entry that a question estimates, on average over lots."""
    statistic, placement = asked.encoder.statistic, asked.encoder.placement
    match statistic:
        case Average() if isinstance(placement, Position):
            return dict(zip(statistic.columns, _middles(placement, len(statistic.columns)), strict=True))
        case Rotated():
            return dict(enumerate(statistic.centre))
        case Direction() if asked.role != "vote":
            return _outward(statistic.vector, statistic.centre)
        case Entry() if isinstance(placement, Position):
            return _outward(statistic.vector, _middles(placement, statistic.vector.size))
        case Coefficient():
            return dict.fromkeys(range(statistic.vector.size), 1 / statistic.vector.size)
        case Category():
            size = statistic.vector.size
            if asked.encoder.empty == "random":
                return dict.fromkeys(range(size), 1 / size)
            return {place: float(place == size // 2) for place in range(size)}
    return {}


def _middles(placement: Position, entries: int) -> list[float]:
    """Of the range of each entry, or of the one that all have."""
    found = [(low + high) / 2 for low, high in zip(placement.low, placement.high, strict=True)]
    return found if len(found) == entries else found * entries


def _outward(vector: Vector, places: Sequence[float]) -> dict[int, float]:
    """In units of the observations, where a question has its own."""
    if not isinstance(vector, Inside):
        return dict(enumerate(places))
    middle, half = (own if len(own) > 1 else own * len(places) for own in (vector.middle, vector.half))
    return {entry: middle[entry] + half[entry] * at for entry, at in enumerate(places)}


def _quantile(curve: Curve, q: float, own: Interval, at_most: float) -> Interval:
    """Where the band of everybody passes the lowest and the highest level that the quantile may stand at."""
    least, most = (1 - at_most) * q, (1 - at_most) * q + at_most
    low = next((place for place, (_, top) in _reached(curve) if top >= least), curve.high)
    high = next((place for place, (bottom, _) in _reached(curve) if bottom >= most), curve.high)
    return min(own[0], low), max(own[1], high)


def _reached(curve: Curve) -> list[tuple[float, Interval]]:
    """Places from left to right, each with the band there: the upper end holds from the point before it on."""
    points, tops = (curve.low, *curve.points), (*(top for _, top in curve.band), 1.0)
    bottoms = (0.0, *(bottom for bottom, _ in curve.band))
    return [(place, (bottom, top)) for place, bottom, top in zip(points, bottoms, tops, strict=True)]
