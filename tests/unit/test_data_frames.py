"""Long data frames: every kind of column, and what is said of those that cannot be used."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sottovoce.data import collections
from sottovoce.data.user_rows import UserNumbers
from sottovoce.device.collections import Collections
from sottovoce.messages.errors import InvalidInput, SottovoceError

SECRET = 73391.0625
MAKE = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def users_of(held: Collections) -> list[list[list[float]]]:
    return [held.values[first:last].tolist() for first, last in pairwise(held.offsets)]


def quiet(error: BaseException) -> bool:
    """No log can print an observed value: not of the error, nor of one behind it."""
    return "7339" not in str(error) and "s3cret" not in str(error) and error.__context__ is None


def frame(backend: str, **columns: Any) -> Any:
    return getattr(import_module(backend), MAKE[backend])(columns)


@pytest.mark.parametrize("backend", MAKE)
@pytest.mark.parametrize(
    "ids",
    [[2**53, 2**53 + 1, 2**53], [2.5, -1.0, 2.5], [True, False, True], ["10", "9", "10"], [Decimal(2), Decimal(1)] * 2],
    ids=["large integers", "floats", "booleans", "text", "decimals"],
)
def test_ids_of_any_kind_stay_apart(backend: str, ids: list[Any]) -> None:
    data = frame(backend, u=ids, v=list(range(len(ids))))
    assert users_of(collections(data, user="u", value="v"))[0][:2] == [[0], [2]]


@pytest.mark.parametrize("backend", MAKE)
@pytest.mark.parametrize(
    "cells, expected",
    [
        ([1, None, 2**53 + 1], [1, np.nan, 2.0**53]),
        ([True, None, False], [1, np.nan, 0]),
        ([1.5, None, np.inf], [1.5, np.nan, np.inf]),
        ([Decimal("1.5"), None, Decimal("2.5")], [1.5, np.nan, 2.5]),
        ([None, None, None], [np.nan, np.nan, np.nan]),
    ],
    ids=["integers", "booleans", "floats", "decimals", "nothing"],
)
def test_a_missing_value_is_a_nan_observation(backend: str, cells: list[Any], expected: list[float]) -> None:
    data = frame(backend, u=["a", "b", "b"], v=cells)
    held = collections(data, user="u", value="v")
    np.testing.assert_array_equal(held.values[:, 0], expected)


@given(
    ids=st.lists(st.integers(-128, 127), min_size=1, max_size=30),
    shift=st.sampled_from([0, 2**62, -(2**62), 2**64 - 128]),
    stretch=st.sampled_from([1, 2**40]),
)
def test_integer_ids_are_numbered_as_they_appear(ids: list[int], shift: int, stretch: int) -> None:
    placed = [shift + number * (stretch if shift == 0 else 1) for number in ids]
    kind = np.uint64 if max(placed) >= 2**63 else np.int64
    expected = [list(dict.fromkeys(ids)).index(number) for number in ids]
    if min(placed) >= 0 or kind is np.int64:
        assert UserNumbers().numbers(np.array(placed, dtype=kind)).tolist() == expected
    assert UserNumbers().numbers(np.array(ids, dtype=np.int8)).tolist() == expected


def test_pandas_extension_types_are_read() -> None:
    pandas = import_module("pandas")
    data = pandas.DataFrame(
        {"u": pandas.Categorical(["b", "a", "b"]), "v": pandas.array([1, None, 3], dtype="Int64")}, index=[7, 7, 7]
    )
    np.testing.assert_array_equal(collections(data, user="u", value="v").values[:, 0], [1, 3, np.nan])


def test_integers_that_numpy_lacks_are_read() -> None:
    polars = import_module("polars")
    data = polars.DataFrame(
        {"u": [2**70, 1, 2**70], "v": [1, 2, 2**80]}, schema={"u": polars.Int128, "v": polars.Int128}
    )
    assert users_of(collections(data, user="u", value="v")) == [[[1], [2.0**80]], [[2]]]


@pytest.mark.parametrize("backend", MAKE)
@pytest.mark.parametrize(
    "ids, rows",
    [(["a", None, "", "b"], "2 rows have"), ([1.0, None, np.nan, 2.0], "2 rows have"), ([1, None], "1 row has")],
)
def test_rows_without_a_user_are_counted(backend: str, ids: list[Any], rows: str) -> None:
    data = frame(backend, u=ids, v=[SECRET] * len(ids))
    with pytest.raises(InvalidInput, match=f"{rows} no user in column 'u'") as caught:
        collections(data, user="u", value="v")
    assert quiet(caught.value)


@pytest.mark.parametrize("backend", MAKE)
@pytest.mark.parametrize("kind", ["text", "numbers as text", "durations", "lists", "categories"])
def test_columns_that_are_no_numbers_are_named_with_their_type(backend: str, kind: str) -> None:
    cells: Any = {
        "text": ["s3cret", "b"],
        "numbers as text": [str(SECRET), "1"],
        "durations": [dt.timedelta(seconds=73391), dt.timedelta(1)],
        "lists": [[SECRET], [1.0, 2.0]],
        "categories": ["s3cret", "b"],
    }[kind]
    module = import_module(backend)
    if kind == "categories":
        cells = {
            "pandas": lambda: module.Categorical(cells),
            "polars": lambda: module.Series(cells, dtype=module.Enum(["s3cret", "b"])),
            "pyarrow": lambda: module.array(cells).dictionary_encode(),
        }[backend]()
    data = frame(backend, u=[1, 2], v=cells)
    with pytest.raises(InvalidInput, match=r"column 'v' \(dtype \w+\) must hold numbers, not \w+") as caught:
        collections(data, user="u", value="v")
    assert quiet(caught.value)


def test_ids_that_cannot_be_told_apart_are_refused() -> None:
    polars = import_module("polars")
    with pytest.raises(InvalidInput, match=r"column 'u' \(dtype List\) cannot name users"):
        collections(polars.DataFrame({"u": [[SECRET]], "v": [1]}), user="u", value="v")


def test_vectors_in_one_column_are_refused() -> None:
    polars = import_module("polars")
    data = polars.DataFrame({"u": [1], "v": [[SECRET, 2.0]]}, schema_overrides={"v": polars.Array(polars.Float64, 2)})
    with pytest.raises(InvalidInput, match="give each coordinate its own column"):
        collections(data, user="u", value="v")


def test_columns_of_the_same_name_are_refused() -> None:
    pandas = import_module("pandas")
    with pytest.raises(InvalidInput, match="cannot be read as a data frame"):
        collections(pandas.DataFrame([[1, SECRET]], columns=["u", "u"]), user="u", value="v")


def test_a_lazy_frame_that_fails_does_not_quote_its_data() -> None:
    polars = import_module("polars")
    plan = polars.LazyFrame({"u": [1], "v": ["s3cret"]}).with_columns(polars.col("v").cast(polars.Float64))
    with pytest.raises(InvalidInput, match="could not be collected") as caught:
        collections(plan, user="u", value="v")
    assert quiet(caught.value)


def test_long_lists_of_columns_are_cut() -> None:
    pandas = import_module("pandas")
    data = pandas.DataFrame({f"c{place}": [1.0] for place in range(30)})
    with pytest.raises(SottovoceError, match=r"'c19' and 10 more$"):
        collections(data, user="u", value="v")
