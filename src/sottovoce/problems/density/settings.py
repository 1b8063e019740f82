"""What a survey of a density declares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from sottovoce.messages import MAX_GROUPS, InvalidInput, check_range
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import Delta, Help, Low, Observations, ProofConstant
from sottovoce.schemes import check_observations, check_positive, check_users, is_whole
from sottovoce.theory import PROOF_CONSTANT, log1


@dataclass(frozen=True, kw_only=True)
class Density(Settings):
    """The density on [low, high] by its first M trigonometric coefficients (L316), M counting the constant.

    PrivateDensity (L795): every user reports the average of one basis function, in folds, as a coordinate of a vector
    mean would be; f̂ = Σ θ̂_j φ_j. Observations outside [low, high] are clamped to it.

    `method`: ``"paper"`` and ``"theory"`` choose M by the paper's rule (L797), ⌊{nα²·min(T, T₀)}^{1/(2β+2)}⌋, T₀ with
    C_β = `c_beta`, and estimate each coefficient as a mean is estimated under that name; ``"one-round"`` asks on the
    full range with that M; ``"auto"`` chooses M and one round or localising together, by the lowest predicted error:
    that of M − 1 coefficients plus radius²·(M + 1)^(−2β), the largest truncation error of a density with
    Σ_{j≥2} j^{2β}θ_j² ≤ radius². ERRATA 15 finds the printed rule with C_β = 1 worse than the uniform density nearly
    everywhere. `coefficients` sets M. The default radius is our choice: of 2, 6 and 10, tried on one density with two
    peaks and one with a single wave (n = 5000, T = 100, ε = 1, 2, 4), 2 lost the peaks and 10 paid most for the wave;
    no other data were looked at.

    Readings taken (ERRATA 15): θ₁ = 1 is known and not asked, so there are M − 1 folds; M is floored, at least 2, and
    at most what the users can fill; the range of a coefficient is ±√2. P_{β,1} of the paper holds only the uniform
    density, so `radius` leaves θ₁ out. In theory mode Δ counts T* observations while averages take all of them.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    Squared L2 error of order (nTα²)^(−2β/(2β+2)) up to logarithms for users alike (Theorem L776), for densities that
    are smooth *and periodic*: where the two ends of the range differ, the basis converges slowly near them.
    """

    low: Low
    high: Annotated[float, Help(text="highest declared value; observations beyond count at the ends", metavar="H")]
    observations: Observations
    smoothness: Annotated[float, Help(text="β, how many derivatives the density is trusted to have", metavar="B")] = 2.0
    coefficients: Annotated[
        int | None, Help(text="how many coefficients, 2 or more", metavar="K", default="by the method")
    ] = None
    c_beta: Annotated[float, Help(text="C_β of the paper's rule for M", metavar="C", group="constants")] = 1.0
    radius: Annotated[
        float, Help(text="how far densities may be from uniform, for method auto", metavar="R", group="constants")
    ] = 6.0
    proof_constant: ProofConstant = PROOF_CONSTANT
    delta: Delta = None

    def check(self) -> None:
        check_users(self.users, at_least=2)
        super().check()
        check_range(self.low, self.high)
        check_observations(self.observations)
        for name in ("smoothness", "c_beta", "radius", "proof_constant", "delta"):
            check_positive(name, getattr(self, name))
        wanted = self.coefficients
        if wanted is not None and (not is_whole(wanted) or wanted < 2):
            raise InvalidInput(f"coefficients must be a whole number, at least 2 (θ₁ = 1 is known); got {wanted!r}")
        if wanted is not None and wanted > self.most:
            raise InvalidInput(
                f"fewer users than folds: {wanted} coefficients need at least {2 * (wanted - 1)} users; "
                f"got {self.users}"
            )

    @property
    def most(self) -> int:
        """The largest M whose folds have a voter and a refiner each."""
        return min(MAX_GROUPS, self.users // 2) + 1

    @property
    def size(self) -> int:
        """M: as given, or that of the paper (L797), floored and kept within what the users can fill."""
        if self.coefficients is not None:
            return self.coefficients
        strength = self.users * self.epsilon**2
        power = 2 * self.smoothness + 2
        limit = (power - 1) * math.log(strength) - power * math.log(self.c_beta * log1(strength))
        exponent = (math.log(strength) + min(math.log(self.observations), limit)) / power
        return min(self.most, max(2, math.floor(math.exp(min(exponent, 50.0)))))
