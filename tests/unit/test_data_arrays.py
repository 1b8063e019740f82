"""Arrays and lists: one entry of the first axis is one user."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sottovoce.data import collections
from sottovoce.device.collections import Collections
from sottovoce.messages.errors import InvalidInput

SECRET = 73391.0625


def users_of(held: Collections) -> list[list[list[float]]]:
    return [held.values[first:last].tolist() for first, last in pairwise(held.offsets)]


def quiet(error: BaseException) -> bool:
    """No log can print an observed value: not of the error, nor of one behind it."""
    return "7339" not in str(error) and "s3cret" not in str(error) and error.__context__ is None


@pytest.mark.parametrize(
    "data, expected",
    [
        (np.arange(6, dtype=np.uint8).reshape(2, 3), [[[0], [1], [2]], [[3], [4], [5]]]),
        (np.eye(2, dtype=bool), [[[1], [0]], [[0], [1]]]),
        (np.ones((1, 2, 3), dtype=np.float16), [[[1, 1, 1], [1, 1, 1]]]),
        (np.empty((2, 0)), [[], []]),
        ([[], []], [[], []]),
        ([[1], [], [2, 3]], [[[1]], [], [[2], [3]]]),
        ([[[1, 2]], [], [[3, 4], [5, 6]]], [[[1, 2]], [], [[3, 4], [5, 6]]]),
        ([np.ones((1, 2)), np.empty((0, 5))], [[[1, 1]], []]),
        ([np.array([1, 2]), (3.5,), [True]], [[[1], [2]], [[3.5]], [[1]]]),
        ([[Fraction(1, 2), 10**400], [-(10**400)]], [[[0.5], [np.inf]], [[-np.inf]]]),
    ],
)
def test_arrays_and_lists(data: Any, expected: list[Any]) -> None:
    assert users_of(collections(data)) == expected


@pytest.mark.parametrize("data", [[[1.0, None]], [[1.0, None], [2.0]], np.ma.masked_equal([[1.0, SECRET]], SECRET)])
def test_a_missing_cell_of_an_array_is_nan(data: Any) -> None:
    assert np.isnan(collections(data).values[1, 0])


def test_masks_survive_in_lists() -> None:
    data = [np.ma.masked_equal([1, 2], 2), np.ma.masked_equal(np.array([2, 4], dtype=object), 4)]
    np.testing.assert_array_equal(collections(data).values[:, 0], [1, np.nan, 2, np.nan])


BAD_ARRAYS: dict[str, tuple[Any, str]] = {
    "one axis": (np.array([SECRET, 2]), r"1 axis; wanted: .*\(n, T\)"),
    "flat list": ([SECRET, 2.0], r"1 axis; wanted: .*\(n, T\)"),
    "four axes": (np.full((1, 1, 1, 1), SECRET), r"4 axes; wanted"),
    "one number": (SECRET, "one float64 is not the data of many users"),
    "a dictionary": ({"a": SECRET}, r"\{user: \[observation, …\]\}; one entry is no list"),
    "nothing": (None, "one NoneType is not"),
    "no users": ([], "no users"),
    "no users in an array": (np.empty((0, 3)), "no users"),
    "no users in collections": (Collections(np.empty(0), np.array([0])), "no users"),
    "no coordinates": (np.empty((2, 3, 0)), "dimension 0"),
    "complex": (np.full((2, 2), SECRET + 1j), "not complex numbers"),
    "text": ([[str(SECRET), "2"]], "must hold numbers, not text"),
    "mixed": ([[1.0, str(SECRET)]], "must hold numbers, not text"),
    "durations": (np.array([[1]], dtype="timedelta64[s]"), "not durations"),
    "durations as objects": (np.array([[np.timedelta64(1, "s")]], dtype=object), "not objects"),
    "records": (np.zeros((2, 2), dtype=[("x", float)]), "not records"),
    "sets": ([{SECRET}, {1, 2}], r"array of objects \(set\); wanted"),
    "a generator": ((user for user in [[SECRET], [1, 2]]), r"one generator is .* such as list\(…\) makes of it"),
    "users without a sequence": ([SECRET, [1.0]], "position 0 must hold a sequence"),
    "deep users": ([[[[SECRET]]], [[[1.0], [2.0]]]], "position 0 must hold a sequence"),
    "ragged text": ([[1.0], [str(SECRET), "b"]], "position 1 must hold numbers, not text"),
    "ragged d": ([[[1.0, SECRET]], [[1.0, 2.0, 3.0]]], r"ragged d: vectors of \[2, 3\] coordinates"),
    "ragged d of one user": ([[[1.0, SECRET], [2.0]], [[1.0]]], "ragged d: the user at position 0"),
    "numbers and vectors": ([[SECRET], [[1.0]]], "ragged d: some users hold numbers, others vectors"),
}


@pytest.mark.parametrize("case", BAD_ARRAYS)
def test_bad_arrays_are_refused_without_showing_a_value(case: str) -> None:
    data, message = BAD_ARRAYS[case]
    with pytest.raises(InvalidInput, match=message) as caught:
        collections(data)
    assert quiet(caught.value)


@pytest.mark.parametrize("data", [[[1.0]], np.ones((2, 2)), Collections.of_one([1.0])])
@pytest.mark.parametrize("names", [{"user": "u"}, {"value": "v"}, {"user": "u", "value": ["v"]}])
def test_columns_are_for_frames(data: Any, names: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="name columns of a data frame or a file"):
        collections(data, **names)


HIDDEN: dict[str, object] = {
    "an array": np.ma.array([[SECRET, 1.0], [2.0, SECRET]], mask=[[1, 0], [0, 1]]),
    "arrays of users": [np.ma.array([SECRET, 1.0], mask=[1, 0]), np.ma.array([2.0, SECRET], mask=[0, 1])],
    "lists with single masked observations": [[np.ma.masked, 1.0], [2.0, np.ma.masked]],
    "objects": np.ma.array([[SECRET, 1], [2, "secret"]], mask=[[1, 0], [0, 1]], dtype=object),
    "single masked objects": np.array([[np.ma.masked, 1], [2, np.ma.masked]], dtype=object),
    "small integers": np.ma.array([[73, 1], [2, 73]], mask=[[1, 0], [0, 1]], dtype=np.int8),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_masked_is_missing(name: str) -> None:
    people = collections(HIDDEN[name])
    assert np.array_equal(people.values[:, 0], [np.nan, 1.0, 2.0, np.nan], equal_nan=True)


def test_masked_vectors_in_lists_are_missing() -> None:
    row = np.ma.array([SECRET, 1.0], mask=[1, 0])
    for data in ([[row, row], [row]], [[row, [2.0, 3.0]]], [np.ma.array([row, row])]):
        people = collections(data)
        assert people.dimension == 2 and not (people.values == SECRET).any()
        assert np.isnan(people.values[0, 0]) and people.values[0, 1] == 1.0
    with pytest.raises(InvalidInput, match="position 1") as caught:
        collections([[row, row], [row, np.ma.array(["s3cret"] * 2, mask=[1, 0])]])
    assert quiet(caught.value)
