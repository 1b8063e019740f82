"""A tally: exact integers of any size, one value whatever is inside, and only what a channel can give."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sottovoce import design
from sottovoce.checks import check_partitions
from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.messages import (
    Average,
    Averages,
    Direction,
    Each,
    Encoder,
    Grid,
    Hashed,
    Malformed,
    Position,
    Question,
    Slots,
    Tally,
)
from tests.vectors.make import questions

UNIT = Position(low=(0.0,), high=(1.0,))
WIDE = Position(low=(-2.0,), high=(2.0,))


def ask(channel: Any, *, placement: Any = UNIT, statistic: Any = None, **more: Any) -> Question:
    fields: dict[str, Any] = {
        "survey": "steps",
        "round": 2,
        "role": "refine",
        "slots": Slots(first=5, count=40),
        "encoder": Encoder(statistic=Average() if statistic is None else statistic, placement=placement),
        "channel": channel,
        "epsilon": 1.0,
    }
    return Question(**fields | more)


TABLE = ask(design.one_bit(1.0))
LAPLACE = ask(design.laplace(1.0))
SUBSET = ask(design.subset(1.0, 8), placement=Grid(low=(0.0,), high=(1.0,), count=8))
UNARY = ask(design.unary(1.0, 8), placement=Grid(low=(0.0,), high=(1.0,), count=8))
SIGNED = ask(design.laplace(1.0), placement=WIDE, statistic=Hashed(seed=3, columns=4, threshold=0.1))
DIRECTED = ask(
    design.subset(1.0, 4, size=1),
    placement=Grid(low=(0.0,), high=(4.0,), count=4),
    statistic=Direction(vector=Averages(size=2), centre=(0.0, 0.0), radius=1.0, seed=4, rows=2),
)
MOST = 256**2 * 128
"""The squared length of one reported direction."""
GROUPS = ask(design.one_bit(0.5), statistic=Average(columns=(0, 1, 2)), groups=3, uses=2)

whole = st.integers(-(2**100), 2**100)
rows = st.lists(st.tuples(whole, whole), min_size=3, max_size=3)


@settings(max_examples=200)
@given(rows, rows, st.lists(st.integers(0, 2**70), min_size=3, max_size=3))
def test_sums_are_exact_whatever_their_size(left: Any, right: Any, reports: list[int]) -> None:
    one, other = (Tally(question="q", reports=reports, cells=cells) for cells in (left, right))
    total = one + other
    expected = np.array(left, dtype=object) + np.array(right, dtype=object)
    assert total.cells == tuple(map(tuple, expected)) and total.reports == tuple(2 * count for count in reports)
    assert total == other + one and hash(total) == hash(other + one)
    assert all(type(entry) is int for row in total.cells for entry in row)
    assert Tally.from_bytes(total.to_bytes()) == total == pickle.loads(pickle.dumps(total))  # noqa: S301 - made here


def test_many_sums_never_wrap() -> None:
    tally = Tally(question="q", reports=[1], cells=[[2**61, -(2**61)]])
    total = tally
    for _ in range(40):
        total += tally
    assert total.cells == ((41 * 2**61, -41 * 2**61),)
    back = total + Tally(question="q", reports=[0], cells=[[-41 * 2**61 + 7, 41 * 2**61]])
    assert back == Tally(question="q", reports=[41], cells=[[7, 0]])
    assert (back.counts() == [[7, 0]]).all()


def test_a_tally_is_a_value() -> None:
    tally = Tally.build(TABLE, [3], [[1, 2]])
    assert tally == Tally.build(TABLE, [3], [[1, 2]]) != Tally.build(TABLE, [3], [[2, 1]])
    assert tally != "a tally" and tally.question == TABLE.digest
    assert repr(tally) == f"Tally(question={TABLE.digest!r}, reports=3, groups=1, cells=2)"
    for name in ("question", "reports", "cells"):
        with pytest.raises(AttributeError):
            setattr(tally, name, ())
    tally.counts()[0, 0] = 99
    assert tally.cells == ((1, 2),)


def test_only_tallies_of_one_question_and_shape_add_up() -> None:
    tally = Tally.build(TABLE, [3], [[1, 2]])
    with pytest.raises(Malformed, match="different questions"):
        tally + Tally.build(UNARY, [3], [[1, 2]])
    with pytest.raises(Malformed, match="different shapes"):
        tally + Tally.build(TABLE, [3], [[3]])


@pytest.mark.parametrize(
    "reports, cells",
    [([], []), ([1], []), ([1, 1], [[1]]), ([-1], [[1]]), ([1, 1], [[1], [1, 2]]), ([-(2**70)], [[1]])],
)
def test_a_tally_has_a_row_for_each_group(reports: list[int], cells: list[list[int]]) -> None:
    with pytest.raises(Malformed):
        Tally(question="q", reports=reports, cells=cells)


@pytest.mark.parametrize("name", questions())
def test_what_devices_say_passes_the_check(name: str) -> None:
    question = questions()[name]
    rng = np.random.default_rng(4)
    people = Collections(rng.normal(size=600), np.arange(0, 601, 3))
    slots = question.slots.first + np.arange(200)
    total = Tally.empty(question)
    total.check(question)
    for batch in respond_many(question, people, slots, SystemEntropy()):
        total += Tally.of(batch)
        total.check(question)
    Tally.from_bytes(total.to_bytes()).check(question)


IMPOSSIBLE: dict[str, tuple[Question, Tally, str]] = {
    "another question": (TABLE, Tally.build(UNARY, [1], [[0] * 8]), r"came; expected one of"),
    "another shape": (TABLE, Tally.build(TABLE, [1], [[0] * 8]), r"1 groups with 8 cells came; expected 1 with 2"),
    "more than were asked": (TABLE, Tally.build(TABLE, [41], [[41, 0]]), r"41 answers; expected at most 40"),
    "half a report": (GROUPS, Tally.build(GROUPS, [1, 1, 1], [[1, 0]] * 3), r"3 answers came; expected 2 from every"),
    "negative count": (TABLE, Tally.build(TABLE, [3], [[4, -1]]), r"-1 times; expected 0 to 3"),
    "count too large": (UNARY, Tally.build(UNARY, [3], [[4] + [0] * 7]), r"4 times; expected 0 to 3"),
    "symbols missing": (TABLE, Tally.build(TABLE, [3], [[1, 1]]), r"group 0 sum to 2; expected 3 for 3"),
    "items missing": (SUBSET, Tally.build(SUBSET, [3], [[1] * 8]), r"sum to 8; expected 6 for 3"),
    "counts beyond a word": (TABLE, Tally.build(TABLE, [3], [[3, 2**70]]), r"expected 0 to 3"),
    "sum beyond the clamp": (LAPLACE, Tally.build(LAPLACE, [1], [[2**50, 2**100]]), r"a sum of group 0 is"),
    "sum below the clamp": (LAPLACE, Tally.build(LAPLACE, [1], [[-(2**50), 2**100]]), r"a sum of group 0 is"),
    "squares too small": (LAPLACE, Tally.build(LAPLACE, [2], [[100, 4999]]), r"sum of squares of group 0 is 4999"),
    "squares too large": (LAPLACE, Tally.build(LAPLACE, [2], [[100, 2**60]]), r"expected at most"),
    "something from nobody": (LAPLACE, Tally.build(LAPLACE, [0], [[0, 1]]), r"sum of squares of group 0 is 1"),
    "negative squares": (LAPLACE, Tally.build(LAPLACE, [0], [[0, -1]]), r"sum of squares of group 0 is -1"),
    "signed sum too large": (SIGNED, Tally.build(SIGNED, [1], [[2**50, 0, 0, 0, 2**100]]), r"a sum of group 0"),
    "squares of a direction too few": (DIRECTED, Tally.build(DIRECTED, [2], [[100, 0, 4998, 0]]), r"4998, are too few"),
    "a direction from nobody": (DIRECTED, Tally.build(DIRECTED, [0], [[4, 0, 16, 0]]), r"sum of 0 directions is 4"),
    "squares from nobody": (DIRECTED, Tally.build(DIRECTED, [0], [[0, 0, 4, 0]]), r"expected at most 0"),
    "squares below zero": (DIRECTED, Tally.build(DIRECTED, [0], [[0, 0, 4, -4]]), r"-4, are too few"),
    "fewer squares than whole numbers have": (DIRECTED, Tally.build(DIRECTED, [40], [[40, 0, 38, 0]]), r"are too few"),
    "an odd direction with even squares": (DIRECTED, Tally.build(DIRECTED, [2], [[3, 0, 8, 0]]), r"expected both even"),
    "a direction too long": (DIRECTED, Tally.build(DIRECTED, [1], [[0, 0, MOST, 2]]), rf"expected at most {MOST}"),
    "directions far too long": (DIRECTED, Tally.build(DIRECTED, [2], [[2**40, 0, 2**80, 0]]), r"expected at most"),
    "signed squares too small": (SIGNED, Tally.build(SIGNED, [2], [[0, 0, 0, 9, 40]]), r"sum of squares"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_no_reports_add_up_to_is_refused(name: str) -> None:
    question, tally, words = IMPOSSIBLE[name]
    with pytest.raises(Malformed, match=rf"^survey 'steps' round 2 \(refine\): .*{words}"):
        tally.check(question)


def test_the_clamp_itself_is_possible() -> None:
    bound, steps = design.laplace(1.0).bound, design.laplace(1.0).steps
    for symbol in (-bound, steps + bound, 0, steps):
        Tally.build(LAPLACE, [3], [[3 * symbol, 3 * symbol**2]]).check(LAPLACE)
    for symbol in (-bound, steps + bound):
        centred = 2 * symbol - steps
        Tally.build(SIGNED, [1], [[centred, -centred, centred, centred, centred**2]]).check(SIGNED)


@pytest.mark.parametrize("name", [name for name in questions() if name.startswith("direction")])
def test_directions_add_up_to_the_same_bits_in_any_partition(name: str) -> None:
    question = questions()[name]
    statistic: Any = question.encoder.statistic
    people = Collections(np.random.default_rng(2).normal(size=(2020, statistic.dimension)), np.arange(0, 2021, 2))
    check_partitions(question, people, parts=7)
    slots = question.slots.first + np.arange(300)
    batch = next(iter(respond_many(question, people.take(np.arange(300)), slots, SystemEntropy())))
    parts = [batch.of(question, [report]) for report in batch.reports()]
    alone = [statistic.directions(part.slots, part.symbols[:, 0, 0])[0] for part in parts]
    sums = [sum(int(entries[place]) for entries in alone) for place in range(statistic.vector.size)]
    squares = [sum(int(entries[place]) ** 2 for entries in alone) for place in range(statistic.vector.size)]
    tally = Tally.of(batch)
    assert tally.cells == ((*sums, *squares),) and tally.reports == (300,)
    assert all(sum(int(entry) ** 2 for entry in entries) <= (257**2) * statistic.rotated_size for entries in alone)


@pytest.mark.parametrize("groups", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("count", [1, 2, 6, 40])
@pytest.mark.parametrize("uses", [1, 2, 3, 7])
def test_most_answers_counts_what_everybody_asked_sends(groups: int, count: int, uses: int) -> None:
    question = ask(design.one_bit(0.1), statistic=Each(), groups=groups, uses=uses, slots=Slots(first=9, count=count))
    expected = np.bincount(question.group_of(9 + np.arange(count)).ravel(), minlength=groups)
    assert (question.most_answers() == expected).all()
