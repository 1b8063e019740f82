"""Packed reports: counted without unpacking, to the bit what their symbols add up to; checked as one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sottovoce import design
from sottovoce.engines import questions_of
from sottovoce.messages import (
    Average,
    Batch,
    Each,
    Grid,
    Malformed,
    Question,
    Report,
    Slots,
    Tally,
    bit_counts,
    columns,
)
from sottovoce.problems import problems
from tests.support.transcripts import asking
from tests.unit.test_tally import DIRECTED, GROUPS, LAPLACE, SIGNED, SUBSET, TABLE, UNARY, ask


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
    """What a tally is, symbol by symbol and group by group."""
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
        assert tally == by_symbols(batch)
        assert Tally.from_bytes(tally.to_bytes()) == tally


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
    said = []
    for slot, payload in zip(slots.tolist(), payloads, strict=True):
        report = Report(question=question.digest, slot=slot, payload=payload.tobytes().hex())
        try:
            Batch.of(question, [report]).symbols  # noqa: B018 - unpacking is what refuses padding
        except Malformed as error:
            said.append(error.code)
        else:
            said.append("")
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
