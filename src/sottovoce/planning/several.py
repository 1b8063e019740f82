"""What several answers from one survey will be worth: users split against the budget split, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import to_plain
from sottovoce.messages import Fact
from sottovoce.pictures import aligned
from sottovoce.problems import Several, choose
from sottovoce.risk import Crowd


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """One part: the half-width to expect with either split, and by which method; None where the budget cannot be split.

    `method` is that of split users.
    """

    name: str
    problem: str
    method: str
    users: float
    budget: float | None
    budget_method: str | None = None


@dataclass(frozen=True, kw_only=True)
class SeveralPlan:
    """Half-widths at each part's own confidence, and which split is better."""

    header: ClassVar[tuple[str, str, str]] = ("part", "users split", "budget split")

    protocol: Several
    parts: tuple[PartPlan, ...]
    split: str
    reason: Fact

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": "several-plan",
            "epsilon": self.protocol.epsilon,
            "users": self.protocol.users,
            "split": self.split,
            "reason": to_plain(self.reason),
            "parts": [
                {"name": one.name, "problem": one.problem, "method": one.method}
                | {"halfwidth_users_split": one.users, "halfwidth_budget_split": one.budget}
                | {"method_budget_split": one.budget_method}
                for one in self.parts
            ],
        }

    def summary(self) -> str:
        """A few lines for a terminal."""
        rows = aligned(self.header, self.table(), left=(0, 1, 2))
        return "\n".join([*rows, "", str(Fact("several-plan-take", split=self.split, why=self.reason))])

    @property
    def taken(self) -> Fact:
        """Which split to take, and why: a sentence of its own."""
        return Fact("several-plan-taken", split=self.split, why=self.reason)

    def table(self) -> list[tuple[str, str, str]]:
        """The half-width of each part and its method, by what the parts could share."""
        return [
            (one.name, _table_cell(one.users, one.method), _table_cell(one.budget, one.budget_method))
            for one in self.parts
        ]


def _table_cell(halfwidth: float | None, method: str | None) -> str:
    return "–" if halfwidth is None else str(Fact("several-plan-halfwidth", halfwidth=halfwidth, method=method))


def plan_several(protocol: Several) -> SeveralPlan:
    """Predict every part with users split and, where all fit into one report, with the budget split."""
    whole: list[Any] = [part.survey for part in protocol.parts_as_asked("users")]
    shared: list[Any] | None = None
    if protocol.cannot_split_budget() is None:
        shared = [part.survey for part in protocol.parts_as_asked("budget")]
    parts = []
    for place, (name, given) in enumerate(protocol.parts):
        users, method = _halfwidth_and_method(whole[place])
        budget, budget_method = (None, None) if shared is None else _halfwidth_and_method(shared[place])
        parts.append(
            PartPlan(
                name=name,
                problem=given.problem.name,
                method=method,
                users=users,
                budget=budget,
                budget_method=budget_method,
            )
        )
    split, reason = protocol.chosen_split()
    return SeveralPlan(protocol=protocol, parts=tuple(parts), split=split, reason=reason)


def _halfwidth_and_method(survey: Any) -> tuple[float, str]:
    """The half-width for users of whom nothing is stated, and by which method."""
    crowd = Crowd()
    chosen = choose(survey, crowd)
    return float(chosen.predict(crowd).halfwidth(survey.confidence)), chosen.method.name
