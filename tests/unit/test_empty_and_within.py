"""Where users with nothing fall, and questions about one group of a column: rules, bytes and what a device computes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sottovoce.audit import every_statistic
from sottovoce.design import laplace, one_bit, subset
from sottovoce.device import Collections, encode
from sottovoce.device.encode import evaluate
from sottovoce.engines.local_devices import Seats
from sottovoce.explain.expected_tally import expected_tally
from sottovoce.messages import (
    EMPTY,
    Average,
    Averages,
    Basis,
    Categories,
    Category,
    Channel,
    Each,
    Encoder,
    Entry,
    Free,
    Grid,
    Item,
    Joint,
    Knots,
    Malformed,
    Position,
    Question,
    Rules,
    Share,
    Statistic,
    Wave,
    Way,
    Within,
    canonical,
    digest,
    statistic_name,
    to_plain,
)
from sottovoce.messages.rules import STATISTICS
from tests.support.questions import question as question_of

LEVELS, GROUPS = 3, 4
JOINT = Joint(centres=(0.0,), reach=1.0, levels=LEVELS)
SYMBOLS = Grid(low=(0.0,), high=(LEVELS + 1.0,), count=LEVELS + 1)
PAIRS = Grid(low=(0.0,), high=(GROUPS * LEVELS + 1.0,), count=GROUPS * LEVELS + 1)
DEALT, DRAWN = Within(column=1, count=GROUPS), Within(column=1, count=GROUPS, stride=LEVELS)
UNIT = Position(low=(-1.0,), high=(1.0,))
KNOTS = Knots(low=-1.0, high=1.0, inner=(0.5,), nothing=0.0)


def asked(encoder: Encoder, channel: Channel | None = None, **more: Any) -> Question:
    count = encoder.placement.count
    fitting = channel if channel is not None else one_bit(1.0) if count is None else subset(1.0, count)
    more = {"groups": encoder.parts, "epsilon": 2.0, "encoder": encoder} | more
    return question_of(encoder.statistic, encoder.placement, fitting, users=100, **more)


class Tape:
    """Words that are given one after another, and how many were asked for in each call."""

    def __init__(self, *words: int) -> None:
        self._words, self.calls = list(words), []

    def words(self, count: int) -> NDArray[np.uint64]:
        self.calls.append(count)
        taken, self._words = self._words[:count], self._words[count:]
        return np.array(taken + [0] * (count - len(taken)), dtype=np.uint64)


def inputs(encoder: Encoder, rows: Any, *, slot: int = 0, words: tuple[int, ...] = (), **more: Any) -> list[int]:
    people = Collections.of_one(np.array(rows, dtype=float).reshape(len(rows), 2))
    return [int(one) for one in encode(asked(encoder, **more), people, np.array([slot]), Tape(*words))[0]]


# Bytes


def test_fields_at_their_defaults_are_left_out() -> None:
    plain = to_plain(Encoder(statistic=JOINT, placement=SYMBOLS))
    assert set(plain) == {"statistic", "placement"}
    said = to_plain(Encoder(statistic=JOINT, placement=SYMBOLS, empty="last", within=DEALT))
    assert said["empty"] == "last"
    assert said["within"] == {"column": 1, "count": GROUPS, "stride": 0, "labels": None}


@pytest.mark.parametrize(
    ("encoder", "change", "words"),
    [
        ({}, {"empty": "middle"}, "Encoder.empty: left out"),
        ({}, {"within": None}, "Encoder.within: left out"),
        ({"within": DEALT}, {"within": to_plain(DEALT) | {"more": 1}}, "Within: missing or unknown fields 'more'"),
    ],
)
def test_fields_at_their_defaults_and_unknown_ones_are_malformed(encoder: Any, change: Any, words: str) -> None:
    plain = to_plain(asked(Encoder(statistic=JOINT, placement=SYMBOLS, **encoder)))
    plain["encoder"] |= change
    with pytest.raises(Malformed, match=words):
        Question.from_bytes(canonical.dumps(plain))


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("within", [None, DEALT, DRAWN, replace(DEALT, labels=digest(b"names"))])
def test_questions_go_through_bytes(empty: str, within: Within | None) -> None:
    placement = PAIRS if within == DRAWN else SYMBOLS
    question = asked(Encoder(statistic=JOINT, placement=placement, empty=empty, within=within))
    assert Question.from_bytes(question.to_bytes()) == question


# Rules

OWN_ANSWER = re.compile("rotated|hashed|residual|nearest|norm|direction|entry of large")


@pytest.mark.parametrize("name", [one for one in sorted(STATISTICS) if OWN_ANSWER.match(one)])
def test_what_answers_for_nothing_by_itself_is_asked_for_neither(name: str) -> None:
    (encoder, *_) = (one.encoder for one in every_statistic(1.0) if statistic_name(one.encoder.statistic) == name)
    for more in ({"empty": "random"}, {"within": DEALT}):
        with pytest.raises(Malformed, match="an answer of its own where nothing was observed"):
            replace(encoder, **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"empty": "first"}, "empty: middle, random, last"),
        ({"placement": UNIT, "empty": "last"}, "a position has no last place"),
        ({"placement": KNOTS, "empty": "last"}, "a position has no last place"),
        ({"placement": KNOTS, "within": DRAWN}, "falls in bins"),
        *(
            ({"statistic": statistic, "within": DEALT}, "a statistic of one column")
            for statistic in (Each(), Average(columns=(0, 2)), Share(below=(0.0, 1.0)), Entry(vector=Averages(size=1)))
        ),
        ({"placement": Position(low=(0.0,) * GROUPS, high=(1.0,) * GROUPS), "within": DEALT}, "one range for all"),
        ({"placement": UNIT, "within": DRAWN}, "falls in bins"),
    ],
)
def test_what_does_not_go_together(more: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        Encoder(**({"statistic": JOINT, "placement": SYMBOLS} | more))


@pytest.mark.parametrize(
    "more",
    [{"column": -1}, {"count": 0}, {"count": 2**16 + 1}, {"stride": -1}, {"stride": 2**15}, {"labels": "abc"}],
)
def test_groups_that_are_none(more: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        Within(**({"column": 1, "count": GROUPS} | more))


@pytest.mark.parametrize(("within", "groups"), [(DEALT, 1), (DEALT, GROUPS - 1), (DRAWN, GROUPS)])
def test_users_are_dealt_as_many_groups_as_there_are(within: Within, groups: int) -> None:
    encoder = Encoder(statistic=JOINT, placement=PAIRS, within=within)
    with pytest.raises(Malformed, match="users are dealt the groups"):
        asked(encoder, groups=groups)


def test_work_grows_with_groups() -> None:
    many = Within(column=1, count=100)
    asked(Encoder(statistic=Average(), placement=UNIT, within=many), channel=laplace(1.0), uses=64)
    with pytest.raises(Malformed, match="walks through its observations"):
        asked(Encoder(statistic=Average(), placement=UNIT, within=many), channel=laplace(1.0), uses=65)


# What is announced


def rules(encoder: Encoder, *free: Free) -> tuple[Rules, Question]:
    question = asked(encoder)
    way = Way.of(question, *free, opening=True)
    return Rules(waves=(Wave(first=0, count=100, epsilon=2.0, roles=("r",)),), ways=(way,)), question


@pytest.mark.parametrize("within", [DEALT, DRAWN])
def test_rules_hold_questions_to_where_nothing_falls_and_to_the_groups(within: Within) -> None:
    encoder = Encoder(statistic=JOINT, placement=PAIRS, empty="last", within=within)
    announced, question = rules(encoder)
    assert announced.ways[0].columns == 2
    assert announced.departure(question) is None
    for change in (
        {"empty": "middle"},
        {"empty": "random"},
        {"within": None},
        {"within": DRAWN if within is DEALT else DEALT},
        {"within": replace(within, count=GROUPS - 1)},
        {"within": replace(within, column=0)},
        {"within": replace(within, labels=digest(b"names"))},
        {"within": replace(within, stride=within.stride + 1)},
    ):
        other = replace(encoder, **change)
        departed = announced.departure(replace(question, encoder=other, groups=other.parts))
        assert str(departed) == "it computes something else than what was announced", change
    wider = replace(encoder, within=replace(within, column=2))
    assert str(announced.departure(replace(question, encoder=wider))) == "it looks at 3 columns; announced: 2"


def test_what_was_announced_without_groups_looks_within_none() -> None:
    announced, question = rules(Encoder(statistic=JOINT, placement=SYMBOLS))
    other = Encoder(statistic=JOINT, placement=SYMBOLS, within=DEALT)
    departed = announced.departure(replace(question, encoder=other, groups=GROUPS))
    assert str(departed) == "it looks at 2 columns; announced: 1"
    moved = other.on_column(3)
    assert (moved.statistic.column, moved.within.column, moved.dimension) == (3, 4, 5)  # type: ignore[union-attr]


# What a device computes

NOTHING: list[Any] = [[], [[np.nan, 0.0]]]


@pytest.mark.parametrize("rows", NOTHING)
def test_nothing_falls_where_the_question_says(rows: Any) -> None:
    encoder = Encoder(statistic=Average(), placement=SYMBOLS)
    assert inputs(encoder, rows) == [2]
    assert inputs(replace(encoder, empty="last"), rows) == [3]
    uniform = replace(encoder, empty="random")
    words = [(word,) for word in (0, 2**62, 2**63, 2**64 - 1)]
    assert [inputs(uniform, rows, words=word)[0] for word in words] == [0, 1, 2, 3]
    assert {inputs(uniform, [[1.5, 0.0]], words=word)[0] for word in words} == {1}, "who has something needs no word"


@pytest.mark.parametrize("channel", [one_bit(1.0), laplace(1.0)], ids=["table", "laplace"])
def test_a_random_position_is_any_node_or_step(channel: Channel) -> None:
    encoder = Encoder(statistic=Average(), placement=UNIT, empty="random")
    found = [inputs(encoder, [], words=(word,), channel=channel)[0] for word in (0, 2**63 - 1, 2**63, 2**64 - 1)]
    assert (found[0], found[-1]) == (0, channel.span)
    assert all(one % channel.unit == 0 for one in found)


@pytest.mark.parametrize("rows", [*NOTHING, [[0.5, 1.0]], [[np.inf, 2.0], [-np.inf, 2.0], [1.0, np.nan]]])
@pytest.mark.parametrize("statistic", [JOINT, Item(), Average(), Category(vector=Categories(places=SYMBOLS))])
@pytest.mark.parametrize("within", [None, DEALT, DRAWN])
def test_as_many_words_are_drawn_whatever_the_data_are(statistic: Statistic, within: Within | None, rows: Any) -> None:
    """First the group, then the statistic's own, then one for each use; each in calls of their own."""
    encoder = Encoder(statistic=statistic, placement=PAIRS, empty="random", within=within)
    tape, people = Tape(), Collections.of_one(np.array(rows, dtype=float).reshape(len(rows), 2))
    encode(asked(encoder), people, np.array([0]), tape)
    assert tape.calls == [1] * ((within is DRAWN) + statistic.draws + 1)


ROWS = [[-1.0, 0.0], [1.0, 2.0], [1.0, 2.0], [np.nan, 3.0], [0.0, np.nan], [0.0, 7.0], [0.0, 0.5], [0.0, -1.0]]
"""Something in groups 0 and 2; in 3 only what is missing; all else in no group."""


def test_a_slot_that_is_dealt_a_group_sees_that_group_alone() -> None:
    encoder = Encoder(statistic=JOINT, placement=SYMBOLS, empty="last", within=DEALT)
    assert [inputs(encoder, ROWS, slot=slot)[0] for slot in range(6)] == [0, 3, 2, 3, 0, 3]
    assert inputs(encoder, ROWS, slot=1, uses=3) == [3, 2, 3]


def test_a_drawn_group_is_one_that_is_held_and_goes_along() -> None:
    encoder = Encoder(statistic=JOINT, placement=PAIRS, empty="last", within=DRAWN)
    found = [inputs(encoder, ROWS, words=(word,))[0] for word in (0, 2**63 - 1, 2**63, 2**64 - 1)]
    assert found == [0, 0, 2 * LEVELS + 2, 2 * LEVELS + 2]
    assert inputs(encoder, [[1.0, 7.0], [np.nan, 0.0]]) == [PAIRS.count - 1]


@pytest.mark.parametrize(
    "statistic",
    [
        Average(),
        Average(first=2),
        Item(),
        Share(below=(0.0,)),
        Basis(low=-1.0, high=1.0, functions=(2,)),
        JOINT,
        Category(vector=Categories(places=Grid(low=(-1.0,), high=(1.0,), count=3))),
    ],
    ids=lambda one: one.kind,
)
@pytest.mark.parametrize("within", [DEALT, DRAWN])
def test_within_a_group_is_as_if_the_others_were_missing(statistic: Statistic, within: Within) -> None:
    """A crowd at once, against every user alone whose other rows are NaN, asked without groups."""
    random = np.random.default_rng(3)
    sizes = np.concatenate(([0, 1], random.integers(0, 9, 40)))
    values = random.normal(size=(sizes.sum(), 2))
    values[:, 1] = random.choice([0.0, 1.0, 2.0, 3.0, 4.0, -1.0, 0.5, np.nan, np.inf], sizes.sum())
    values[random.random(sizes.sum()) < 0.2, 0] = np.nan
    people = Collections(values, np.concatenate(([0], np.cumsum(sizes))))
    slots, words = np.arange(people.users), random.integers(0, 2**64, (2, people.users), dtype=np.uint64)
    question = asked(Encoder(statistic=statistic, placement=PAIRS, within=within))
    alone = asked(Encoder(statistic=statistic, placement=PAIRS))
    tape = Tape(*(words[0] if within.is_drawn else []), *words[1])
    with np.errstate(all="ignore"):
        together = evaluate(question, people, slots, tape)[:, 0]
    for user in range(people.users):
        rows = values[people.offsets[user] : people.offsets[user + 1]].copy()
        held = sorted({int(code) for number, code in rows if number == number and code in range(GROUPS)})
        group = user % GROUPS
        if within.is_drawn:
            group = held[int(words[0, user]) * len(held) >> 64] if held else GROUPS + 1
        rows[rows[:, 1] != group] = np.nan
        with np.errstate(all="ignore"):
            expected = evaluate(alone, Collections.of_one(rows), np.array([user]), Tape(int(words[1, user])))
        np.testing.assert_array_equal(together[user], expected[0, 0] + within.stride * group)


def test_what_lies_within_needs_rows() -> None:
    people = Collections(np.tile([[1.0, 0.0], [3.0, 1.0], [5.0, 1.0]], (100, 1)), np.arange(101) * 3)
    encoder = Encoder(statistic=Average(), placement=UNIT, within=DEALT)
    (own, _) = Seats(people, np.arange(100)).asked(asked(encoder), Tape())
    assert encoder.needs == "rows" and own.sizes.tolist() == [3] * 100


# Words


def test_rounds_before_are_taken_as_if_everybody_held_the_same() -> None:
    """Half of the draws fall on group 0, at its lowest level, half on group 2, at its highest."""
    question = asked(Encoder(statistic=JOINT, placement=PAIRS, empty="last", within=DRAWN))
    cells = expected_tally(question, Collections.of_one(np.array(ROWS))).cells[0]
    assert sorted(np.argsort(cells)[-2:].tolist()) == [0, 2 * LEVELS + 2]
    assert abs(cells[0] - cells[2 * LEVELS + 2]) <= 1
