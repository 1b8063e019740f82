"""Data in memory that are nearly a frame or nearly a list: dicts, Series, lists of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sottovoce.messages import InvalidInput

Value = str | Sequence[str] | None
"""What `value=` may name: a column, several of them, or none."""
Named = tuple[Any, str | None, Value]
"""Data, and which of their columns are meant."""


def is_frame(data: Any) -> bool:
    """Every frame has named columns; asked of the type, because on a lazy frame reading them is work."""
    return any(hasattr(type(data), name) for name in ("columns", "__narwhals_dataframe__", "__narwhals_lazyframe__"))


def shaped(data: Any, *, user: str | None, value: Value) -> Named:
    """As a frame with its columns, or a list with one sequence per user; other data as they are."""
    if isinstance(data, Mapping):
        return _mapping(data, user=user, value=value)
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        return _records(data, user=user, value=value)
    if type(data).__name__ == "SeriesGroupBy":
        raise InvalidInput("groups of pandas are no lists yet:", fix="add .apply(list)")
    if type(data).__name__ == "RecordBatch":
        from importlib import import_module

        return import_module("pyarrow").Table.from_batches([data]), user, value
    if is_frame(data) or not _is_series(data):
        return data, user, value
    return _series(data, user=user, value=value)


def _mapping(data: Mapping[Any, Any], *, user: str | None, value: Value) -> Named:
    if user is None and value is None:
        if any(not _is_sequence(held) for held in data.values()):
            raise InvalidInput(
                rule="a dict must hold a list for each user, {user: [observation, …]}", wrong="one entry is no list"
            )
        return list(data.values()), None, None
    wanted = [user, *([value] if isinstance(value, str) else value or [])]
    if not all(name in data for name in wanted):
        raise InvalidInput(
            "user= and value= name columns, and this dict has no such entries; for a dict from users to their lists, "
            "leave user= and value= out"
        )
    sizes = {len(data[name]) for name in wanted if _is_sequence(data[name])}
    if len(sizes) != 1 or not all(_is_sequence(data[name]) for name in wanted):
        raise InvalidInput(rule="the columns of a dict must be lists of one length")
    return _table({str(name): list(data[name]) for name in wanted}), user, value


def _records(data: Sequence[Any], *, user: str | None, value: Value) -> Named:
    if user is None or value is None:
        raise InvalidInput(
            rule="a list of dicts needs user= and value=, the keys that hold the user and the observation"
        )
    wanted = [user, *([value] if isinstance(value, str) else value)]
    absent = [name for name in wanted if not any(name in row for row in data)]
    if absent:
        from sottovoce.data.columns import check_columns

        check_columns(wanted=absent, there=list(dict.fromkeys(map(str, data[0]))), place="the list of dicts")
    return _table({name: [row.get(name) for row in data] for name in wanted}), user, value


def _series(data: Any, *, user: str | None, value: Value) -> Named:
    """A list for each user, such as groupby gives; or numbers whose index says whose they are."""
    lists = len(data) > 0 and any(_is_sequence(held) for held in data)
    if lists:
        return [held if _is_sequence(held) else [] for held in data], None, None
    levels = [name for name in getattr(getattr(data, "index", None), "names", ()) if name is not None]
    if user is None and len(levels) == 1:
        user = str(levels[0])
    if user is None or user not in levels:
        named = f"one of {', '.join(map(repr, levels))}" if levels else "series.rename_axis('user') gives it a name"
        raise InvalidInput(
            rule="a Series of numbers needs user=, the name of the level of its index that says whose they are "
            f"({named})",
            wrong="or pass frame.groupby(…)[…].apply(list)",
        )
    name = data.name if isinstance(data.name, str) else "value"
    if value is not None and value not in (name, [name]):
        raise InvalidInput(f"value= names another column than the Series, which is called {name!r}", fix="leave it out")
    return data.rename(name).reset_index(level=user), user, name


def _is_series(data: Any) -> bool:
    return type(data).__name__ == "Series" and hasattr(data, "to_list")


def _is_sequence(held: Any) -> bool:
    return hasattr(held, "__len__") and hasattr(held, "__getitem__") and not isinstance(held, (str, bytes, Mapping))


def _table(columns: dict[str, list[Any]]) -> Any:
    """Columns as a frame of whichever library is here."""
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec("polars") is not None:
        return import_module("polars").DataFrame(columns, strict=False)
    for library, make in (("pandas", "DataFrame"), ("pyarrow", "table")):
        if find_spec(library) is not None:
            return getattr(import_module(library), make)(columns)
    from sottovoce.messages import MissingExtra

    raise MissingExtra("a dict of columns needs a library of data frames", extra="frames")
