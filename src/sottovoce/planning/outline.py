"""What a plan holds: a survey ready to run, and what it is predicted to give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sottovoce.problems import ChosenMethod, Problem
from sottovoce.risk import Crowd, Poisoning, Prediction
from sottovoce.theory import Region, regime_of


@dataclass(frozen=True, kw_only=True)
class Outline:
    """The numbers of a plan, before anything is said about them.

    `template` has its choices still open, `chosen` settles them for `crowd`, the users as they are assumed to be.
    `solved` names the quantity that was solved for; `target` the half-width that was asked for (None when the
    half-width itself was the unknown), `origin` the survey that was to reach it. `asked_epsilon` is a budget that was
    asked for and that no device answers; the plan is then for the largest that one does.
    """

    template: Any
    chosen: ChosenMethod[Any]
    crowd: Crowd
    prediction: Prediction
    solved: str
    target: float | None = None
    origin: Any = None
    asked_epsilon: float | None = None

    @property
    def protocol(self) -> Any:
        """The survey with its method and all its parameters settled."""
        return self.chosen.settings

    @property
    def problem(self) -> Problem[Any]:
        problem: Problem[Any] = self.template.problem
        return problem

    @property
    def confidence(self) -> float:
        return float(self.protocol.confidence)

    @property
    def halfwidth(self) -> float:
        return self.prediction.halfwidth(self.confidence)

    @property
    def method(self) -> str:
        return self.chosen.method.name

    @property
    def assumed(self) -> tuple[Crowd, ...]:
        """The users that the prediction speaks of, on average."""
        return self.chosen.method.assumed(self.protocol, self.crowd)

    @property
    def users_per_round(self) -> tuple[int, ...]:
        return self.chosen.method.users_per_round(self.protocol)

    @property
    def regime(self) -> Region | None:
        """Where the survey lies in the paper's diagram, which leaves out constants and logarithms (L663)."""
        if self.problem.diagram is None:
            return None
        panel, dimension = self.problem.diagram
        return regime_of(
            panel,
            users=self.protocol.users,
            observations=self.protocol.observations,
            epsilon=self.protocol.epsilon,
            dimension=dimension(self.protocol),
        )

    @cached_property
    def guarded(self) -> float | None:
        """Half the width of the headline interval, where it is not that of the expected error."""
        found = [self.chosen.method.guarded(self.protocol, crowd) for crowd in self.assumed]
        return max((self.prediction.widened(half) for half in found if half is not None), default=None)

    @cached_property
    def poisoning(self) -> Poisoning:
        return self.chosen.method.poisoning(self.protocol, self.crowd)
