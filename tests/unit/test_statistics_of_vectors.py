"""What devices compute, against plain readings of the same definitions; and whether the audit reaches it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit import every_statistic
from sottovoce.audit.neighbours import vectors
from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.messages import (
    Averages,
    Below,
    Bins,
    Categories,
    Category,
    Coefficient,
    Cosines,
    Direction,
    Entry,
    Grid,
    Inside,
    Joint,
    Large,
    Norm,
    Position,
    Question,
    Slots,
    Vector,
    walsh_hadamard,
)
from sottovoce.messages.placements import edges_passed
from sottovoce.messages.public_randomness import public_words
from tests.support.questions import question as question_of

BIT = design.one_bit(1.0)
RANGE = 4.0
EDGES = (-0.5, 0.0, 0.5)
VECTORS: dict[str, Vector] = {
    "averages": Averages(size=3),
    "box": Inside(size=3, middle=(0.5, 0.0, 0.2), half=(0.5, 1.0, 0.1), ball="linf"),
    "ball": Inside(size=3, middle=(0.5,), half=(0.2,), ball="l2"),
    "large": Large(size=3, threshold=0.3),
    "grid": Categories(places=Grid(low=(-1.0,), high=(1.0,), count=5), column=1),
    "bins": Categories(places=Bins(edges=EDGES)),
    "below": Below(thresholds=EDGES),
    "cosines": Cosines(low=-1.0, high=1.0, size=3, column=2),
}


class Script:
    """Words that were written down."""

    def __init__(self, *written: int) -> None:
        self._written = np.array(written, dtype=np.uint64)

    def words(self, count: int) -> Any:
        return np.resize(self._written, count)


def ask(statistic: Any, placement: Any = None, channel: Any = None, **more: Any) -> Question:
    placement = placement or Position(low=(-RANGE,), high=(RANGE,))
    return question_of(statistic, placement, channel or BIT, slots=Slots(first=5, count=10**6), **more)


def numbers(question: Question, people: Collections, slots: Any = None) -> Any:
    """What the device computes, within ± `RANGE`; a channel's position is fine enough to read it from."""
    where = np.arange(5, 5 + people.users) if slots is None else slots
    return encode(question, people, where, SystemEntropy())[:, 0] / BIT.span * 2 * RANGE - RANGE


def crowd(seed: int) -> list[list[list[float]]]:
    rng = np.random.default_rng(seed)
    people = []
    for size in (1, 2, 3, 7, 40):
        rows = rng.normal(size=(size, 3)) * 0.7
        rows[rng.random((size, 3)) < 0.2] = math.nan
        rows[0, rng.integers(3)] = rng.choice([*EDGES, 1.0, -1.0])  # exactly on an edge
        people.append(rows.tolist())
    return people


def column(rows: list[list[float]], place: int) -> list[float]:
    return [row[place] for row in rows if not math.isnan(row[place])]


def average(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def plain(name: str, rows: list[list[float]]) -> list[float]:
    """The vector of one user by its definition; NaN where nothing was observed."""
    means = [average(column(rows, place)) for place in range(3)]
    match name:
        case "averages":
            return means
        case "box":
            middles, halves = (0.5, 0.0, 0.2), (0.5, 1.0, 0.1)
            unit = [(means[place] - middles[place]) / halves[place] for place in range(3)]
            return [value if math.isnan(value) else max(-1.0, min(1.0, value)) for value in unit]
        case "ball":
            unit = [(mean - 0.5) / 0.2 for mean in means]
            length = math.sqrt(sum(value**2 for value in unit if not math.isnan(value)))
            return [value / max(1.0, length) for value in unit]
        case "large":
            return [float(abs(mean) >= 0.3) for mean in means]
        case "grid":
            held = column(rows, 1)
            places = [min(4, math.floor((max(-1.0, min(1.0, value)) + 1) / 2 * 5)) for value in held]
            return [average([float(place == wanted) for place in places]) for wanted in range(5)]
        case "bins":
            places = [sum(value >= edge for edge in EDGES) for value in column(rows, 0)]
            return [average([float(place == wanted) for place in places]) for wanted in range(4)]
        case "below":
            return [average([float(value <= edge) for value in column(rows, 0)]) for edge in EDGES]
        case _:
            held = [(max(-1.0, min(1.0, value)) + 1) / 2 for value in column(rows, 2)]
            return [average([math.sqrt(2) * math.cos(math.pi * j * place) for place in held]) for j in (1, 2, 3)]


def together(people: list[list[list[float]]]) -> Collections:
    return Collections(np.concatenate(people), np.cumsum([0, *map(len, people)]))


@pytest.mark.parametrize("name", VECTORS)
def test_entries_coefficients_and_lengths(name: str) -> None:
    vector, people = VECTORS[name], [rows for seed in range(20) for rows in crowd(seed)]
    size, slots = vector.size, np.arange(5, 5 + len(people))
    expected = [plain(name, rows) for rows in people]
    entries = numbers(ask(Entry(vector=vector), groups=size), together(people))
    wanted = [own[(slot - 5) % size] for slot, own in zip(slots, expected, strict=True)]
    assert entries == pytest.approx(np.nan_to_num(wanted), abs=1e-8)

    statistic = Coefficient(vector=vector)
    coefficients = numbers(ask(statistic, groups=statistic.parts), together(people))
    rows = [(slot - 5) % statistic.parts + 1 for slot in slots]
    signed = [
        sum((-1) ** (row & place).bit_count() * value for place, value in enumerate(own))
        for row, own in zip(rows, expected, strict=True)
    ]
    assert coefficients == pytest.approx(np.nan_to_num(signed), abs=1e-8)

    centre = tuple(0.1 * place - 0.2 for place in range(size))
    away = [[0.0 if math.isnan(v) else v - c for v, c in zip(own, centre, strict=True)] for own in expected]
    lengths = numbers(ask(Norm(vector=vector, centre=centre)), together(people))
    assert lengths == pytest.approx([math.hypot(*own) for own in away], abs=1e-8)


def test_a_vector_of_one_entry_serves_all_groups() -> None:
    """It has one part: a device that looked for an entry of each group failed."""
    people = Collections(np.full(6, 0.25), np.arange(7))
    assert numbers(ask(Entry(vector=Averages(size=1)), groups=3), people) == pytest.approx([0.25] * 6)
    two = Collections(np.tile([0.5, 0.25], (6, 1)), np.arange(7))
    assert numbers(ask(Coefficient(vector=Averages(size=2)), groups=3), two) == pytest.approx([0.25] * 6)


def pointing(size: int, rows: int, *, radius: float = 1.0, centre: float = 0.0) -> Direction:
    return Direction(vector=Averages(size=size), centre=(centre,) * size, radius=radius, seed=9, rows=rows)


def direction_question(statistic: Direction) -> Question:
    symbols = 2 * statistic.rows
    grid = Grid(low=(0.0,), high=(float(symbols),), count=symbols)
    return ask(statistic, grid, design.subset(1.0, symbols, size=1))


def hadamard(size: int) -> Any:
    return np.array([[(-1) ** (row & place).bit_count() for place in range(size)] for row in range(size)])


def by_hand(statistic: Direction, slot: int) -> tuple[list[Any], list[int]]:
    """Signs of the three turns and the rows of a slot, bit by bit from the public words."""
    size = statistic.rotated_size
    drawn = [int(word) for word in public_words(statistic.seed, np.array([slot]), 3 * size // 64 + 1)[0]]
    bits = [2 * (drawn[place // 64] >> (place % 64) & 1) - 1 for place in range(3 * size)]
    first, apart = drawn[-1] % 2**32, drawn[-1] >> 32 | 1
    rows = [(first + apart * number) % size for number in range(statistic.rows)]
    return [np.array(bits[turn * size : (turn + 1) * size]) for turn in range(3)], rows


@pytest.mark.parametrize(("size", "rows"), [(3, 1), (100, 5), (128, 64), (200, 3), (300, 33)])
def test_a_direction_is_the_row_in_which_the_turned_vector_is_largest(size: int, rows: int) -> None:
    """Against products with the whole matrix; and what is reported, turned back, in Python's integers."""
    statistic, rng = pointing(size, rows, centre=0.3), np.random.default_rng(size)
    question = direction_question(statistic)
    matrix = hadamard(statistic.rotated_size)
    for slot in (5, 6, 77, 10**5):
        vector = rng.normal(size=size)
        signs, where = by_hand(statistic, slot)
        seen = np.zeros(statistic.rotated_size)
        seen[:size] = vector - 0.3
        for own in signs:
            seen = matrix @ (own * seen)
        best = int(np.argmax(np.abs(seen[where])))
        symbol = 2 * best + int(seen[where][best] < 0)
        people = Collections(vector[None, :], np.array([0, 1]))
        assert encode(question, people, np.array([slot]), Script(0))[0, 0] == symbol
        assert encode(question, people, np.array([slot]), Script(2**64 - 2**12))[0, 0] == symbol  # it is longer than 1

        back = np.zeros(statistic.rotated_size, dtype=object)
        back[where[best]] = -1 if symbol % 2 else 1
        for own in signs[::-1]:
            back = own * (matrix.astype(object) @ back)
        entries = [int(entry) * 256 for entry in back[:size]]
        halves = [(abs(entry) * 2 + statistic.rotated_size) // (2 * statistic.rotated_size) for entry in entries]
        rounded = [math.copysign(half, entry) for half, entry in zip(halves, entries, strict=True)]
        assert statistic.directions(np.array([slot]), np.array([symbol]))[0].tolist() == rounded


def test_the_shorter_a_vector_the_more_often_it_is_turned_to_its_opposite() -> None:
    statistic = pointing(3, 4, radius=2.0)
    question, slots = direction_question(statistic), np.arange(5, 205)
    for length, threshold in ((0.0, 0.5), (0.5, 0.625), (1.0, 0.75), (2.0, 1.0), (50.0, 1.0)):
        people = Collections(np.tile([length, 0.0, 0.0], (200, 1)), np.arange(201))
        plainly = encode(question, people, slots, Script(0))
        just_below = encode(question, people, slots, Script(int((threshold - 2**-20) * 2**64)))
        assert (plainly == just_below).all()
        if threshold < 1:
            beyond = encode(question, people, slots, Script(int(threshold * 2**64)))
            assert (beyond == plainly ^ 1).all(), "the same row, the other sign"


def test_turns_and_rows_differ_from_slot_to_slot() -> None:
    turns, looked = pointing(3, 8).rotations(np.arange(50))
    assert turns.shape == (50, 3, 128) and set(np.unique(turns)) == {-1, 1}
    assert len({signs.tobytes() for signs in turns.reshape(150, 128)}) == 150
    assert all(len(set(rows)) == 8 for rows in looked.tolist()), "rows of one slot are different rows"
    assert len({tuple(rows) for rows in looked.tolist()}) == 50


def test_the_order_of_addition() -> None:
    """Bit 0 first: here every other order gives other last digits."""
    values = np.random.default_rng(4).normal(size=64) * np.geomspace(1e-8, 1e8, 64)
    expected = values.tolist()
    for bit in range(6):
        pairs = [(expected[place & ~(1 << bit)], expected[place | 1 << bit], place >> bit & 1) for place in range(64)]
        expected = [low - high if minus else low + high for low, high, minus in pairs]
    assert walsh_hadamard(values).tolist() == expected
    assert walsh_hadamard(np.stack([values, 2 * values], axis=1))[:, 1].tolist() == [2 * value for value in expected]
    backwards = walsh_hadamard(values.reshape(2, 2, 2, 2, 2, 2).transpose(5, 4, 3, 2, 1, 0).ravel())
    assert backwards.reshape(2, 2, 2, 2, 2, 2).transpose(5, 4, 3, 2, 1, 0).ravel().tolist() != expected


def test_a_category_is_that_of_one_observation() -> None:
    vector = Categories(places=Grid(low=(0.0,), high=(4.0,), count=4))
    question = ask(Category(vector=vector), Grid(low=(0.0,), high=(4.0,), count=4), design.subset(1.0, 4))
    people = Collections.of_one([0.5, math.nan, 2.5, 2.5, 99.0])
    drawn = [int(encode(question, people, np.array([5]), Script(place * 2**62 + 1))[0, 0]) for place in range(4)]
    assert drawn == [0, 2, 2, 3], "each of those that are there has a quarter of the words"
    assert encode(question, Collections.of_one([math.nan]), np.array([5]), Script(0))[0, 0] == 2


def test_joint_is_the_nearest_centre_and_an_even_rounding() -> None:
    statistic = Joint(centres=(0.0, 1.0, 3.0), reach=0.5, levels=3)
    question = ask(statistic, Grid(low=(0.0,), high=(9.0,), count=9), design.subset(1.0, 9))

    def level(value: float) -> tuple[int, float]:
        """The centre, and the mean level over words that are spread evenly."""
        words = [Script((2 * place + 1) << 57) for place in range(64)]
        symbols = [int(encode(question, Collections.of_one([value]), np.array([5]), one)[0, 0]) for one in words]
        assert len({symbol // 3 for symbol in symbols}) == 1
        return symbols[0] // 3, sum(symbol % 3 for symbol in symbols) / 64

    assert level(0.125) == (0, 1.25) and level(-0.25) == (0, 0.5) and level(1.0) == (1, 1.0)
    assert level(0.5) == (0, 2.0), "between two centres the lower one counts"
    assert level(2.4) == (2, 0.0) and level(3.4) == (2, pytest.approx(1.8, abs=0.01))
    for far in (1e300, math.inf, 4.0):
        assert level(far) == (2, 2.0) and level(-far) == (0, 0.0), "what is far away has a nearest centre too"


def test_what_is_passed_is_what_a_search_finds() -> None:
    rng = np.random.default_rng(1)
    for count in (0, 1, 2, 3, 7, 8, 100):
        edges = np.unique(rng.normal(size=count))
        numbers = np.concatenate((edges, np.nextafter(edges, 9), rng.normal(size=50), [math.inf, -math.inf, -0.0]))
        for side, beyond in (("right", np.greater_equal), ("left", np.greater)):
            found = edges_passed(tuple(edges.tolist()), numbers, beyond)
            assert (found == np.searchsorted(edges, numbers, side=side)).all()  # type: ignore[call-overload]
        assert edges_passed(tuple(edges.tolist()), np.array([math.nan]), np.greater).tolist() == [0]


@pytest.mark.parametrize("question", every_statistic(1.0), ids=lambda question: question.role)
def test_the_audit_looks_at_many_symbols(question: Question) -> None:
    """Made-up observations, alone and two by two, reach most of what a channel can be given, at three slots."""
    single = np.array(vectors(question))
    pairs = np.stack([single, np.roll(single, 7, axis=0)], axis=1).reshape(-1, single.shape[1])
    offsets = np.concatenate((np.arange(len(single)), len(single) + 2 * np.arange(len(single) + 1)))
    people = Collections(np.concatenate((single, pairs)), offsets)
    reached: set[int] = set()
    for slot in question.slots.first + np.arange(3):
        reached |= set(encode(question, people, np.full(people.users, slot), SystemEntropy()).ravel().tolist())
    places = question.encoder.placement.count
    marks = isinstance(getattr(question.encoder.statistic, "vector", None), Large)  # 1 or 0, nothing between
    assert len(reached) >= (2 if marks else 3) if places is None else len(reached) >= min(places, 64) * 3 // 4
