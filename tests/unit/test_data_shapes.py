"""Data in memory as people have them: dicts, Series, users in an index, lists of dicts; and dates."""

from __future__ import annotations

import datetime as dt
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.data import collections, read, reading_of
from sottovoce.data.cells import date_text, day_month_order, in_days, parse_date
from sottovoce.messages import InvalidInput

ROWS = {"who": ["b", "a", "b", "c"], "what": [1.0, 2.0, None, 4.0], "more": [5, 6, 7, 8]}
SECRET = 73391.0625


def users_of(data: Any, **given: Any) -> list[list[float]]:
    held = collections(data, **given)
    return [held.values[first:last, 0].tolist() for first, last in pairwise(held.offsets)]


def same(found: list[list[float]], expected: list[list[float]]) -> bool:
    return all(np.array_equal(own, one, equal_nan=True) for own, one in zip(found, expected, strict=True))


BY_USER = [[1.0, np.nan], [2.0], [4.0]]
SORTED = [[2.0], [1.0, np.nan], [4.0]]


def pandas() -> Any:
    return import_module("pandas")


def test_a_dict_of_lists() -> None:
    assert same(users_of({"b": [1.0, None], "a": [2.0], "c": [4.0], "d": []}), [*BY_USER, []])


def test_a_dict_of_columns_and_a_list_of_dicts() -> None:
    assert same(users_of(ROWS, user="who", value="what"), BY_USER)
    rows = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    del rows[2]["what"]
    assert same(users_of(rows, user="who", value="what"), BY_USER)
    assert collections(rows, user="who", value=["what", "more"]).dimension == 2


def test_an_array_of_lists_and_a_batch_of_records() -> None:
    import pyarrow

    ragged = np.empty(2, dtype=object)
    ragged[:] = [[1.0, 2.0], [3.0]]
    held = collections(ragged)
    assert held.offsets.tolist() == [0, 2, 3] and held.values[:, 0].tolist() == [1.0, 2.0, 3.0]
    (batch,) = pyarrow.table({"u": ["a", "b", "a"], "v": [1.0, 3.0, 2.0]}).to_batches()
    held = collections(batch, user="u", value="v")
    assert held.offsets.tolist() == [0, 2, 3] and held.values[:, 0].tolist() == [1.0, 2.0, 3.0]


def test_what_groupby_gives() -> None:
    frame = pandas().DataFrame(ROWS)
    assert same(users_of(frame.groupby("who")["what"].apply(list)), SORTED)
    assert same(users_of(frame.groupby("who")["what"].apply(list), user="who", value="what"), SORTED)


def test_a_user_in_the_index() -> None:
    frame = pandas().DataFrame(ROWS)
    assert same(users_of(frame.set_index("who"), user="who", value="what"), BY_USER)
    deep = frame.set_index(["who", "more"])
    assert same(users_of(deep, user="who", value="what"), BY_USER)
    assert same(users_of(deep["what"], user="who"), BY_USER)
    assert same(users_of(frame.set_index("who")["what"]), BY_USER)


@pytest.mark.parametrize(
    "data, given, message",
    [
        ({"a": SECRET}, {}, r"\{user: \[observation, …\]\}"),
        ({"a": [SECRET]}, {"user": "u", "value": "v"}, "leave user= and value= out"),
        ({"u": [1, 2], "v": [SECRET]}, {"user": "u", "value": "v"}, "lists of one length"),
        ([{"u": 1, "v": SECRET}], {}, "needs user= and value=, the keys"),
        ([{"u": 1, "value": SECRET}], {"user": "u", "value": "vlue"}, r"did you mean 'value'\?"),
    ],
)
def test_near_misses_name_the_fix(data: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        collections(data, **given)
    assert "7339" not in str(caught.value)


def test_a_series_that_does_not_say_whose() -> None:
    series = pandas().Series([SECRET, 1.0])
    with pytest.raises(InvalidInput, match=r"needs user=, .*rename_axis"):
        collections(series)
    deep = pandas().DataFrame(ROWS).set_index(["who", "more"])["what"]
    with pytest.raises(InvalidInput, match="one of 'who', 'more'"):
        collections(deep)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_with_odd_cells(backend: str) -> None:
    """Text that says numbers is read where odd cells may be skipped; rows of nobody are left out."""
    columns = {"u": ["a", None, "b", "a"], "v": ["1.5", "2", "x73391", None]}
    module = import_module(backend)
    data = (module.table if backend == "pyarrow" else module.DataFrame)(columns)
    with pytest.raises(InvalidInput, match=r"1 row has no user in column 'u' \(row 2\); drop or repair it, or --skip"):
        collections(data, user="u", value="v")
    held = collections(read(data, user="u", skip_bad=True), value="v")
    reading = reading_of(held)
    assert reading is not None
    assert (held.users, reading.rows, reading.missing, reading.odd_cells) == (2, 3, 2, 1)
    assert (reading.odd[0].what, reading.odd[0].lines, reading.left_out[0].lines) == ("v", (3,), (2,))
    assert "7339" not in repr(reading) + "".join(reading.warnings())


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("when", [dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 12)])
def test_dates_of_frames_are_days(backend: str, when: dt.date) -> None:
    module = import_module(backend)
    data = (module.table if backend == "pyarrow" else module.DataFrame)({"u": [1, 1], "v": [when, None]})
    held = collections(data, user="u", value="v")
    half = 0.5 if isinstance(when, dt.datetime) else 0.0
    assert same([held.values[:, 0].tolist()], [[19724 + half, np.nan]])


def test_ends_may_be_dates() -> None:
    days_of = np.arange(19724.0, 19724 + 400).reshape(-1, 4)
    given = {"epsilon": 4.0, "seed": 1}
    ends = [("2024-01-01", "2026-01-01"), (dt.date(2024, 1, 1), np.datetime64("2026-01-01")), (19723.0, 20454.0)]
    found = {sv.mean(days_of, low=low, high=high, **given).value for low, high in ends}
    assert len(found) == 1


@pytest.mark.parametrize(
    "text, order, expected",
    [
        ("1970-01-02", None, 1.0),
        ("1970-01-02T06:00", None, 1.25),
        ("1970-01-02 06:00:00.0+06:00", None, 1.0),
        ("1970-01-02T00:00Z", None, 1.0),
        ("02.01.1970", None, 1.0),
        ("2/1/1970", "dmy", 1.0),
        ("1/2/1970", "mdy", 1.0),
        ("1/2/1970", None, None),
        ("1970-02-30", None, None),
        ("1970-01-02T25:00", None, None),
        ("70-01-02", None, None),
    ],
)
def test_dates(text: str, order: str | None, expected: float | None) -> None:
    assert parse_date(text, order=order) == expected


def test_the_order_of_dates_is_what_numbers_above_twelve_say() -> None:
    assert day_month_order(["1/2/2024", "13/2/2024"]) == "dmy"
    assert day_month_order(["1/2/2024", "2/13/2024"]) == "mdy"
    assert day_month_order(["13/2/2024", "2/13/2024"]) is None
    assert (in_days("soon"), in_days(3), date_text(1.5), date_text(1e12)) == ("soon", 3, "1970-01-02 12:00", "")
