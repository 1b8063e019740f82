"""Long data frames of any library that narwhals reads: one row is one observation of one user."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import Coding
from sottovoce.data.columns import check_columns, no_user, value_names
from sottovoce.data.grouping import grouped
from sottovoce.data.ids import Ids
from sottovoce.data.numeric import floats
from sottovoce.data.progress import Bar, unseen
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput, MissingExtra

_T = TypeVar("_T")
BLOCK = 1 << 18
"""Rows of a Parquet file that are held at once."""


def from_frame(
    data: Any, *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None = None
) -> Collections:
    """Read a frame, eager or lazy; only the named columns are ever collected."""
    by, values = value_names(user=user, value=value)
    trouble = ""
    try:
        frame = nw.from_native(data)
        names = frame.collect_schema().names()
    except (TypeError, nw.exceptions.NarwhalsError) as error:
        trouble = type(error).__name__
    if trouble:  # outside the handler, so that no chained error can quote the data
        raise InvalidInput(f"this {type(data).__name__} cannot be read as a data frame ({trouble})")
    return _read(frame, by=by, values=values, names=names, place="the data frame", coding=coding)


def from_parquet(
    path: Path, *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None = None
) -> Collections:
    """Read a Parquet file with polars or pyarrow, whichever is installed."""
    by, values = value_names(user=user, value=value)
    users, numbers = zip(*parquet_blocks(path, by=by, values=values, coding=coding, ids=Ids()), strict=True)
    return grouped(np.concatenate(users), np.concatenate(numbers))


def parquet_blocks(
    path: Path, *, by: str, values: list[str], coding: Coding | None, ids: Ids, bar: Bar = unseen
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """The rows in blocks: numbers of users, and observations."""
    frame, names = _scan(path)
    check_columns(wanted=[by, *values], there=names, place=repr(path.name))
    tables, missing, rows = _tables(path, frame, [by, *values]), 0, 0
    while (table := _collected(lambda: next(tables, None), repr(path.name))) is not None:
        missing, rows = missing + no_users(table.get_column(by)), rows + len(table)
        if not missing and len(table):
            yield block(table, by=by, values=values, coding=coding, ids=ids)
        bar(len(table))
    if missing:
        raise no_user(rows=missing, user=by)
    if not rows:
        raise InvalidInput(f"{path.name!r} has no rows")


def _tables(path: Path, frame: Any, columns: list[str]) -> Iterator[nw.DataFrame[Any]]:
    """Some rows at a time: all of a file is never held. By pyarrow where it is there: polars reads far ahead."""
    if find_spec("pyarrow") is not None:
        table = import_module("pyarrow").Table
        with import_module("pyarrow.parquet").ParquetFile(path, pre_buffer=False) as file:
            for batch in file.iter_batches(BLOCK, columns=columns, use_threads=False):
                some = table.from_batches([batch])
                native = some if frame is None else import_module("polars").from_arrow(some)
                yield nw.from_native(native, eager_only=True).select(columns)
        return
    rows = frame.select(*columns)
    if hasattr(rows.to_native(), "collect_batches"):
        batches = rows.to_native().collect_batches(chunk_size=BLOCK, maintain_order=True)
        yield from (nw.from_native(batch, eager_only=True) for batch in batches)
        return
    for first in range(0, parquet_rows(path), BLOCK):
        yield nw.from_native(rows.to_native().slice(first, BLOCK).collect(), eager_only=True)


def parquet_rows(path: Path) -> int:
    """How many rows a Parquet file says that it has."""
    frame, _ = _scan(path)
    if frame is None:
        with import_module("pyarrow.parquet").ParquetFile(path) as file:
            return int(file.metadata.num_rows)
    return int(frame.select(nw.len()).collect().item())


def parquet_names(path: Path) -> list[str]:
    """What the columns of a Parquet file are called."""
    return _scan(path)[1]


def _scan(path: Path) -> tuple[Any, list[str]]:
    """A lazy frame of polars, or None where pyarrow reads; and the names of the columns."""
    polars = find_spec("polars") is not None
    if not polars and find_spec("pyarrow") is None:
        raise MissingExtra("Parquet needs polars or pyarrow", extra="frames")
    frame, trouble = None, ""
    try:
        if polars:
            frame = nw.scan_parquet(path, backend="polars", glob=False)  # a star in the name is a star
            names = frame.collect_schema().names()
        else:
            names = import_module("pyarrow.parquet").read_schema(path).names
    except PermissionError:
        raise
    except Exception as error:  # each reader has its own errors
        trouble = type(error).__name__
    if trouble:
        raise InvalidInput(f"{path.name!r} is not a Parquet file that can be read ({trouble})")
    return frame, names


def _read(
    frame: Any, *, by: str, values: list[str], names: list[str], place: str, coding: Coding | None
) -> Collections:
    check_columns(wanted=[by, *values], there=names, place=place)
    some = frame.select(by, *values)
    table = _collected(some.collect if isinstance(some, nw.LazyFrame) else lambda: some, place)
    if len(table) == 0:
        raise InvalidInput(f"{place} has no rows")
    if missing := no_users(table.get_column(by)):
        raise no_user(rows=missing, user=by)
    return grouped(*block(table, by=by, values=values, coding=coding, ids=Ids()))


def _collected(read: Callable[[], _T], place: str) -> _T:
    try:
        return read()
    except Exception as error:  # a lazy plan may fail on the data, and its error may quote them
        trouble = type(error).__name__
    raise InvalidInput(f"the columns of {place} could not be collected ({trouble})")


def block(
    table: nw.DataFrame[Any], *, by: str, values: list[str], coding: Coding | None, ids: Ids
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Some rows of a frame: the numbers of their users, and their observations."""
    columns = [_column(table.get_column(name), name, coding) for name in values]
    return _users(table.get_column(by), by, ids), columns[0] if len(columns) == 1 else np.column_stack(columns)


def no_users(series: Any) -> int:
    """How many rows of a column of ids hold none."""
    if series.dtype.is_float():
        return int(np.isnan(_numpy(series)).sum())  # a null has become NaN as well
    missing = int(series.is_null().sum())
    if series.dtype == nw.String:
        return missing + int((series == "").sum())
    return missing if series.dtype.is_numeric() else missing + series.to_list().count("")


def _users(series: Any, name: str, ids: Ids) -> NDArray[np.int64]:
    found = _numpy(series) if series.dtype.is_numeric() else None
    if found is not None and found.dtype.kind in "iuf":
        return ids.numbers(found)
    if series.dtype == nw.String and series.implementation.is_polars():
        return ids.texts(series.to_native())
    if series.dtype == nw.String and series.implementation.is_pyarrow():
        coded = series.to_native().combine_chunks().dictionary_encode()
        return ids.encoded(coded.indices.to_numpy(), coded.dictionary.to_pylist())
    try:
        return ids.any(series.to_list())
    except TypeError:
        pass
    raise InvalidInput(f"column {name!r} (dtype {_dtype(series)}) cannot name users")


def _column(series: Any, name: str, coding: Coding | None) -> NDArray[np.float64]:
    if coding is not None and series.dtype == nw.String and series.implementation.is_polars():
        return coded(series.to_native(), coding)
    array = _numpy(series)
    if array.dtype.kind == "O":
        array = array.copy()
        array[series.is_null().to_numpy().astype(bool)] = None
    what = f"column {name!r} (dtype {_dtype(series)})"
    if array.ndim != 1:
        raise InvalidInput(f"{what} must hold numbers, not arrays; give each coordinate its own column")
    return floats(array, what=what) if coding is None else coding.read(array, what=what)


def coded(texts: Any, coding: Coding) -> NDArray[np.float64]:
    """Categories of a polars series of text; null is NaN."""
    names = texts.unique().drop_nulls()
    numbers = coding.texts(names.to_list())
    places = texts.replace_strict(names, np.arange(len(names)), default=len(names)).to_numpy()
    return np.asarray(np.append(numbers, np.nan)[places])


def _numpy(series: Any) -> NDArray[Any]:
    if series.dtype in (nw.Int128, nw.UInt128):  # numpy has none
        return np.array(series.to_list(), dtype=object)
    return np.asarray(series.to_numpy())


def _dtype(series: Any) -> str:
    return type(series.dtype).__name__  # the name alone: an enumeration would list its categories
