"""The rules of a survey: whole waves, roles, ε, vocabulary, ranges and tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.design import k_ary, one_bit, subset
from sottovoce.messages import (
    Average,
    Averages,
    Below,
    Bins,
    Encoder,
    Free,
    Grid,
    InvalidInput,
    Knots,
    Malformed,
    Norm,
    Position,
    Question,
    Rules,
    Slots,
    Table,
    Tally,
    Wave,
    Way,
    from_plain,
    placement_range,
    statistic_name,
    to_plain,
)
from sottovoce.methods import WAVES, RoundMaker, bins_way, knots_way, merge_ways, position_way
from sottovoce.methods.script import check_answered
from sottovoce.problems import Problem, Settings, choose, problems, rule_builders, settle, silent_groups
from tests.support.questions import question as question_of
from tests.support.transcripts import mean

COLUMN = Free(field="statistic.columns", low=0.0, high=1.0)
NUMBER = position_way("mean", COLUMN, statistic=Average(), low=0.0, high=1.0)
BINS = bins_way("bins", COLUMN, statistic=Average(), low=0.0, high=1.0)
FIRST = question_of(Average(), Bins(edges=(0.5,)), subset(1.0, 2), role="bins")
RULES = Rules(
    waves=rule_builders.waves_in_turn([(10, ("bins",)), (20, ("bins", "mean")), (70, ("mean",))], epsilon=1.0),
    ways=(Way.of(FIRST, opening=True), BINS, NUMBER),
    tables=(one_bit(1.0),),
)
ASKED = question_of(Average(), Position(low=(0.2,), high=(0.9,)), role="mean", round=1, slots=Slots(first=10, count=90))


def where(**changes: Any) -> Encoder:
    return replace(ASKED.encoder, **changes)


def test_what_keeps_to_the_rules() -> None:
    assert RULES.departure(ASKED) is None and (RULES.users, RULES.epsilon) == (100, 1.0)
    assert RULES.departure(replace(ASKED, slots=Slots(first=30, count=70), epsilon=0.5)) is None
    other_decode = Table(rows=ASKED.channel.rows, decode=(-1.0, 2.0))  # type: ignore[union-attr]
    assert RULES.departure(replace(ASKED, channel=other_decode)) is None  # a device never looks at it
    assert RULES.departure(FIRST) is None
    assert RULES.departure(replace(FIRST, slots=Slots(first=0, count=30))) is None  # two waves at once
    other = Encoder(statistic=Average(columns=(1,)), placement=Bins(edges=(0.2, 0.7)))
    again = replace(FIRST, round=1, slots=Slots(first=10, count=20), encoder=other, channel=subset(1.0, 3))
    assert RULES.departure(again) is None
    last = replace(ASKED, slots=Slots(first=30, count=70))
    assert [RULES.departure(replace(last, round=number)) is None for number in range(4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"slots": Slots(first=10, count=10)}, "slots 10 to 19, which are no whole waves"),
        ({"slots": Slots(first=11, count=89)}, "no whole waves"),
        ({"slots": Slots(first=30, count=71)}, "no whole waves"),
        ({"slots": Slots(first=100, count=10)}, "no whole waves"),
        ({"slots": Slots(first=0, count=100)}, "the role 'mean', which these slots were not announced for"),
        ({"role": "spy"}, "the role 'spy'"),
        ({"epsilon": 1.25}, "it spends 1.25; announced: 1"),
        ({"channel": one_bit(0.9)}, "its table is none of those announced"),
        ({"encoder": where(placement=Position(low=(-0.1,), high=(0.9,)))}, "from -0.1 to 0.9; announced: 0 to 1"),
        ({"encoder": where(placement=Position(low=(0.5,), high=(1.5,)))}, "from 0.5 to 1.5; announced: 0 to 1"),
        ({"encoder": where(statistic=Average(columns=(2,)))}, "it looks at 3 columns; announced: 2"),
        ({"encoder": where(statistic=Average(first=1))}, "it computes something else than what was announced"),
        (
            {"encoder": where(statistic=Average(columns=(0, 1))), "groups": 2},
            "its statistic.columns is not as announced",
        ),
        (
            {"encoder": where(placement=Position(low=(0.2, 0.3), high=(0.9, 0.8))), "groups": 2},
            "its placement.low is not as announced",
        ),
        ({"groups": 90}, "it deals users into 90 groups; announced: 1"),
        ({"round": 0}, "it calls itself round 1; at most 1 were asked before"),
        ({"round": 2}, "it calls itself round 3"),
        (
            {"uses": 2, "groups": 2, "encoder": where(placement=Position(low=(0.2, 0.2), high=(0.9, 0.9)))},
            "not as announced",
        ),
        (
            {"encoder": where(statistic=Norm(vector=Averages(size=2), centre=(0.0, 0.0)))},
            "norm of averages, position, table; announced: average, position, table",
        ),
    ],
    ids=str,
)
def test_what_leaves_them(changes: dict[str, Any], words: str) -> None:
    assert words in str(RULES.departure(replace(ASKED, **changes)))


def test_groups_that_are_all_asked_the_same_are_announced() -> None:
    dealt = replace(RULES, ways=(RULES.ways[0], BINS, replace(NUMBER, groups=7)))
    assert RULES.departure(replace(ASKED, groups=7)) is not None is dealt.departure(replace(ASKED, groups=7))
    assert "into 1 groups; announced: 7" in str(dealt.departure(ASKED))
    two = replace(ASKED, groups=2, encoder=where(statistic=Average(columns=(0, 1))))
    wide = position_way("mean", replace(COLUMN, most=2), statistic=Average(), low=0.0, high=1.0)
    for groups in (1, 7):  # of what has parts of its own there are as many as parts
        told = replace(RULES, ways=(RULES.ways[0], replace(wide, groups=groups)))
        assert told.departure(two) is None
    assert Way.of(replace(ASKED, groups=7)).groups == 7 and Way.of(two).groups == 1
    plain = to_plain(Way.of(replace(ASKED, groups=7)))
    assert plain["groups"] == 7 and from_plain(Way, plain) == Way.of(replace(ASKED, groups=7))
    assert "groups" not in to_plain(NUMBER)
    for wrong in (1, 0, 65537):
        with pytest.raises(Malformed):
            from_plain(Way, plain | {"groups": wrong})


def test_knots_are_chosen_between_the_declared_ends() -> None:
    way = knots_way("mean", statistic=Average(), low=-1.0, high=5.0)
    assert (way.placement, way.channel, way.low, way.high) == ("knots", "table", -1.0, 5.0)
    table, places = k_ary(1.0, 4), Knots(low=-1.0, high=5.0, inner=(0.5, 0.75), nothing=0.6)
    rules = replace(RULES, ways=(RULES.ways[0], BINS, replace(way, groups=7)), tables=(table,))
    asked = replace(ASKED, encoder=where(placement=places), channel=table, groups=7)
    assert rules.departure(asked) is None and placement_range(places) == (-1.0, 5.0)
    assert from_plain(Question, to_plain(asked)) == asked
    assert rules.departure(replace(asked, encoder=where(placement=replace(places, nothing=-1.0)))) is None
    for other in (replace(places, low=0.0), replace(places, high=4.0)):
        assert rules.departure(replace(asked, encoder=where(placement=other))) is not None
    assert "asks for average, position" in str(rules.departure(replace(ASKED, channel=table, groups=7)))
    assert "its table" in str(rules.departure(replace(asked, channel=k_ary(0.9, 4))))
    fixed = Way.of(asked)
    assert fixed.departure(asked) is None
    assert fixed.departure(replace(asked, encoder=where(placement=replace(places, inner=(0.5, 0.76))))) is not None
    narrow = replace(way, free=(replace(way.free[0], most=1), way.free[1]))
    assert "its placement.inner is not as announced" in str(narrow.departure(replace(asked, groups=1)))


def test_one_of_the_groups_that_are_asked_the_same_is_enough() -> None:
    same, apart = replace(ASKED, groups=3), replace(ASKED, groups=2, encoder=where(statistic=Average(columns=(0, 1))))
    assert [same.silent_groups(reports) for reports in ((5, 0, 0), (0, 0, 0), (1, 1, 1))] == [0, 3, 0]
    assert [apart.silent_groups(reports) for reports in ((5, 0), (0, 0), (1, 1))] == [1, 2, 0]
    heard = Tally.build(same, [2, 0, 0], [[1, 1], [0, 0], [0, 0]])
    check_answered(same, heard)
    assert silent_groups(same, heard) is None is not silent_groups(same, Tally.empty(same))
    with pytest.raises(InvalidInput, match="1 of 2 groups have no report"):
        check_answered(apart, Tally.build(apart, [2, 0], [[1, 1], [0, 0]]))


def norm(*thresholds: float, centre: float = 0.0) -> Question:
    vector = Below(thresholds=thresholds)
    return replace(ASKED, encoder=where(statistic=Norm(vector=vector, centre=(centre,) * len(thresholds))))


def test_all_is_fixed_but_what_is_named() -> None:
    fixed = Way.of(norm(0.5))
    assert fixed.statistic == "norm of below" == statistic_name(norm(0.5).encoder.statistic)
    assert fixed.departure(norm(0.5)) is None
    for other in (norm(0.6), norm(0.5, centre=0.1), norm(0.5, 0.6)):
        assert str(fixed.departure(other)) == "it computes something else than what was announced"
    chosen = Free(field="statistic.vector.thresholds", low=0.0, high=1.0, most=2)
    way = Way.of(norm(0.5), chosen, Free(field="statistic.centre", low=0.0, high=0.5, most=2))
    for kept in (norm(0.5), norm(0.0, 1.0, centre=0.5)):
        assert way.departure(kept) is None
    for left in (norm(0.1, 0.2, 0.3), norm(1.1), norm(0.5, centre=-0.1)):
        assert "is not as announced" in str(way.departure(left))
    with pytest.raises(Malformed, match="one that the question has"):
        Way.of(norm(0.5), Free(field="statistic.radius", low=0.0, high=1.0))


def test_columns_that_are_chosen_are_asked_once_each() -> None:
    chosen = Free(field="statistic.columns", low=0.0, high=4.0, most=3)
    assert list(map(chosen.allows, ([4, 0, 2], [3, 3, 3], [5], None))) == [True, False, False, False]
    assert Free(field="placement.low", low=0.0, high=1.0, most=2).allows([0.5, 0.5])


def test_the_first_round_is_asked_as_announced_to_the_number() -> None:
    other = Encoder(statistic=Average(), placement=Bins(edges=(0.4,)))
    assert str(RULES.departure(replace(FIRST, encoder=other))) == "it asks from 0.4 to 0.4; announced: 0.5 to 0.5"
    later = replace(FIRST, encoder=other, round=1, slots=Slots(first=10, count=20))
    assert RULES.departure(later) is None


def test_a_machine_whose_last_digit_differs_means_the_same() -> None:
    assert Way.of(norm(0.1 + 0.2)).departure(norm(0.3)) is None
    assert Way.of(norm(0.3)).definition != Way.of(norm(0.30000001)).definition


def test_how_far_a_placement_reaches() -> None:
    assert placement_range(Bins(edges=())) == (0.0, 0.0) and placement_range(Bins(edges=(1.0, 2.0, 4.0))) == (1.0, 4.0)
    assert placement_range(Grid(low=(0.0, -2.0), high=(1.0, 5.0), count=3)) == (-2.0, 5.0)


WAVE = Wave(first=0, count=1, epsilon=1.0, roles=("a",))
WRONG: list[tuple[Any, str, list[Any]]] = [
    (WAVE, "count", [0]),
    (WAVE, "epsilon", [0.0]),
    (WAVE, "roles", [(), ("a", "a")]),
    (RULES, "waves", [(), RULES.waves[1:], (*RULES.waves, RULES.waves[2])]),
    (RULES, "ways", [RULES.ways[:1], (*RULES.ways, NUMBER), (BINS, NUMBER)]),
    (RULES, "ways", [(replace(NUMBER, opening=True), BINS, NUMBER)]),
    (NUMBER, "low", [2.0]),
    (NUMBER, "high", [float("inf")]),
    (NUMBER, "columns", [0, 2**53]),
    (NUMBER, "role", ["\x1b[31m", "x" * 200, ""]),
    (NUMBER, "statistic", ["average\x1b[2J", "norm", "average of below"]),
    (NUMBER, "placement", ["anywhere"]),
    (NUMBER, "channel", ["gauss"]),
    (NUMBER, "definition", [""]),
    (NUMBER, "free", [(COLUMN, COLUMN)]),
    (COLUMN, "field", ["statistic.\x1b"]),
    (COLUMN, "high", [float("nan")]),
    (COLUMN, "most", [0]),
]


@pytest.mark.parametrize("whole, field, value", [(of, field, value) for of, field, values in WRONG for value in values])
def test_rules_that_promise_nothing_are_refused(whole: Any, field: str, value: Any) -> None:
    with pytest.raises(Malformed):
        replace(whole, **{field: value})


@pytest.mark.parametrize("users", [1, 7, 99, 100, 101, 1234])
def test_waves_are_dealt_as_they_are_asked(users: int) -> None:
    waves = rule_builders.dealt_waves(users, ("a", "b"), epsilon=1.0)
    assert waves[-1].end == users and len(waves) == min(users, WAVES)
    opening = Way.of(replace(ASKED, role="a"), opening=True)
    told = replace(RULES, waves=waves, ways=(opening, replace(NUMBER, role="a"), replace(NUMBER, role="b")))
    asking = RoundMaker(survey="s", epsilon=1.0, users=users)
    for count in (0.0, 0.013 * users, 3.0, 0.2 * users):
        if asking.users_left:
            asked = asking.question(count, role="a", encoder=ASKED.encoder, channel=ASKED.channel)
            assert told.departure(asked) is None
    if asking.users_left:
        last = asking.question(float("inf"), role="b", encoder=ASKED.encoder, channel=ASKED.channel)
        assert told.departure(last) is None and last.slots.first + last.slots.count == users


def test_ways_that_differ_in_range_alone_are_one() -> None:
    columns = replace(COLUMN, high=2.0, most=3)
    wider = position_way("mean", columns, statistic=Average(), low=-1.0, high=0.5, most=2)
    assert merge_ways([NUMBER, BINS, wider]) == (
        position_way("mean", columns, statistic=Average(), low=-1.0, high=1.0, most=2),
        BINS,
    )


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_method_promises_no_more_than_it_needs(problem: Problem[Any]) -> None:
    for example in problem.examples:
        chosen = choose(problem.example_survey(example, epsilon=1.5))
        settings: Settings = settle(chosen.settings)
        rules = chosen.method.rules(settings)
        assert rules.users == settings.users and rules.epsilon <= 1.5
        assert {way.role for way in rules.ways} == {role for wave in rules.waves for role in wave.roles}
        assert all(table.epsilon_bound() <= 1.5 for table in rules.tables)
        assert bool(rules.tables) == any(way.channel == "table" for way in rules.ways)


def test_ranges_are_those_of_the_settings() -> None:
    ways = {way.role: way for way in choose(mean()).method.rules(mean()).ways}
    assert {(way.low, way.high) for way in ways.values()} == {(1.0, 5.0)}
    alike = mean(method="homogeneous")
    told = {way.role: way for way in choose(alike).method.rules(alike).ways}
    assert set(told) == {"place", "spread", "tails", "centre", "cover"}
    assert told["centre"].low < 1.0 and told["centre"].high > 5.0
    assert (told["cover"].low, told["cover"].high) == (1.0, 5.0)
    paper = mean(method="paper")
    refine = choose(paper).method.rules(paper).ways[1]
    assert refine.role == "refine" and refine.low < 1.0 and refine.high > 5.0  # as printed, it sticks out
    theory = mean(method="theory")
    assert all(1.0 <= way.low <= way.high for way in choose(theory).method.rules(theory).ways if way.role == "refine")


def test_side_by_side_takes_whole_waves_however_many_look_twice() -> None:
    settings = sv.VectorMean(
        epsilon=3.0, users=1003, observations=50, dimension=3, low=-1.0, high=1.0, method="adaptive"
    )
    counts = [wave.count for wave in choose(settings).method.rules(settings).waves]
    assert len(counts) == 7 and len(set(counts[:3])) == len(set(counts[3:6])) == 1 and sum(counts) == 1003
