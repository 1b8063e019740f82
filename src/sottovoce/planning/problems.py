"""What the planner knows of each problem: how to predict its error, and what there is to choose.

A problem to come is one more row of `PROBLEMS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.planning import predict_mean
from sottovoce.planning.law import Crowd
from sottovoce.planning.poisoning import Poisoning
from sottovoce.planning.prediction import Prediction
from sottovoce.protocols.mean import Mean

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
    full_scale: Callable[[Any], float]
    """Half the declared range: a wider half-width says nothing."""

    @property
    def settings(self) -> tuple[str, ...]:
        """What a protocol of this kind is made of, besides the unknowns and the name of the survey."""
        skipped = (*UNKNOWNS, "survey", "confidence", "method")
        return tuple(field.name for field in fields(self.protocol) if field.name not in skipped)

    @property
    def methods(self) -> tuple[str, ...]:
        """All names that ``method`` takes."""
        from typing import get_args, get_type_hints

        return get_args(get_type_hints(self.protocol)["method"])


PROBLEMS = {
    "mean": Problem(
        name="mean",
        protocol=Mean,
        predict=predict_mean.predict,
        users_per_round=predict_mean.users_per_round,
        variants=predict_mean.variants,
        poisoning=predict_mean.poisoning,
        full_scale=lambda protocol: (protocol.high - protocol.low) / 2,
    ),
}


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
