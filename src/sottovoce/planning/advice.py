"""What is said and drawn of a plan: what limits the accuracy, what would help, what would not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sottovoce.answers import Line, line
from sottovoce.messages import Fact, few
from sottovoce.pictures import Line as Curve
from sottovoce.pictures import Lines, Mark, Marks
from sottovoce.planning.solve import Solution, changed
from sottovoce.problems import choose
from sottovoce.risk import CAUSES
from sottovoce.theory import REGIMES

if TYPE_CHECKING:
    from sottovoce.planning.planner import Plan

HELPS, HARDLY = 0.80, 0.97
"""A doubling that leaves less than this of the half-width helps; one that leaves more than that hardly does."""
_SYMBOLS = {"users": "n", "observations": "T", "epsilon": "ε"}


def advice(plan: Plan) -> tuple[Fact, ...]:
    """What limits the accuracy, and what would help; the most important first."""
    ratios = {change.quantity: change.ratio for change in plan.sensitivity if change.factor == 2.0}
    said = [Fact("plan-learns-nothing")] if useless(plan) else []
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
            # One round assumes nothing: its half-width for half of the users at each end of the range.
            worst = replace(plan.crowd, spread=plan.problem.full_scale(plan.protocol), around=None, law=None)
            halfwidth = plan.chosen.method.expect(plan.protocol, worst).halfwidth(plan.confidence)
            said.append(Fact("plan-relies-on-nothing", halfwidth=halfwidth))
        elif not any(users.spread for users in plan.assumed):
            said.append(Fact("plan-relies-on-users-alike"))
    return tuple(said)


def lines(plan: Plan) -> list[Line]:
    """The labelled lines of the summary."""
    prediction, protocol, bound = plan.prediction, plan.protocol, plan.poisoning
    parts = ((cause, getattr(prediction, cause)) for cause in CAUSES)
    causes = tuple(Fact("plan-error-part", cause=cause, error=math.sqrt(part)) for cause, part in parts if part > 0)
    rows: list[tuple[str, Fact | None]] = [
        ("plan", Fact("plan-survey", problem=plan.problem.name, solved=plan.solved, **_given(plan))),
        ("half-width", Fact("plan-halfwidth", target=plan.target, **_worth(plan))),
        ("guarded", None if plan.guarded is None else Fact("plan-guarded", halfwidth=plan.guarded)),
    ]
    if prediction.wider:  # intervals allow for users without data: what they would be without that
        plain = replace(prediction, wider=()).halfwidth(plan.confidence)
        rows.append(("empty", Fact("plan-empty", empty_at_most=protocol.empty_at_most, halfwidth=plain)))
    rounds, how = plan.users_per_round, plan.chosen.method.words(protocol)
    rows += [
        ("error", Fact("plan-error", error=prediction.rmse, causes=causes, dominant=prediction.dominant)),
        ("assumed", plan.problem.crowd_fact(plan.assumed)),
        ("method", Fact("plan-method", method=plan.method, rounds=len(rounds), users=rounds, how=how)),
    ]
    colluders = [Fact("plan-colluders-move", shift=0.01 * bound.reach)] if bound.reach > 0 else []
    colluders += [] if bound.capture is None else [Fact("plan-colluders-decide", share=bound.capture)]
    beside = [
        ("limit", None if plan.efficiency is None else Fact("plan-limit", efficiency=plan.efficiency)),
        ("regime", None if plan.regime is None else Fact("plan-regime", regime=REGIMES[plan.regime])),
        *(("advice", fact) for fact in plan.advice),
        ("colluders", Fact("plan-colluders", parts=tuple(colluders))),
        *(("or", _way(way, plan)) for way in plan.ways),
    ]
    first, last = ([line(name, fact) for name, fact in some if fact is not None] for some in (rows, beside))
    return [*first, *_method_lines(plan), *last]


def _method_lines(plan: Plan) -> list[Line]:
    """A short table for the summary: one line where one number a method says it all."""
    if len(plan.methods) < 2:
        return []
    users = plan.kinds.get("differing")
    if users is None:
        widths = ((one.method, next(iter(one.halfwidths.values()), None)) for one in plan.methods)
        methods = tuple(Fact("plan-method-halfwidth", method=method, halfwidth=width) for method, width in widths)
        return [line("methods", Fact("plan-methods", methods=methods))]
    rows = (
        Fact("plan-method-cannot-run", method=one.method, why=one.why_not)
        if one.why_not
        else Fact("plan-method-alike-and-differing", **one.to_dict())
        for one in plan.methods
    )
    return [
        line("methods", Fact("plan-methods-alike-and-differing", spread=users.spread)),
        *(("", row) for row in rows),
    ]


def answer(plan: Plan) -> Fact:
    """What the survey would be worth, for somebody who knows no statistics."""
    given, half = _given(plan), plan.guarded
    if useless(plan):
        return Fact("plan-answer-nothing", **given)
    if plan.prediction.wider:  # the estimate may lie near an end of its interval, toward what they count as
        width, empty = 2 * (half or plan.halfwidth), plan.protocol.empty_at_most
        return Fact("plan-answer-interval", **given, **_worth(plan), width=width, empty_at_most=empty)
    wider = None if half is None or half < 1.05 * plan.halfwidth else half
    return Fact("plan-answer", **given, **_worth(plan), guarded=wider)


def useless(plan: Plan) -> bool:
    """Whether the interval would be as wide as the declared range."""
    return plan.halfwidth >= plan.problem.full_scale(plan.protocol) and plan.prediction.dominant != "omission"


def _given(plan: Plan) -> dict[str, Any]:
    """Users, observations and budget, by name."""
    return {name: getattr(plan.protocol, name) if name in plan.problem.unknowns else None for name in _SYMBOLS}


def _worth(plan: Plan) -> dict[str, Any]:
    """The half-width, at which confidence, and of what number."""
    problem = plan.problem
    return {"halfwidth": plan.halfwidth, "confidence": plan.confidence} | {
        "measures": problem.measures,
        "measures_more": problem.measures_more,
    }


def _way(way: Solution, plan: Plan) -> Fact:
    if way.value is None:
        return Fact("plan-way-cannot", unknown=way.unknown, halfwidth=way.best.halfwidth(plan.confidence))
    return Fact("plan-way", unknown=way.unknown, value=way.value if way.unknown == "epsilon" else round(way.value))


def bars(plan: Plan) -> Marks:
    """One bar a what-if, as long as its half-width: ``n × 2  ████ 0.031``; the plan itself first."""
    planned = Fact("picture-as-planned")
    rows: list[tuple[Any, ...]] = [(planned, planned, plan.halfwidth, plan.method)]
    for change in plan.sensitivity:
        name = f"{_SYMBOLS[change.quantity]} × {'½' if change.factor == 0.5 else f'{change.factor:g}'}"
        title = Fact("plan-change", factor=change.factor, quantity=change.quantity)
        rows.append((name, title, change.halfwidth, change.method))
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


def curves(plan: Plan) -> Lines:
    """Half-width against users, one line for each number of observations; the plan is the point."""
    template, planned = plan.template, plan.protocol.observations
    users = sorted({max(2, round(plan.protocol.users * 2.0**power)) for power in range(-4, 5)})
    lines = []
    for observations in sorted({max(1, planned // 10), planned, planned * 10}):
        trial = changed(template, "observations", observations)
        widths = (
            choose(changed(trial, "users", n), plan.crowd).predict(plan.crowd).halfwidth(plan.confidence) for n in users
        )
        name, strong = f"T = {observations:,}", observations == planned
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
