"""The trusted folder: small, alone, total, silent about data; entropy never repeats."""

from __future__ import annotations

import ast
import math
import multiprocessing
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sottovoce.device
from sottovoce import design
from sottovoce.device import Collections, Ledger, SystemEntropy, encode, respond_many
from sottovoce.messages import (
    Average,
    Averages,
    Batch,
    Each,
    Encoder,
    InvalidInput,
    Item,
    Joint,
    Knots,
    Nearest,
    Norm,
    Position,
    Report,
    Share,
)
from tests.support import SeededEntropy
from tests.support.questions import answered
from tests.support.questions import question as question_of
from tests.vectors.make import questions

FOLDER = Path(sottovoce.device.__file__).parent
LAPLACE = design.laplace(0.5)


def held_by(people: list[list[float]]) -> Collections:
    offsets = np.concatenate(([0], np.cumsum([len(one) for one in people])))
    return Collections(np.array([value for one in people for value in one], dtype=float), offsets)


def test_device_is_small() -> None:
    lines = sum(len(file.read_text().splitlines()) for file in FOLDER.glob("*.py"))
    assert lines < 800


def test_device_imports_only_messages_numpy_and_the_standard_library() -> None:
    allowed = {"numpy", "sottovoce"} | set(sys.stdlib_module_names)
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in allowed, f"{file.name} imports {name}"
                if name.startswith("sottovoce"):
                    assert name.startswith(("sottovoce.device", "sottovoce.messages")), f"{file.name} imports {name}"
                assert name not in ("random", "secrets", "numpy.random"), f"{file.name} imports {name}"


def test_privatise_has_no_float() -> None:
    tree = ast.parse((FOLDER / "privatise.py").read_text())
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Div), "a division makes floats"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Attribute) and "float" in node.attr)


floats = st.floats(allow_nan=True, allow_infinity=True, allow_subnormal=True)


class Always:
    """The same word for everybody: lots that a device draws, if it does, fall alike."""

    def __init__(self, word: int) -> None:
        self._word = word

    def words(self, count: int) -> np.ndarray:
        return np.full(count, self._word, dtype=np.uint64)


@given(
    st.lists(st.lists(floats, max_size=5), min_size=1, max_size=6),
    st.sampled_from(sorted(questions())),
    st.integers(0, 2**64 - 1),
)
def test_encoders_are_total_and_users_do_not_matter_to_each_other(
    people: list[list[float]], name: str, word: int
) -> None:
    question = questions()[name]
    slots = 10 + np.arange(len(people))
    inputs = encode(question, held_by(people), slots, Always(word))
    for index, one in enumerate(people):
        single = encode(question, Collections.of_one(one), slots[index : index + 1], Always(word))
        assert (single == inputs[index]).all()
    assert ((inputs >= 0) & (inputs <= question.channel.span)).all()


@pytest.mark.parametrize("name", questions())
def test_one_user_and_many_users_read_the_same_thresholds(name: str) -> None:
    question = questions()[name]
    values = [0.2, 0.7, 0.1]
    data = question.to_bytes()
    with Ledger(":memory:", cap=2) as ledger:
        report = answered(data, Collections.of_one(values), ledger, slot=12, entropy=SeededEntropy(5))
    (batch,) = respond_many(question, Collections.of_one(values), np.array([12]), SeededEntropy(5))
    assert batch.reports()[0].to_bytes() == report
    assert (Batch.of(question, [Report.from_bytes(report)]).symbols == batch.symbols).all()


@pytest.mark.parametrize("name", questions())
def test_reports_have_one_size_whatever_the_data(name: str) -> None:
    question = questions()[name]
    people = held_by([[], [0.5], [float("nan")] * 3, [1e308] * 50, [-float("inf")]])
    (batch,) = respond_many(question, people, np.arange(10, 15), SystemEntropy())
    assert len({len(report.to_bytes()) for report in batch.reports()}) == 1


def test_blocks_do_not_change_the_tally_of_inputs() -> None:
    rng = np.random.default_rng(3)
    people = Collections(rng.random(5000), np.sort(np.concatenate(([0, 5000], rng.integers(0, 5000, 998)))))
    question = questions()["unary"]
    whole = encode(question, people, np.arange(10, 10 + 999), SystemEntropy())
    parts = [encode(question, part, np.arange(10, 10 + 999)[rows], SystemEntropy()) for rows, part in people.blocks(64)]
    assert (np.concatenate(parts) == whole).all()


def test_statistics_mean_what_they_say() -> None:
    people = Collections(np.array([[0.0, 0.5], [1.0, 0.5], [0.25, 1.0]]), np.array([0, 2, 3]))
    slots, entropy = np.array([0, 1]), SystemEntropy()
    step = 2**16

    def inputs(statistic: object, **more: object) -> list[list[int]]:
        return encode(question_of(statistic, channel=LAPLACE, **more), people, slots, entropy).tolist()

    assert inputs(Average()) == [[step // 2], [step // 4]]
    assert inputs(Average(columns=(0, 1)), groups=2) == [[step // 2], [step]]
    assert inputs(Average(first=1)) == [[0], [step // 4]]
    assert inputs(Average(columns=(7,))) == [[step // 2], [step // 2]]  # no such column: the middle
    assert inputs(Each(), uses=2) == [[0, step], [step // 4, step // 4]]
    assert inputs(Share(below=(0.25, 1.0)), groups=2, uses=2) == [[step // 2, step], [step, step]]
    assert inputs(Item(column=1)) == [[step // 2], [step]]


def test_item_picks_every_own_observation_equally_often() -> None:
    """χ² over 5 items, 20,000 draws with a fixed seed: false-alarm rate 1e-6 before the seed was fixed."""
    question = question_of(Item(), channel=LAPLACE)
    people = Collections(np.tile(np.arange(5) / 4, 20_000), np.arange(20_001) * 5)
    inputs = encode(question, people, np.zeros(20_000, dtype=np.int64), SeededEntropy(2)).ravel()
    counts = np.unique(inputs, return_counts=True)[1]
    assert len(counts) == 5
    assert ((counts - 4000) ** 2 / 4000).sum() < 33.4


UNEVEN = Knots(low=-2.0, high=5.0, inner=(-0.3, 0.1, 0.1 + 2.0**-17, 4.7), nothing=0.05)
FIVE = design.piecewise(1.0, nodes=6, window=2)


def at_knots(knots: Knots, number: float) -> int:
    """The channel's input, in plain Python."""
    position = 0.0
    for left, right in pairwise(knots.places):
        position += min(max((number - left) / (right - left), 0.0), 1.0)
    return math.floor(position * 2.0**32 + 0.5)


@given(st.lists(st.one_of(st.floats(allow_nan=False), st.floats(-3, 6), st.sampled_from(UNEVEN.places)), max_size=30))
def test_between_knots_a_position_grows_by_a_node_from_each_to_the_next(numbers: list[float]) -> None:
    question = question_of(Average(), UNEVEN, FIVE, users=100)
    values = [*numbers, *UNEVEN.places, -math.inf, math.inf]
    people = Collections(np.array([*values, math.nan]), np.arange(len(values) + 2))
    inputs = encode(question, people, np.arange(people.users), SystemEntropy()).ravel().tolist()
    assert inputs[:-1] == [at_knots(UNEVEN, value) for value in values]
    assert inputs[len(numbers) : -3] == [node * 2**32 for node in range(6)] and inputs[-3:-1] == [0, 5 * 2**32]
    assert inputs[-1] == at_knots(UNEVEN, UNEVEN.nothing)
    drawn = replace(question, encoder=replace(question.encoder, empty="random"))
    assert 0 <= encode(drawn, Collections.of_one([]), np.array([0]), SystemEntropy())[0, 0] <= FIVE.span
    back = UNEVEN.number(np.array(inputs) / 2**32)
    expected = np.clip([*values, UNEVEN.nothing], UNEVEN.low, UNEVEN.high)
    np.testing.assert_allclose(back, expected, atol=1e-8)


def test_even_knots_are_a_position() -> None:
    knots = Knots(low=0.0, high=1.0, inner=(0.25, 0.5, 0.75), nothing=0.5)
    even = question_of(Average(), knots, design.piecewise(1.0, nodes=5, window=2))
    plain = replace(even, encoder=Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,))))
    people = Collections(np.linspace(-0.5, 1.5, 1001), np.arange(1002))
    slots = np.zeros(1001, dtype=np.int64)
    one, other = (encode(question, people, slots, SystemEntropy()) for question in (even, plain))
    assert np.abs(one - other).max() <= 1
    nobody = Collections.of_one([])
    assert encode(even, nobody, slots[:1], SystemEntropy()) == encode(plain, nobody, slots[:1], SystemEntropy())


def _child(_: int) -> bytes:
    return SystemEntropy().words(64).tobytes()


@pytest.mark.parametrize("ranges", [1, 3])
def test_one_number_serves_every_use(ranges: int) -> None:
    """A statistic without parts has one answer; with several uses it is sent as often, each through its own range."""
    for statistic in (
        Norm(vector=Averages(size=2), centre=(0.0, 0.5)),
        Nearest(centres=((0.0,), (0.6,))),
        Joint(centres=(0.0, 0.4), reach=0.2, levels=3),
    ):
        low, high = tuple(-1.0 * place for place in range(ranges)), tuple(3.0 + 3 * place for place in range(ranges))
        placement = Position(low=low, high=high)
        question = question_of(statistic, placement, design.one_bit(0.3), users=9, groups=3, uses=3)
        inputs = encode(question, Collections.of_one([0.25, 0.5]), np.array([0]), SeededEntropy(1))
        assert inputs.shape == (1, 3)
        assert len(set(inputs[0].tolist())) == ranges
        (batch,) = respond_many(question, Collections.of_one([0.25, 0.5]), np.array([0]), SeededEntropy(1))
        assert batch.symbols.shape == (1, 3, 1)


def test_forked_processes_never_repeat_entropy() -> None:
    SystemEntropy().words(8)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        draws = pool.map(_child, range(32), chunksize=1)
    assert len({*draws, SystemEntropy().words(64).tobytes()}) == 33


@pytest.mark.parametrize(
    "odd", [[10**400, -(10**400)], ["secret", 1.0], [None], [[]], [[], []], np.empty((3, 0)), [1j]]
)
def test_a_device_answers_whatever_it_holds(odd: object) -> None:
    people = Collections.of_one(odd)  # type: ignore[arg-type]
    for question in questions().values():
        assert encode(question, people, np.array([10]), SystemEntropy()).shape == (1, question.uses)


def test_a_device_answers_for_one_user() -> None:
    data = questions()["one bit"].to_bytes()
    two = Collections(np.zeros(2), np.array([0, 1, 2]))
    for people, slot in ((two, 11), (Collections.of_one([1.0]), True), (Collections.of_one([1.0]), 10.5)):
        with Ledger(":memory:", cap=1) as ledger, pytest.raises(InvalidInput):
            answered(data, people, ledger, slot=slot)


def test_nothing_raw_is_shown() -> None:
    people = Collections.of_one([0.7318530717958])
    assert "7318" not in repr(people) and "7318" not in str(people)
    assert repr(people) == "<Collections: 1 user, dimension 1, contents hidden>"
