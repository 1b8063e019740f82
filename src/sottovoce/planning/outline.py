"""The numbers of a plan: a survey ready to run, what it and every other method are predicted to give, and the theory.

No device answers above a largest budget. A plan with a larger one is for the most that it does, and says what more
could give: nobody can be asked with it, so those numbers are of the theory, on real numbers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from sottovoce.answers import Line, line, to_plain
from sottovoce.messages import MAX_CHANNEL_EPSILON, Fact, InvalidInput
from sottovoce.methods import experiment_delta
from sottovoce.problems import ChosenMethod, Problem
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.risk import Crowd, Poisoning, Prediction
from sottovoce.theory import Rademacher, Region, exact_risk, limit, regime_of, simulated_risk


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

    @cached_property
    def protocol(self) -> Any:
        """The survey with its method and all its parameters settled."""
        return self.chosen.settings

    @cached_property
    def problem(self) -> Problem[Any]:
        problem: Problem[Any] = self.template.problem
        return problem

    @cached_property
    def confidence(self) -> float:
        return float(self.protocol.confidence)

    @cached_property
    def halfwidth(self) -> float:
        return self.prediction.halfwidth(self.confidence)

    @cached_property
    def method(self) -> str:
        return self.chosen.method.name

    @cached_property
    def assumed(self) -> tuple[Crowd, ...]:
        """The users that the prediction speaks of, on average."""
        return self.chosen.method.assumed(self.protocol, self.crowd)

    @cached_property
    def users_per_round(self) -> tuple[int, ...]:
        return self.chosen.method.users_per_round(self.protocol)

    @cached_property
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


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A method by name, and its half-width for each kind of users; none, and why, where it cannot run."""

    method: str
    halfwidths: dict[str, float]
    guaranteed: bool = False
    why_not: str = ""

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"method": self.method, "guaranteed": self.guaranteed} | self.halfwidths
        return found | ({"cannot_run": self.why_not} if self.why_not else {})


def kinds(plan: Outline) -> dict[str, Crowd]:
    """Users of which every method's half-width is told, by name: where it matters, those alike and those who differ."""
    differing = plan.problem.differing
    if differing is None or plan.crowd.law is not None:
        return {"halfwidth": plan.crowd}
    told = max((users.spread or 0.0 for users in plan.assumed), default=0.0)
    apart = told or differing * 2 * plan.problem.full_scale(plan.protocol)
    return {"alike": replace(plan.crowd, spread=0.0), "differing": replace(plan.crowd, spread=apart)}


def alternatives(plan: Outline) -> tuple[Alternative, ...]:
    """Every method of the problem; the one planned as it is planned, the others as they are by name."""
    found = []
    for method in plan.problem.methods:
        held: dict[str, float] = {}
        why = ""
        try:
            settings = plan.protocol if method.name == plan.method else replace(plan.template, method=method.name)
            for kind, users in kinds(plan).items():
                held[kind] = method.running(settings).expect(settings, users).halfwidth(plan.confidence)
        except InvalidInput as error:  # it cannot run with these settings, or for such users
            why = str(error)
        found.append(Alternative(method=method.name, halfwidths=held, guaranteed=method.guaranteed, why_not=why))
    return tuple(found)


def efficiency(plan: Outline) -> float | None:
    """How much of what ε allows for users alike the plan uses; None where that is not known, or users are to differ."""
    if plan.problem.least is None or plan.crowd.law is not None or all(users.spread for users in plan.assumed):
        return None
    alike = replace(plan.crowd, spread=0.0)
    least = plan.problem.least(plan.protocol, alike)
    return None if least is None else least / plan.chosen.method.predict(plan.protocol, alike).mse


def method_lines(plan: Outline, others: tuple[Alternative, ...]) -> list[Line]:
    """A short table for the summary: one line where one number a method says it all."""
    if len(others) < 2:
        return []
    users = kinds(plan).get("differing")
    if users is None:
        widths = ((one.method, next(iter(one.halfwidths.values()), None)) for one in others)
        methods = tuple(Fact("plan-method-halfwidth", method=method, halfwidth=width) for method, width in widths)
        return [line("methods", Fact("plan-methods", methods=methods))]
    return [
        line("methods", Fact("plan-methods-alike-and-differing", spread=users.spread)),
        *(("", _method_row(one)) for one in others),
    ]


def _method_row(one: Alternative) -> Fact:
    if one.why_not:
        return Fact("plan-method-cannot-run", method=one.method, why=one.why_not)
    told = {"method": one.method, "guaranteed": one.guaranteed} | one.halfwidths
    return Fact("plan-method-alike-and-differing", **told)


_EXACT = 1000
"""Users up to whom the law of the votes is computed; above them it is simulated."""
_REPETITIONS = 20_000
_SHIFT = (-0.3, 0.3)


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """What was asked for, and half-widths at it: the least of all ε-local protocols, and the paper's on real numbers.

    Either is None where the theory does not say: `least` is known for a mean of users alike, `paper` computed for the
    users of the paper's experiments (±1 around a shift, L1034), whose sampling error is as large as the range allows.
    """

    epsilon: float
    least: float | None
    paper: float | None
    words: tuple[Fact, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"words": to_plain(self.words)}


def beyond(plan: Outline) -> Beyond | None:
    """What the budget that was asked for could give; None where it is one that a device answers."""
    asked = plan.asked_epsilon
    if asked is None:
        return None
    most = float(MAX_CHANNEL_EPSILON)
    words = [Fact("plan-epsilon-too-large", most=most, planned=plan.protocol.epsilon, asked=asked)]
    least, paper = _least(plan, asked), _paper(plan, asked)
    if least is not None:
        words.append(Fact("plan-epsilon-least", asked=asked, halfwidth=least))
    if paper is not None:
        words.append(Fact("plan-epsilon-paper", asked=asked, halfwidth=paper))
    if isinstance(plan.template, VectorMean) and plan.template.method != "theory":
        words.append(Fact("plan-epsilon-several-coordinates", most=most * plan.template.groups))
    return Beyond(epsilon=asked, least=least, paper=paper, words=tuple(words))


def _least(plan: Outline, epsilon: float) -> float | None:
    """The limit of `theory.limit` for the same users."""
    if plan.problem.least is None or plan.crowd.law is not None or all(users.spread for users in plan.assumed):
        return None
    found = plan.problem.least(plan.protocol, replace(plan.crowd, spread=0.0))
    if found is None:
        return None
    scaled = found * limit(epsilon) / limit(plan.protocol.epsilon)
    return Prediction(sampling=scaled, privacy=0.0).halfwidth(plan.confidence)


def _paper(plan: Outline, epsilon: float) -> float | None:
    """UserLevelMean with the constants of the experiments, real-valued Laplace noise and votes kept with ω_{α/2}."""
    own = plan.protocol
    if not isinstance(own, Mean):
        return None
    delta = experiment_delta(own.users, own.observations, epsilon)
    given: dict[str, Any] = {"users": own.users, "observations": own.observations, "epsilon": epsilon}
    given |= {"delta": delta, "law": Rademacher(), "shift": _SHIFT}
    if own.users <= _EXACT:
        mse = exact_risk(**given, resolution=1.0).mse
    else:
        mse = simulated_risk(**given, repetitions=_REPETITIONS, seed=0).mse
    half = (own.high - own.low) / 2
    return Prediction(sampling=mse * half**2, privacy=0.0).halfwidth(plan.confidence)
