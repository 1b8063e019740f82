"""The device in JavaScript says what Python's says: the same inputs, symbols and number of words, to the last bit.

How long it takes: little, and as long for one collection as for another of that size. Times are the best of many, taken
in turn; where another program was in the way, of as many again, a few times. What takes longer by itself takes longer
each time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sottovoce
from sottovoce import design
from sottovoce.device import Collections, encode, privatise
from sottovoce.messages import (
    EMPTY,
    Average,
    Averages,
    Basis,
    Below,
    Bins,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Direction,
    Encoder,
    Grid,
    Hashed,
    Item,
    Nearest,
    Norm,
    Position,
    Question,
    Rotated,
    Share,
    Slots,
    Subset,
    Vector,
    public_randomness,
)
from sottovoce.messages.public_randomness import public_words
from tests.support.node import lines
from tests.vectors import make
from tests.web import asked

DEVICE = Path(sottovoce.__file__).parent / "web" / "device"
DRIVER = Path(__file__).with_name("maker.mjs")
SLOTS = [10, 11, 17, 2**31 + 9, 2**32 + 10, 2**39 + 9]


class Script:
    """Word i is the first public word of slot i; or the words that were given, as long as there are some."""

    def __init__(self, given: list[int]) -> None:
        self.given, self.used = given, 0

    def words(self, count: int) -> NDArray[np.uint64]:
        drawn = public_words(2026, np.arange(self.used, self.used + count), 1)[:, 0].copy()
        own = self.given[self.used : self.used + count]
        drawn[: len(own)] = np.array(own, dtype=np.uint64)
        self.used += count
        return drawn


def _ask(values: NDArray[np.float64], slot: int, given: list[int] | None = None) -> dict[str, Any]:
    wide = values[:, None] if values.ndim == 1 else values
    rows, columns = wide.shape
    held, script = wide.astype("<f8").tobytes().hex(), [str(word) for word in given or []]
    return {"slot": slot, "rows": rows, "columns": columns, "values": held, "given": script}


def _here(question: Question, ask: dict[str, Any]) -> dict[str, Any]:
    values = np.frombuffer(bytes.fromhex(ask["values"]), dtype="<f8").reshape(ask["rows"], ask["columns"])
    entropy = Script([int(word) for word in ask["given"]])
    inputs = encode(question, Collections.of_one(values), np.array([ask["slot"]]), entropy)[0]
    symbols = privatise(question.channel, inputs, entropy)
    return {"inputs": inputs.tolist(), "symbols": symbols.tolist(), "words": entropy.used}


def _compare(asks: Iterable[tuple[Question, list[dict[str, Any]]]]) -> None:
    held = list(asks)
    sent = [{"question": question.to_bytes().decode(), "asks": own} for question, own in held]
    for (question, own), answers in zip(held, lines(DRIVER, sent, str(DEVICE)), strict=True):
        for ask, answer in zip(own, answers, strict=True):
            assert answer == _here(question, ask), (question, ask)


def test_the_questions_of_the_vectors_about_every_collection_of_theirs() -> None:
    held = [np.array(values, dtype=float) for values in (make.COLLECTIONS | make.VECTORS).values()]
    _compare((question, [_ask(values, 10) for values in held]) for question in make.questions().values())


@pytest.mark.thin(2)
@pytest.mark.parametrize("seed", range(4))
def test_any_question_about_any_collection(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)

    def asks(question: Question) -> list[dict[str, Any]]:
        return [_ask(asked.collections(rng, question), int(rng.choice(SLOTS))) for _ in range(8)]

    _compare((question, asks(question)) for question in asked.questions(seed, 150))


def test_any_question_within_a_group_draws_as_many_words_whatever_is_held() -> None:
    rng, found = np.random.default_rng(9), list(asked.grouped_questions(9, 180))
    drawn = [one.encoder.within.is_drawn for one in found if one.encoder.within is not None]
    assert sum(drawn) > 10 and len(drawn) - sum(drawn) > 10 and {one.encoder.empty for one in found} == {*EMPTY}
    held = [
        (one, [_ask(asked.grouped_collections(rng, one), int(rng.choice(SLOTS))) for _ in range(5)]) for one in found
    ]
    _compare(held)
    for question, asks in held:
        assert len({_here(question, ask)["words"] for ask in asks}) == 1, question


def test_words_at_the_edges_of_what_is_drawn() -> None:
    """Redraws of an index, and words that equal a threshold, are one in 2^48 by chance: here they are given."""
    rng = np.random.default_rng(5)
    edges = [0, 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2**20, 2**64 - 3, 2**64 - 2, 2**64 - 1]

    def asks(question: Question) -> list[dict[str, Any]]:
        threshold = getattr(question.channel, "threshold", 2**63)
        more = [*edges, threshold - 1, threshold, *(getattr(question.channel, "digits", (2**127,))[0] >> 64,)]
        given = [[int(more[place]) for place in rng.integers(len(more), size=60)] for _ in range(6)]
        return [_ask(asked.collections(rng, question), 10, words) for words in given]

    found = list(asked.questions(77, 120))
    assert sum(isinstance(question.channel, Subset) for question in found) > 20
    _compare((question, asks(question)) for question in found)


def test_observations_as_a_page_holds_them() -> None:
    """Lists of numbers and of vectors, also such as no program should hand over; what is null is missing."""
    held: list[Any] = [
        [], [[]], [[], []], [1], [None], [0.25, None, 0.5], [[1, 2], [3]], [[0.5, 2], [None, 0.25]], [0.5, [2, 3]],
        [["x", 1.0], [2.0, None]], [[[1]]], ["text"], [True, 0.5], [{}], [[0.25, 0.5, 0.75]],
    ]  # fmt: skip
    chosen = [question for name, question in make.questions().items() if name in ("laplace", "length of averages")]
    for question in chosen:
        asks = [{"slot": 10, "held": own} for own in held]
        (found,) = lines(DRIVER, [{"question": question.to_bytes().decode(), "asks": asks}], str(DEVICE))
        for own, answer in zip(held, found, strict=True):
            assert answer == _here(question, _ask(_read(own), 10)), own


def _read(held: list[Any]) -> NDArray[np.float64]:
    """Numbers, or vectors that are alike long; whatever else is missing."""
    vectors = bool(held) and all(isinstance(row, list) and len(row) == len(held[0]) for row in held)

    def number(value: Any) -> float:
        return float(value) if type(value) in (int, float) else float("nan")

    if not vectors:
        return np.array([number(value) for value in held], dtype=float)
    return np.array([[number(value) for value in row] for row in held], dtype=float).reshape(len(held), len(held[0]))


def test_words_come_from_the_system_as_many_at_once_as_it_gives() -> None:
    (found,) = lines(DRIVER, [{"draws": [0, 1, 8192, 8193, 20_000]}], str(DEVICE))
    assert found["lengths"] == [0, 1, 8192, 8193, 20_000]
    assert sum(found["asked"]) == 8 * sum(found["lengths"]) and max(found["asked"]) == 65_536
    assert found["different"] == sum(found["lengths"]), "a repeated word has probability below 1e-10"


def test_an_input_that_no_encoder_gives_is_a_bug() -> None:
    question = make.questions()["subset"]
    sent = {"question": question.to_bytes().decode(), "inputs": [-1, 8, 0.5, 0, 7]}
    (found,) = lines(DRIVER, [sent], str(DEVICE))
    assert found == 3 * ["an encoder left the channel's inputs"] + [None, None]


def test_series_have_the_coefficients_of_python() -> None:
    text = (DEVICE / "public.js").read_text(encoding="utf-8")
    series = text.split("const SINE = [")[1].split("];")[0]
    found = [float(number) for number in re.findall(r"-?\d+\.\d+", series)]
    assert found == list(reversed(public_randomness._SINE))


# ---- how long it takes -----------------------------------------------------------------------------------------------


TIMES, AGAIN = 60, 5
WIDE = 1024
ZERO = (0.0,) * WIDE
PLACE, BIT = Position(low=(-2.0,), high=(2.0,)), design.one_bit(1.0)
MANY = Categories(places=Grid(low=(0.0,), high=(1.0,), count=WIDE))


def _grid(count: int) -> Grid:
    return Grid(low=(0.0,), high=(float(count),), count=count)


def _question(statistic: Any, placement: Any = PLACE, channel: Any = BIT, **more: Any) -> Question:
    return Question(
        survey="times", round=0, role="test", slots=Slots(first=0, count=1000), epsilon=100.0,
        encoder=Encoder(statistic=statistic, placement=placement), channel=channel, **more,
    )  # fmt: skip


def _direction(vector: Vector, rows: int) -> Question:
    pointing = Direction(vector=vector, centre=ZERO, radius=1.0, seed=3, rows=rows)
    return _question(pointing, _grid(2 * rows), design.subset(1.0, 2 * rows, size=1))


def _holds(question: Question, asks: Sequence[Any], within: Callable[[list[float], float], bool]) -> bool:
    """Whether it holds of the best time of each ask and of SHA-256 of 64 kB beside it."""
    best, digest = [math.inf] * len(asks), math.inf
    for _ in range(AGAIN):
        sent = {"question": question.to_bytes().decode(), "asks": asks, "times": TIMES}
        (found,) = lines(DRIVER, [sent], str(DEVICE))
        best = [min(pair) for pair in zip(best, found["best"], strict=True)]
        digest = min(digest, found["digest"])
        if within(best, digest):
            return True
    return False


LARGE = {
    "unary": _question(Average(), _grid(WIDE), design.unary(1.0, WIDE)),
    "subset": _question(Average(), _grid(WIDE), design.subset(1.0, WIDE)),
    "category": _question(Category(vector=MANY), _grid(WIDE), design.subset(1.0, WIDE)),
    "direction of averages": _direction(Averages(size=WIDE), 64),
    "direction of categories": _direction(MANY, 8),
    "coefficient": _question(Coefficient(vector=MANY), groups=WIDE - 1),
    "rotated": _question(Rotated(seed=1, size=WIDE, centre=ZERO, radius=1.0), groups=WIDE, uses=8),
    "hashed": _question(Hashed(seed=1, columns=WIDE, threshold=0.1), channel=design.laplace(1.0)),
    "length": _question(Norm(vector=Averages(size=WIDE), centre=ZERO)),
    "nearest": _question(Nearest(centres=(ZERO,) * 16), _grid(16), design.unary(1.0, 16)),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_a_report_takes_at_most_fifty_times_a_digest(name: str) -> None:
    """1,024 items or columns."""
    values = np.random.default_rng(1).normal(size=(20, WIDE))
    assert _holds(LARGE[name], [_ask(values, 17)], lambda best, digest: best[0] <= 50 * digest)


EVEN = {
    "average": _question(Average()),
    "item": _question(Item()),
    "share": _question(Share(below=(0.5,))),
    "basis": _question(Basis(low=0.0, high=1.0, functions=(3,))),
    "cosines": _question(Norm(vector=Cosines(low=0.0, high=1.0, size=2), centre=(0.0, 0.0))),
    "categories": _question(Norm(vector=Categories(places=_grid(16)), centre=ZERO[:16])),
    "bins": _question(Norm(vector=Categories(places=Bins(edges=(0.1, 0.5, 0.7))), centre=ZERO[:4])),
    "below": _question(Norm(vector=Below(thresholds=(0.1, 0.5, 0.7)), centre=ZERO[:3])),
}
OBSERVATIONS = 20_000


@pytest.mark.soak
@pytest.mark.parametrize("name", EVEN)
def test_where_observations_lie_does_not_change_the_time(name: str) -> None:
    """A branch on an observation takes 2.5 to 5 times as long where it goes now this way, now that."""
    rng = np.random.default_rng(2)
    inside = rng.random(OBSERVATIONS)
    mixed = np.where(rng.random(OBSERVATIONS) < 0.5, inside, rng.choice([-9.0, 9.0], size=OBSERVATIONS))
    sometimes = np.where(rng.random(OBSERVATIONS) < 0.5, math.nan, inside)
    asks = [_ask(values, 17) for values in (inside, inside + 5, mixed, sometimes, np.full(OBSERVATIONS, math.nan))]
    assert _holds(EVEN[name], asks, _is_even)


def _is_even(best: list[float], _: float) -> bool:
    return max(best) <= 1.4 * min(best)
