"""Long data frames of any library that narwhals reads: one row is one observation of one user."""

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
from sottovoce.data.cells import Cells, reader
from sottovoce.data.columns import check_columns, no_user, unframed, value_names
from sottovoce.data.dates import UNIT
from sottovoce.data.grouping import Block, Floats, Integers, gathered
from sottovoce.data.ids import Ids
from sottovoce.data.numeric import floats
from sottovoce.data.progress import Bar, unseen
from sottovoce.data.reading import NO_USER, Held, Seen
from sottovoce.data.shapes import Value
from sottovoce.data.stated import Stated
from sottovoce.messages import InvalidInput, MissingExtra

_T = TypeVar("_T")
_PLAIN = Stated()
BLOCK = 1 << 18
"""Rows of a Parquet file that are held at once."""


def from_frame(
    data: Any,
    *,
    user: str | None,
    value: Value,
    coding: Coding | None = None,
    stated: Stated = _PLAIN,
) -> Held:
    """Read a frame, eager or lazy; only the named columns are ever collected. pandas may keep the user in its index."""
    by, values = value_names(user=user, value=value)
    trouble = ""
    try:
        frame = nw.from_native(out_of_index(data, by))
        names = frame.collect_schema().names()
    except (TypeError, nw.exceptions.NarwhalsError) as error:
        trouble = type(error).__name__
    if trouble:  # outside the handler, so that no chained error can quote the data
        raise unframed(data, trouble)
    seen = Seen("the data frame", "row")
    check_columns(wanted=[by, *values], there=names, place=seen.name)
    some = frame.select(by, *values)
    table = _collected(some.collect if isinstance(some, nw.LazyFrame) else lambda: some, seen.name)
    rows = _taken(iter([table]), by=by, values=values, coding=coding, ids=Ids(), seen=seen, stated=stated)
    held = gathered(rows)
    return Held(held.values, held.offsets, seen.reading())


def out_of_index(data: Any, *names: str) -> Any:
    """A frame of pandas with levels of its index as columns, where they have the names that are wanted."""
    index = getattr(data, "index", None)
    levels = [name for name in getattr(index, "names", ()) if name in names and name not in data.columns]
    return data.reset_index(level=levels) if levels else data


def parquet_blocks(
    path: Path,
    *,
    by: str,
    values: list[str],
    coding: Coding | None,
    ids: Ids,
    seen: Seen,
    stated: Stated = _PLAIN,
    bar: Bar = unseen,
) -> Iterator[Block]:
    """The rows in blocks: numbers of users, and observations."""
    frame, names = _scan(path)
    check_columns(wanted=[by, *values], there=names, place=repr(path.name))
    tables = _tables(path, frame, [by, *values])

    def read() -> Iterator[nw.DataFrame[Any]]:
        while (table := _collected(lambda: next(tables, None), repr(path.name))) is not None:
            yield table
            bar(len(table))

    yield from _taken(read(), by=by, values=values, coding=coding, ids=ids, seen=seen, stated=stated)


def _taken(
    tables: Iterator[nw.DataFrame[Any]],
    *,
    by: str,
    values: list[str],
    coding: Coding | None,
    ids: Ids,
    seen: Seen,
    stated: Stated,
) -> Iterator[Block]:
    """Blocks of tables, without the rows that belong to nobody; those are an error, unless they may be skipped."""
    missing, passed, place = 0, 0, seen.name if seen.name == "the data frame" else repr(seen.name)
    columns = _Columns(values, coding=coding, seen=seen, stated=stated)
    for table in tables:
        nobody = without_user(table.get_column(by))
        if len(nobody):
            missing += len(nobody)
            seen.row(NO_USER, (nobody + passed + 1).tolist())
        numbers = np.arange(passed + 1, passed + 1 + len(table))
        passed += len(table)
        if len(nobody) and stated.skip_bad:
            there = np.ones(len(table), dtype=bool)
            there[nobody] = False
            table, numbers = table.filter(there.tolist()), numbers[there]
        if len(table) and (stated.skip_bad or not missing):
            found = columns.read(table, numbers)
            seen.taken(found)
            yield _users(table.get_column(by), by, ids), found
    if missing and not stated.skip_bad:
        raise no_user(rows=missing, user=by, first=seen.reading().left_out[-1].lines[0], line="row")
    if passed == missing:
        raise InvalidInput(f"{place} has no rows" + (" that can be read" if missing else ""))
    if seen.odd and seen.missing == seen.cells:
        raise InvalidInput(f"no cell of column {seen.reading().odd[0].what!r} of {place} can be read as a number")


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


def _collected(read: Callable[[], _T], place: str) -> _T:
    try:
        return read()
    except Exception as error:  # a lazy plan may fail on the data, and its error may quote them
        trouble = type(error).__name__
    raise InvalidInput(f"the columns of {place} could not be collected ({trouble})")


def without_user(series: Any) -> Integers:
    """The rows of a column of ids that hold none."""
    if series.dtype.is_float():
        return np.flatnonzero(np.isnan(_numpy(series)))  # a null has become NaN as well
    missing = np.asarray(series.is_null().to_numpy()).astype(bool)
    if series.dtype == nw.String:
        missing = missing | np.asarray((series == "").fill_null(False).to_numpy()).astype(bool)
    elif not series.dtype.is_numeric():
        missing = missing | np.array([one == "" for one in series.to_list()], dtype=bool)
    return np.flatnonzero(missing)


def _users(series: Any, name: str, ids: Ids) -> Integers:
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


class _Columns:
    """The columns of observations, and what becomes of their cells."""

    def __init__(self, values: list[str], *, coding: Coding | None, seen: Seen, stated: Stated) -> None:
        self._values, self._coding, self._seen, self._stated = values, coding, seen, stated
        self._readers: dict[str, Cells] = {}

    def read(self, table: nw.DataFrame[Any], rows: Integers) -> Floats:
        """Some rows of a frame, by their numbers: their observations."""
        columns = [self._column(table.get_column(name), name, rows) for name in self._values]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def _column(self, series: Any, name: str, rows: Integers) -> Floats:
        coding, skip = self._coding, self._stated.skip_bad
        if series.dtype.is_temporal() and series.dtype != nw.Duration and series.dtype != nw.Time:
            self._seen.found["units"] = tuple(dict(self._seen.found.get("units", ())) | {name: UNIT}.items())
        if coding is not None and series.dtype == nw.String and series.implementation.is_polars():
            found = coded(series.to_native(), coding)
            return self._known(found, name, rows) if skip else found
        array = _numpy(series)
        if array.dtype.kind == "O":
            array = array.copy()
            array[series.is_null().to_numpy().astype(bool)] = None
        what = f"column {name!r} (dtype {_dtype(series)})"
        if isinstance(series.dtype, nw.List):
            raise InvalidInput(f"{what} must hold numbers, not lists", fix="make a row of each entry first (explode)")
        if array.ndim != 1:
            raise InvalidInput(f"{what} must hold numbers, not arrays", fix="give each coordinate its own column")
        if coding is not None:
            found = coding.read(array, what=what)
            return self._known(found, name, rows) if skip else found
        if skip and (array.dtype.kind in "TU" or (array.dtype.kind == "O" and any(map(_is_text, array)))):
            return self._texts(array, name, rows)
        return floats(array, what=what)

    def _known(self, found: Floats, name: str, rows: Integers) -> Floats:
        known, odd = Coding.known(found)
        self._seen.cell(name, rows[odd].tolist())
        return known

    def _texts(self, cells: NDArray[Any], name: str, rows: Integers) -> Floats:
        """Text that says numbers; what says none is odd."""
        texts = ["" if cell is None else str(cell) for cell in cells]
        if name not in self._readers:
            self._readers[name] = reader(texts[:2000], self._stated)
        numbers = [self._readers[name].number(text) for text in texts]
        self._seen.cell(name, rows[[number is None for number in numbers]].tolist())
        return np.array([np.nan if number is None else number for number in numbers])


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str)


def coded(texts: Any, coding: Coding) -> Floats:
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


def parquet_head(path: Path, rows: int) -> Any:
    """The first rows of a Parquet file, all columns, as a frame."""
    frame, names = _scan(path)
    held: list[Any] = []
    for one in _tables(path, frame, names):
        held.append(one)
        if sum(map(len, held)) >= rows:
            break
    return nw.concat(held).to_native() if held else import_module("pyarrow.parquet").read_table(path)
