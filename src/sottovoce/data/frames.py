"""Long data frames of any library that narwhals reads: one row is one observation of one user."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import Coding
from sottovoce.data.columns import check_columns, no_user, value_names
from sottovoce.data.grouping import Numbering, first_seen, grouped
from sottovoce.data.numeric import floats
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput, MissingExtra


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
    frame, names = _scan(path)
    return _read(frame, by=by, values=values, names=names, place=repr(path.name), coding=coding)


def parquet_names(path: Path) -> list[str]:
    """What the columns of a Parquet file are called."""
    return _scan(path)[1]


def _scan(path: Path) -> tuple[Any, list[str]]:
    polars = find_spec("polars") is not None
    if not polars and find_spec("pyarrow") is None:
        raise MissingExtra('Parquet needs polars or pyarrow: pip install "sottovoce[frames]"')
    options = {"glob": False} if polars else {}  # a star in the name is a star
    trouble = ""
    try:
        frame = nw.scan_parquet(path, backend="polars" if polars else "pyarrow", **options)
        names = frame.collect_schema().names()
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
    trouble = ""
    try:
        table = frame.select(by, *values)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except Exception as error:  # a lazy plan may fail on the data, and its error may quote them
        trouble = type(error).__name__
    if trouble:
        raise InvalidInput(f"the columns of {place} could not be collected ({trouble})")
    if len(table) == 0:
        raise InvalidInput(f"{place} has no rows")
    users = _users(table.get_column(by), by)
    columns = [_column(table.get_column(name), name, coding) for name in values]
    return grouped(users, columns[0] if len(columns) == 1 else np.column_stack(columns))


def _users(series: Any, name: str) -> NDArray[np.int64]:
    ids = _numpy(series) if series.dtype.is_numeric() else None
    if ids is not None and ids.dtype.kind in "iuf":
        if missing := int(np.isnan(ids).sum()):  # a null has become NaN as well
            raise no_user(rows=missing, user=name)
        return first_seen(ids)
    cells = series.to_list()
    if missing := int(series.is_null().sum()) + cells.count(""):
        raise no_user(rows=missing, user=name)
    try:
        return Numbering().of(cells)
    except TypeError:
        pass
    raise InvalidInput(f"column {name!r} (dtype {_dtype(series)}) cannot name users")


def _column(series: Any, name: str, coding: Coding | None) -> NDArray[np.float64]:
    array = _numpy(series)
    if array.dtype.kind == "O":
        array = array.copy()
        array[series.is_null().to_numpy().astype(bool)] = None
    what = f"column {name!r} (dtype {_dtype(series)})"
    if array.ndim != 1:
        raise InvalidInput(f"{what} must hold numbers, not arrays; give each coordinate its own column")
    return floats(array, what=what) if coding is None else coding.read(array, what=what)


def _numpy(series: Any) -> NDArray[Any]:
    if series.dtype in (nw.Int128, nw.UInt128):  # numpy has none
        return np.array(series.to_list(), dtype=object)
    return np.asarray(series.to_numpy())


def _dtype(series: Any) -> str:
    return type(series.dtype).__name__  # the name alone: an enumeration would list its categories
