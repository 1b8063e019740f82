"""A mean, a histogram or quantiles in each group of a column, or among those who have something at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sottovoce.messages import Fact
from sottovoce.problems.base import CallFacts, CommandHelp, PlanFacts, Problem
from sottovoce.problems.group_support import EXAMPLE_GROUPS, EXAMPLE_RANGE, GROUP_SUPPORTS
from sottovoce.problems.groups.answer import Group, GroupedEstimate
from sottovoce.problems.groups.methods import Dealt, JointSymbol
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.groups.world import GroupsWorld, truth_of
from sottovoce.problems.method import Example


def by_group(others: Sequence[Problem[Any]]) -> Problem[ByGroup]:
    """The problem that asks others in each group: all that say how, and that `GROUP_SUPPORTS` lists from then on."""
    GROUP_SUPPORTS.update({one.name: one.in_group for one in others if one.in_group is not None})
    return Problem(
        name="groups",
        function="by_group",
        settings=ByGroup,
        answer=GroupedEstimate,
        methods=(Dealt(), JointSymbol()),
        automatic=("dealt", "joint"),
        estimates=Fact("estimates-groups"),
        example="""\
>>> import numpy as np, sottovoce as sv
>>> stream = np.random.default_rng(1)
>>> hours, shop = stream.gamma(4, 2, size=(6000, 9)), stream.integers(0, 3, size=(6000, 9))
>>> answer = sv.by_group(hours, by=shop, groups=["0", "1", "2"], of="mean", low=0, high=20, epsilon=2.0, seed=7)
>>> [round(group.value[0]) for group in answer]
[8, 8, 8]
""",
        full_scale=lambda settings: settings.width / 2,
        world=GroupsWorld,
        examples=(
            Example(method="auto", more=EXAMPLE_GROUPS | EXAMPLE_RANGE | {"memberships": 1}),
            *(example for one in GROUP_SUPPORTS.values() for example in one.examples),
        ),
        finds_range="observations",  # a user's average in a group may lie where none over all of them does
        commands=CommandHelp(
            estimate=(
                "ratings.csv --user student --value rating --by department --groups arts,law,science --low 1 --high 5 "
                "--epsilon 2",
                "ratings.csv --user student --value rating --by department --of quantiles --low 1 --high 5 --step 1 "
                "--epsilon 2",
            ),
            simulate=("--users 6000 --observations 10 --groups arts,law,science --low 1 --high 5 --epsilon 2",),
            plan=(
                "--groups arts,law,science --memberships 2 --low 1 --high 5 --epsilon 2 "
                "--observations 10 --halfwidth 0.2",
            ),
            hints=(
                "Without --groups those of the file are taken, which a survey cannot do; without --by, the estimate is "
                "among users who have something.",
            ),
        ),
        plan=PlanFacts(
            measures=Fact("measures-groups"),
            crowd={"spread": "standard deviation of the users' own means in a group (default: a tenth of the range)"},
            crowd_fact=lambda crowds: Fact("crowd-of-groups"),
        ),
        call=CallFacts(
            truth=truth_of,
            options={
                "by": (
                    "Any = None",
                    "the column of a frame or file that says the group of an observation; for arrays an array, of the "
                    "shape of the data or with a label for each user (left out: everybody who has something)",
                ),
                "groups": (
                    "Sequence[Any] | None = None",
                    "labels of the groups (left out: those of the data, which a survey cannot look up)",
                ),
                "memberships": (
                    "int | None = None",
                    "in how many groups a user has something, as the survey declares it (left out: "
                    "looked up in the data)",
                ),
            },
        ),
    )


def takes_by_group(of: str) -> tuple[str, ...]:
    """What settings a problem takes in each group."""
    return GROUP_SUPPORTS[of].takes


__all__ = ["ByGroup", "Group", "GroupedEstimate", "by_group", "takes_by_group"]
