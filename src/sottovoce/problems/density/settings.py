"""What a survey of a density declares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from sottovoce.messages import MAX_GROUPS, InvalidInput, nearest_exp, nearest_log
from sottovoce.methods import check_declared, check_positive, check_users, is_whole
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, Help, Low, Observations, ProofConstant
from sottovoce.theory import PROOF_CONSTANT, log1

USUAL = 2.0
"""β where it is not known: the slope of the density changes, and does not jump."""


@dataclass(frozen=True, kw_only=True)
class Density(Settings):
    """The density on [low, high], averaged over users: of the observations that a user drawn at random holds.

    Users need not be alike: the average over users of the density of their own observations is what is estimated.
    Observations outside [low, high] count at its ends.

    `method`: ``"adaptive"`` measures the averages of √2 cos(πjx), j = 1 … J, on the full range, then again and again
    from nearer by; ``"one-round"`` asks every user about one of them, once. Both draw the coefficients toward zero as
    far as they seem to be noise, and project the curve on f ≥ 0, ∫f = 1. J is 1.3·(information)^(1/(2β+2)), β being
    `smoothness`; half as many more where it is not stated, and how fast coefficients fall off is then learned from the
    reports. ``"auto"`` takes adaptive unless that does not pay. ``"paper"`` and ``"theory"`` are PrivateDensity (L795)
    in the trigonometric basis (L316): M by the paper's rule (L797), ⌊{nα²·min(T, T₀)}^{1/(2β+2)}⌋, T₀ with
    C_β = `c_beta`, each coefficient as a mean is estimated under that name. `coefficients` sets how many there are, the
    constant counted. Predictions take coefficients to be about radius/3·j^−β.

    Readings taken for the paper's methods (ERRATA 15): θ₁ = 1 is known and not asked, so there are M − 1 folds; M is
    floored, at least 2, and at most what the users can fill; the range of a coefficient is ±√2. P_{β,1} of the paper
    holds only the uniform density, so `radius` leaves θ₁ out. In theory mode Δ counts T* observations while averages
    take all of them. The printed rule with C_β = 1 is worse than the uniform density nearly everywhere.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    The bands of adaptive and one-round are for the smoothed density, which has only the waves shown: everywhere at
    once, whatever users are. Bands for the density itself assume besides that the waves left out fall off. Adaptive
    gains most where users are alike; one-round does not gain from more observations. Paper, theory: squared L2 error
    of order (nTα²)^(−2β/(2β+2)) up to logarithms for users alike (Theorem L776), for densities that are smooth *and
    periodic*: where the two ends of the range differ, their basis converges slowly near them.
    """

    low: Low
    high: Annotated[float, Help(text="highest declared value; observations beyond count at the ends", metavar="H")]
    observations: Observations
    smoothness: Annotated[
        float | None,
        Help(
            text="β, how many derivatives the density is trusted to have",
            metavar="B",
            default="not known; 2 for methods paper and theory",
        ),
    ] = None
    coefficients: Annotated[
        int | None, Help(text="how many coefficients, 2 or more", metavar="K", default="by the method")
    ] = None
    c_beta: Annotated[float, Help(text="C_β of the paper's rule for M", metavar="C", group="constants")] = 1.0
    radius: Annotated[
        float, Help(text="how far densities may be from uniform, for predictions", metavar="R", group="constants")
    ] = 6.0
    proof_constant: ProofConstant = PROOF_CONSTANT
    delta: Delta = None

    def check(self) -> None:
        check_users(self.users, at_least=2)
        super().check()
        check_declared(self.low, self.high)
        for name in ("smoothness", "c_beta", "radius", "proof_constant"):
            check_positive(name, getattr(self, name))
        wanted = self.coefficients
        if wanted is not None and (not is_whole(wanted) or wanted < 2):
            raise InvalidInput(rule="coefficients must be a whole number, at least 2 (θ₁ = 1 is known)", got=wanted)
        if wanted is not None and wanted > self.most:
            raise InvalidInput(
                rule=f"fewer users than folds: {wanted} coefficients need at least {2 * (wanted - 1)} users",
                wrong=f"got {self.users}",
                code="too-few-users",
                fields={"users": self.users, "needed": 2 * (wanted - 1)},
            )

    @property
    def assumed_smoothness(self) -> float:
        """β, where a number is needed."""
        return USUAL if self.smoothness is None else self.smoothness

    @property
    def most(self) -> int:
        """The largest M whose folds have a voter and a refiner each."""
        return min(MAX_GROUPS, self.users // 2) + 1

    @property
    def size(self) -> int:
        """M of the paper's methods: as given, or by its rule (L797), floored and within what the users can fill."""
        if self.coefficients is not None:
            return self.coefficients
        strength = self.users * (self.epsilon * self.epsilon)
        power = 2 * self.assumed_smoothness + 2
        limit = (power - 1) * nearest_log(strength) - power * nearest_log(self.c_beta * log1(strength))
        exponent = (nearest_log(strength) + min(nearest_log(self.observations), limit)) / power
        return min(self.most, max(2, math.floor(nearest_exp(min(exponent, 50.0)))))
