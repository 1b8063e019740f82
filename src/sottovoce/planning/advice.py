"""What is said and drawn of a plan: what limits the accuracy, what would help, what would not."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from sottovoce.answers import Line, line, two_sided
from sottovoce.messages import Fact, InvalidInput, few
from sottovoce.pictures import Line as Curve
from sottovoce.pictures import Lines, Mark, Marks
from sottovoce.planning.outline import Outline
from sottovoce.planning.solve import Solution, Unknown, changed, solve
from sottovoce.problems import choose
from sottovoce.risk import CAUSES
from sottovoce.theory import REGIMES

HELPS, HARDLY = 0.80, 0.97
"""A doubling that leaves less than this of the half-width helps; one that leaves more than that hardly does."""
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

    @property
    def what(self) -> Fact:
        """``twice the users``."""
        return Fact("plan-change", factor=self.factor, quantity=self.quantity)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def sensitivity(plan: Outline) -> tuple[Change, ...]:
    """The half-width with half and twice of everything, each method chosen anew."""
    template, crowd = plan.template, plan.crowd
    base = plan.halfwidth
    found = []
    for quantity, factor in _FACTORS:
        if quantity not in plan.problem.unknowns:
            continue
        value = getattr(template, quantity) * factor
        value = max(1, round(value)) if quantity != "epsilon" else value
        if value == getattr(template, quantity):
            continue
        try:
            chosen = choose(changed(template, quantity, value), crowd)
            prediction = chosen.predict(crowd)
        except InvalidInput:  # too few users for the folds, too large an epsilon: nothing to compare with
            continue
        found.append(
            Change(
                quantity=quantity,
                factor=factor,
                value=value,
                halfwidth=prediction.halfwidth(plan.confidence),
                ratio=prediction.halfwidth(plan.confidence) / base if base > 0 else 1.0,
                method=chosen.method.name,
            )
        )
    return tuple(found)


def ways(plan: Outline) -> tuple[Solution, ...]:
    """For a protocol that is to reach a target: what each quantity alone would have to be."""
    if plan.origin is None or plan.target is None:
        return ()
    wanted = (plan.target / two_sided(plan.confidence)) ** 2
    others: tuple[Unknown, ...] = ("observations", "epsilon")
    return tuple(
        solve(plan.origin, unknown, wanted, plan.crowd) for unknown in others if unknown in plan.problem.unknowns
    )


def advice(plan: Outline, changes: tuple[Change, ...]) -> tuple[Fact, ...]:
    """What limits the accuracy, and what would help; the most important first."""
    ratios = {change.quantity: change.ratio for change in changes if change.factor == 2.0}
    said = []
    if useless(plan):
        said.append(Fact("plan-learns-nothing"))
    observations, users = ratios.get("observations", 1.0), ratios.get("users", 1.0)
    if "observations" not in plan.problem.unknowns:
        said.append(Fact("plan-twice-the-users", left=users))
    elif observations > HARDLY:
        larger = ratios.get("epsilon", 1.0) < HARDLY
        said.append(Fact("plan-observations-do-not-help", users_help=users <= HARDLY, epsilon_helps=larger))
    elif observations < HELPS and abs(observations - users) < 0.05:
        said.append(Fact("plan-observations-help-as-users"))
    else:
        said.append(Fact("plan-twice-observations-or-users", observations=observations, users=users))
    share = plan.prediction.share("localisation")
    if share > 0.25 and len(plan.users_per_round) > 1:
        said.append(Fact("plan-wrong-place", share=share))
    if plan.problem.differing is not None and not plan.crowd.spread:
        if plan.chosen.method.guaranteed:
            said.append(Fact("plan-relies-on-nothing", halfwidth=_at_worst(plan)))
        elif not any(users.spread for users in plan.assumed):
            said.append(Fact("plan-relies-on-users-alike"))
    return tuple(said)


def _at_worst(plan: Outline) -> float:
    """The half-width of one round, which assumes nothing, for half of the users at each end of the range."""
    crowd = replace(plan.crowd, spread=plan.problem.full_scale(plan.protocol), around=None, law=None)
    return plan.chosen.method.expect(plan.protocol, crowd).halfwidth(plan.confidence)


def lines(
    plan: Outline,
    advice: tuple[Fact, ...],
    ways: tuple[Solution, ...],
    methods: list[Line],
    efficiency: float | None,
) -> list[Line]:
    """The labelled lines of the summary."""
    prediction = plan.prediction
    parts = ((cause, getattr(prediction, cause)) for cause in CAUSES)
    causes = tuple(Fact("plan-error-part", cause=cause, error=math.sqrt(part)) for cause, part in parts if part > 0)
    beside = []
    if efficiency is not None:
        beside.append(line("limit", Fact("plan-limit", efficiency=efficiency)))
    if plan.regime is not None:
        beside.append(line("regime", Fact("plan-regime", regime=REGIMES[plan.regime])))
    return [
        line("plan", Fact("plan-survey", problem=plan.problem.name, solved=plan.solved, **_given(plan))),
        line("half-width", Fact("plan-halfwidth", target=plan.target, **_worth(plan))),
        *([] if plan.guarded is None else [line("guarded", Fact("plan-guarded", halfwidth=plan.guarded))]),
        *_emptied(plan),
        line("error", Fact("plan-error", error=prediction.rmse, causes=causes, dominant=prediction.dominant)),
        line("assumed", plan.problem.crowd_fact(plan.assumed)),
        line("method", _method(plan)),
        *methods,
        *beside,
        *(line("advice", fact) for fact in advice),
        line("colluders", Fact("plan-colluders", parts=_colluders(plan))),
        *(line("or", _way(way, plan)) for way in ways),
    ]


def answer(plan: Outline) -> Fact:
    """What the survey would be worth, for somebody who knows no statistics."""
    given, half = _given(plan), plan.guarded
    if useless(plan):
        return Fact("plan-answer-nothing", **given)
    if plan.prediction.wider:  # the estimate may lie near an end of its interval, toward what they count as
        width, empty = 2 * (half or plan.halfwidth), plan.protocol.empty_at_most
        return Fact("plan-answer-interval", **given, **_worth(plan), width=width, empty_at_most=empty)
    wider = None if half is None or half < 1.05 * plan.halfwidth else half
    return Fact("plan-answer", **given, **_worth(plan), guarded=wider)


def useless(plan: Outline) -> bool:
    """Whether the interval would be as wide as the declared range."""
    return plan.halfwidth >= plan.problem.full_scale(plan.protocol) and plan.prediction.dominant != "omission"


def _given(plan: Outline) -> dict[str, Any]:
    """Users, observations and budget, by name."""
    held = plan.protocol.observations if "observations" in plan.problem.unknowns else None
    return {"users": plan.protocol.users, "observations": held, "epsilon": plan.protocol.epsilon}


def _worth(plan: Outline) -> dict[str, Any]:
    """The half-width, at which confidence, and of what number."""
    measured = {"measures": plan.problem.measures, "measures_more": plan.problem.measures_more}
    return {"halfwidth": plan.halfwidth, "confidence": plan.confidence} | measured


def _emptied(plan: Outline) -> list[Line]:
    """Where intervals allow for users without data: what that adds."""
    if not plan.prediction.wider:
        return []
    plain = replace(plan.prediction, wider=()).halfwidth(plan.confidence)
    return [line("empty", Fact("plan-empty", empty_at_most=plan.protocol.empty_at_most, halfwidth=plain))]


def _method(plan: Outline) -> Fact:
    rounds, how = plan.users_per_round, plan.chosen.method.words(plan.protocol)
    return Fact("plan-method", method=plan.method, rounds=len(rounds), users=rounds, how=how)


def _colluders(plan: Outline) -> tuple[Fact, ...]:
    bound = plan.poisoning
    moved = [Fact("plan-colluders-move", shift=0.01 * bound.reach)] if bound.reach > 0 else []
    decided = [] if bound.capture is None else [Fact("plan-colluders-decide", share=bound.capture)]
    return (*moved, *decided)


def _way(way: Solution, plan: Outline) -> Fact:
    if way.value is None:
        return Fact("plan-way-cannot", unknown=way.unknown, halfwidth=way.best.halfwidth(plan.confidence))
    return Fact("plan-way", unknown=way.unknown, value=way.value if way.unknown == "epsilon" else round(way.value))


_SYMBOLS = {"users": "n", "observations": "T", "epsilon": "ε"}


def bars(plan: Outline, changes: tuple[Change, ...]) -> Marks:
    """One bar a what-if, as long as its half-width: ``n × 2  ████ 0.031``; the plan itself first."""
    planned = Fact("picture-as-planned")
    rows: list[tuple[Any, ...]] = [(planned, planned, plan.halfwidth, plan.method)]
    rows += [(_symbol(change), change.what, change.halfwidth, change.method) for change in changes]
    return Marks(
        marks=tuple(
            Mark(
                name=name,
                title=title,
                value=value,
                beside=f"{few(value, 4):<9} {method}",
                told=f"± {few(value)}, {method}",
            )
            for name, title, value, method in rows
        ),
        bars=True,
    )


def _symbol(change: Change) -> str:
    return f"{_SYMBOLS[change.quantity]} × {'½' if change.factor == 0.5 else f'{change.factor:g}'}"


def curves(plan: Outline) -> Lines:
    """Half-width against users, one line for each number of observations; the plan is the point."""
    template, held = plan.template, plan.protocol.observations
    users = sorted({max(2, round(plan.protocol.users * 2.0**power)) for power in range(-4, 5)})
    lines = []
    for observations in sorted({max(1, held // 10), held, held * 10}):
        trial = changed(template, "observations", observations)
        widths = (
            choose(changed(trial, "users", n), plan.crowd).predict(plan.crowd).halfwidth(plan.confidence) for n in users
        )
        name, strong = f"T = {observations:,}", observations == held
        lines.append(Curve(name=name, x=tuple(users), y=tuple(widths), strong=strong))
    named = {"problem": plan.problem.name, "epsilon": plan.protocol.epsilon, "method": plan.method}
    return Lines(
        lines=tuple(lines),
        point=(plan.protocol.users, plan.halfwidth),
        target=plan.target,
        across=Fact("picture-axis-users"),
        up=Fact("picture-axis-halfwidth", confidence=plan.confidence),
        title=Fact("picture-title-plan", **named),
    )
