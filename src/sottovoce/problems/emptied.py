"""Users without any observation: where they fall, and how far an interval reaches that allows for them.

A device always answers; one that holds nothing sends what the question says, the middle or a random input. A survey
cannot see how many do. So far as they are declared (`empty_at_most`), intervals are widened until they hold the truth
among the users who hold something.

*The formula.* Let w be the share of the users without data, e what one of them counts as, and μ the truth among the
others. What is observed is m = (1 − w)·μ + w·e, hence μ = e + (m − e)/(1 − w) (`unmixed`), which is monotone in m, in e
and, for given m and e, in w: its derivative in w is (m − e)/(1 − w)². So when [L, U] holds m, and e lies in [e₀, e₁],
μ lies between the least and the largest of `unmixed` at the corners (`widened`), for every share w from 0 to w̄.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.answers import Answer, CdfEstimate, Curve, Estimate, HistogramEstimate, QuantilesEstimate, part
from sottovoce.messages import InvalidInput, Position, Question
from sottovoce.schemes import Script

Interval = tuple[float, float]
SYMBOL = (
    'empty="symbol" counts users without data apart, which sv.{0}(…, empty="symbol") and sotto estimate {0} … --empty '
    'symbol do; these settings take "middle" or "random"'
)
CANNOT = "what users without data do to the intervals of {} is not known: leave out empty_at_most, or the method"


def check_empty(problem: str, empty: str, at_most: float) -> None:
    """Refuse a place where nobody falls, and what no share is."""
    if empty == "symbol":
        raise InvalidInput(SYMBOL.format(problem))
    if empty not in ("middle", "random"):
        raise InvalidInput(f"empty must be middle or random; got {empty!r}")
    if not isinstance(at_most, float) or not 0 <= at_most < 1:
        raise InvalidInput(
            f"empty_at_most is the largest share of the users who hold nothing, from 0 to below 1; got {at_most!r}"
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


def allowed_for(answer: Answer, last: Question, at_most: float) -> Answer:
    """The answer with intervals that allow for up to this share of users without data; `last` is what was asked last.

    *A mean*: in the last question both a middle and a random input lie on average at the middle c of the interval
    [a, b] that it asks about, so e = c. Of adaptive, the guarded interval holds the average over users of what lies in
    [a, b] plus at most what the rounds of bins leave for users beyond; users without data only add to the latter. So it
    holds (1 − w)·μ + w·c. *Shares*, asked for in one question: e is 1 for the middle category, 0 for the others; where
    it is random, 1/k for each of k. *A distribution function*: e lies in [0, 1], whatever the place. *A quantile*: as
    F_all = (1 − w)·F + w·E with E in [0, 1], where F reaches q, F_all lies in [(1 − w̄)·q, (1 − w̄)·q + w̄]; where the
    band of F_all passes these two levels are the ends.
    """
    unit = (0.0, 1.0)
    said = f"that at most {part(at_most)} of the users hold no observation"
    known: dict[str, Any] = {"empty_at_most": at_most}
    if isinstance(answer, Estimate):
        placement = last.encoder.placement
        assert isinstance(placement, Position)
        centre, ends = (placement.low[0] + placement.high[0]) / 2, (answer.low, answer.high)
        known["interval"] = widened(answer.interval, (centre, centre), at_most, ends)
        if answer.model_interval is not None:
            known["model_interval"] = widened(answer.model_interval, (centre, centre), at_most, ends)
    elif isinstance(answer, HistogramEstimate):
        fallen = _fallen(last, len(answer))
        for name in ("intervals", "simultaneous"):
            pairs = zip(getattr(answer, name), fallen, strict=True)
            known[name] = tuple(widened(one, (at, at), at_most, unit) for one, at in pairs)
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
    return replace(answer, assumes=said, **known)


def _fallen(last: Question, count: int) -> list[float]:
    """The part of the users without data that counts for each of so many categories."""
    assert last.encoder.placement.count == count
    if last.encoder.empty == "random":
        return [1 / count] * count
    return [float(place == count // 2) for place in range(count)]


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
