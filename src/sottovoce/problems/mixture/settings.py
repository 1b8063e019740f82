"""What a survey of a mixture declares, where components are taken to lie, and which of them can be found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from sottovoce.messages import InvalidInput
from sottovoce.methods import (
    check_declared,
    check_positive,
    check_public_seed,
    check_users,
    is_whole,
)
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, Help, High, Low, Observations, ProofConstant
from sottovoce.risk import Averages, Crowd
from sottovoce.theory import PROOF_CONSTANT

Membership = Literal["nearest", "bin"]
USUAL = 2
"""Kinds to reckon with, where nobody said how many."""


@dataclass(frozen=True, kw_only=True)
class MixtureMeans(Settings):
    """Means and shares of `components` kinds of users on [low, high].

    `method`: ``"adaptive"``, which ``"auto"`` takes wherever it can run, asks 40 % of the users for the bin of their
    average, 25 % which of the kinds found so far is nearest and how far it is, the others on which side of it they are;
    kinds are bells, fitted to all reports. `components` may be left out; then it is chosen, with a warning.
    The other two are PrivateMixtureMean (L1186), in three folds.

    The first fold votes for bins; the winners, no two of them neighbours, are the centres. The second votes for the
    nearest centre, which gives the shares. The third sends the distance to the nearest centre, clamped to
    [−3Δ, 3Δ], times the public sign that `public_seed` and slot give to that centre, through Laplace noise.

    ``"paper"`` has the constants of the experiments: Δ = C_α √(log(nTα²)/T), where C_α takes the place of
    the whole √4 of L1190, not only of a √2 in it (ERRATA 14; this reading reproduces the reference figures), T for
    T*, and residuals are used for shares of at least 1/(100m) (L1123). ``"theory"``: Δ = √(4 log(nT*α²)/T*) with
    T* = T ∧ exp(n·min(α, α²)/(K m²)), K being `proof_constant`; π₀ is 1/(2m), our choice, and residuals are used for
    shares of at least π₀/2. No observation is discarded: T* only keeps Δ from falling too low (ERRATA 5).
    `smallest_share` is π₀ for either, `delta` overrides Δ, in half-ranges.

    Readings taken (ERRATA 13, P3): the sign is that of the user's own centre; sums are divided by |N₃|·π̂_k; `≥` for
    the cut. `membership` ``"nearest"`` is what the prose says: one-hot, exactly ε. ``"bin"`` is the pseudocode's
    vote for the winning bin itself, whose shares miss those who fall beside it: for reproduction only. It stays
    one-hot because "elsewhere" is an answer too. The proof's widened intervals overlap, cost 2ε and are not offered.

    With one component nobody votes on shares there, and with one bin nobody votes at all.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included. Not even the kind of a user is told.

    Accuracy
    --------
    Squared error summed over components of order m³/(nTε²), up to logarithms, once components are apart by a few Δ
    and every share is visible, that is above about 2.5/√(n(e^ε − 1)²/(24 e^ε)) (Theorem L1153). Users of one
    component are taken to be alike.
    """

    observations: Observations
    components: Annotated[
        int | None,
        Help(text="how many kinds of users there are", metavar="M", default="found out, by adaptive"),
    ] = None
    low: Low
    high: High
    smallest_share: Annotated[
        float | None, Help(text="no kind has a smaller share of the users", metavar="P", default="by the method")
    ] = None
    membership: Annotated[
        Membership, Help(text="how users are counted to kinds: nearest, or bin as in the pseudocode", group="constants")
    ] = "nearest"
    proof_constant: ProofConstant = PROOF_CONSTANT
    delta: Delta = None
    public_seed: Annotated[
        int,
        Help(
            text="makes the public signs that kinds get; chosen without looking at data",
            metavar="S",
            check=check_public_seed,
        ),
    ] = 0

    def check(self) -> None:
        m = self.components
        if m is not None and (not is_whole(m) or m < 1):
            raise InvalidInput(rule="components must be a whole number, at least 1, or left out", got=m)
        check_users(self.users, at_least=2 if m == 1 else 3)
        super().check()
        check_declared(self.low, self.high)
        check_positive("proof_constant", self.proof_constant)
        if self.smallest_share is not None and not 0 < self.smallest_share <= 1 / (m or 1):
            raise InvalidInput(
                rule="smallest_share must lie above 0 and be at most 1/components", got=self.smallest_share
            )

    @property
    def half(self) -> float:
        """Half the declared range."""
        return (self.high - self.low) / 2

    @property
    def kinds(self) -> int:
        """How many components there are, as stated; two where nobody said."""
        return USUAL if self.components is None else self.components


def component_places(settings: MixtureMeans) -> list[float]:
    """Where components are taken to lie: evenly over the range, with equal shares."""
    width = (settings.high - settings.low) / settings.kinds
    return [settings.low + (k + 0.5) * width for k in range(settings.kinds)]


def component_laws(settings: MixtureMeans, crowd: Crowd) -> list[Averages]:
    """The averages of the users of each component."""
    crowd.check_range(settings.low, settings.high)
    return [
        crowd.averages(centre=place, observations=settings.observations, low=settings.low, high=settings.high)
        for place in component_places(settings)
    ]


VISIBLE = 2.5
"""Standard errors by which a component must stand out to be found (RESEARCH 2b)."""


def clearness(settings: MixtureMeans, voters: float) -> float:
    """By how many standard errors a kind of all users would stand out, on the edge of two bins: √(n(e^ε−1)²/(8e^ε)).

    A share of the users stands out by that share of it.
    """
    return math.sqrt(voters * math.expm1(settings.epsilon) ** 2 / (8 * math.exp(settings.epsilon)))


def least_share(settings: MixtureMeans, voters: float) -> float:
    """The share of users that a component must have for so many voters to find it; above 1 none is sure to be."""
    return VISIBLE / clearness(settings, voters)
