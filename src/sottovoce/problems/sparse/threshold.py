"""PrivateSparseThreshold (L624): every coordinate is estimated, small ones are set to zero."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.answers import Chosen, upper_tail
from sottovoce.messages import Average, Fact, Rules
from sottovoce.methods import Script, Tuned, VoteThenRefine, everybody
from sottovoce.problems.ruling import voted
from sottovoce.problems.sparse.answer import thresholded
from sottovoce.problems.sparse.estimate import SparseEstimate
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction


@dataclass(frozen=True, kw_only=True)
class Thresholding:
    """Folds over all coordinates; what is no larger than `smallest` is zero."""

    settings: SparseMean
    tuned: Tuned
    smallest: float

    @property
    def bound(self) -> float:
        return self.smallest

    @property
    def scheme(self) -> VoteThenRefine:
        """The two questions."""
        own, kept = self.settings, self.tuned.kept
        return VoteThenRefine(
            survey=own.survey,
            slots=everybody(own.users),
            statistic=Average(columns=tuple(range(own.dimension)), first=kept if kept < own.observations else None),
            budget=self.tuned.budget,
            layout=self.tuned.layout,
        )

    def script(self, method: str, chosen: Chosen) -> Script[SparseEstimate]:
        """Estimate all, then threshold."""
        means = yield from self.scheme.script()
        return thresholded(self.settings, means, smallest=self.smallest, method=f"{method}, threshold", chosen=chosen)

    @property
    def users_per_round(self) -> tuple[int, ...]:
        return self.scheme.users_per_round

    @property
    def rules(self) -> Rules:
        return voted(self.scheme)

    def risk(self, crowd: Crowd, signal: float) -> Prediction:
        """Of a coordinate of this size: one that falls below the threshold costs its own square."""
        each = self.scheme.risk(self._law(crowd, signal))
        beyond = (self.smallest - abs(signal)) / each.rmse, (self.smallest + abs(signal)) / each.rmse
        kept = sum(map(upper_tail, beyond))
        return each.scaled(kept) + Prediction(sampling=0.0, privacy=0.0, omission=(1 - kept) * signal**2)

    def _law(self, crowd: Crowd, place: float) -> Averages:
        low, high = self.settings.low, self.settings.high
        return crowd.averages(centre=place, observations=self.tuned.kept, low=low, high=high)

    def poisoning(self, crowd: Crowd, signal: float) -> Poisoning:
        return self.scheme.poisoning([self._law(crowd, signal)])

    def words(self) -> Fact:
        return self.scheme.words()
