"""A mean, a histogram or quantiles in each group of a column, or among those who have something at all."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import Example, Problem
from sottovoce.problems.groups.dealt import Dealt
from sottovoce.problems.groups.estimate import EVERYBODY, Group, GroupedEstimate
from sottovoce.problems.groups.joint import JointSymbol
from sottovoce.problems.groups.settings import TAKES, ByGroup
from sottovoce.problems.groups.world import GroupsWorld, truth_of

_THREE = {"groups": ("arts", "law", "science"), "observations": 6}
_RATINGS = {"low": 1.0, "high": 5.0}


def _half(settings: ByGroup) -> float:
    return 0.5 if settings.of == "histogram" else float(settings.asked.high - settings.asked.low) / 2


GROUPS = Problem(
    name="groups",
    function="by_group",
    settings=ByGroup,
    answer=GroupedEstimate,
    methods=(Dealt(), JointSymbol()),
    automatic=("dealt", "joint"),
    estimates=Fact("estimates-groups"),
    example="""\\
>>> import numpy as np, sottovoce as sv
>>> stream = np.random.default_rng(1)
>>> hours, shop = stream.gamma(4, 2, size=(6000, 9)), stream.integers(0, 3, size=(6000, 9))
>>> answer = sv.by_group(hours, by=shop, groups=["0", "1", "2"], of="mean", low=0, high=20, epsilon=2.0, seed=7)
>>> [round(group.value[0]) for group in answer]
[8, 8, 8]
""",
    measures=Fact("measures-groups"),
    full_scale=_half,
    world=GroupsWorld,
    truth=truth_of,
    examples=(
        Example(method="auto", more=_THREE | _RATINGS | {"memberships": 1}),
        Example(method="dealt", name="mean", more=_THREE | _RATINGS),
        Example(method="dealt", name="nobody", more=_RATINGS | {"observations": 6}),
        Example(method="dealt", name="quantiles", more=_THREE | _RATINGS | {"of": "quantiles", "step": 1.0}),
        Example(
            method="joint",
            name="histogram",
            more=_THREE | {"of": "histogram", "categories": ("no", "yes"), "memberships": 1},
        ),
    ),
    command_examples=(
        "ratings.csv --user student --value rating --by department --groups arts,law,science --low 1 --high 5 "
        "--epsilon 2",
        "ratings.csv --user student --value rating --by department --of quantiles --low 1 --high 5 --step 1 "
        "--epsilon 2",
    ),
    simulate_examples=("--users 6000 --observations 10 --groups arts,law,science --low 1 --high 5 --epsilon 2",),
    plan_examples=(
        "--groups arts,law,science --memberships 2 --low 1 --high 5 --epsilon 2 --observations 10 --halfwidth 0.2",
    ),
    hints=(
        "Without --groups those of the file are taken, which a survey cannot do; without --by, the estimate is among "
        "users who have something.",
    ),
    call_options={
        "by": (
            "Any = None",
            "the column of a frame or file that says the group of an observation; for arrays an array, of the shape of "
            "the data or with a label for each user (left out: everybody who has something)",
        ),
        "groups": (
            "Sequence[Any] | None = None",
            "labels of the groups (left out: those of the data, which a survey cannot look up)",
        ),
        "memberships": (
            "int | None = None",
            "in how many groups a user has something, as the survey declares it (left out: looked up in the data)",
        ),
    },
    finds_range="observations",  # a user's average in a group may lie where none over all of them does
    crowd={"spread": "standard deviation of the users' own means in a group (default: a tenth of the range)"},
    crowd_fact=lambda crowds: Fact("crowd-of-groups"),
)


def takes_by_group(of: str) -> tuple[str, ...]:
    """What settings a mean, a histogram or quantiles take in each group."""
    return TAKES[of]


__all__ = ["EVERYBODY", "GROUPS", "ByGroup", "Group", "GroupedEstimate", "takes_by_group"]
