"""What each method of the problem would give for the same users, and how far the plan is from what ε allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sottovoce.answers import Line, line
from sottovoce.messages import Fact, InvalidInput
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
        *(("", _row(one)) for one in others),
    ]


def _row(one: Alternative) -> Fact:
    if one.why_not:
        return Fact("plan-method-cannot-run", method=one.method, why=one.why_not)
    told = {"method": one.method, "guaranteed": one.guaranteed} | one.halfwidths
    return Fact("plan-method-alike-and-differing", **told)
