"""What ``"paper"`` and ``"theory"`` share: two procedures, and the rule that chooses between them."""

from __future__ import annotations

import math
from functools import partial
from typing import ClassVar

from sottovoce.answers import SparseEstimate
from sottovoce.messages import InvalidInput, Rules, counted
from sottovoce.problems.emptied import VOTES
from sottovoce.problems.method import Method
from sottovoce.problems.sparse.selection import Selection
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.threshold import Thresholding
from sottovoce.risk import Crowd, Poisoning, Prediction, worst
from sottovoce.schemes import Script, Tuned
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

    def procedure(self, settings: SparseMean) -> tuple[str, str]:
        """The procedure that runs, and why: as asked for, or by the rule at L595."""
        if settings.procedure != "auto":
            return settings.procedure, "asked for"
        users, dimension = settings.users, settings.dimension
        if users < 2 * dimension:
            return "selection", f"{counted(users, 'user')} cannot fill two folds for each of {dimension} coordinates"
        strength = users * (settings.epsilon * settings.epsilon)
        limit = sparse_switch(
            users=users,
            observations=self.kept(settings),
            epsilon=settings.epsilon,
            dimension=dimension,
            constant=settings.switch_constant,
        )
        if strength <= limit:
            return "selection", f"nα² = {strength:.3g} is at most C̃·d·log(dnTα²) = {limit:.3g}"
        if given := settings.of_selection:
            return "selection", f"{' and '.join(given)} asked for, which threshold does not have"
        return "threshold", f"nα² = {strength:.3g} is above C̃·d·log(dnTα²) = {limit:.3g}"

    def running(self, settings: SparseMean) -> Selection | Thresholding:
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

    def unavailable(self, settings: SparseMean) -> str | None:
        if settings.sparsity is None:
            return "sparsity must be stated: how many means differ from zero at most (adaptive can do without)"
        name = self.procedure(settings)[0]
        if name == "threshold" and (given := settings.of_selection):
            return f'{" and ".join(given)}: of selection only, and procedure="threshold" selects nothing by votes'
        folds = 4 * settings.at_most if name == "selection" else 2 * settings.dimension
        if settings.users >= folds:
            return None
        return (
            f"fewer users than folds: {name} needs at least {folds} users (got {settings.users}); "
            f"a smaller sparsity, or more users, would help"
        )

    def script(self, settings: SparseMean) -> Script[SparseEstimate]:
        return self.running(settings).script(self.name, self.procedure(settings)[1])

    def predict(self, settings: SparseMean, crowd: Crowd) -> Prediction:
        """Of a coordinate that is not zero, on average: missed, it costs its own square; falsely found, as one refined.

        Without a stated place, the worst of several sizes: the hardest are those near the threshold.
        """
        crowd.check_range(settings.low, settings.high)
        if settings.rank == "first":
            raise InvalidInput('no formula predicts rank="first", which depends on where the support lies')
        running = self.running(settings)
        if crowd.around is not None:
            return running.risk(crowd, crowd.around)
        signals = sorted({min(0.9 * settings.farthest, part * running.bound) for part in _SIGNALS})
        return worst(running.risk(crowd, signal) for signal in signals)

    def users_per_round(self, settings: SparseMean) -> tuple[int, ...]:
        return self.running(settings).users_per_round

    def rules(self, settings: SparseMean) -> Rules:
        return self.running(settings).rules

    def poisoning(self, settings: SparseMean, crowd: Crowd) -> Poisoning:
        """Of one coordinate."""
        running = self.running(settings)
        signal = 3 * running.bound if crowd.around is None else crowd.around
        return running.poisoning(crowd, min(signal, 0.9 * settings.farthest))

    def words(self, settings: SparseMean) -> str:
        among = f"{self.procedure(settings)[0]} of {settings.at_most} among {settings.dimension:,} coordinates"
        return f"{among}, {self.running(settings).words()}"
