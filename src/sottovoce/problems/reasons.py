"""Why auto takes a method, and when no method can say much, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import few
from sottovoce.risk import Crowd, Prediction
from sottovoce.theory import strength

ENOUGH = 100
"""n·min(ε, ε²) from which users can be found at all."""


def says_little(users: int, epsilon: float) -> tuple[str, ...]:
    """A warning where reports say little, whatever is asked."""
    total = strength(users, epsilon)
    return (f"n·min(ε, ε²) = {total:.3g} is below {ENOUGH}: the reports say little",) if total < ENOUGH else ()


@dataclass(frozen=True)
class Candidate:
    """A method that could run, and what is expected of it."""

    name: str
    prediction: Prediction
    guaranteed: bool

    def words(self) -> str:
        return few(self.prediction.rmse, 3) + (", guaranteed" if self.guaranteed else "")


def supposed(crowds: Sequence[Crowd], width: float) -> str:
    """``users are alike or differ by 0.4 (10% of the range)``; `width` is that of the range."""
    if crowds[0].law is not None:
        return "users are as given"
    alike = ["users are alike"] if any(not crowd.spread for crowd in crowds) else []
    apart = [
        f"differ by {few(crowd.spread, 3)} ({crowd.spread / width:.0%} of the range)"
        for crowd in crowds
        if crowd.spread
    ]
    return " or ".join([*alike, *(apart if alike else [f"users' own means {words}" for words in apart])])


def weighed(candidates: Sequence[Candidate], crowds: Sequence[Crowd], *, width: float, pays: float) -> str:
    """What was assumed, what the choice (the first) gives, and what each other would have given."""
    taken, *others = candidates
    mean = " on average" if len(crowds) > 1 else ""
    guaranteed = ", guaranteed" if taken.guaranteed else ""
    error = f"error {few(taken.prediction.rmse, 3)}{mean}{guaranteed}"
    said = f"auto takes {taken.name}: if {supposed(crowds, width)}, {error}"
    for other in others:
        said += f"; {other.name} {other.words()}"
        if other.prediction.mse < taken.prediction.mse:
            said += f" (taken only below {few(math.sqrt(pays) * taken.prediction.rmse, 3)})"
    return said
