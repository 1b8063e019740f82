"""The sparse procedures with the constants of the paper's experiments."""

from __future__ import annotations

from dataclasses import replace

from sottovoce.methods import Tuned, by_experiments, experiment_delta
from sottovoce.problems.sparse.procedures import ByProcedure
from sottovoce.problems.sparse.settings import Refine, SparseMean
from sottovoce.risk import Crowd


class Paper(ByProcedure):
    """As in the experiments: η = √s (L1083), T for T* (L1005), C_α for √2 (L1077)."""

    name = "paper"
    help = "selects or thresholds, with the constants of the paper's experiments"
    eta_constant = 1.0
    as_printed = False

    def kept(self, settings: SparseMean) -> int:
        return settings.observations

    def tuned(self, settings: SparseMean, delta: float | None, users: int, groups: int) -> Tuned:
        return by_experiments(
            users=users,
            observations=settings.observations,
            epsilon=settings.epsilon,
            low=settings.low,
            high=settings.high,
            groups=groups,
            delta=delta,
        )

    def wide(self, settings: SparseMean, tuned: Tuned) -> float:
        return experiment_delta(settings.users, settings.observations, tuned.budget.each)

    def variants(self, settings: SparseMean, crowd: Crowd) -> tuple[SparseMean, ...]:
        """Both procedures, where users can fill them, and both ways to refine."""
        own = replace(settings, method=self.name)
        if settings.rank == "first" or settings.procedure == "threshold":  # no formula, or nothing to choose
            return (own,)
        found = []
        if settings.users >= 4 * settings.at_most:
            ways: tuple[Refine, ...] = ("localised", "one-round") if settings.refine == "localised" else ("one-round",)
            found += [replace(own, procedure="selection", refine=way) for way in ways]
        if settings.procedure == "auto" and not settings.of_selection and settings.users >= 8 * settings.dimension:
            found.append(replace(own, procedure="threshold"))
        return tuple(found) or (own,)
