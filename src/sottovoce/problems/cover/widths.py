"""How fine a cover should be: the Δ that is asked for, or the best that the theorem, T and a question allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import experiment_delta
from sottovoce.problems.cover.cover import Cover
from sottovoce.theory import cover_risk

_RATIO = 1.06
"""Between one Δ that is tried and the next."""


@dataclass(frozen=True, kw_only=True)
class Space:
    """What can be covered: `build` makes the cover for a Δ, or None where it does not fit in a question."""

    build: Callable[[float], Cover | None]
    limit: float
    """From this Δ on one centre does."""
    room: int
    """How many centres fit in a question."""
    blur: Callable[[Cover], float]
    """How far Δ reaches here where it is 1 on [−1, 1]: the paper's Δ for T observations is that of one coordinate."""

    def cover(
        self, delta: float | None, *, users: int | None, epsilon: float | None, observations: int | None
    ) -> Cover:
        """The cover for `delta`, or for the best Δ for so many users, at this ε, with so many observations each."""
        if delta is None:
            if users is None or epsilon is None:
                raise InvalidInput(fix="give delta, or users and epsilon for the delta that suits them")
            return self._chosen(users, epsilon, observations)
        if users is not None or epsilon is not None or observations is not None:
            raise InvalidInput("delta is given: users, epsilon and observations have nothing to decide")
        if (made := self.build(delta)) is None:
            raise self._refusal(delta)
        return made

    def _chosen(self, users: int, epsilon: float, observations: int | None) -> Cover:
        """From coarse to fine while the theorem's bound may fall, it fits, and T observations tell cells apart."""
        one = 0.0 if observations is None else experiment_delta(users, observations, epsilon)

        def bound(made: Cover, delta: float) -> float:
            return cover_risk(delta=delta, diameter=made.diameter, centres=len(made), users=users, epsilon=epsilon)

        delta, stopped = 0.999 * self.limit, ""
        made = self.build(delta)
        if made is None:
            raise self._refusal(delta)
        best = last = made
        risk = bound(best, best.radius)
        while not stopped and bound(last, 0.0) < risk:  # finer ones have more centres
            coarser, delta = delta, delta / _RATIO
            made = self.build(delta)
            if made is None:
                made, stopped = self._finest(coarser, delta), "question"
            if self.blur(made) * one > made.radius:
                stopped = "observations"
                break
            last = made
            if (found := bound(made, made.radius)) < risk:
                best, risk = made, found
        held = stopped if stopped and len(best) == len(last) else "theorem"
        if risk >= best.diameter**2:
            held = "nothing"
        numbers = {"users": users, "epsilon": epsilon, "observations": observations}
        return replace(best, why=Fact(f"cover-width-by-{held}", delta=best.radius, **numbers))

    def _finest(self, fits: float, does_not: float) -> Cover:
        """The smallest Δ between the two whose cover fits a question, by bisection."""
        made = self.build(fits)
        assert made is not None
        for _ in range(12):
            middle = math.sqrt(fits * does_not)
            finer = self.build(middle)
            if finer is None:
                does_not = middle
            else:
                made, fits = finer, middle
        return made

    def _refusal(self, delta: float) -> InvalidInput:
        """Say which delta would do, to three digits, by bisection."""
        low, high = delta, self.limit * 0.999
        if self.build(high) is None:
            return InvalidInput(
                "no delta gives more than one centre and still fits a question, which has room for "
                f"{max(0, self.room):,} centres of so many coordinates",
                fix="give fewer dimensions",
            )
        for _ in range(24):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.build(middle) is None else (low, middle)
        digits = 10 ** (2 - math.floor(math.log10(high)))
        fits = math.ceil(high * digits) / digits
        return InvalidInput(
            rule=f"delta = {delta:g} needs more centres than fit in a question", wrong=f"about {fits:g} fits"
        )
