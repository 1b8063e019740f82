"""What the planner knows of each problem: how to predict its error, and what there is to choose.

A problem to come is one more row of `PROBLEMS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.planning import (
    predict_cover,
    predict_density,
    predict_groups,
    predict_mean,
    predict_mixture,
    predict_sparse,
)
from sottovoce.planning.law import Crowd
from sottovoce.planning.poisoning import Poisoning
from sottovoce.planning.prediction import Prediction
from sottovoce.protocols.cover import CoverSelect
from sottovoce.protocols.density import PEAK, Density
from sottovoce.protocols.mean import Mean
from sottovoce.protocols.mixture import MixtureMeans
from sottovoce.protocols.sparse import SparseMean
from sottovoce.protocols.vector import VectorMean
from sottovoce.theory.regimes import Panel

UNKNOWNS = ("users", "observations", "epsilon")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One kind of protocol, as the planner sees it."""

    name: str
    protocol: type[Any]
    predict: Callable[[Any, Crowd], Prediction]
    users_per_round: Callable[[Any], tuple[int, ...]]
    variants: Callable[[Any, Crowd], tuple[Any, ...]]
    """All that ``method="auto"`` chooses from; for another method, the protocol itself."""
    poisoning: Callable[[Any, Crowd], Poisoning]
    words: Callable[[Any], str]
    """Bins, folds and the like, in a few words."""
    full_scale: Callable[[Any], float]
    """Half the declared range: a wider half-width says nothing."""
    measures: str
    """Of what number the error is."""
    unknowns: tuple[str, ...] = UNKNOWNS
    diagram: tuple[Panel, Callable[[Any], int]] | None = None
    """The panel of the paper's regime diagram, and the dimension to read it at."""

    @property
    def settings(self) -> tuple[str, ...]:
        """What a protocol of this kind is made of, besides the unknowns and the name of the survey."""
        skipped = (*self.unknowns, "survey", "confidence", "method")
        return tuple(field.name for field in fields(self.protocol) if field.name not in skipped)

    @property
    def methods(self) -> tuple[str, ...]:
        """All names that ``method`` takes."""
        from typing import get_args, get_type_hints

        return get_args(get_type_hints(self.protocol).get("method"))


def _as_it_is(template: Any, crowd: Crowd) -> tuple[Any, ...]:
    return (template,)


_ALL = (
    Problem(
        name="mean",
        protocol=Mean,
        predict=predict_mean.predict,
        users_per_round=predict_mean.users_per_round,
        variants=predict_mean.variants,
        poisoning=predict_mean.poisoning,
        words=predict_mean.words,
        full_scale=lambda protocol: (protocol.high - protocol.low) / 2,
        measures="the mean",
        diagram=("l2", lambda protocol: 1),
    ),
    Problem(
        name="vector",
        protocol=VectorMean,
        predict=predict_groups.vector,
        users_per_round=predict_groups.vector_rounds,
        variants=predict_groups.vector_variants,
        poisoning=predict_groups.vector_poisoning,
        words=predict_groups.vector_words,
        full_scale=lambda protocol: max(high - low for low, high in zip(*protocol.ranges, strict=True)) / 2,
        measures="a coordinate, on average",
        diagram=("l2", lambda protocol: int(protocol.dimension)),
    ),
    Problem(
        name="sparse",
        protocol=SparseMean,
        predict=predict_sparse.predict,
        users_per_round=predict_sparse.users_per_round,
        variants=predict_sparse.variants,
        poisoning=predict_sparse.poisoning,
        words=predict_sparse.words,
        full_scale=lambda protocol: (protocol.high - protocol.low) / 2,
        measures="a coordinate that is not zero, on average",
        diagram=("sparse", lambda protocol: int(protocol.dimension)),
    ),
    Problem(
        name="density",
        protocol=Density,
        predict=predict_density.predict,
        users_per_round=predict_density.users_per_round,
        variants=predict_density.variants,
        poisoning=predict_density.poisoning,
        words=predict_density.words,
        full_scale=lambda protocol: PEAK * protocol.folds.groups,
        measures="the density on the unit interval, root mean square",
    ),
    Problem(
        name="mixture",
        protocol=MixtureMeans,
        predict=predict_mixture.predict,
        users_per_round=predict_mixture.users_per_round,
        variants=_as_it_is,
        poisoning=predict_mixture.poisoning,
        words=predict_mixture.words,
        full_scale=lambda protocol: (protocol.high - protocol.low) / 2,
        measures="a component's mean, on average; components evenly placed, with equal shares",
    ),
    Problem(
        name="cover",
        protocol=CoverSelect,
        predict=predict_cover.predict,
        users_per_round=lambda protocol: (protocol.users,),
        variants=_as_it_is,
        poisoning=predict_cover.poisoning,
        words=predict_cover.words,
        full_scale=predict_cover.full_scale,
        measures="a coordinate of the chosen centre, on average",
        unknowns=("users", "epsilon"),
    ),
)
PROBLEMS = {problem.name: problem for problem in _ALL}


@cache
def _by_type() -> dict[type[Any], Problem]:
    return {problem.protocol: problem for problem in PROBLEMS.values()}


def problem_of(protocol: Any) -> Problem:
    """The problem that a protocol solves."""
    found = _by_type().get(type(protocol))
    if found is None:
        raise InvalidInput(f"no plan for a {type(protocol).__name__}; there are plans for {', '.join(PROBLEMS)}")
    return found


def named(name: str) -> Problem:
    """The problem of this name."""
    if name not in PROBLEMS:
        raise InvalidInput(f"problem must be one of {', '.join(PROBLEMS)}; got {name!r}")
    return PROBLEMS[name]


def best(template: Any, crowd: Crowd) -> tuple[Any, Prediction]:
    """The variant with the lowest predicted error, and that error."""
    problem = problem_of(template)
    found = [(variant, problem.predict(variant, crowd)) for variant in problem.variants(template, crowd)]
    return min(found, key=lambda pair: pair[1].mse)


def method_name(protocol: Any) -> str:
    """The method that a protocol runs, by name."""
    return str(getattr(protocol, "method", None) or protocol.vote)
