"""One door, many shapes: whatever holds the rows, the same users come out."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sottovoce.data import collections
from sottovoce.device.collections import Collections
from sottovoce.messages.errors import InvalidInput

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


def users_of(rows: list[Row]) -> dict[str, list[Row]]:
    users: dict[str, list[Row]] = {}
    for row in rows:
        users.setdefault(row[0], []).append(row)
    return users


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    names = ("user", "x", "y")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def as_lists(rows: list[Row], vectors: bool) -> list[Any]:
    return [[list(row[1:]) if vectors else row[1] for row in held] for held in users_of(rows).values()]


def as_csv(rows: list[Row], path: Path) -> Path:
    text = "user,x,y\n" + "".join(f"{user},{x!r},{y!r}\n" for user, x, y in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def as_parquet(rows: list[Row], path: Path) -> Path:
    import_module("polars").DataFrame(columns_of(rows)).write_parquet(path)
    return path


def frame(module: str, name: str) -> Callable[[list[Row], Path], Any]:
    return lambda rows, _folder: getattr(import_module(module), name)(columns_of(rows))


FRAMES: dict[str, Callable[[list[Row], Path], Any]] = {
    "pandas": frame("pandas", "DataFrame"),
    "polars": frame("polars", "DataFrame"),
    "polars lazy": frame("polars", "LazyFrame"),
    "pyarrow": frame("pyarrow", "table"),
    "csv": lambda rows, folder: as_csv(rows, folder / "rows.csv"),
    "csv.gz": lambda rows, folder: as_csv(rows, folder / "rows.csv.gz"),
    "parquet": lambda rows, folder: as_parquet(rows, folder / "rows.parquet"),
    "text path": lambda rows, folder: str(as_csv(rows, folder / "rows.CSV")),
}
BACKENDS = ("numpy", "lists", "tuples", "collections", *FRAMES)


def read(backend: str, rows: list[Row], folder: Path, *, vectors: bool) -> Collections:
    if backend in FRAMES:
        return collections(FRAMES[backend](rows, folder), user="user", value=["x", "y"] if vectors else "x")
    data: Any = as_lists(rows, vectors)
    if backend == "numpy":
        data = np.array(data)
    if backend == "tuples":
        data = tuple(map(tuple, data))
    return collections(collections(data) if backend == "collections" else data)


def held_by(held: Collections) -> list[list[list[float]]]:
    return [held.values[first:last].tolist() for first, last in pairwise(held.offsets)]


@pytest.mark.parametrize("vectors", [False, True], ids=["numbers", "vectors"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_gives_the_same_users_in_the_same_order(backend: str, vectors: bool, tmp_path: Path) -> None:
    held = read(backend, ROWS, tmp_path, vectors=vectors)
    expected = [[list(row[1:]) if vectors else [row[1]] for row in rows] for rows in users_of(ROWS).values()]
    assert held_by(held) == expected


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "numpy"])
def test_users_may_hold_unequally_many(backend: str, tmp_path: Path) -> None:
    rows = [*ROWS, ("d", 7.0, 70.0), ("b", 8.0, 80.0)]
    assert read(backend, rows, tmp_path, vectors=False).sizes.tolist() == [3, 2, 2, 1]


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
    expected = sorted(sorted([list(row[1:]) for row in held]) for held in users_of(rows).values())
    for form in (whole, whole.lazy(), whole.to_dict(as_series=False)):
        native = columns_to_pandas(form) if isinstance(form, dict) else form
        held = collections(native, user="user", value=["x", "y"])
        assert sorted(sorted(user) for user in held_by(held)) == expected
    assert sorted(sorted(user) for user in held_by(collections(as_lists(shuffled, True)))) == expected


def columns_to_pandas(columns: dict[str, list[Any]]) -> Any:
    return import_module("pandas").DataFrame(columns)


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
    assert "7339" not in repr(read(backend, [("a", SECRET, SECRET)], tmp_path, vectors=True))
