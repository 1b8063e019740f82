"""The phase transition: where more observations stop to help, seen from T, from n and from ε (table, L960).

On one side the polynomial term rules and T helps, on the other the T-free term. The boundary is known up to the
constant in the exponent, `constant` (default 1); logarithmic factors are left out, as in the paper's table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sottovoce.theory.rate import check_positive, exp, strength
from sottovoce.theory.truncation import Problem, targets


@dataclass(frozen=True)
class Transition:
    """`boundary` (observations, users or ε), the formula, and the line of the paper."""

    boundary: float
    formula: str
    line: int = 960


def transition_in_observations(
    problem: Problem,
    *,
    users: float,
    epsilon: float,
    dimension: int = 1,
    sparsity: int = 1,
    components: int = 1,
    categories: int = 2,
    smoothness: float = 1.0,
    constant: float = 1.0,
) -> Transition:
    """The T beyond which more observations no longer help, e.g. e^{nα²/d}; infinite where a float cannot hold it."""
    check_positive(users=users, epsilon=epsilon, constant=constant, smoothness=smoothness)
    w = strength(users, epsilon)
    if problem == "density":
        return Transition(constant * w ** (2 * smoothness + 1), "T = (n·min(α, α²))^{2β+1}")
    if problem == "sparse" and w > dimension:
        return Transition(exp(constant * w / dimension), "T = exp(c·n·min(α, α²)/d), as d < nα²")
    size = targets(problem, dimension=dimension, sparsity=sparsity, components=components, categories=categories)
    return Transition(exp(constant * w / size), f"T = exp(c·n·min(α, α²)/{_letters(problem)})")


def transition_in_users(
    problem: Problem,
    *,
    observations: float,
    epsilon: float,
    dimension: int = 1,
    sparsity: int = 1,
    components: int = 1,
    categories: int = 2,
    smoothness: float = 1.0,
    constant: float = 1.0,
) -> Transition:
    """The n from which on all T observations help, e.g. d·log(T)/min(α, α²)."""
    check_positive(observations=observations, epsilon=epsilon, constant=constant, smoothness=smoothness)
    w, formula = _needed_strength(
        problem, observations, dimension, sparsity, components, categories, smoothness, constant
    )
    return Transition(w / min(epsilon, epsilon**2), f"n = {formula}/min(α, α²)")


def transition_in_epsilon(
    problem: Problem,
    *,
    users: float,
    observations: float,
    dimension: int = 1,
    sparsity: int = 1,
    components: int = 1,
    categories: int = 2,
    smoothness: float = 1.0,
    constant: float = 1.0,
) -> Transition:
    """The ε from which on all T observations help: min(ε, ε²) = d·log(T)/n."""
    check_positive(users=users, observations=observations, constant=constant, smoothness=smoothness)
    w, formula = _needed_strength(
        problem, observations, dimension, sparsity, components, categories, smoothness, constant
    )
    each = w / users
    return Transition(math.sqrt(each) if each <= 1 else each, f"min(ε, ε²) = {formula}/n")


def observations_help(problem: Problem, *, users: float, observations: float, epsilon: float, **sizes: float) -> bool:
    """Whether T lies before the transition: more observations still lower the rate."""
    found = transition_in_observations(problem, users=users, epsilon=epsilon, **sizes)  # type: ignore[arg-type]
    return observations < found.boundary


def _needed_strength(
    problem: Problem,
    observations: float,
    dimension: int,
    sparsity: int,
    components: int,
    categories: int,
    smoothness: float,
    constant: float,
) -> tuple[float, str]:
    """The least n·min(α, α²) with T at or before the boundary."""
    if problem == "density":
        return (observations / constant) ** (1 / (2 * smoothness + 1)), "T^{1/(2β+1)}"
    size = targets(problem, dimension=dimension, sparsity=sparsity, components=components, categories=categories)
    needed = size * math.log(observations) / constant
    if problem == "sparse" and needed > dimension:  # past nα² = d the boundary is the one of d coordinates
        return max(float(dimension), dimension * math.log(observations) / constant), "d·log(T)/c"
    return needed, f"{_letters(problem)}·log(T)/c"


def _letters(problem: Problem) -> str:
    return {"mean": "1", "mean-linf": "d", "mean-l2": "d", "sparse": "s", "mixture": "m²", "discrete": "N"}[problem]
