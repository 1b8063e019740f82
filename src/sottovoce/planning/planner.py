"""A plan in one call, what it says, and its file.

The file is flat TOML that a person can read, change and keep under version control; ``plan = 1`` is the version of the
format. Reading is strict: an unknown key is an error, since a misspelt setting that is silently ignored would run
another survey than the one planned. The predicted figures are for the reader; they are computed again from the rest.
"""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from sottovoce.answers import Line, line, to_plain, told, two_sided
from sottovoce.messages import MAX_CHANNEL_EPSILON, MAX_EPSILON, Fact, InvalidInput, check_epsilon
from sottovoce.methods import check_confidence, check_positive, experiment_delta
from sottovoce.pictures import Marks, in_characters, on_axes
from sottovoce.planning import advice as facts
from sottovoce.planning.solve import LIMITS, Solution, Unknown, changed, solve, unreachable
from sottovoce.problems import UNKNOWNS, ChosenMethod, Problem, Settings, choose, described, named, problems
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.risk import CAUSES, Crowd, Poisoning, Prediction
from sottovoce.theory import Rademacher, Region, exact_risk, limit, regime_of, simulated_risk

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PLACEHOLDERS = {"users": 2**20, "observations": 10_000, "epsilon": 1.0}
"""What stands for the unknown until it is solved for: values that no problem refuses."""


def plan(
    protocol: Any = None,
    *,
    problem: str = "mean",
    users: int | None = None,
    observations: int | None = None,
    epsilon: float | None = None,
    halfwidth: float | None = None,
    mse: float | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    spread: float | None = None,
    within: float | None = None,
    around: float | None = None,
    **settings: Any,
) -> Plan:
    """Say what a survey will be worth, or what it takes to reach a half-width.

    Of `users`, `observations` (per user), `epsilon` and `halfwidth` (or `mse`) leave out one: it is solved for. The
    method, its rounds and bins are chosen with it, unless `method` names one. `settings` are those of the problem's
    protocol (`low` and `high` for a mean). Instead of all this a `protocol` may be given, alone (what will it be
    worth?) or with a `halfwidth` or `mse` (how many users does it take, and would more observations or a larger ε do
    instead? see `Plan.ways`).

    By default the plan is for observations as spread as the range allows, and for users alike; one-round and auto of a
    mean look at users alike and users whose own means differ by a tenth of the range, on average. `within` states the
    standard deviation of one user's observations, `spread` that of the users' own means, `around` where those lie.
    With `empty_at_most` half-widths are those of intervals that allow for so many users without data.

    No device answers above ε = 16 in one question. A plan with a larger `epsilon` is for 16, says so in `warnings`, and
    tells in `beyond` what theory says of the budget that was asked for.

    Privacy
    -------
    No data are looked at. Do not take `spread` or `within` from data that you promised to protect.

    Accuracy
    --------
    ``benchmarks/plan_accuracy.py`` measures predictions against simulated errors.

    Examples
    --------
    >>> import sottovoce as sv
    >>> plan = sv.plan(low=1, high=5, epsilon=1.0, observations=100, halfwidth=0.05)
    >>> print(f"{plan.halfwidth:.3f} with {plan.protocol.method}")
    0.050 with adaptive
    """
    crowd = Crowd(spread=spread, within=within, around=around)
    if protocol is not None and not isinstance(protocol, Settings):
        names = ", ".join(problem.name for problem in problems())
        raise InvalidInput(f"no plan for a {type(protocol).__name__}; there are plans for {names}")
    target = _target(halfwidth, mse, confidence if protocol is None else protocol.confidence)
    empty = settings.get("empty_at_most") if protocol is None else getattr(protocol, "empty_at_most", 0.0)
    if mse is not None and empty:
        raise InvalidInput("mse says nothing of users without data (empty_at_most):", fix="ask for a halfwidth")
    given: dict[str, float | int | None] = {"users": users, "observations": observations, "epsilon": epsilon}
    if protocol is not None:
        extra = [name for name, value in given.items() if value is not None] + sorted(settings)
        if extra:
            raise InvalidInput(
                f"the protocol already says {', '.join(extra)}; change the protocol, or plan without naming one"
            )
        if target is None:
            return predicted(protocol, crowd)
        return reaching(protocol, "users", crowd, mse=target, origin=protocol)
    kind = named(problem)
    assumed = {"spread": spread, "within": within, "around": around}
    known = (*kind.unknowns, *kind.crowd)
    idle = [name for name, value in (given | assumed).items() if name not in known and value is not None]
    if idle:
        raise InvalidInput(f"a plan of a {problem} has no {', '.join(idle)}")
    given = {name: value for name, value in given.items() if name in kind.unknowns}
    unknown = _unknown(given, target)
    numbers = {name: _PLACEHOLDERS[name] if value is None else value for name, value in given.items()}
    values = numbers | {"confidence": confidence, "method": method} | settings
    template, asked = _answerable(kind, values) if epsilon is not None else (_template(kind, values), None)
    found = predicted(template, crowd) if target is None else reaching(template, unknown, crowd, mse=target)
    return found if asked is None else replace(found, asked_epsilon=asked)


def _target(halfwidth: float | None, mse: float | None, confidence: float) -> float | None:
    """The mean squared error to reach."""
    if halfwidth is not None and mse is not None:
        raise InvalidInput("halfwidth and mse say the same thing", fix="give one of them")
    for name, value in (("halfwidth", halfwidth), ("mse", mse)):
        check_positive(name, value)
    if halfwidth is None:
        return mse
    check_confidence(confidence)
    return (halfwidth / two_sided(confidence)) ** 2


def _unknown(given: dict[str, float | int | None], target: float | None) -> Unknown:
    missing = [name for name, value in given.items() if value is None]
    if target is None and missing:
        raise InvalidInput(
            f"{', '.join(missing)} and halfwidth are left out",
            fix="state all but one of them: only one can be solved for",
        )
    if target is not None and len(missing) != 1:
        what = " and ".join(missing) + " are left out" if missing else "none is left out"
        raise InvalidInput(
            rule=f"of {', '.join(given)} and halfwidth (or mse) leave out exactly one, to be solved for", wrong=what
        )
    return next((name for name in LIMITS if name in missing), "users")


def _answerable(problem: Problem[Any], values: dict[str, Any]) -> tuple[Any, float | None]:
    """The survey; one whose budget no device answers, with the most that one does, and what was asked for."""
    epsilon = check_epsilon(values["epsilon"], maximum=MAX_EPSILON)
    if epsilon > MAX_CHANNEL_EPSILON:
        most = _template(problem, values | {"epsilon": MAX_CHANNEL_EPSILON}).largest_epsilon
        if epsilon > most:  # which is of several questions' worth
            return _template(problem, values | {"epsilon": most}), epsilon
    return _template(problem, values), None


def _template(problem: Problem[Any], values: dict[str, Any]) -> Any:
    known = setting_names(problem)
    strange = sorted(set(values) - set(known))
    if strange:
        own = ", ".join(name for name in known if name not in (*UNKNOWNS, "survey", "confidence", "method"))
        raise InvalidInput(
            f"a plan of a {problem.name} has no {', '.join(strange)}; its settings are {own}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )
    *most, last = [
        "",
        *(field.name for field in described(problem.settings) if field.required and field.name not in values),
    ]
    if last:
        names = f"{', '.join(most[1:])}{',' if len(most) > 2 else ''} and {last}" if most[1:] else last
        raise InvalidInput(rule=f"a plan of a {problem.name} needs {names}")
    try:
        return problem.settings(**values)
    except TypeError as error:  # of a wrong type
        raise InvalidInput(rule=f"a plan of a {problem.name} needs {str(error).replace(chr(39), '')}") from None


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


_BESIDE_BARS = 34
"""Characters of a line that are no bar."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to run, and what it will be worth.

    `template` has its choices still open, `chosen` settles them for `crowd`, the users as they are assumed to be.
    `solved` names the quantity that was solved for; `target` the half-width that was asked for (None when the
    half-width itself was the unknown), `origin` the survey that was to reach it.

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
        halves = (self.chosen.method.guarded(self.protocol, crowd) for crowd in self.assumed)
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
        mse = (self.target / two_sided(self.confidence)) ** 2
        others: tuple[Unknown, ...] = ("observations", "epsilon")
        return tuple(
            solve(self.origin, unknown, mse, self.crowd) for unknown in others if unknown in self.problem.unknowns
        )

    @cached_property
    def advice(self) -> tuple[Fact, ...]:
        """What limits the accuracy, and what would help; the most important first."""
        return facts.advice(self)

    @cached_property
    def kinds(self) -> dict[str, Crowd]:
        """Users of whom half-widths are told, by name: where it matters, those alike and those who differ."""
        differing = self.problem.differing
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
                    halfwidths[kind] = method.running(settings).expect(settings, users).halfwidth(self.confidence)
            except InvalidInput as error:  # it cannot run with these settings, or for such users
                why = str(error)
            methods.append(
                Alternative(method=method.name, halfwidths=halfwidths, guaranteed=method.guaranteed, why_not=why)
            )
        return tuple(methods)

    @cached_property
    def least_mse(self) -> float | None:
        """The least that ε allows for users alike; None where that is not known, or users are to differ."""
        if self.problem.least is None or self.crowd.law is not None or all(users.spread for users in self.assumed):
            return None
        return self.problem.least(self.protocol, replace(self.crowd, spread=0.0))

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
        first = [line("answer", facts.answer(self)), *(line("warning", fact) for fact in self.warnings)]
        return [*first, *facts.lines(self)]

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
        return "\n".join(f"{name:<12}{text}" for name, text in told(self.lines()))

    def __repr__(self) -> str:
        worth = Fact("plan-in-short", halfwidth=self.halfwidth, confidence=self.confidence)
        return f"<Plan {self.problem.name}, {self.method}: {worth}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in told(self.lines())
        )
        return f"<table>{rows}</table>"

    def drawing(self) -> Marks:
        """What there is to draw: the half-width as planned, and with what is changed."""
        return facts.bars(self)

    def picture(self, *, width: int = 60) -> str:
        """The sensitivity as bars of characters."""
        return in_characters(self.drawing(), width=max(4, width - _BESIDE_BARS))

    def plot(self, axes: Axes | None = None) -> Axes:
        """Half-width against the number of users, for fewer and more observations (needs the extra ``plot``)."""
        return on_axes(facts.curves(self), axes)

    def to_toml(self) -> str:
        """The plan as a file: see `dumps`."""
        return dumps(self)

    def save(self, path: str | Path) -> None:
        """Write `to_toml` to a file."""
        Path(path).expanduser().write_text(self.to_toml(), encoding="utf-8")


def predicted(
    template: Any, crowd: Crowd, *, solved: str = "halfwidth", target: float | None = None, origin: Any = None
) -> Plan:
    """The plan for a protocol whose numbers are all given."""
    chosen = choose(template, crowd)
    return Plan(
        template=template,
        chosen=chosen,
        crowd=crowd,
        prediction=chosen.predict(crowd),
        solved=solved,
        target=target,
        origin=origin,
    )


def reaching(template: Any, unknown: Unknown, crowd: Crowd, *, mse: float, origin: Any = None) -> Plan:
    """The plan with the smallest `unknown` that brings the mean squared error down to `mse`."""
    confidence = float(template.confidence)
    target = Prediction(sampling=mse, privacy=0.0).halfwidth(confidence)
    scale = template.problem.full_scale(template)
    if not target < scale:
        raise InvalidInput(f"a half-width of {target:g} says nothing: the declared range has a half-width of {scale:g}")
    solution = solve(template, unknown, mse, crowd)
    if solution.value is None:
        raise unreachable(solution, halfwidth=target, confidence=confidence)
    return predicted(changed(template, unknown, solution.value), crowd, solved=unknown, target=target, origin=origin)


VERSION = 1
ASSUMED = {"assumed_spread": "spread", "assumed_within": "within", "assumed_around": "around"}
PREDICTED = ("predicted_halfwidth", "predicted_rmse")
_COMMENTED = ("epsilon", "observations", "delta", *ASSUMED)


def dumps(plan: Plan) -> str:
    """The file's text: always the same for the same plan."""
    if plan.crowd.law is not None:
        raise InvalidInput(
            "a plan for a given law of users has no file form", fix="state spread, within and around instead"
        )
    protocol = plan.protocol
    rows: list[tuple[str, Any]] = [("plan", VERSION), ("problem", plan.problem.name)]
    names = setting_names(plan.problem)
    hints = get_type_hints(plan.problem.settings)
    late = {field.name for field in described(plan.problem.settings) if field.left_out(getattr(protocol, field.name))}
    rows += [(name, _one_form(getattr(protocol, name), str(hints[name]))) for name in names if name not in late]
    rows += [(key, _one_form(getattr(plan.crowd, name), "float")) for key, name in ASSUMED.items()]
    rows += [("predicted_halfwidth", plan.halfwidth), ("predicted_rmse", plan.prediction.rmse)]
    body = []
    for name, value in rows:
        if value is not None:
            comment = f"  # {Fact(f'plan-file-{name}'.replace('_', '-'))}" if name in _COMMENTED else ""
            body.append(f"{name} = {_toml_value(name, value)}{comment}")
    estimate = Fact("plan-file-estimate", by=bool(getattr(protocol, "groups", ())))
    commands = [*([Fact("plan-file-simulate")] if plan.problem.assumed else []), estimate]
    return "\n".join([f"# {Fact('plan-file')}", *(f"#   {command}" for command in commands), *body, ""])


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


MAX_BYTES = 2**20


def loads(text: str) -> Plan:
    """The plan in a file's text, with its prediction computed again."""
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"not a plan file: {error}") from None
    version = settings.pop("plan", None)
    if version != VERSION or isinstance(version, bool):
        raise InvalidInput(f"a plan file starts with plan = {VERSION}, the version this software reads")
    name = settings.pop("problem", None)
    if not isinstance(name, str):
        raise InvalidInput('a plan file names its problem, such as problem = "mean"')
    problem = named(name)
    for figure in PREDICTED:
        settings.pop(figure, None)
    known = setting_names(problem)
    strange = sorted(set(settings) - set(known) - set(ASSUMED))
    if strange:
        raise InvalidInput(
            f"a plan of a {name} has no {', '.join(strange)}; it may have {', '.join((*known, *ASSUMED))}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )
    assumed = {name: _toml_number(key, settings.pop(key)) for key, name in ASSUMED.items() if key in settings}
    crowd = Crowd(**assumed)  # type: ignore[arg-type]  # only numbers, and `law` is not among the names
    hints = get_type_hints(problem.settings)
    try:
        template = problem.settings(**{key: _toml_typed(key, text, str(hints[key])) for key, text in settings.items()})
    except TypeError:
        raise InvalidInput(f"the plan file lacks a setting that a {name} needs, or has one of a wrong type") from None
    return predicted(template, crowd)


def load(path: str | Path) -> Plan:
    """Read a plan from a file."""
    data = Path(path).expanduser().read_bytes()
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"a plan file has at most {MAX_BYTES:,} bytes; this one has {len(data):,}")
    try:
        return loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("a plan file is UTF-8 text") from None


def _toml_number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidInput(rule=f"{name} must be a number in a plan file", wrong=f"got {type(value).__name__}")
    return float(value)


def _toml_typed(name: str, value: Any, hint: str) -> Any:
    """TOML writes 1 where a number like 1.0 is meant, and knows lists but no tuples."""
    if isinstance(value, list):
        return tuple(_toml_typed(name, item, hint) for item in value)
    if "float" in hint:
        return _toml_number(name, value)
    expected = {"str": str, "int": int, "bool": bool}.get(hint.removeprefix("<class '").removesuffix("'>"))
    if expected is not None and (not isinstance(value, expected) or (expected is int and isinstance(value, bool))):
        raise InvalidInput(
            rule=f"{name} must be of type {expected.__name__} in a plan file", wrong=f"got {type(value).__name__}"
        )
    return value
