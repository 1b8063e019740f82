"""A tally: exact integers; packed reports are counted as their symbols are, bad stored rows are set aside and named."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sottovoce import design
from sottovoce.checks import check_partitions
from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.engines import questions_of, stored
from sottovoce.messages import (
    Average,
    Averages,
    Batch,
    Direction,
    Each,
    Grid,
    Hashed,
    InvalidInput,
    Malformed,
    Position,
    Question,
    Report,
    SetAside,
    Slots,
    Tally,
    bit_counts,
    columns,
)
from sottovoce.problems import problems
from tests.support.questions import question as question_of
from tests.support.transcripts import asking
from tests.unit.test_hostile_questions import BIT, vote
from tests.unit.test_hostile_questions import SUBSET as SUBSET_OF_TEN
from tests.vectors.make import questions

UNIT = Position(low=(0.0,), high=(1.0,))
WIDE = Position(low=(-2.0,), high=(2.0,))


def ask(channel: Any, *, placement: Any = UNIT, statistic: Any = None, **more: Any) -> Question:
    more = {"survey": "steps", "round": 2, "role": "refine", "slots": Slots(first=5, count=40)} | more
    return question_of(statistic or Average(), placement, channel, **more)


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
    total = sum([tally] * 40, start=tally)
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


def unary(items: int, **more: Any) -> Question:
    return ask(design.unary(1.0, items), placement=Grid(low=(0.0,), high=(1.0,), count=items), **more)


SEVERAL = {"statistic": Average(columns=(0, 1, 2)), "groups": 3, "uses": 2}
QUESTIONS = {
    "table": TABLE,
    "laplace": LAPLACE,
    "subset": SUBSET,
    "unary": UNARY,
    "signed": SIGNED,
    "directed": DIRECTED,
    "groups of tables": GROUPS,
    "groups of laplaces": ask(design.laplace(0.5), **SEVERAL),
    "groups of subsets": ask(design.subset(0.5, 8, size=3), placement=SUBSET.encoder.placement, **SEVERAL),
    "groups of bits": unary(11, **SEVERAL),
    "groups of whole words": unary(64, **SEVERAL),
    "one bit": unary(1),
    "bits with padding": unary(61),
    "many bits": unary(1024),
    "each": ask(design.unary(0.2, 5), placement=Grid(low=(0.0,), high=(1.0,), count=5), statistic=Each(), uses=3),
}


def by_symbols(batch: Batch) -> Tally:
    question = batch.question
    groups = question.group_of(batch.slots).ravel()
    symbols = batch.symbols.reshape(len(groups), question.channel.width)
    rows = [question.channel.accumulate(symbols[groups == group]) for group in range(question.groups)]
    return Tally.build(question, np.bincount(groups, minlength=question.groups).tolist(), rows)


def sums_by_slot(question: Question) -> bool:
    return question.encoder.statistic.cells is not None


def reports_to(question: Question, count: int, seed: int = 5) -> Batch:
    """Reports that a device could have sent, from many slots, in any order."""
    rng, channel = np.random.default_rng(seed), question.channel
    shape = (count, question.uses, channel.width)
    if channel.kind == "subset":
        rows = [rng.choice(channel.items, channel.size, replace=False) for _ in range(count * question.uses)]
        symbols = np.sort(np.array(rows, dtype=np.int64).reshape(shape), axis=-1)
    elif channel.kind == "laplace":
        symbols = rng.integers(-channel.bound, channel.steps + channel.bound + 1, shape)
    else:
        symbols = rng.integers(0, 2 if channel.kind == "unary" else channel.cells, shape)
    slots = question.slots.first + rng.permutation(question.slots.count)[:count]
    return Batch.of_payloads(question, slots, Batch(question=question, slots=slots, symbols=symbols).payloads)


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("count", [0, 1, 7, 3000])
def test_packed_reports_add_up_as_their_symbols_do(name: str, count: int) -> None:
    question = replace(QUESTIONS[name], slots=Slots(first=11, count=4000))
    batch = reports_to(question, count)
    tally, faults = columns.count(question, batch.slots.astype(np.uint32), batch.payloads)
    assert not faults.any() and tally == Tally.of(batch)
    if not sums_by_slot(question):
        assert tally == by_symbols(batch) == Tally.from_bytes(tally.to_bytes())


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_question_of_every_example_is_counted_the_same(problem: Any) -> None:
    for example in problem.examples:
        survey = problem.example_survey(example, epsilon=2.0)
        for question in questions_of(survey, asking(survey))[1]:
            batch = reports_to(question, min(150, question.slots.count))
            tally, faults = columns.count(question, batch.slots, batch.payloads)
            assert not faults.any(), example
            symbols = Batch(question=question, slots=batch.slots, symbols=batch.symbols)
            assert tally == (Tally.of(symbols) if sums_by_slot(question) else by_symbols(batch)), example
            tally.check(question)


@pytest.mark.parametrize("width", [1, 2, 3, 8, 11, 128])
@pytest.mark.parametrize("compiled", [False, True])
def test_bits_are_added_up_in_blocks(width: int, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if compiled:
        pytest.importorskip("numba")
    monkeypatch.setattr(bit_counts, "LARGE", 0 if compiled else 2**62)
    monkeypatch.setattr(bit_counts, "_BLOCK", 512)
    rng = np.random.default_rng(width)
    for count in (0, 1, 24, 63, 4097, 20_011):
        rows = rng.integers(0, 256, (count + 1, width), dtype=np.uint8)
        rows[rng.random(count + 1) < 0.5] = 255
        for some in (rows[:count], rows[1:], rows[::2]):
            expected = np.unpackbits(some, axis=1).sum(axis=0, dtype=np.int64)
            assert (bit_counts.count_bits(some) == expected).all()


def one_by_one(question: Question, slots: NDArray[np.int64], payloads: NDArray[np.uint8]) -> list[str]:
    """Why each row is refused, as reports that came alone."""
    said = [""] * len(slots)
    for place, (slot, payload) in enumerate(zip(slots.tolist(), payloads, strict=True)):
        report = Report(question=question.digest, slot=slot, payload=payload.tobytes().hex())
        try:
            Batch.of(question, [report]).symbols  # noqa: B018 - unpacking is what refuses padding
        except Malformed as error:
            said[place] = error.code
    return said


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(QUESTIONS)), data=st.data())
def test_faults_are_those_of_reports_one_by_one(name: str, data: st.DataObject) -> None:
    question = QUESTIONS[name]
    good = reports_to(question, 12, seed=data.draw(st.integers(0, 99)))
    slots, payloads = good.slots.copy(), good.payloads.copy()
    for row in data.draw(st.sets(st.integers(0, 11))):
        size = payloads.shape[1]
        payloads[row] = np.frombuffer(data.draw(st.binary(min_size=size, max_size=size)), dtype=np.uint8)
    for row in data.draw(st.sets(st.integers(0, 11), max_size=4)):
        slots[row] = data.draw(st.sampled_from([0, 4, 5, 44, 45, 2**32 - 1]))
    tally, faults = columns.count(question, slots, payloads)
    said = one_by_one(question, slots, payloads)
    assert [columns.REASONS[fault] for fault in faults] == said
    kept = faults == 0
    assert tally == Tally.of(Batch.of_payloads(question, slots[kept], payloads[kept]))


@settings(max_examples=200, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.sampled_from([b"aa", b"ab", b"ba"])), max_size=14))
def test_a_slot_counts_once_or_not_at_all(rows: list[tuple[int, bytes]]) -> None:
    slots = np.array([slot for slot, _ in rows], dtype=np.uint32)
    payloads = np.frombuffer(b"".join(payload for _, payload in rows), dtype=np.uint8).reshape(-1, 2)
    said: dict[int, set[bytes]] = {}
    for slot, payload in rows:
        said.setdefault(slot, set()).add(payload)
    expected, counted = [], set[int]()
    for slot, _ in rows:
        expected.append(columns.DIFFERENT if len(said[slot]) > 1 else columns.COPY if slot in counted else 0)
        counted.add(slot)
    assert columns.faults_of_repeats(slots, payloads).tolist() == expected
    assert columns.shares_slot(slots).tolist() == [sum(slot == other for other, _ in rows) > 1 for slot, _ in rows]


def answers(question: Any, count: int = 20) -> list[Report]:
    people = Collections(np.linspace(0, 1, count), np.arange(count + 1))
    (batch,) = respond_many(question, people, question.slots.first + np.arange(count), SystemEntropy())
    return batch.reports()


def other(report: Report, **changes: Any) -> Report:
    fields = {"question": report.question, "slot": report.slot, "payload": report.payload}
    return Report(**fields | changes)  # type: ignore[arg-type]


def test_good_rows_are_all_counted_in_any_form() -> None:
    reports = answers(BIT)
    rows: list[Any] = [report.to_bytes() for report in reports[:10]]
    ask = stored([[*rows, memoryview(reports[10].to_bytes()), bytearray(reports[11].to_bytes())], reports[12:]])
    assert sum(ask(BIT).reports) == 20
    assert ask.set_aside.total == 0 and str(ask.set_aside) == "no row set aside"


def test_bad_rows_are_named_and_the_others_counted() -> None:
    reports = answers(BIT, 8)
    rows: list[Any] = [*reports, b"", b"\xff", 5, None, "text", reports[0].to_bytes()[:-1]]
    rows += [other(reports[0], slot=500), other(reports[1], payload="0000"), other(reports[2], payload="07")]
    rows.append(other(reports[3], question="0" * 64))
    ask = stored([rows[::2], rows[1::2]])
    assert ask(BIT) == stored([reports])(BIT)
    once = {"not-asked": 1, "a report to this question has 1 bytes": 1, "never-sent": 1}
    assert ask.set_aside.counts == {"not-a-report": 6} | once
    assert ask.set_aside.places["not-asked"] == ("partition 1 row 8",)
    assert len(ask.set_aside.places["not-a-report"]) == 6
    assert str(ask.set_aside).startswith("9 rows set aside: 6 × not a report (partition 1 row 5, partition 1 row 6, ")
    before = ask.set_aside
    ask(BIT)
    assert ask.set_aside == before  # asked again, counted once


def test_padding_and_order_are_checked_row_by_row() -> None:
    ten, eight, subset = answers(vote(), 4), answers(UNARY, 4), answers(SUBSET_OF_TEN, 4)
    unsorted = other(subset[0], slot=50, payload="0001" * (len(subset[0].payload) // 4))
    ask = stored([[*ten, other(ten[0], slot=50, payload="ffff")], eight, [*subset, unsorted]])
    assert sum(ask(vote()).reports) == sum(ask(UNARY).reports) == sum(ask(SUBSET_OF_TEN).reports) == 4
    assert ask.set_aside.counts == {"padding-not-zero": 1, "never-sent": 1}


@pytest.mark.parametrize("apart", [True, False])
def test_a_slot_that_appears_twice(apart: bool) -> None:
    reports = answers(BIT, 6)
    flipped = other(reports[1], payload="01" if reports[1].payload == "00" else "00")
    extra = [reports[0], flipped]
    ask = stored([reports, extra] if apart else [[*reports, *extra]])
    assert ask(BIT) == Tally.of(Batch.of(BIT, [reports[0], *reports[2:]]))
    assert ask.set_aside.counts == {"copy-of-counted": 1, "different-reports": 2}


def test_reasons_are_codes_put_in_words_and_those_of_earlier_releases_are_shown_as_they_are() -> None:
    aside = SetAside.of([("a", "never-sent"), ("b", "its slot has sent different reports")])
    assert str(aside) == (
        "2 rows set aside: 1 × a symbol that the channel never sends (a); 1 × its slot has sent different reports (b)"
    )
    with pytest.raises(Malformed, match="a report from a slot that was not asked") as refused:
        Batch.of(BIT, [other(answers(BIT, 1)[0], slot=BIT.slots.first + BIT.slots.count)])
    assert refused.value.code == "not-asked"


def test_nobody_left_is_an_error_that_says_why() -> None:
    ask = stored([[b"", b"{}"], answers(UNARY, 3)])
    with pytest.raises(InvalidInput, match=r"none of the stored reports answers.*2 rows set aside: 2 × not a report"):
        ask(BIT)


def test_order_and_partition_change_nothing() -> None:
    reports = answers(BIT)
    rows = [*reports, reports[3], other(reports[4], payload="01"), other(reports[4], payload="00")]
    expected = stored([rows])(BIT)
    order = np.random.default_rng(1).permutation(len(rows))
    shuffled = [[rows[index] for index in part] for part in np.array_split(order, 4)]
    ask = stored(shuffled)
    assert ask(BIT) == expected and sum(expected.reports) == 19
    assert ask.set_aside.total == len(rows) - 19
