"""The constants of localise-then-refine: those of the paper's experiments, and those of its proofs.

Δ is half the width of a bin, in half-ranges. Folds count with their own size (ERRATA 1), logarithms are at least 1
(ERRATA P6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sottovoce.methods.folds import Budget, one_each, several_each
from sottovoce.methods.layout import Layout
from sottovoce.theory import PROOF_CONSTANT, experiment_constant, log1, t_star


def experiment_delta(users: float, observations: float, epsilon: float, *, constant: float | None = None) -> float:
    """Δ of the experiments: C_α √(log(nTα²) / T), with T in place of T* (L1005)."""
    factor = experiment_constant(epsilon) if constant is None else constant
    return factor * math.sqrt(log1(users * observations * (epsilon * epsilon)) / observations)


def proof_delta(users: float, observations: int, epsilon: float) -> float:
    """Δ of the proofs: √(2 log(nT*α²) / T*) up to α = 1, √(4 log(nT*) / T*) above (L1740)."""
    if epsilon <= 1:
        return math.sqrt(2 * log1(users * observations * (epsilon * epsilon)) / observations)
    return math.sqrt(4 * log1(users * observations) / observations)


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """What is settled before anyone votes: how a budget is spent, how many observations count (T*), where bins lie."""

    budget: Budget
    kept: int
    layout: Layout


def by_experiments(
    *,
    users: int,
    observations: int,
    epsilon: float,
    low: float,
    high: float,
    groups: int = 1,
    delta: float | None = None,
    three_bins: bool = False,
) -> Tuned:
    """As in the paper's experiments: one group a user at the whole budget, all observations (L890, L1005).

    One group a user also above α = 1 is the reading that agrees with our reference measurements; the paper does not
    say. The widened interval sticks out of the range as printed (ERRATA 7).
    """
    budget = one_each(groups, epsilon)
    chosen = experiment_delta(users / groups, observations, budget.each) if delta is None else delta
    layout = Layout(low=low, high=high, delta=max(chosen, budget.finest), reach=1 if three_bins else 0)
    return Tuned(budget=budget, kept=observations, layout=layout)


def by_proofs(
    *,
    users: int,
    observations: int,
    epsilon: float,
    low: float,
    high: float,
    groups: int = 1,
    delta: float | None = None,
    three_bins: bool | None = None,
    constant: float = PROOF_CONSTANT,
) -> Tuned:
    """As in the proofs (L1740, L1765): above α = 1 several groups a user at 1 each and three-bin votes.

    T* has exp(n·min(α, α²)/(K·groups)) (ERRATA 4), K being `constant`; the widened interval is cut to the range
    (ERRATA 7).
    """
    budget, fold = several_each(groups, epsilon), users / groups
    kept = t_star(users=fold, observations=observations, epsilon=epsilon, constant=constant)
    chosen = proof_delta(fold, kept, budget.each) if delta is None else delta
    three = budget.each > 1 if three_bins is None else three_bins
    layout = Layout(low=low, high=high, delta=max(chosen, budget.finest), reach=1 if three else 0, clip=True)
    return Tuned(budget=budget, kept=kept, layout=layout)
