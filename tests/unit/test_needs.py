"""What a statistic says that it needs of a collection is all that it looks at."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sottovoce.device import Collections, Means, averaged, encode, totals
from sottovoce.engines.local_devices import Seats, shuffled
from sottovoce.messages import Question
from tests.support import SeededEntropy
from tests.support.asked import every_question

QUESTIONS = every_question()


def crowd(kind: str) -> Collections:
    random = np.random.default_rng(4)
    sizes = np.concatenate(([0, 1], random.integers(0, 40, 60)))
    values = random.normal(size=(sizes.sum(), 4)) * 10.0 ** random.integers(-3, 4, (sizes.sum(), 1))
    if kind == "integers":
        values = random.integers(-100, 100, values.shape).astype(np.int16)
    elif kind == "hostile":
        values = random.choice([np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, 1e308, -1e308, 1.0], values.shape)
    elif kind == "missing":
        values[random.random(values.shape) < 0.4] = np.nan
    return Collections(values, np.concatenate(([0], np.cumsum(sizes))))


@pytest.mark.parametrize("kind", ["numbers", "integers", "hostile", "missing"])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.encoder.statistic.kind)
def test_averages_first_give_the_same_inputs_to_the_bit(question: Question, kind: str) -> None:
    people = crowd(kind)
    slots = question.slots.first + np.arange(people.users) % question.slots.count
    expected = encode(question, people, slots, SeededEntropy(9))
    match question.encoder.needs:
        case "averages":
            short: Collections = averaged(people)
        case "sums":
            with np.errstate(all="ignore"):
                short = Means(np.divide(*totals(question, people, slots)))
        case "rows":  # nothing shorter would do: the averages alone are not the statistic
            short = people
    assert np.array_equal(encode(question, short, slots, SeededEntropy(9)), expected)
    parts = [encode(question, part, slots[rows], SeededEntropy(9)) for rows, part in short.blocks(7)]
    assert np.concatenate(parts).shape == expected.shape


def test_what_needs_rows_is_not_told_by_averages() -> None:
    """The declaration is not too careful either: on some crowd, averages would give something else."""
    people, seen = crowd("numbers"), set()
    for question in QUESTIONS:
        encoder, slots = question.encoder, question.slots.first + np.zeros(people.users, dtype=np.int64)
        if encoder.needs != "averages":
            plain = Collections(averaged(people).values, np.arange(people.users + 1))
            if not np.array_equal(
                encode(question, plain, slots, SeededEntropy(9)), encode(question, people, slots, SeededEntropy(9))
            ):
                seen.add(encoder.needs)
    assert seen == {"sums", "rows"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.encoder.statistic.kind)
def test_totals_of_parts_add_up(question: Question) -> None:
    if question.encoder.needs == "rows":
        return
    people = crowd("missing")
    slots = question.slots.first + np.arange(people.users) % question.slots.count
    half = people.offsets[:-1] + people.sizes // 2
    whole = totals(question, people, slots)
    starts, ends = people.offsets[:-1], people.offsets[1:]
    parts = [totals(question, _cut(people, *ends_of), slots) for ends_of in ((starts, half), (half, ends))]
    for total, first, second in zip(whole, *parts, strict=True):
        np.testing.assert_allclose(first + second, total, rtol=1e-9, atol=1e-9)


def _cut(people: Collections, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Collections:
    rows = [people.values[first:last] for first, last in zip(starts, ends, strict=True)]
    return Collections(np.concatenate(rows), np.concatenate(([0], np.cumsum(ends - starts))))


def test_seats_average_once_and_only_what_gets_shorter() -> None:
    question = next(one for one in QUESTIONS if one.encoder.needs == "averages")
    long, wide = np.arange(12.0).reshape(6, 2), np.arange(12, dtype=np.int8).reshape(6, 2)
    users = question.slots.first + question.slots.count
    many = np.arange(users + 1) * 3
    seats = Seats(Collections(np.tile(long, (users // 2 + 1, 1))[: 3 * users], many), np.arange(users))
    first, _ = seats.asked(question, SeededEntropy(9))
    assert isinstance(first, Means)
    assert seats.asked(question, SeededEntropy(9))[0].values.tobytes() == first.values.tobytes()
    small = Collections(np.tile(wide, (users, 1))[: 3 * users], many)
    assert not isinstance(Seats(small, np.arange(users)).asked(question, SeededEntropy(9))[0], Means)


def test_seats_are_orders_of_all_users() -> None:
    """Positions of the first user over 4,000 deals of 8: chi-squared below its 1 - 1e-6 point."""
    words = np.random.default_rng(11).integers(0, 2**64, size=(4000, 8), dtype=np.uint64)
    deals = np.array([shuffled(8, some[:4]) for some in words])
    assert np.array_equal(np.sort(deals, axis=1), np.tile(np.arange(8), (4000, 1)))
    counts = np.bincount(np.argmin(deals, axis=1), minlength=8)
    assert ((counts - 500) ** 2 / 500).sum() < 40.5
