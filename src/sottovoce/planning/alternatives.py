"""What each method of the problem would give for the same users, and how far the plan is from what ε allows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from sottovoce.messages import InvalidInput, few
from sottovoce.planning.outline import Outline
from sottovoce.risk import Crowd


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
            settings = plan.protocol if method is plan.chosen.method else replace(plan.template, method=method.name)
            for kind, users in kinds(plan).items():
                held[kind] = method.expect(settings, users).halfwidth(plan.confidence)
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


def told(plan: Outline, others: tuple[Alternative, ...]) -> list[tuple[str, str]]:
    """A short table for the summary: one line where one number a method says it all."""
    if len(others) < 2:
        return []
    users = kinds(plan).get("differing")
    if users is None:
        widths = (f"{one.method} {few(next(iter(one.halfwidths.values()), math.nan), 3)}" for one in others)
        return [("methods", f"half-width {', '.join(widths)}".replace(" nan", " cannot run"))]
    apart = few(users.spread or 0.0, 3)
    found = [("methods", f"half-width if users are alike, and if their own means differ by {apart}")]
    for one in others:
        text = "cannot run: " + one.why_not
        if not one.why_not:
            text = "  ".join(f"{few(width, 3):<8}" for width in one.halfwidths.values())
            text += "  guaranteed" if one.guaranteed else ""
        found.append(("", f"{one.method:<14}{text}".rstrip()))
    return found
