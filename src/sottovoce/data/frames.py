"""Long data frames of any library that narwhals reads, and Parquet: one row is one observation of one user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import Coding
from sottovoce.data.cells import DATE_UNIT, CellReader, as_floats, cell_reader
from sottovoce.data.input_bytes import Bar, no_bar
from sottovoce.data.reading_report import NO_USER, ReadCollections
from sottovoce.data.records import check_columns, no_frame_error
from sottovoce.data.user_rows import Block, Floats, Integers, UserNumbers, WantedColumns, gather_blocks, stack_columns
from sottovoce.messages import InvalidInput, MissingExtra

_T = TypeVar("_T")
BLOCK = 1 << 18
"""Rows of a Parquet file that are held at once."""
_SAMPLE = 2000
"""Cells of text by which is found how all of them are written."""


def from_frame(data: Any, wanted: WantedColumns) -> ReadCollections:
    """Read a frame, eager or lazy; only the named columns are ever collected. pandas may keep the user in its index."""
    trouble, place = "", wanted.log.name
    try:
        frame = nw.from_native(index_as_columns(data, wanted.user))
        names = frame.collect_schema().names()
    except (TypeError, nw.exceptions.NarwhalsError) as error:
        trouble = type(error).__name__
    if trouble:  # outside the handler, so that no chained error can quote the data
        raise no_frame_error(data, trouble)
    check_columns(wanted=wanted.names, there=names, place=place)
    some = frame.select(*wanted.names)
    table = _collect(some.collect if isinstance(some, nw.LazyFrame) else lambda: some, place)
    rows = gather_blocks(_blocks(iter([table]), wanted, place))
    return ReadCollections(rows.values, rows.offsets, wanted.log.reading())


def index_as_columns(data: Any, *names: str) -> Any:
    """A frame of pandas with levels of its index as columns, where they have the names that are wanted."""
    index = getattr(data, "index", None)
    levels = [name for name in getattr(index, "names", ()) if name in names and name not in data.columns]
    return data.reset_index(level=levels) if levels else data


def parquet_blocks(path: Path, wanted: WantedColumns, bar: Bar = no_bar) -> Iterator[Block]:
    """The rows in blocks: numbers of users, and observations."""
    frame, names = _scan(path)
    check_columns(wanted=wanted.names, there=names, place=repr(path.name))
    tables = _tables(path, frame, wanted.names)

    def read() -> Iterator[nw.DataFrame[Any]]:
        while (table := _collect(lambda: next(tables, None), repr(path.name))) is not None:
            yield table
            bar(len(table))

    yield from _blocks(read(), wanted, repr(path.name))


def _blocks(tables: Iterator[nw.DataFrame[Any]], wanted: WantedColumns, place: str) -> Iterator[Block]:
    """Blocks of tables, without the rows that belong to nobody; those are an error, unless they may be skipped."""
    passed, skip, log = 0, wanted.options.skip_bad, wanted.log
    readers: dict[str, CellReader] = {}
    for table in tables:
        there = np.ones(len(table), dtype=bool)
        there[rows_without_user(table.get_column(wanted.user))] = False
        rows = np.arange(passed + 1, passed + 1 + len(table))
        passed += len(table)
        if not there.all():
            log.add_rows(NO_USER, rows[~there].tolist())
            table, rows = table.filter(there.tolist()), rows[there]
        if len(table) and (skip or not wanted.without_user):
            columns = [_column(table.get_column(name), name, rows, wanted, readers) for name in wanted.values]
            values = stack_columns(columns)
            log.take(values)
            yield _user_numbers(table.get_column(wanted.user), wanted.user, wanted.users), values
    wanted.check_rows(passed, place)
    if log.all_missing:
        raise InvalidInput(f"no cell of column {next(iter(log.odd))!r} of {place} can be read as a number")


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
        wrong = f"{path.name!r} is not a Parquet file that can be read ({trouble})"
        raise InvalidInput(wrong, fix="fetch or write it again")
    return frame, names


def _collect(read: Callable[[], _T], place: str) -> _T:
    try:
        return read()
    except Exception as error:  # a lazy plan may fail on the data, and its error may quote them
        trouble = type(error).__name__
    raise InvalidInput(f"the columns of {place} could not be collected ({trouble})")


def rows_without_user(series: Any) -> Integers:
    """The rows of a column of ids that hold none."""
    if series.dtype.is_float():
        return np.flatnonzero(np.isnan(_as_numpy(series)))  # a null has become NaN as well
    missing = np.asarray(series.is_null().to_numpy()).astype(bool)
    if series.dtype == nw.String:
        missing = missing | np.asarray((series == "").fill_null(False).to_numpy()).astype(bool)
    elif not series.dtype.is_numeric():
        missing = missing | np.array([one == "" for one in series.to_list()], dtype=bool)
    return np.flatnonzero(missing)


def _user_numbers(series: Any, name: str, ids: UserNumbers) -> Integers:
    numbers = _as_numpy(series) if series.dtype.is_numeric() else None
    if numbers is not None and numbers.dtype.kind in "iuf":
        return ids.numbers(numbers)
    if series.dtype == nw.String and series.implementation.is_polars():
        return ids.texts(series.to_native())
    if series.dtype == nw.String and series.implementation.is_pyarrow():
        coded = series.to_native().combine_chunks().dictionary_encode()
        numbers = ids.any(coded.dictionary.to_pylist())
        return np.asarray(numbers[coded.indices.to_numpy()])
    try:
        return ids.any(series.to_list())
    except TypeError:
        pass
    raise InvalidInput(f"column {name!r} (dtype {_dtype_name(series)}) cannot name users")


def _column(series: Any, name: str, rows: Integers, wanted: WantedColumns, readers: dict[str, CellReader]) -> Floats:
    """The observations of one column of some rows; `readers` remember how text of a column says numbers."""
    coding, skip, log = wanted.coding, wanted.options.skip_bad, wanted.log
    what = f"column {name!r} (dtype {_dtype_name(series)})"
    if series.dtype.is_temporal() and series.dtype != nw.Duration and series.dtype != nw.Time:
        log.layout["units"] = tuple((dict(log.layout.get("units", ())) | {name: DATE_UNIT}).items())
    if coding is not None and series.dtype == nw.String and series.implementation.is_polars():
        codes = category_codes(series.to_native(), coding)
    else:
        array = _as_numpy(series)
        if array.dtype.kind == "O":
            array = array.copy()
            array[series.is_null().to_numpy().astype(bool)] = None
        if isinstance(series.dtype, nw.List):
            raise InvalidInput(f"{what} must hold numbers, not lists", fix="make a row of each entry first (explode)")
        if array.ndim != 1:
            raise InvalidInput(f"{what} must hold numbers, not arrays", fix="give each coordinate its own column")
        kind = array.dtype.kind
        if coding is None and skip and (kind in "TU" or (kind == "O" and any(isinstance(cell, str) for cell in array))):
            texts = ["" if cell is None else str(cell) for cell in array]
            if name not in readers:
                readers[name] = cell_reader(texts[:_SAMPLE], wanted.options)
            reader = readers[name]
            parsed = np.array([reader.number(text) for text in texts], dtype=object)
            log.add_cells(name, rows[parsed == None].tolist())  # noqa: E711 - of each of them
            return parsed.astype(np.float64)  # None is NaN
        if coding is None:
            return as_floats(array, what=what)
        codes = coding.read(array, what=what)
    if skip:
        codes, odd = coding.known(codes)
        log.add_cells(name, rows[odd].tolist())
    return codes


def category_codes(texts: Any, coding: Coding) -> Floats:
    """Categories of a polars series of text; null is NaN."""
    names = texts.unique().drop_nulls()
    numbers = coding.texts(names.to_list())
    places = texts.replace_strict(names, np.arange(len(names)), default=len(names)).to_numpy()
    return np.asarray(np.append(numbers, np.nan)[places])


def _as_numpy(series: Any) -> NDArray[Any]:
    if series.dtype in (nw.Int128, nw.UInt128):  # numpy has none
        return np.array(series.to_list(), dtype=object)
    return np.asarray(series.to_numpy())


def _dtype_name(series: Any) -> str:
    return type(series.dtype).__name__  # the name alone: an enumeration would list its categories


def parquet_head(path: Path, rows: int) -> Any:
    """The first rows of a Parquet file, all columns, as a frame."""
    frame, names = _scan(path)
    tables: list[Any] = []
    for one in _tables(path, frame, names):
        tables.append(one)
        if sum(map(len, tables)) >= rows:
            break
    return nw.concat(tables).to_native() if tables else import_module("pyarrow.parquet").read_table(path)
