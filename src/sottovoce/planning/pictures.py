"""What there is to draw of a plan: what-ifs as bars, and half-widths against users as lines."""

from __future__ import annotations

from typing import Any

from sottovoce.messages import Fact, few
from sottovoce.pictures import Line, Lines, Mark, Marks
from sottovoce.planning.advice import Change
from sottovoce.planning.outline import Outline
from sottovoce.planning.solve import changed
from sottovoce.problems import choose

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
        lines.append(Line(name=name, x=tuple(users), y=tuple(widths), strong=strong))
    named = {"problem": plan.problem.name, "epsilon": plan.protocol.epsilon, "method": plan.method}
    return Lines(
        lines=tuple(lines),
        point=(plan.protocol.users, plan.halfwidth),
        target=plan.target,
        across=Fact("picture-axis-users"),
        up=Fact("picture-axis-halfwidth", confidence=plan.confidence),
        title=Fact("picture-title-plan", **named),
    )
