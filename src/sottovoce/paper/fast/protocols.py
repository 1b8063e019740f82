"""The protocols whose reports are drawn here.

They say where bins lie, who votes and who refines, how far a report reaches and how loud it is, what is selected and
what is decoded: the figures ask them, and only the drawing of reports is done in aggregate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sottovoce.methods import VoteThenRefine, experiment_delta
from sottovoce.paper.fast.surveys import Floats, Surveys
from sottovoce.problems import Settings
from sottovoce.problems.mean import Mean
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean

PAPER = "paper"


def method_of(settings: Settings) -> Any:
    """The method that these settings name: it knows its constants, its layout and its decoding."""
    return settings.problem.method(settings.method)


def mean(users: int, observations: int, epsilon: float, *, delta: float | None = None) -> VoteThenRefine:
    """PrivateUniMean (L439) on [−1, 1], as in the experiments or with this Δ."""
    asked = Mean(
        epsilon=epsilon, users=users, observations=observations, low=-1.0, high=1.0, delta=delta, method=PAPER
    )  # fmt: skip
    return _localised(asked)


def with_deltas(users: int, observations: int, epsilons: Sequence[float], deltas: Sequence[float] | Floats) -> Surveys:
    """The same for several ε and Δ."""
    rows = (tuple(mean(users, observations, epsilon, delta=float(delta)) for delta in deltas) for epsilon in epsilons)
    return Surveys(tuple(rows))


def with_constants(
    users: int, observations: int, epsilons: Sequence[float], constants: Sequence[float] | Floats
) -> Surveys:
    """The same for several ε, and several constants in place of C_α in Δ (L1031)."""

    def wide(epsilon: float, constant: float) -> float:
        return experiment_delta(users, observations, epsilon, constant=constant)

    rows = (
        tuple(mean(users, observations, epsilon, delta=wide(epsilon, float(c))) for c in constants)
        for epsilon in epsilons
    )
    return Surveys(tuple(rows))


def vector(
    users: int,
    observations: int,
    epsilon: float,
    *,
    dimension: int,
    ball: Literal["l2", "linf"],
    delta: float | None = None,
) -> VoteThenRefine:
    """PrivateMultiDimMean (L454) on the cube, or PrivateMultiDimMean2 (L501) on the ball, of radius 1."""
    asked = VectorMean(
        epsilon=epsilon, users=users, observations=observations, dimension=dimension, ball=ball, delta=delta,
        method=PAPER,
    )  # fmt: skip
    return _localised(asked)


def sparse(users: int, observations: int, epsilon: float, *, dimension: int, **constants: Any) -> Any:
    """PrivateSparseSelection (L600) on [−1, 1]^d: a `problems.sparse.Selection`."""
    asked = SparseMean(
        epsilon=epsilon, users=users, observations=observations, dimension=dimension, procedure="selection",
        method=PAPER, **constants,
    )  # fmt: skip
    return method_of(asked).selection(asked)


def mixture(users: int, observations: int, epsilon: float, *, components: int) -> MixtureMeans:
    """PrivateMixtureMean (L1186) on [−1, 1]."""
    return MixtureMeans(
        epsilon=epsilon, users=users, observations=observations, components=components, low=-1.0, high=1.0,
        method=PAPER,
    )  # fmt: skip


def _localised(settings: Settings) -> VoteThenRefine:
    scheme: VoteThenRefine = method_of(settings).scheme(settings)
    return scheme
