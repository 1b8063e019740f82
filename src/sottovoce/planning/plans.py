"""A plan: a survey ready to run, what it and every other method are predicted to give, what would help, and its file.

The file is flat TOML that a person can read, change and keep under version control; ``plan = 1`` is the version of the
format. The predicted figures in it are for the reader; they are computed again from the rest.
"""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from sottovoce.answers import Line, line, lines_in_words, to_plain
from sottovoce.messages import MAX_CHANNEL_EPSILON, Fact, InvalidInput, short_number
from sottovoce.methods import experiment_delta
from sottovoce.pictures import Line as Curve
from sottovoce.pictures import Lines, Mark, Marks, in_characters, on_axes
from sottovoce.planning.solve import Goal, Solution, Unknown, changed, solve
from sottovoce.problems import ChosenMethod, Problem, choose, described
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.risk import CAUSES, Crowd, Poisoning, Prediction
from sottovoce.theory import REGIMES, Rademacher, Region, exact_risk, limit, regime_of, simulated_risk

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HELPS, HARDLY = 0.80, 0.97
"""A doubling that leaves less than this of the half-width helps; one that leaves more than that hardly does."""
AS_MUCH = 0.05
"""Doublings that leave half-widths closer than this help alike; chosen by hand."""
MISPLACED = 0.25
"""The share of the error that comes from a wrong place above which the advice says so; chosen by hand."""
NOTABLY_WIDER = 1.05
"""So many times the expected half-width, and the headline interval is told apart; chosen by hand."""
_SYMBOLS = {"users": "n", "observations": "T", "epsilon": "ε"}
VERSION = 1
ASSUMED = {"assumed_spread": "spread", "assumed_within": "within", "assumed_around": "around"}
PREDICTED = ("predicted_halfwidth", "predicted_rmse")
_COMMENTED = ("epsilon", "observations", "delta", *ASSUMED)
_FACTORS: tuple[tuple[Unknown, float], ...] = (
    ("users", 0.5),
    ("users", 2.0),
    ("observations", 0.5),
    ("observations", 2.0),
    ("epsilon", 0.5),
    ("epsilon", 2.0),
)


@dataclass(frozen=True, kw_only=True)
class Change:
    """One quantity changed, and the half-width that follows."""

    quantity: Unknown
    factor: float
    value: float
    halfwidth: float
    ratio: float
    method: str


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A method by name, and its half-width for each kind of users; none, and why, where it cannot run."""

    method: str
    halfwidths: dict[str, float]
    guaranteed: bool = False
    why_not: str = ""

    def to_dict(self) -> dict[str, Any]:
        reason = {"cannot_run": self.why_not} if self.why_not else {}
        return {"method": self.method, "guaranteed": self.guaranteed, **self.halfwidths, **reason}


_EXACT = 1000
"""Users up to whom the law of the votes is computed; above them it is simulated; chosen by hand, for the time."""
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


ROUNDING = 1e-24
"""Of a mean squared error: a cause below it is what a processor rounds, and is not said."""
_BESIDE_BARS = 34
"""Characters of a line that are no bar."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to run, and what it will be worth.

    `template` has its choices still open, `chosen` settles them for `crowd`, the users as they are assumed to be.
    `solved` names the quantity that was solved for; `target` the half-width that was asked for, or the error,
    as `goal` says (None when the half-width itself was the unknown), `origin` the survey that was to reach it.

    No device answers above a largest budget. `asked_epsilon` is a larger one that was asked for: the plan is then for
    the most that a device does, and `beyond` says what more could give. Nobody can be asked with it, so those numbers
    are of the theory, on real numbers.
    """

    template: Any
    chosen: ChosenMethod[Any]
    crowd: Crowd
    prediction: Prediction
    solved: str
    target: float | None = None
    goal: Goal = "halfwidth"
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
        return self.chosen.method.assumed_users(self.protocol, self.crowd)

    @cached_property
    def users_per_round(self) -> tuple[int, ...]:
        return self.chosen.method.users_per_round(self.protocol)

    @cached_property
    def regime(self) -> Region | None:
        """Where the survey lies in the paper's diagram, which leaves out constants and logarithms (L663)."""
        if self.problem.plan.diagram is None:
            return None
        panel, dimension = self.problem.plan.diagram
        return regime_of(
            panel,
            users=self.protocol.users,
            observations=self.protocol.observations,
            epsilon=self.protocol.epsilon,
            dimension=dimension(self.protocol),
        )

    @cached_property
    def guarded(self) -> float | None:
        """Half the width of an interval that holds whatever the users are, where one is promised."""
        if self.prediction.guaranteed is not None:
            return self.halfwidth
        halves = [self.chosen.method.guarded_halfwidth(self.protocol, crowd) for crowd in self.assumed]
        return max((self.prediction.widened(half) for half in halves if half is not None), default=None)

    @cached_property
    def poisoning(self) -> Poisoning:
        return self.chosen.method.poisoning(self.protocol, self.crowd)

    @cached_property
    def sensitivity(self) -> tuple[Change, ...]:
        """What the half-width would be with twice or half of everything, each method chosen anew."""
        changes = []
        for quantity, factor in _FACTORS:
            if quantity not in self.problem.unknowns:
                continue
            planned = getattr(self.template, quantity)
            value = planned * factor if quantity == "epsilon" else max(1, round(planned * factor))
            if value == planned:
                continue
            try:
                chosen = choose(changed(self.template, quantity, value), self.crowd)
                halfwidth = chosen.predict(self.crowd).halfwidth(self.confidence)
            except InvalidInput:  # too few users for the folds, too large an epsilon: nothing to compare with
                continue
            changes.append(
                Change(
                    quantity=quantity,
                    factor=factor,
                    value=value,
                    halfwidth=halfwidth,
                    ratio=halfwidth / self.halfwidth if self.halfwidth > 0 else 1.0,
                    method=chosen.method.name,
                )
            )
        return tuple(changes)

    @cached_property
    def ways(self) -> tuple[Solution, ...]:
        """For a protocol that is to reach a target: what each quantity alone would have to be."""
        if self.origin is None or self.target is None:
            return ()
        others: tuple[Unknown, ...] = ("observations", "epsilon")
        return tuple(
            solve(self.origin, unknown, self.target, self.crowd, goal=self.goal)
            for unknown in others
            if unknown in self.problem.unknowns
        )

    @cached_property
    def advice(self) -> tuple[Fact, ...]:
        """What limits the accuracy, and what would help; the most important first."""
        ratios = {change.quantity: change.ratio for change in self.sensitivity if change.factor == 2.0}
        facts = [Fact("plan-learns-nothing")] if self.useless else []
        observations, users = ratios.get("observations", 1.0), ratios.get("users", 1.0)
        if "observations" not in self.problem.unknowns:
            facts.append(Fact("plan-twice-the-users", left=users))
        elif observations > HARDLY:
            larger = ratios.get("epsilon", 1.0) < HARDLY
            facts.append(Fact("plan-observations-do-not-help", users_help=users <= HARDLY, epsilon_helps=larger))
        elif observations < HELPS and abs(observations - users) < AS_MUCH:
            facts.append(Fact("plan-observations-help-as-users"))
        else:
            facts.append(Fact("plan-twice-observations-or-users", observations=observations, users=users))
        share = self.prediction.share("localisation")
        if share > MISPLACED and len(self.users_per_round) > 1:
            facts.append(Fact("plan-wrong-place", share=share))
        if self.problem.plan.differing is not None and not self.crowd.spread:
            if self.chosen.method.guaranteed:
                # One round assumes nothing: its half-width for half of the users at each end of the range.
                worst = replace(self.crowd, spread=self.problem.full_scale(self.protocol), around=None, law=None)
                halfwidth = self.chosen.method.expected_error(self.protocol, worst).halfwidth(self.confidence)
                facts.append(Fact("plan-relies-on-nothing", halfwidth=halfwidth))
            elif not any(users.spread for users in self.assumed):
                facts.append(Fact("plan-relies-on-users-alike"))
        return tuple(facts)

    @cached_property
    def kinds(self) -> dict[str, Crowd]:
        """Users of whom half-widths are told, by name: where it matters, those alike and those who differ."""
        differing = self.problem.plan.differing
        if differing is None or self.crowd.law is not None:
            return {"halfwidth": self.crowd}
        spread = max((users.spread or 0.0 for users in self.assumed), default=0.0)
        spread = spread or differing * 2 * self.problem.full_scale(self.protocol)
        return {"alike": replace(self.crowd, spread=0.0), "differing": replace(self.crowd, spread=spread)}

    @cached_property
    def methods(self) -> tuple[Alternative, ...]:
        """What every method of the problem would give: for users alike and users who differ, where that matters.

        The one planned as it is planned, the others as they are by name.
        """
        methods = []
        for method in self.problem.methods:
            halfwidths: dict[str, float] = {}
            why = ""
            try:
                settings = self.protocol if method.name == self.method else replace(self.template, method=method.name)
                for kind, users in self.kinds.items():
                    halfwidths[kind] = (
                        method.method_that_runs(settings).expected_error(settings, users).halfwidth(self.confidence)
                    )
            except InvalidInput as error:  # it cannot run with these settings, or for such users
                why = str(error)
            methods.append(
                Alternative(method=method.name, halfwidths=halfwidths, guaranteed=method.guaranteed, why_not=why)
            )
        return tuple(methods)

    @cached_property
    def over_users(self) -> dict[Fact, Prediction]:
        """What the plan gives for each kind of users by which the method was chosen."""
        method = self.chosen.method
        kinds = method.judging_users(self.protocol, self.crowd)
        return {kind: method.expected_error(self.protocol, users) for kind, users in kinds.items()} if kinds else {}

    @cached_property
    def least_mse(self) -> float | None:
        """The least that ε allows for users alike; None where that is not known, or users are to differ."""
        if self.problem.plan.least is None or self.crowd.law is not None or all(users.spread for users in self.assumed):
            return None
        return self.problem.plan.least(self.protocol, replace(self.crowd, spread=0.0))

    @cached_property
    def efficiency(self) -> float | None:
        """How much of what ε allows for users alike the plan uses, where that is known: see `theory.limit`."""
        if self.least_mse is None:
            return None
        return self.least_mse / self.chosen.method.predict(self.protocol, replace(self.crowd, spread=0.0)).mse

    @cached_property
    def beyond(self) -> Beyond | None:
        """What a budget above what a device answers could give, where one was asked for."""
        asked = self.asked_epsilon
        if asked is None:
            return None
        most, least, paper = float(MAX_CHANNEL_EPSILON), None, self._paper_halfwidth(asked)
        words = [Fact("plan-epsilon-too-large", most=most, planned=self.protocol.epsilon, asked=asked)]
        if self.least_mse is not None:
            least = self._halfwidth_at(self.least_mse * limit(asked) / limit(self.protocol.epsilon))
            words.append(Fact("plan-epsilon-least", asked=asked, halfwidth=least))
        if paper is not None:
            words.append(Fact("plan-epsilon-paper", asked=asked, halfwidth=paper))
        if isinstance(self.template, VectorMean) and self.template.method != "theory":
            words.append(Fact("plan-epsilon-several-coordinates", most=most * self.template.groups))
        return Beyond(epsilon=asked, least=least, paper=paper, words=tuple(words))

    def _halfwidth_at(self, mse: float) -> float:
        return Prediction(sampling=mse, privacy=0.0).halfwidth(self.confidence)

    def _paper_halfwidth(self, epsilon: float) -> float | None:
        """UserLevelMean with the experiments' constants, real-valued Laplace noise and votes kept with ω_{α/2}."""
        mean = self.protocol
        if not isinstance(mean, Mean):
            return None
        survey: dict[str, Any] = {"users": mean.users, "observations": mean.observations, "epsilon": epsilon}
        survey |= {"delta": experiment_delta(**survey), "law": Rademacher(), "shift": _SHIFT}
        if mean.users <= _EXACT:
            mse = exact_risk(**survey, resolution=1.0).mse
        else:
            mse = simulated_risk(**survey, repetitions=_REPETITIONS, seed=0).mse
        return self._halfwidth_at(mse * ((mean.high - mean.low) / 2) ** 2)

    @property
    def warnings(self) -> tuple[Fact, ...]:
        """What is not as it was asked for."""
        return () if self.beyond is None else self.beyond.words

    def lines(self) -> list[Line]:
        """The labelled lines of the summary."""
        prediction, protocol, bound, guarded = self.prediction, self.protocol, self.poisoning, self.guarded
        targets = {"halfwidth": None, "error": None} | {self.goal: self.target}
        parts = ((cause, getattr(prediction, cause)) for cause in CAUSES)
        causes = tuple(
            Fact("plan-error-part", cause=cause, error=math.sqrt(part))
            for cause, part in parts
            if part > ROUNDING * prediction.mse
        )
        rows: list[tuple[str, Fact | None]] = [
            ("plan", Fact("plan-survey", problem=self.problem.name, solved=self.solved, **self._given())),
            ("half-width", Fact("plan-halfwidth", target=targets["halfwidth"], **self._worth())),
            ("guarded", None if guarded in (None, self.halfwidth) else Fact("plan-guarded", halfwidth=guarded)),
        ]
        if prediction.wider:  # intervals allow for users without data: what they would be without that
            plain = replace(prediction, wider=()).halfwidth(self.confidence)
            rows.append(("empty", Fact("plan-empty", empty_at_most=protocol.empty_at_most, halfwidth=plain)))
        rounds, how = self.users_per_round, self.chosen.method.words(protocol)
        rows += [
            (
                "error",
                Fact(
                    "plan-error",
                    error=prediction.rmse,
                    target=targets["error"],
                    causes=causes,
                    dominant=prediction.dominant,
                ),
            ),
            ("assumed", self.problem.plan.crowd_fact(self.assumed)),
            ("method", Fact("plan-method", method=self.method, rounds=len(rounds), users=rounds, how=how)),
        ]
        colluders = [Fact("plan-colluders-move", shift=0.01 * bound.reach)] if bound.reach > 0 else []
        colluders += [] if bound.capture is None else [Fact("plan-colluders-decide", share=bound.capture)]
        beside = [
            ("limit", None if self.efficiency is None else Fact("plan-limit", efficiency=self.efficiency)),
            ("regime", None if self.regime is None else Fact("plan-regime", regime=REGIMES[self.regime])),
            *(("advice", fact) for fact in self.advice),
            ("colluders", Fact("plan-colluders", parts=tuple(colluders))),
            *(("or", self._way(way)) for way in self.ways),
        ]
        first, last = ([line(name, fact) for name, fact in some if fact is not None] for some in (rows, beside))
        warned = [line("warning", fact) for fact in self.warnings]
        return [line("answer", self._answer()), *warned, *first, *self._user_lines(), *self._method_lines(), *last]

    def _user_lines(self) -> list[Line]:
        """Interval and error for each kind of users."""
        rows = [
            ("", Fact("plan-users-row", users=kind, halfwidth=one.halfwidth(self.confidence), error=one.rmse))
            for kind, one in self.over_users.items()
        ]
        return [line("users", Fact("plan-users-table")), *rows] if len(rows) > 1 else []

    def _method_lines(self) -> list[Line]:
        """A short table for the summary: one line where one number a method says it all."""
        if len(self.methods) < 2:
            return []
        users = self.kinds.get("differing")
        if users is None:
            widths = ((one.method, next(iter(one.halfwidths.values()), None)) for one in self.methods)
            methods = tuple(Fact("plan-method-halfwidth", method=method, halfwidth=width) for method, width in widths)
            return [line("methods", Fact("plan-methods", methods=methods))]
        rows = (
            Fact("plan-method-cannot-run", method=one.method, why=one.why_not)
            if one.why_not
            else Fact("plan-method-alike-and-differing", **one.to_dict())
            for one in self.methods
        )
        return [
            line("methods", Fact("plan-methods-alike-and-differing", spread=users.spread)),
            *(("", row) for row in rows),
        ]

    def _answer(self) -> Fact:
        """What the survey would be worth, for somebody who knows no statistics."""
        given, half = self._given(), self.guarded
        if self.useless:
            return Fact("plan-answer-nothing", **given)
        if self.prediction.wider:  # the estimate may lie near an end of its interval, toward what they count as
            width, empty = 2 * (half or self.halfwidth), self.protocol.empty_at_most
            return Fact("plan-answer-interval", **given, **self._worth(), width=width, empty_at_most=empty)
        if self.prediction.guaranteed is not None:
            return Fact("plan-answer-guaranteed", **given, **self._worth(), error=self.prediction.rmse)
        wider = None if half is None or half < NOTABLY_WIDER * self.halfwidth else half
        return Fact("plan-answer", **given, **self._worth(), guarded=wider)

    @cached_property
    def useless(self) -> bool:
        """Whether the interval would be as wide as the declared range."""
        return self.halfwidth >= self.problem.full_scale(self.protocol) and self.prediction.dominant != "omission"

    def _given(self) -> dict[str, Any]:
        """Users, observations and budget, by name."""
        return {name: getattr(self.protocol, name) if name in self.problem.unknowns else None for name in _SYMBOLS}

    def _worth(self) -> dict[str, Any]:
        """The half-width, at which confidence, and of what number."""
        problem = self.problem
        return {"halfwidth": self.halfwidth, "confidence": self.confidence} | {
            "measures": problem.plan.measures,
            "measures_more": problem.plan.more,
        }

    def _way(self, way: Solution) -> Fact:
        if way.value is None:
            return Fact("plan-way-cannot", unknown=way.unknown, halfwidth=way.best.halfwidth(self.confidence))
        return Fact("plan-way", unknown=way.unknown, value=way.value if way.unknown == "epsilon" else round(way.value))

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        causes = {cause: getattr(self.prediction, cause) ** 0.5 for cause in CAUSES}
        return {
            "problem": self.problem.name,
            "protocol": json.loads(json.dumps(asdict(self.protocol))),
            "assumed": {"spread": self.crowd.spread, "within": self.crowd.within, "around": self.crowd.around}
            | {"spreads": [users.spread or 0.0 for users in self.assumed]},
            "solved": self.solved,
            "target_halfwidth": self.target,
            "predicted": {"halfwidth": self.halfwidth, "rmse": self.prediction.rmse, "mse": self.prediction.mse}
            | {"guarded_halfwidth": self.guarded}
            | {"standard_error": causes, "dominant": self.prediction.dominant},
            "efficiency": self.efficiency,
            "methods": [method.to_dict() for method in self.methods],
            "users": [
                {"users": kind.to_plain(), "halfwidth": one.halfwidth(self.confidence), "rmse": one.rmse}
                for kind, one in self.over_users.items()
            ],
            "users_per_round": list(self.users_per_round),
            "sensitivity": list(map(asdict, self.sensitivity)),
            "ways": [
                {"change": way.unknown, "to": way.value, "best_halfwidth": way.best.halfwidth(self.confidence)}
                for way in self.ways
            ],
            "poisoning": {"reach": self.poisoning.reach, "capture_share": self.poisoning.capture}
            | {"share_for_halfwidth": self.poisoning.share_for(self.halfwidth)},
            "regime": self.regime,
            "advice": to_plain(self.advice),
            "warnings": to_plain(self.warnings),
            "beyond": None if self.beyond is None else self.beyond.to_dict(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def summary(self) -> str:
        """A few lines for a terminal."""
        return "\n".join(f"{name:<12}{text}" for name, text in lines_in_words(self.lines()))

    def __repr__(self) -> str:
        worth = Fact("plan-in-short", halfwidth=self.halfwidth, confidence=self.confidence)
        return f"<Plan {self.problem.name}, {self.method}: {worth}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in lines_in_words(self.lines())
        )
        return f"<table>{rows}</table>"

    def drawing(self) -> Marks:
        """One bar a what-if, as long as its half-width: ``n × 2  ████ 0.031``; the plan itself first."""
        planned = Fact("picture-as-planned")
        rows: list[tuple[Any, ...]] = [(planned, planned, self.halfwidth, self.method)]
        for change in self.sensitivity:
            name = f"{_SYMBOLS[change.quantity]} × {'½' if change.factor == 0.5 else f'{change.factor:g}'}"
            title = Fact("plan-change", factor=change.factor, quantity=change.quantity)
            rows.append((name, title, change.halfwidth, change.method))
        return Marks(
            marks=tuple(
                Mark(
                    name=name,
                    title=title,
                    value=value,
                    beside=f"{short_number(value, 4):<9} {method}",
                    told=f"± {short_number(value)}, {method}",
                )
                for name, title, value, method in rows
            ),
            bars=True,
        )

    def picture(self, *, width: int = 60) -> str:
        """The sensitivity as bars of characters."""
        return in_characters(self.drawing(), width=max(4, width - _BESIDE_BARS))

    def plot(self, axes: Axes | None = None) -> Axes:
        """Half-width against users, a line for each number of observations; the plan is the point (extra ``plot``)."""
        template, planned = self.template, self.protocol.observations
        users = sorted({max(2, round(self.protocol.users * 2.0**power)) for power in range(-4, 5)})
        lines = []
        for observations in sorted({max(1, planned // 10), planned, planned * 10}):
            trial = changed(template, "observations", observations)
            predictions = (choose(changed(trial, "users", n), self.crowd).predict(self.crowd) for n in users)
            widths = (prediction.halfwidth(self.confidence) for prediction in predictions)
            name, strong = f"T = {observations:,}", observations == planned
            lines.append(Curve(name=name, x=tuple(users), y=tuple(widths), strong=strong))
        named = {"problem": self.problem.name, "epsilon": self.protocol.epsilon, "method": self.method}
        picture = Lines(
            lines=tuple(lines),
            point=(self.protocol.users, self.halfwidth),
            target=self.target,
            across=Fact("picture-axis-users"),
            up=Fact("picture-axis-halfwidth", confidence=self.confidence),
            title=Fact("picture-title-plan", **named),
        )
        return on_axes(picture, axes)

    def to_toml(self) -> str:
        """The file's text: always the same for the same plan."""
        if self.crowd.law is not None:
            raise InvalidInput(
                "a plan for a given law of users has no file form", fix="state spread, within and around instead"
            )
        protocol = self.protocol
        rows: list[tuple[str, Any]] = [("plan", VERSION), ("problem", self.problem.name)]
        names, settings = setting_names(self.problem), self.problem.settings
        hints = get_type_hints(settings)
        late = {field.name for field in described(settings) if field.left_out(getattr(protocol, field.name))}
        rows += [(name, _one_form(getattr(protocol, name), str(hints[name]))) for name in names if name not in late]
        rows += [(key, _one_form(getattr(self.crowd, name), "float")) for key, name in ASSUMED.items()]
        rows += [("predicted_halfwidth", self.halfwidth), ("predicted_rmse", self.prediction.rmse)]
        body = []
        for name, value in rows:
            if value is not None:
                comment = f"  # {Fact(f'plan-file-{name}'.replace('_', '-'))}" if name in _COMMENTED else ""
                body.append(f"{name} = {_toml_value(name, value)}{comment}")
        estimate = Fact("plan-file-estimate", by=bool(getattr(protocol, "groups", ())))
        commands = [*([Fact("plan-file-simulate")] if self.problem.plan.users else []), estimate]
        return "\n".join([f"# {Fact('plan-file')}", *(f"#   {command}" for command in commands), *body, ""])

    def save(self, path: str | Path) -> None:
        """Write `to_toml` to a file."""
        Path(path).expanduser().write_text(self.to_toml(), encoding="utf-8")


def setting_names(problem: Problem[Any]) -> tuple[str, ...]:
    """What a plan's file says of the survey, in this order."""
    first = ("method", *problem.unknowns, "confidence", "survey")
    rest = (field.name for field in dataclasses.fields(problem.settings) if field.name not in first)
    return (*first, *rest)


def _one_form(value: Any, hint: str) -> Any:
    """One form for one number, however the caller wrote it."""
    return float(value) if "float" in hint and isinstance(value, int) else value


def _toml_value(name: str, value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case str() if value.isprintable():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case tuple() | list():
            return "[" + ", ".join(_toml_value(name, item) for item in value) + "]"
    raise InvalidInput(f"{name} cannot be written to a plan file")
