"""The means of a mixture: every user belongs to one component, nobody says to which."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import (
    Average,
    Bins,
    Encoder,
    InvalidInput,
    Laplace,
    MixtureEstimate,
    Position,
    Privacy,
    Question,
    Residual,
    Slots,
    Tally,
    Unary,
    design,
)
from sottovoce.messages.exact import exact
from sottovoce.messages.limits import MAX_ITEMS, MAX_SEED, check_epsilon, check_range
from sottovoce.protocols import localise, mixture_decode
from sottovoce.protocols.base import check_answered, check_confidence, check_observations, check_users, split

Method = Literal["paper", "theory"]
Membership = Literal["nearest", "bin"]


@dataclass(frozen=True, kw_only=True)
class MixtureMeans:
    """Means and shares of `components` kinds of users on [low, high]: PrivateMixtureMean (L1186), in three folds.

    The first fold votes for bins; the winners, no two of them neighbours, are the centres. The second votes for the
    nearest centre, which gives the shares. The third sends the distance to the nearest centre, clamped to
    [−3Δ, 3Δ], times the public sign that `seed` and slot give to that centre, through Laplace noise.

    `method`: ``"paper"`` has the constants of the experiments: Δ = C_α √(log(nTα²)/T), where C_α takes the place of
    the whole √4 of L1190, not only of a √2 in it (ERRATA 14; this reading reproduces the reference figures), T for
    T*, and residuals are used for shares of at least 1/(100m) (L1123). ``"theory"``: Δ = √(4 log(nT*α²)/T*) with
    T* = T ∧ exp(n·min(α, α²)/(K m²)), K being `proof_constant`; π₀ is 1/(2m), our choice, and residuals are used for
    shares of at least π₀/2. No observation is discarded: T* only keeps Δ from falling too low (ERRATA 5).
    `smallest_share` is π₀ for either method, `delta` overrides Δ, in half-ranges.

    Readings taken (ERRATA 13, P3): the sign is that of the user's own centre; sums are divided by |N₃|·π̂_k; `≥` for
    the cut. `membership` ``"nearest"`` is what the prose says: one-hot, exactly ε. ``"bin"`` is the pseudocode's
    vote for the winning bin itself, whose shares miss those who fall beside it: for reproduction only. It stays
    one-hot because "elsewhere" is an answer too. The proof's widened intervals overlap, cost 2ε and are not offered.

    With one component nobody votes on shares, and with one bin nobody votes at all.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP (α in the paper) for the whole collection, its
    length included.

    Accuracy
    --------
    Squared error summed over components of order m³/(nTε²), up to logarithms, once components are apart by a few Δ
    and every share is visible, that is above about 2.5/√(n(e^ε − 1)²/(24 e^ε)) (Theorem L1153). Users of one
    component are taken to be alike.
    """

    epsilon: float
    users: int
    observations: int
    components: int
    low: float
    high: float
    method: Method = "paper"
    membership: Membership = "nearest"
    confidence: float = 0.95
    survey: str = "rehearsal"
    seed: int = 0
    proof_constant: float = localise.PROOF_CONSTANT
    delta: float | None = None
    smallest_share: float | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_observations(self.observations)
        check_confidence(self.confidence)
        m = self.components
        if isinstance(m, bool) or not isinstance(m, int) or m < 1:
            raise InvalidInput(f"components must be a whole number, at least 1; got {m!r}")
        check_users(self.users, at_least=3 if m > 1 else 2)
        if self.method not in get_args(Method):
            raise InvalidInput(f"method must be one of {', '.join(get_args(Method))}; got {self.method!r}")
        if self.membership not in get_args(Membership):
            raise InvalidInput(f"membership must be one of {', '.join(get_args(Membership))}; got {self.membership!r}")
        if self.delta is not None and not 0 < self.delta < math.inf:
            raise InvalidInput(f"delta must be positive and finite; got {self.delta!r}")
        if not self.proof_constant > 0:
            raise InvalidInput(f"proof_constant must be positive; got {self.proof_constant!r}")
        if self.smallest_share is not None and not 0 < self.smallest_share <= 1 / m:
            raise InvalidInput(
                f"smallest_share must lie above 0 and be at most 1/components; got {self.smallest_share!r}"
            )
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed <= MAX_SEED:
            raise InvalidInput(f"seed must be a whole number from 0 to 2^53; got {self.seed!r}")
        if self.layout.bins > MAX_ITEMS:
            raise InvalidInput(
                f"Δ = {self.layout.delta:.3g} makes {self.layout.bins:,} bins, more than the {MAX_ITEMS:,} that a vote "
                f"holds; give delta, at least {1 / MAX_ITEMS:.3g}"
            )
        if self.layout.bins < 3 * m - 2:
            raise InvalidInput(self._too_few_bins())

    def _delta_at(self, observations: int) -> float:
        n, m = self.users, self.components
        if self.method == "paper":
            return localise.experiment_delta(n, observations, self.epsilon)
        kept = localise.truncated(n / m**2, observations, self.epsilon, self.proof_constant)
        return math.sqrt(4 * localise.log_size(n * kept * self.epsilon**2) / kept)

    @cached_property
    def layout(self) -> localise.Layout:
        """The bins of the vote."""
        delta = self._delta_at(self.observations) if self.delta is None else self.delta
        return localise.Layout(low=self.low, high=self.high, delta=delta)

    def _too_few_bins(self) -> str:
        """Each winner takes its neighbours out of the running: m winners need 3m − 2 bins (ERRATA 13)."""
        m, bins, needed = self.components, self.layout.bins, 3 * self.components - 2
        helps = [f"components={(bins + 2) // 3}"]
        if self.delta is None:
            tried = (digit * 10**power for power in range(13) for digit in range(1, 10))
            enough = [count for count in tried if self._delta_at(count) < 1 / (needed - 1)]
            if enough:
                helps.append(f"about {enough[0]:,} observations per user")
            if self.method == "theory":
                helps += ["more users or a smaller proof_constant, which limit T*", 'method="paper"']
        helps.append(f"delta below {1 / (needed - 1):.3g} (of half the range)")
        return (
            f"{m} components need {needed} bins, and Δ = {self.layout.delta:.3g} makes {bins}; "
            f"what would help: {', or '.join(helps)}"
        )

    @property
    def cut(self) -> float:
        """The share from which on a component's residuals are used."""
        if self.smallest_share is not None:
            return self.smallest_share / 2
        return 1 / (100 * self.components) if self.method == "paper" else 1 / (4 * self.components)

    @property
    def stages(self) -> tuple[str, ...]:
        """The questions, in order; each fold of users answers one."""
        voted = ("vote",) if self.layout.bins > 1 else ()
        return (*voted, "share", "residual") if self.components > 1 else (*voted, "residual")

    def decide(self, tallies: tuple[Tally, ...]) -> Question | MixtureEstimate:
        """Vote for bins, vote for the nearest winner, send residuals, decode."""
        asked = [self._ask(stage, number, tallies) for number, stage in enumerate(self.stages[: len(tallies) + 1])]
        for question, tally in zip(asked, tallies, strict=False):
            check_answered(tally, question)
        return asked[-1] if len(tallies) < len(self.stages) else self._answer(asked, tallies)

    def _ask(self, stage: str, number: int, tallies: tuple[Tally, ...]) -> Question:
        slots = split(self.users, len(self.stages))[number]
        assert slots is not None
        if stage == "vote":
            return localise.vote(
                self.layout, survey=self.survey, round=0, slots=slots, statistic=Average(), epsilon=self.epsilon
            )
        if stage == "share":
            edges = self._edges(self._winners(tallies))
            encoder = Encoder(statistic=Average(), placement=Bins(edges=edges))
            return self._question(stage, number, slots, encoder, design.unary(exact(self.epsilon), len(edges) + 1))
        reach = 3 * self.layout.delta * self.layout.half
        centres = tuple(map(float, self.layout.centre(self._winners(tallies))))
        encoder = Encoder(
            statistic=Residual(seed=self.seed, centres=centres), placement=Position(low=(-reach,), high=(reach,))
        )
        return self._question(stage, number, slots, encoder, design.laplace(exact(self.epsilon)))

    def _question(self, role: str, number: int, slots: Slots, encoder: Encoder, channel: Unary | Laplace) -> Question:
        return Question(
            survey=self.survey,
            round=number,
            role=role,
            slots=slots,
            encoder=encoder,
            channel=channel,
            epsilon=self.epsilon,
        )

    def _winners(self, tallies: tuple[Tally, ...]) -> NDArray[np.int64]:
        """The bins chosen, from left to right."""
        if "vote" not in self.stages:
            return np.zeros(1, dtype=np.int64)
        return mixture_decode.winners(tallies[0].counts()[0], self.components)

    def _edges(self, winners: NDArray[np.int64]) -> tuple[float, ...]:
        """Inner edges of the share vote: midpoints, just above so that ties go down as residuals do; or bin ends."""
        if self.membership == "nearest":
            middles = [(left + right) / 2 for left, right in pairwise(map(float, self.layout.centre(winners)))]
            return tuple(math.nextafter(middle, math.inf) for middle in middles)
        centre, reach = self.layout.centre(winners), self.layout.delta * self.layout.half
        ends = np.stack((centre - reach, centre + reach), axis=1).ravel()
        # Votes from outside the range went to the outermost bins, so those have no outer end.
        inner = slice(1 if winners[0] == 0 else 0, -1 if winners[-1] == self.layout.bins - 1 else None)
        return tuple(map(float, ends[inner]))

    def _answer(self, asked: list[Question], tallies: tuple[Tally, ...]) -> MixtureEstimate:
        winners = self._winners(tallies)
        if self.components == 1:
            shares = mixture_decode.certain()
        else:
            shares = mixture_decode.shares(asked[-2], tallies[-2], self._places(winners))
        votes = (asked[0], tallies[0]) if "vote" in self.stages else None
        found = mixture_decode.components(
            asked[-1], tallies[-1], shares, self.cut, self.confidence, self.layout, winners, votes
        )
        return MixtureEstimate(
            means=found.means,
            intervals=found.intervals,
            standard_errors=found.errors,
            shares=tuple(map(float, shares.value)),
            share_errors=tuple(map(float, np.sqrt(shares.sampling + shares.privacy))),
            centres=tuple(map(float, self.layout.centre(winners))),
            low=self.low,
            high=self.high,
            confidence=self.confidence,
            interval_kind="model: users of a component alike, components apart",
            users_per_round=tuple(sum(tally.reports) for tally in tallies),
            privacy=Privacy(
                epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=len(tallies)
            ),
            method=self.method,
            reason="asked for" if self.membership == "nearest" else "asked for, with the bin rule of the pseudocode",
            warnings=mixture_decode.warnings(
                shares, self.cut, found, users=self.users, voters=sum(tallies[0].reports), epsilon=self.epsilon
            ),
        )

    def _places(self, winners: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where in the share vote the winners' items are: all of them, or every other one between elsewheres."""
        if self.membership == "nearest":
            return np.arange(self.components)
        return 2 * np.arange(self.components) + (0 if winners[0] == 0 else 1)
