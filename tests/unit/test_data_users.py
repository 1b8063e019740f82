"""One door, many shapes: whatever holds the rows, the same users come out; what is none is refused, no value shown."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.data import collections, read, reading_of
from sottovoce.data.cells import date_text, day_month_order, in_days, parse_date
from sottovoce.data.user_rows import UserNumbers
from sottovoce.device.user_collections import Collections
from sottovoce.messages import InvalidInput, SottovoceError

Row = tuple[str, float, float]
ROWS: list[Row] = [
    ("b", 1.5, 10.0),
    ("a", 2.0, 20.0),
    ("b", 3.0, 30.0),
    ("c", -4.0, 40.0),
    ("a", 5e300, 50.0),
    ("c", 6.0, 60.0),
]
SECRET = 73391.0625


def rows_by_user(rows: list[Row]) -> dict[str, list[Row]]:
    users: dict[str, list[Row]] = {}
    for row in rows:
        users.setdefault(row[0], []).append(row)
    return users


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    names = ("user", "x", "y")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def as_lists(rows: list[Row], vectors: bool) -> list[Any]:
    return [[list(row[1:]) if vectors else row[1] for row in held] for held in rows_by_user(rows).values()]


def as_csv(rows: list[Row], path: Path) -> Path:
    text = "user,x,y\n" + "".join(f"{user},{x!r},{y!r}\n" for user, x, y in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def as_parquet(rows: list[Row], path: Path) -> Path:
    import_module("polars").DataFrame(columns_of(rows)).write_parquet(path)
    return path


def frame_of(module: str, name: str) -> Callable[[list[Row], Path], Any]:
    return lambda rows, _folder: getattr(import_module(module), name)(columns_of(rows))


FRAMES: dict[str, Callable[[list[Row], Path], Any]] = {
    "pandas": frame_of("pandas", "DataFrame"),
    "polars": frame_of("polars", "DataFrame"),
    "polars lazy": frame_of("polars", "LazyFrame"),
    "pyarrow": frame_of("pyarrow", "table"),
    "csv": lambda rows, folder: as_csv(rows, folder / "rows.csv"),
    "csv.gz": lambda rows, folder: as_csv(rows, folder / "rows.csv.gz"),
    "parquet": lambda rows, folder: as_parquet(rows, folder / "rows.parquet"),
    "text path": lambda rows, folder: str(as_csv(rows, folder / "rows.CSV")),
}
BACKENDS = ("numpy", "lists", "tuples", "collections", *FRAMES)


def read_as(backend: str, rows: list[Row], folder: Path, *, vectors: bool) -> Collections:
    if backend in FRAMES:
        return collections(FRAMES[backend](rows, folder), user="user", value=["x", "y"] if vectors else "x")
    data: Any = as_lists(rows, vectors)
    if backend == "numpy":
        data = np.array(data)
    if backend == "tuples":
        data = tuple(map(tuple, data))
    return collections(collections(data) if backend == "collections" else data)


@pytest.mark.parametrize("vectors", [False, True], ids=["numbers", "vectors"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_gives_the_same_users_in_the_same_order(backend: str, vectors: bool, tmp_path: Path) -> None:
    held = read_as(backend, ROWS, tmp_path, vectors=vectors)
    expected = [[list(row[1:]) if vectors else [row[1]] for row in rows] for rows in rows_by_user(ROWS).values()]
    assert users_of(held) == expected


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "numpy"])
def test_users_may_hold_unequally_many(backend: str, tmp_path: Path) -> None:
    rows = [*ROWS, ("d", 7.0, 70.0), ("b", 8.0, 80.0)]
    assert read_as(backend, rows, tmp_path, vectors=False).sizes.tolist() == [3, 2, 2, 1]


def rows_strategy() -> st.SearchStrategy[list[Row]]:
    number = st.floats(allow_nan=False, allow_infinity=True, width=64)
    return st.lists(st.tuples(st.sampled_from("abcdefg"), number, number), min_size=1, max_size=40)


@given(rows=rows_strategy(), data=st.data())
def test_neither_order_nor_partition_of_rows_matters(rows: list[Row], data: st.DataObject) -> None:
    polars = import_module("polars")
    shuffled = data.draw(st.permutations(rows))
    cuts = sorted({0, len(rows), *data.draw(st.lists(st.integers(0, len(rows)), max_size=5))})
    schema = {"user": polars.String, "x": polars.Float64, "y": polars.Float64}
    parts = [polars.DataFrame(columns_of(shuffled[first:last]), schema=schema) for first, last in pairwise(cuts)]
    whole = polars.concat(parts, rechunk=False)
    expected = sorted(sorted([list(row[1:]) for row in held]) for held in rows_by_user(rows).values())
    for form in (whole, whole.lazy(), whole.to_dict(as_series=False)):
        native = import_module("pandas").DataFrame(form) if isinstance(form, dict) else form
        held = collections(native, user="user", value=["x", "y"])
        assert sorted(sorted(user) for user in users_of(held)) == expected
    assert sorted(sorted(user) for user in users_of(collections(as_lists(shuffled, True)))) == expected


@pytest.mark.parametrize("backend", FRAMES)
@pytest.mark.parametrize(
    "names, message",
    [
        ({}, "needs user= and value="),
        ({"user": "user"}, "needs user= and value="),
        ({"user": "user", "value": []}, "names no column"),
        ({"user": "user", "value": ["x", "x"]}, "same column twice"),
        ({"user": "x", "value": "x"}, "same column twice"),
        ({"user": "user", "value": 1}, "as text"),
        ({"user": "user", "value": "z"}, r"has no column 'z'; its columns are 'user', 'x', 'y'"),
        ({"user": "who", "value": "z"}, r"has no column 'who' or 'z'; its columns are 'user', 'x', 'y'"),
    ],
)
def test_wrong_columns(backend: str, names: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        collections(FRAMES[backend]([("a", SECRET, 1.0)], tmp_path), **names)
    assert "7339" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("backend", FRAMES)
def test_an_empty_frame_is_refused(backend: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has no rows"):
        collections(FRAMES[backend]([], tmp_path), user="user", value="x")


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_repr_shows_no_value(backend: str, tmp_path: Path) -> None:
    assert "7339" not in repr(read_as(backend, [("a", SECRET, SECRET)], tmp_path, vectors=True))


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


@pytest.mark.parametrize("data", [[[1.0, None]], [[1.0, None], [2.0]]])
def test_a_missing_cell_of_an_array_is_nan(data: Any) -> None:
    assert np.isnan(collections(data).values[1, 0])


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


MAKE = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


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


def test_frames_that_cannot_be_read_are_refused() -> None:
    polars, pandas = import_module("polars"), import_module("pandas")
    vectors = {"v": polars.Array(polars.Float64, 2)}
    for data, said in (
        (polars.DataFrame({"u": [[SECRET]], "v": [1]}), r"column 'u' \(dtype List\) cannot name users"),
        (
            polars.DataFrame({"u": [1], "v": [[SECRET, 2.0]]}, schema_overrides=vectors),
            "each coordinate its own column",
        ),
        (pandas.DataFrame([[1, SECRET]], columns=["u", "u"]), "cannot be read as a data frame"),
        (pandas.DataFrame({f"c{place}": [1.0] for place in range(30)}), r"'c19' and 10 more$"),
    ):
        with pytest.raises(SottovoceError, match=said) as caught:
            collections(data, user="u", value="v")
        assert "7339" not in str(caught.value)


def test_a_lazy_frame_that_fails_does_not_quote_its_data() -> None:
    polars = import_module("polars")
    plan = polars.LazyFrame({"u": [1], "v": ["s3cret"]}).with_columns(polars.col("v").cast(polars.Float64))
    with pytest.raises(InvalidInput, match="could not be collected") as caught:
        collections(plan, user="u", value="v")
    assert quiet(caught.value)


COLUMNS = {"who": ["b", "a", "b", "c"], "what": [1.0, 2.0, None, 4.0], "more": [5, 6, 7, 8]}


def numbers_of(data: Any, **given: Any) -> list[list[float]]:
    held = collections(data, **given)
    return [held.values[first:last, 0].tolist() for first, last in pairwise(held.offsets)]


def same(found: list[list[float]], expected: list[list[float]]) -> bool:
    return all(np.array_equal(own, one, equal_nan=True) for own, one in zip(found, expected, strict=True))


BY_USER = [[1.0, np.nan], [2.0], [4.0]]
SORTED = [[2.0], [1.0, np.nan], [4.0]]


pandas = partial(import_module, "pandas")


def test_a_dict_of_lists_or_columns_and_a_list_of_dicts() -> None:
    assert same(numbers_of({"b": [1.0, None], "a": [2.0], "c": [4.0], "d": []}), [*BY_USER, []])
    assert same(numbers_of(COLUMNS, user="who", value="what"), BY_USER)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    del rows[2]["what"]
    assert same(numbers_of(rows, user="who", value="what"), BY_USER)
    assert collections(rows, user="who", value=["what", "more"]).dimension == 2


def test_an_array_of_lists_and_a_batch_of_records() -> None:
    import pyarrow

    ragged = np.empty(2, dtype=object)
    ragged[:] = [[1.0, 2.0], [3.0]]
    (batch,) = pyarrow.table({"u": ["a", "b", "a"], "v": [1.0, 3.0, 2.0]}).to_batches()
    assert numbers_of(ragged) == numbers_of(batch, user="u", value="v") == [[1.0, 2.0], [3.0]]


def test_what_groupby_gives_and_a_user_in_the_index() -> None:
    data = pandas().DataFrame(COLUMNS)
    lists, deep = data.groupby("who")["what"].apply(list), data.set_index(["who", "more"])
    assert same(numbers_of(lists), SORTED)
    assert same(numbers_of(lists, user="who", value="what"), SORTED)
    assert same(numbers_of(data.set_index("who"), user="who", value="what"), BY_USER)
    assert same(numbers_of(deep, user="who", value="what"), BY_USER)
    assert same(numbers_of(deep["what"], user="who"), BY_USER)
    assert same(numbers_of(data.set_index("who")["what"]), BY_USER)


@pytest.mark.parametrize(
    "data, given, message",
    [
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
    deep = pandas().DataFrame(COLUMNS).set_index(["who", "more"])["what"]
    with pytest.raises(InvalidInput, match="one of 'who', 'more'"):
        collections(deep)


@pytest.mark.parametrize("backend", MAKE)
def test_frames_with_odd_cells(backend: str) -> None:
    """Text that says numbers is read where odd cells may be skipped; rows of nobody are left out."""
    data = frame(backend, u=["a", None, "b", "a"], v=["1.5", "2", "x73391", None])
    with pytest.raises(InvalidInput, match=r"1 row has no user in column 'u' \(row 2\); drop or repair it, or --skip"):
        collections(data, user="u", value="v")
    held = collections(read(data, user="u", skip_bad=True), value="v")
    reading = reading_of(held)
    assert reading is not None
    assert (held.users, reading.rows, reading.missing, reading.odd_cells) == (2, 3, 2, 1)
    assert (reading.odd[0].what, reading.odd[0].lines, reading.left_out[0].lines) == ("v", (3,), (2,))
    assert "7339" not in repr(reading) + "".join(reading.warnings())


@pytest.mark.parametrize("backend", MAKE)
@pytest.mark.parametrize("when", [dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 12)])
def test_dates_of_frames_are_days(backend: str, when: dt.date) -> None:
    held = collections(frame(backend, u=[1, 1], v=[when, None]), user="u", value="v")
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
