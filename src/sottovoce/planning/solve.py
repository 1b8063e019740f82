"""What it takes to reach a target: a search on the envelope of a curve that falls, but for small steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from sottovoce.messages import MAX_CHANNEL_EPSILON, InvalidInput, short_number
from sottovoce.problems import choose
from sottovoce.risk import Crowd, Prediction

Unknown = Literal["users", "observations", "epsilon"]
Goal = Literal["halfwidth", "error"]
"""What is to be small enough: the interval that an answer gives, or the root mean squared error behind it."""
GOALS: dict[Goal, str] = {"halfwidth": "the half-width", "error": "the error"}
LIMITS: dict[Unknown, tuple[float, float]] = {
    "users": (2, 2**34),
    "observations": (1, 2**24),
    "epsilon": (1e-3, MAX_CHANNEL_EPSILON),
}
_STEP = 4.0
"""How many times larger each trial is until the target is crossed: few trials, against more halving afterwards."""
_CLOSE = 1.0005
"""Ends so close, as a ratio, are one point."""
_TURNS = 60
"""Trials between two ends at most; all of these were chosen by hand."""
_LEAN, _LEAST_PART = 0.005, 0.02
"""How far above the guessed crossing the next trial lies, and how near to either end it may: both ends must move."""


@dataclass(frozen=True, kw_only=True)
class Solution:
    """The smallest value of one unknown that reaches the target; or none, and then the best that can be reached."""

    unknown: Unknown
    value: float | None
    best_value: float
    best: Prediction


def changed(template: Any, unknown: Unknown, value: float) -> Any:
    """The same protocol with one quantity changed."""
    return replace(template, **{unknown: value if unknown == "epsilon" else round(value)})


def solve(template: Any, unknown: Unknown, target: float, crowd: Crowd, *, goal: Goal = "halfwidth") -> Solution:
    """The smallest `unknown` with which the half-width, or the error, is no more than `target`; all else is given."""
    refused: list[InvalidInput] = []
    confidence = float(template.confidence)

    def reached(prediction: Prediction) -> float:
        return prediction.halfwidth(confidence) if goal == "halfwidth" else prediction.rmse

    def predicted(value: float) -> Prediction:
        try:
            return choose(changed(template, unknown, value), crowd).predict(crowd)
        except InvalidInput as error:  # fewer users than folds, say: more may do
            refused.append(error)
            return Prediction(sampling=math.inf, privacy=0.0)

    def error(value: float) -> float:
        return reached(predicted(value))

    lowest, highest = LIMITS[unknown]
    below, value = lowest, lowest
    least_value, least = lowest, predicted(lowest)
    while reached(least) > target and value < highest:
        below, value = value, min(highest, value * _STEP)
        prediction = predicted(value)
        if reached(prediction) < reached(least):
            least_value, least = value, prediction
        if reached(prediction) <= target:
            above = _crossing(error, below, value, target, whole=unknown != "epsilon")
            return Solution(unknown=unknown, value=above, best_value=value, best=prediction)
    if math.isinf(reached(least)):
        raise refused[-1]
    if reached(least) <= target:
        return Solution(unknown=unknown, value=lowest, best_value=lowest, best=least)
    return Solution(unknown=unknown, value=None, best_value=least_value, best=least)


def _crossing(error: Callable[[float], float], below: float, above: float, target: float, *, whole: bool) -> float:
    """A point just above the place where the error crosses the target: error(below) > target ≥ error(above).

    False position on logarithms of both, which are nearly straight lines; bisection whenever that is slow.
    """
    high, low = _log(error(below) / target), _log(error(above) / target)
    for turn in range(_TURNS):
        if above <= below * _CLOSE or (whole and above - below <= 1):
            break
        share = high / (high - low) if turn % 3 < 2 and math.isfinite(high) else 0.5
        share = min(1 - _LEAST_PART, max(_LEAST_PART, share + _LEAN))
        point = below * (above / below) ** share
        if whole:
            point = float(min(above - 1, max(below + 1, round(point))))
        value = _log(error(point) / target)
        if value <= 0:
            above, low = point, value
        else:
            below, high = point, value
    return above


def _log(ratio: float) -> float:
    return math.log(ratio) if ratio > 1e-300 else -690.0


def unreachable(solution: Solution, *, target: float, goal: Goal, confidence: float) -> InvalidInput:
    """The error that says what is the best reachable, and why."""
    name, cause, floor = solution.unknown, solution.best.dominant, solution.best.widened(0.0)
    if floor >= target and goal == "halfwidth":
        return InvalidInput(
            f"{name} alone cannot bring the half-width down to {target:g}: the users without data whom intervals "
            f"allow for (empty_at_most) make it {short_number(floor, 3)} at least",
            fix="declare fewer of them",
        )
    why = {
        "privacy": "the noise of the reports shrinks no further with it",
        "sampling": "what users differ by does not shrink with it",
        "localisation": "the votes for the place fail, or the interval cuts users off, whatever it is",
        "omission": "what is not asked at all does not shrink with it",
    }[cause]
    best = solution.best.halfwidth(confidence) if goal == "halfwidth" else solution.best.rmse
    remedy = {
        "users": 'a larger epsilon or method="auto" may help',
        "observations": "you need more users, or a larger epsilon",
        "epsilon": "you need more users" + (", or more observations" if cause == "sampling" else ""),
    }[name]
    return InvalidInput(
        f"{name} alone cannot bring {GOALS[goal]} down to {target:g}: the best is "
        f"{short_number(best, 3)}, at {name} = {solution.best_value:g}, because {why}"
        + ("; more observations will not help" if name == "observations" else ""),
        fix=remedy,
    )
