"""What a survey of a mean vector declares, and what is assumed about its users before anyone is asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_GROUPS, InvalidInput
from sottovoce.methods import (
    check_choice,
    check_declared,
    check_length,
    check_positive,
    check_public_seed,
    check_size,
)
from sottovoce.problems.alternatives import assumed_crowds
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, EmptyAtMost, Help, Names, ProofConstant, Vectors
from sottovoce.risk import ASSUMED_SPREAD, Crowd
from sottovoce.theory import PROOF_CONSTANT

Ends = float | tuple[float, ...] | None
BALL_CONSTANT = 4.0
"""C of the ℓ2 procedure, which the paper leaves open (ERRATA 9): √C·log/√(dT) is then the product of two deviations
of √(2 log), one of the average's length and one of a rotated coordinate."""

_SMALLEST = 1e-100
"""Squares of anything smaller are lost in rounding."""


@dataclass(frozen=True, kw_only=True)
class VectorMean(Settings):
    """The mean vector from `users` users with about `observations` vectors of `dimension` coordinates each.

    `ball`: ``"linf"`` declares a range for each coordinate, [centre − radius, centre + radius] or `low` and `high`
    (one number, or one for each coordinate); ``"l2"`` declares a Euclidean ball of `radius` about `centre` (zero when
    left out). Left out, it is ``"linf"`` when `low` and `high` are given, else ``"l2"``. What a device finds outside,
    it clamps (linf) or projects onto the ball (l2).

    `method`: ``"adaptive"`` finds out where users are and then asks there: by directions of the whole vector, from ever
    nearer by, or on boxes of few sides one coordinate a user, each as adaptive does for a mean, whichever promises
    more. ``"one-round"`` asks everybody once, one coordinate each, on the full range. ``"paper"`` is
    PrivateMultiDimMean (L454) or PrivateMultiDimMean2 (L501) as in the paper's experiments (L890); ``"theory"`` is
    GeneralPrivateMultiDimMean (L1763) or its rotated form (L1793) with the constants of the proofs, K being
    `proof_constant` and C `ball_constant`. ``"auto"`` takes one-round or adaptive, whichever has the lower expected
    error, on average over users alike and users whose own means differ by a tenth of the range (of a ball's diameter,
    all coordinates together), or for the `spread` stated, and says why.

    Coordinates with ranges of their own are asked in halves of their range: the narrow ones as finely as the wide ones.

    Readings taken. The experiments do not say how a budget above 1 was spent: one coordinate a user at the full
    budget, Δ = C_α√(log(nTα²/d)/T) for linf and C_α·log(nTα²)/√(dT) for l2, reproduces the reference figures and is
    ``"paper"``. ``"theory"`` gives ⌊ε⌋ coordinates a budget of 1 each for 1 < ε ≤ d, never one more (ERRATA P1), and
    above d all of them ε/d, with three-bin votes. Folds use their own size (ERRATA 1); d is padded to a power of two
    for l2 and folds go over the padded size (2); the general l2 procedure has log²/(dT) (3); T* has exp(n·min(α, α²)
    /Kd) (4); logarithms are at least 1 (P6). For l2 all observations are averaged and T* only sets Δ: an average of
    more concentrates no less. `delta` overrides Δ, in half-ranges.

    `public_seed` draws the public rotation; choose it without looking at data. `names` are for the answer.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its length
    included, all coordinates a user answers for added up.

    Accuracy
    --------
    Adaptive: variance of a coordinate about r²/(m²n), r being how far users lie from their mean in length (in halves of
    ranges) and 1/m² = 7.4, 2.1, .53 at ε = 1, 2, 4. Two kinds of intervals: guarded ones hold whatever the users are,
    model ones if nobody lies far from the rest. One round: no better with more observations, nothing assumed.
    Paper, theory: squared error of order d²/(nTε²) (linf) or d/(nTε²) (l2) up to logarithms, for users alike and
    votes that find the right bin (Theorem L370).
    """

    observations: Vectors
    dimension: Annotated[int, Help(text="coordinates of a vector", metavar="D", group="data")]
    ball: Annotated[
        Literal["l2", "linf"] | None,
        Help(
            text="where vectors are declared to lie: l2, a Euclidean ball, or linf, a range for each coordinate",
            metavar="l2|linf",
            default="linf with low and high, else l2",
        ),
    ] = None
    radius: Annotated[
        float | None, Help(text="of the ball; averages beyond are moved into it", metavar="R", default="1")
    ] = None
    centre: Annotated[tuple[float, ...] | None, Help(text="of the ball", metavar="X,Y,…", default="zero")] = None
    low: Annotated[Ends, Help(text="lowest value of all, or of each: L,L,…", metavar="L")] = None
    high: Annotated[Ends, Help(text="highest value of all, or of each: H,H,…", metavar="H")] = None
    spread: Annotated[
        float | None,
        Help(
            text="how much users' own means differ in a coordinate (standard deviation), for auto to choose by",
            metavar="S",
            default="not known: alike, or by a tenth of the range",
        ),
    ] = None
    public_seed: Annotated[
        int,
        Help(
            text="makes public rotations and directions; chosen without looking at data",
            metavar="S",
            check=check_public_seed,
        ),
    ] = 1
    proof_constant: ProofConstant = PROOF_CONSTANT
    ball_constant: Annotated[
        float, Help(text="C of the proofs on an l2 ball, for method theory", metavar="C", group="constants")
    ] = BALL_CONSTANT
    delta: Delta = None
    empty_at_most: EmptyAtMost = 0.0
    names: Names = ()

    def __post_init__(self) -> None:
        if self.ball is None:
            object.__setattr__(self, "ball", "linf" if self.boxed else "l2")
        if self.radius is None and not self.boxed:
            object.__setattr__(self, "radius", 1.0)
        super().__post_init__()

    @property
    def boxed(self) -> bool:
        """Whether a box is declared by its ends."""
        return self.low is not None or self.high is not None

    @property
    def reach(self) -> float:
        """The radius of the ball; 1 when left out."""
        return 1.0 if self.radius is None else self.radius

    def check(self) -> None:
        check_size("dimension", self.dimension, MAX_GROUPS)
        check_choice("ball", self.ball, ("linf", "l2"))
        super().check()
        check_positive("radius", self.radius)
        if self.radius is not None and self.radius < _SMALLEST:
            raise InvalidInput(
                rule=f"radius must be at least {_SMALLEST:g}",
                got=self.radius,
                fix="give the observations in a smaller unit",
            )
        if self.ball == "l2" and not (self.low is None and self.high is None):
            raise InvalidInput("low and high declare a box; an l2 ball has radius= and centre=")
        if self.centre is not None:
            check_length("centre", self.centre, self.dimension)
            if not all(map(math.isfinite, self.centre)):
                raise InvalidInput(rule="centre must be finite")
        if not (self.proof_constant > 0 and self.ball_constant > 0):
            raise InvalidInput(rule="proof_constant and ball_constant must be positive")
        if self.names:
            check_length("names", self.names, self.dimension)
        for low, high in zip(*self.ranges, strict=True):
            check_declared(low, high)
        if self.spread is not None and not 0 <= self.spread <= self.widest / 2:
            raise InvalidInput(
                rule=f"spread is a standard deviation, from 0 to half of the (widest) range ({self.widest / 2:g})",
                got=self.spread,
            )

    @property
    def largest_epsilon(self) -> float:
        """The proofs share a budget out over all coordinates, once it is large (L1763)."""
        return super().largest_epsilon * (self.groups if self.method == "theory" else 1)

    @property
    def groups(self) -> int:
        """Folds: a coordinate each, of the vector or of its rotation."""
        return self.dimension if self.ball == "linf" else 1 << (self.dimension - 1).bit_length()

    @property
    def middle(self) -> tuple[float, ...]:
        """The centre, zero when left out."""
        return (0.0,) * self.dimension if self.centre is None else self.centre

    @cached_property
    def ranges(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The declared range of every coordinate: low and high, or centre ∓ radius."""
        if (self.low is None) != (self.high is None):
            raise InvalidInput("low and high come together")
        if self.low is not None and self.high is not None:
            if self.centre is not None:
                raise InvalidInput(fix="give low and high, or centre and radius, not both")
            return self._each("low", self.low), self._each("high", self.high)
        return tuple(at - self.reach for at in self.middle), tuple(at + self.reach for at in self.middle)

    @property
    def declared(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The ends of the box, or of that around the ball."""
        return self.ranges

    def points_outside(self, points: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        """Outside of a ball there is no below."""
        if self.ball != "l2":
            return super().points_outside(points)
        far = np.linalg.norm(points - np.asarray(self.middle), axis=1) > self.reach * (1 + 1e-12)
        return np.zeros_like(far), far

    @cached_property
    def boxes(self) -> tuple[tuple[float, float, int], ...]:
        """The different ranges: low, high, and how many coordinates have them."""
        return tuple((low, high, count) for (low, high), count in Counter(zip(*self.ranges, strict=True)).items())

    @property
    def widest(self) -> float:
        """The width of the widest range."""
        return max(high - low for low, high, _ in self.boxes)

    def _each(self, name: str, ends: float | tuple[float, ...]) -> tuple[float, ...]:
        if isinstance(ends, (int, float)):
            return (float(ends),) * self.dimension
        check_length(name, ends, self.dimension)
        return tuple(map(float, ends))


TYPICAL = 0.5
"""Where the users' middle is taken to lie in a plan: at half of what the domain allows. Chosen by hand."""


def crowds_for_vectors(settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
    """What auto decides by; users may differ by a part of the (narrowest) range, or of a ball's diameter in all."""
    if settings.ball == "l2":
        width = 2 * settings.reach / math.sqrt(settings.dimension)
    else:
        width = min(high - low for low, high, _ in settings.boxes)
    return assumed_crowds(crowd, settings.spread, ASSUMED_SPREAD * width)


def ranges_with_users(settings: VectorMean, crowd: Crowd) -> Iterator[tuple[float, float, int, Crowd]]:
    """The different ranges, low and high, how many coordinates have each, and the users there.

    In a range narrower than the widest, users differ as much as it lets them.
    """
    for low, high, count in settings.boxes:
        half = (high - low) / 2
        if 2 * half >= settings.widest:
            yield low, high, count, crowd
        else:
            spread, within = (None if given is None else min(given, half) for given in (crowd.spread, crowd.within))
            yield low, high, count, replace(crowd, spread=spread, within=within)


def distances_from_middle(settings: VectorMean, crowd: Crowd) -> list[tuple[float, int]]:
    """How far the users' mean lies from the middle in a coordinate, and in how many: the farthest place left open."""
    if settings.ball == "l2":
        typical = TYPICAL * settings.reach / math.sqrt(settings.dimension)
        return [(typical if crowd.around is None else abs(crowd.around), settings.dimension)]
    return [
        (max(abs(place - (low + high) / 2) for place in users.centres(low, high, step=0.0)), count)
        for low, high, count, users in ranges_with_users(settings, crowd)
    ]
