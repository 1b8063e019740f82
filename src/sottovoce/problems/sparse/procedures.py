"""What ``"paper"`` and ``"theory"`` share: two procedures, and the rule that chooses between them."""

from __future__ import annotations

import math
from functools import partial
from typing import ClassVar

from sottovoce.answers import Chosen, ChosenBy
from sottovoce.messages import Fact, InvalidInput, Rules
from sottovoce.methods import Script, Tuned
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.method import Method
from sottovoce.problems.sparse.estimate import SparseEstimate
from sottovoce.problems.sparse.selection import Selection
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.threshold import Thresholding
from sottovoce.risk import Crowd, Poisoning, Prediction, worst
from sottovoce.theory import log1, sparse_switch

_SIGNALS = (0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0)
"""Sizes of the coordinates that are not zero, in thresholds: the worst is taken where none is stated."""


class ByProcedure(Method[SparseMean]):
    """Selection or thresholding, with constants to be given."""

    not_empty = VOTES

    eta_constant: ClassVar[float]
    """η²/s, where the signed sum of votes is clamped at η (L603)."""
    as_printed: ClassVar[bool]
    """Whether the ½ cut and C = √2 are kept also when columns are ranked by votes."""

    def kept(self, settings: SparseMean) -> int:
        """T* of the selection (L603)."""
        raise NotImplementedError("each variant has its constants")

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        """Δ, T* and the budget of `groups` means from `users` users."""
        raise NotImplementedError("each variant has its constants")

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        """Δ of thresholding, which counts all users (L628)."""
        raise NotImplementedError("each variant has its constants")

    def procedure(self, settings: SparseMean) -> tuple[str, Fact | None]:
        """The procedure that runs, and why: by the rule at L595, or None where it was asked for."""
        if settings.procedure != "auto":
            return settings.procedure, None
        users, dimension = settings.users, settings.dimension
        if users < 2 * dimension:
            return "selection", Fact("too-few-to-threshold", users=users, all=dimension)
        strength = users * (settings.epsilon * settings.epsilon)
        limit = sparse_switch(
            users=users,
            observations=self.kept(settings),
            epsilon=settings.epsilon,
            dimension=dimension,
            constant=settings.switch_constant,
        )
        above = strength > limit
        if above and (given := settings.of_selection):
            return "selection", Fact("settings-of-selection", settings=tuple(given))
        return "threshold" if above else "selection", Fact("sparse-rule", strength=strength, limit=limit, above=above)

    def rounds_of(self, settings: SparseMean) -> Selection | Thresholding:
        """The procedure that runs."""
        selects = self.procedure(settings)[0] == "selection"
        return self.selection(settings) if selects else self.thresholding(settings)

    def selection(self, settings: SparseMean) -> Selection:
        """PrivateSparseSelection with these constants."""
        printed, kept = settings.rank == "first" or self.as_printed, self.kept(settings)
        spread = self.eta_constant if settings.eta_constant is None else settings.eta_constant
        far = settings.threshold_constant
        constant = (math.sqrt(2) if printed else 1.0) if far is None else far
        size = log1(settings.dimension * settings.users * kept * (settings.epsilon * settings.epsilon))
        return Selection(
            settings=settings,
            eta=math.sqrt(spread * settings.at_most),
            threshold=constant * math.sqrt(size / kept) * settings.half,
            cuts=printed if settings.cut is None else settings.cut,
            tuned=partial(self.tuned, settings, settings.delta),
        )

    def thresholding(self, settings: SparseMean) -> Thresholding:
        """PrivateSparseThreshold with these constants."""
        users, dimension = settings.users, settings.dimension
        tuned = self.tuned(settings, settings.delta, users, dimension)
        if settings.delta is None:
            tuned = self.tuned(settings, self.wide(settings, tuned), users, dimension)
        size = log1(users * tuned.kept * (settings.epsilon * settings.epsilon))
        each = tuned.budget.each
        spent = users * tuned.budget.uses * (each * each)  # nα² up to α = 1, and what is spent above
        shrink = settings.shrink_constant * tuned.layout.delta * settings.half
        return Thresholding(settings=settings, tuned=tuned, smallest=3 * shrink * math.sqrt(dimension * size / spent))

    def unavailable(self, settings: SparseMean) -> Fact | None:
        if settings.sparsity is None:
            return Fact("sparsity-needed")
        name = self.procedure(settings)[0]
        if name == "threshold" and (given := settings.of_selection):
            return Fact("settings-not-of-threshold", settings=tuple(given))
        folds = 4 * settings.at_most if name == "selection" else 2 * settings.dimension
        if settings.users >= folds:
            return None
        return Fact("too-few-for-procedure", procedure=name, needed=folds, users=settings.users)

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        why = self.procedure(settings)[1]
        chosen = Chosen(by=ChosenBy.CALLER) if why is None else Chosen(by=ChosenBy.METHOD, details=(why,))
        return self.rounds_of(settings).script(self.name, chosen)

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """Of a coordinate that is not zero, on average: missed, it costs its own square; falsely found, as one refined.

        Without a stated place, the worst of several sizes: the hardest are those near the threshold.
        """
        crowd.check_range(settings.low, settings.high)
        if settings.rank == "first":
            raise InvalidInput('no formula predicts rank="first", which depends on where the support lies')
        running = self.rounds_of(settings)
        if crowd.around is not None:
            return running.risk(crowd, crowd.around)
        signals = sorted({min(0.9 * settings.farthest, part * running.bound) for part in _SIGNALS})
        return worst(running.risk(crowd, signal) for signal in signals)

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        return self.rounds_of(settings).users_per_round

    def rules(self, settings: SparseMean) -> Rules:
        return self.rounds_of(settings).rules

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """Of one coordinate."""
        running = self.rounds_of(settings)
        signal = 3 * running.bound if crowd.around is None else crowd.around
        return running.poisoning(crowd, min(signal, 0.9 * settings.farthest))

    def words(self, settings: SparseMean) -> Fact:
        return Fact(
            "procedure-among",
            procedure=self.procedure(settings)[0],
            most=settings.at_most,
            all=settings.dimension,
            how=self.rounds_of(settings).words(),
        )
