"""The density of one number per observation, averaged over users."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from sottovoce.messages import Basis, DensityEstimate, InvalidInput, Privacy, Question, StandardError, Tally
from sottovoce.messages.limits import MAX_GROUPS, check_epsilon, check_range
from sottovoce.protocols import localise
from sottovoce.protocols.base import check_confidence, check_observations, check_users, split, two_sided, within
from sottovoce.protocols.group_means import GroupMeans, Kind, Means, better_kind
from sottovoce.protocols.mean import Mean

Method = Literal["auto", "one-round", "paper", "theory"]
PEAK = math.sqrt(2)
"""The largest value of a basis function: coefficients lie in [−√2, √2] (ERRATA 15: the rescaling the paper omits)."""
_MOST = 201


@dataclass(frozen=True, kw_only=True)
class Density:
    """The density on [low, high] by its first M trigonometric coefficients (L316), M counting the constant.

    PrivateDensity (L795): every user reports the average of one basis function, in folds, as a coordinate of
    `VectorMean` would be; f̂ = Σ θ̂_j φ_j. Observations outside [low, high] are clamped to it.

    `method`: ``"paper"`` and ``"theory"`` choose M by the paper's rule (L797), ⌊{nα²·min(T, T₀)}^{1/(2β+2)}⌋, T₀ with
    C_β = `c_beta`, and estimate as `Mean` does under that name; ``"one-round"`` asks on the full range with that M;
    ``"auto"`` chooses M and one round or localising together, by the lowest predicted error: the variance of M − 1
    coefficients plus radius²·(M + 1)^(−2β), the largest truncation error of a density with Σ_{j≥2} j^{2β}θ_j² ≤
    radius². ERRATA 15 finds the printed rule with C_β = 1 worse than the uniform density nearly everywhere; with θ₁
    fixed and β = 2 it was better than uniform in all six cells named next, and ``"auto"`` lower than it in four,
    higher in two. `coefficients` sets M. The default radius is our choice: of 2, 6 and 10, tried on one density with
    two peaks and one with a single wave (n = 5000, T = 100, ε = 1, 2, 4), 2 lost the peaks and 10 paid most for the
    wave; no other data were looked at.

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

    epsilon: float
    low: float
    high: float
    users: int
    observations: int
    smoothness: float = 2.0
    method: Method = "auto"
    coefficients: int | None = None
    c_beta: float = 1.0
    radius: float = 6.0
    confidence: float = 0.95
    survey: str = "rehearsal"
    proof_constant: float = localise.PROOF_CONSTANT
    delta: float | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users, at_least=2)
        check_observations(self.observations)
        check_confidence(self.confidence)
        if self.method not in get_args(Method):
            raise InvalidInput(f"method must be one of {', '.join(get_args(Method))}; got {self.method!r}")
        for name in ("smoothness", "c_beta", "radius", "proof_constant"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise InvalidInput(f"{name} must be positive and finite; got {value!r}")
        if self.delta is not None and not 0 < self.delta < math.inf:
            raise InvalidInput(f"delta must be positive and finite; got {self.delta!r}")
        wanted = self.coefficients
        if wanted is not None and (isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 2):
            raise InvalidInput(f"coefficients must be a whole number, at least 2 (θ₁ = 1 is known); got {wanted!r}")
        if wanted is not None and wanted > self._most:
            raise InvalidInput(
                f"fewer users than folds: {wanted} coefficients need at least {2 * (wanted - 1)} users; "
                f"got {self.users}"
            )

    @property
    def _most(self) -> int:
        """The largest M whose folds have a voter and a refiner each."""
        return min(MAX_GROUPS, self.users // 2) + 1

    @property
    def printed(self) -> int:
        """M of the paper (L797), floored and kept within what the users can fill."""
        strength = self.users * self.epsilon**2
        power = 2 * self.smoothness + 2
        limit = (power - 1) * math.log(strength) - power * math.log(self.c_beta * localise.log_size(strength))
        exponent = (math.log(strength) + min(math.log(self.observations), limit)) / power
        return min(self._most, max(2, math.floor(math.exp(min(exponent, 50.0)))))

    @cached_property
    def chosen(self) -> tuple[Kind, int, str]:
        """How coefficients are estimated, how many (M), and why."""
        if self.method != "auto":
            size = self.printed if self.coefficients is None else self.coefficients
            return self.method, size, f"asked for; M = {size} {'given' if self.coefficients else 'by the rule at L797'}"
        odd = range(3, min(_MOST, max(self._most, 3)) + 1, 2)  # a cosine and its sine come together
        sizes = odd if self.coefficients is None else (self.coefficients,)
        risks = []
        for size in sizes if self._most >= 3 else (2,):
            risks.append((self.predicted_mse(size), size))
            if self.coefficients is None and risks[-1][0] > 4 * min(risks)[0]:
                break  # variance has taken over, and only grows
        risk, size = min(risks)
        kind, why = self._fold(size).chosen
        return kind, size, f"M = {size} with predicted squared error {risk:.3g}; for one coefficient: {why}"

    def predicted_mse(self, size: int) -> float:
        """Squared L2 error on the unit interval with M = `size`: variance, and the largest truncation error."""
        fold = self._fold(size)
        variance = (size - 1) * fold.predicted_mse(fold.chosen[0])
        return variance + self.radius**2 * math.exp(-2 * self.smoothness * math.log(size + 1))

    def _fold(self, size: int) -> Mean:
        return better_kind(
            users=self.users,
            groups=size - 1,
            low=-PEAK,
            high=PEAK,
            observations=self.observations,
            epsilon=self.epsilon,
        )

    @property
    def folds(self) -> GroupMeans:
        """How coefficients are estimated: a fold of users for each but the first."""
        kind, size, _ = self.chosen
        everybody = split(self.users, 1)[0]
        assert everybody is not None
        return GroupMeans(
            survey=self.survey,
            slots=everybody,
            round=0,
            groups=size - 1,
            low=-PEAK,
            high=PEAK,
            observations=self.observations,
            epsilon=self.epsilon,
            kind=kind,
            proof_constant=self.proof_constant,
            delta=self.delta,
        )

    def decide(self, tallies: tuple[Tally, ...]) -> Question | DensityEstimate:
        """Vote for the bins of every coefficient, refine, decode; or one round."""
        kind, size, reason = self.chosen
        statistic = Basis(low=self.low, high=self.high, functions=tuple(range(2, size + 1)))
        step = self.folds.decide(statistic, tallies)
        return step if isinstance(step, Question) else self._answer(step, tallies, kind, reason)

    def _answer(self, means: Means, tallies: tuple[Tally, ...], kind: Kind, reason: str) -> DensityEstimate:
        known = StandardError(sampling=0.0, privacy=0.0)
        errors = [
            StandardError(sampling=math.sqrt(one), privacy=math.sqrt(two), localisation=math.sqrt(three))
            for one, two, three in zip(means.sampling, means.privacy, means.localisation, strict=True)
        ]
        values, z = [float(value) for value in means.value], two_sided(self.confidence)
        intervals = [
            within((value - z * error.total, value + z * error.total), -PEAK, PEAK)
            for value, error in zip(values, errors, strict=True)
        ]
        warnings: tuple[str, ...] = ()
        if max(error.localisation for error in errors) > 0.04 * PEAK:
            warnings = (
                "the votes may have chosen the wrong place for some coefficients: more users, fewer coefficients or a "
                'larger epsilon would settle it, method="one-round" does without',
            )
        users = "no assumption on the users" if kind == "one-round" else "model: users alike"
        return DensityEstimate(
            coefficients=(1.0, *values),
            coefficient_intervals=((1.0, 1.0), *intervals),
            coefficient_errors=(known, *errors),
            low=self.low,
            high=self.high,
            smoothness=self.smoothness,
            confidence=self.confidence,
            interval_kind=f"pointwise, for the first {len(values) + 1} coefficients, truncation not covered; {users}",
            users_per_round=tuple(sum(tally.reports) // means.uses for tally in tallies),
            privacy=Privacy(
                epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=len(tallies)
            ),
            method=kind,
            reason=reason,
            warnings=warnings,
        )
