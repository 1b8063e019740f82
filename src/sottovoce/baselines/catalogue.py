"""Every baseline, with the problem it is compared with and an example for the audit. A new one is one row more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from sottovoce.baselines.duchi import DuchiMean, ItemDensity, ItemSparse
from sottovoce.baselines.laplace import FullItem, OneItem, SemiUser, SplitUser
from sottovoce.baselines.one_category import KaryCategory, OneCategory, OptimisedUnary
from sottovoce.baselines.quantiles import Flat, Tree
from sottovoce.baselines.simulation import (
    as_categories,
    as_density,
    as_many_functions,
    ball_or_cube,
    cube_about_zero,
)
from sottovoce.messages import InvalidInput
from sottovoce.problems.histogram import of_shares

ITEMS = 4
"""Observations of an example: few, since some baselines send each on its own."""


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """A baseline, not yet run."""

    make: type[Any]
    problem: str
    """The problem by name whose methods it is compared with."""
    help: str
    """What it does, in half a sentence."""
    simulation_only: bool = False
    """It has ``simulate`` and no ``decide``: it sends no reports and promises nothing."""
    promise: float = 1.0
    """What a whole collection of the example is promised, in multiples of ε."""
    promise_note: str = ""
    """What else to know of the promise."""
    example_settings: dict[str, Any] = field(default_factory=dict)
    """The example's settings, all but epsilon and users."""
    example_users: int = 240
    settings_from_problem: Callable[[Any], dict[str, Any]] | None = None
    """Settings that it names otherwise than the problem does, from the problem's."""
    as_problem_answer: Callable[[Any, Any], Any] | None = None
    """Its answer, with the problem's settings, as an answer of the problem; None where it is one."""

    @property
    def name(self) -> str:
        """On the command line and in answers."""
        return str(self.make.name)

    def example(self, epsilon: float) -> Any:
        """A small survey to be audited and held to the contract."""
        return self._baseline_with({"epsilon": epsilon, "users": self.example_users} | self.example_settings)

    def like(self, settings: Any) -> Any:
        """The baseline for the survey that `settings` declare: fields of the same name are taken over."""
        if settings.problem.name != self.problem:
            raise InvalidInput(
                rule=f"{self.name} is compared with a {self.problem}",
                wrong=f"got settings of a {settings.problem.name}",
            )
        shared = {name: getattr(settings, name) for name in self._names if hasattr(settings, name)}
        return self._baseline_with(
            shared | (self.settings_from_problem(settings) if self.settings_from_problem is not None else {})
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(one.name for one in fields(self.make))

    def _baseline_with(self, settings: dict[str, Any]) -> Any:
        return self.make(**{name: value for name, value in settings.items() if name in self._names})


_UNIT = {"low": 0.0, "high": 1.0}

BASELINES = (
    Baseline(
        make=FullItem,
        problem="mean",
        help="sends every observation with noise of its own, which protects single observations only",
        promise=float(ITEMS),
        promise_note=f"item level: ε for one observation, {ITEMS}·ε for a collection of {ITEMS}",
        example_settings=_UNIT | {"observations": ITEMS},
    ),
    Baseline(
        make=SemiUser,
        problem="mean",
        help="sends the user's average on the full range with Laplace noise",
        example_settings=_UNIT | {"observations": ITEMS},
    ),
    Baseline(
        make=SplitUser,
        problem="mean",
        help="sends every observation with noise of its own, the budget shared out over them",
        example_settings=_UNIT | {"observations": ITEMS},
    ),
    Baseline(make=OneItem, problem="mean", help="sends one random observation through one bit", example_settings=_UNIT),
    Baseline(
        make=OneCategory,
        problem="histogram",
        help="sends the category of one random observation as flipped bits",
        example_settings={"categories": 6},
        settings_from_problem=as_categories,
        as_problem_answer=of_shares,
    ),
    Baseline(
        make=KaryCategory,
        problem="histogram",
        help="sends the category of one random observation by k-ary response",
        example_settings={"categories": 6},
        settings_from_problem=as_categories,
        as_problem_answer=of_shares,
    ),
    Baseline(
        make=OptimisedUnary,
        problem="histogram",
        help="sends the category of one random observation as bits flipped unevenly (optimised unary encoding)",
        simulation_only=True,
        example_settings={"categories": 6},
        settings_from_problem=as_categories,
        as_problem_answer=of_shares,
    ),
    Baseline(
        make=Flat,
        problem="quantiles",
        help="sends in which of 32 bins one random observation lies, by subset selection",
        example_settings=_UNIT | {"q": (0.1, 0.5, 0.9)},
    ),
    Baseline(
        make=Tree,
        problem="quantiles",
        help="sends in which node of one level of a binary tree one random observation lies",
        example_settings=_UNIT,
    ),
    Baseline(
        make=DuchiMean,
        problem="vector",
        help="reports every observation as a point of a sphere or a corner of a cube (Duchi, Jordan and Wainwright), "
        "which protects single observations only",
        simulation_only=True,
        example_settings={"dimension": 3},
        settings_from_problem=ball_or_cube,
    ),
    Baseline(
        make=ItemSparse,
        problem="sparse",
        help="reports every observation as a corner of a cube, which protects single observations only, and thresholds "
        "the average",
        simulation_only=True,
        example_settings={"dimension": 6},
        settings_from_problem=cube_about_zero,
    ),
    Baseline(
        make=ItemDensity,
        problem="density",
        help="reports the basis functions of every observation as a corner of a cube, which protects single "
        "observations only",
        simulation_only=True,
        example_settings={"functions": 5},
        settings_from_problem=as_many_functions,
        as_problem_answer=as_density,
    ),
)
"""All of them."""


def baselines() -> tuple[Baseline, ...]:
    """All of them, in the order in which they are shown."""
    return BASELINES
