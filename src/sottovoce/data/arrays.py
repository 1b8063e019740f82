"""Arrays and lists: one entry of the first axis is one user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.cells import as_floats
from sottovoce.data.records import check_columns
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput, MissingExtra

Value = str | Sequence[str] | None
"""What `value=` may name: a column, several of them, or none."""
NamedData = tuple[Any, str | None, Value]
"""Data, and which of their columns are meant."""
_WANTED = "wanted: an array of shape (n, T) or (n, T, d), or a list with one sequence per user"


def is_frame(data: Any) -> bool:
    """Every frame has named columns; asked of the type, because on a lazy frame reading them is work."""
    return any(hasattr(type(data), name) for name in ("columns", "__narwhals_dataframe__", "__narwhals_lazyframe__"))


def frame_or_lists(data: Any, *, user: str | None, value: Value) -> NamedData:
    """As a frame with its columns, or a list with one sequence per user; other data as they are."""
    if isinstance(data, Mapping):
        return _from_mapping(data, user=user, value=value)
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        return _from_dicts(data, user=user, value=value)
    if type(data).__name__ == "SeriesGroupBy":
        raise InvalidInput("groups of pandas are no lists yet:", fix="add .apply(list)")
    if type(data).__name__ == "RecordBatch":
        return import_module("pyarrow").Table.from_batches([data]), user, value
    if type(data).__name__ == "Series" and hasattr(data, "to_list"):
        return _from_series(data, user=user, value=value)
    return data, user, value


def _from_mapping(data: Mapping[Any, Any], *, user: str | None, value: Value) -> NamedData:
    if user is None and value is None:
        if any(not _is_sequence(held) for held in data.values()):
            raise InvalidInput(
                rule="a dict must hold a list for each user, {user: [observation, …]}", wrong="one entry is no list"
            )
        return list(data.values()), None, None
    wanted = [user, *([value] if isinstance(value, str) else value or [])]
    if not data.keys() >= set(wanted):
        raise InvalidInput(
            "user= and value= name columns, and this dict has no such entries; for a dict from users to their lists, "
            "leave user= and value= out"
        )
    sizes = {len(data[name]) if _is_sequence(data[name]) else None for name in wanted}
    if len(sizes) != 1 or None in sizes:
        raise InvalidInput(rule="the columns of a dict must be lists of one length")
    return _frame_of({str(name): list(data[name]) for name in wanted}), user, value


def _from_dicts(data: Sequence[Any], *, user: str | None, value: Value) -> NamedData:
    if user is None or value is None:
        raise InvalidInput(
            rule="a list of dicts needs user= and value=, the keys that hold the user and the observation"
        )
    wanted = [user, *([value] if isinstance(value, str) else value)]
    absent = [name for name in wanted if not any(name in row for row in data)]
    if absent:
        check_columns(wanted=absent, there=list(dict.fromkeys(map(str, data[0]))), place="the list of dicts")
    return _frame_of({name: [row.get(name) for row in data] for name in wanted}), user, value


def _from_series(data: Any, *, user: str | None, value: Value) -> NamedData:
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


def _is_sequence(held: Any) -> bool:
    return hasattr(held, "__len__") and hasattr(held, "__getitem__") and not isinstance(held, (str, bytes, Mapping))


def _frame_of(columns: dict[str, list[Any]]) -> Any:
    """Columns as a frame of whichever library is here."""
    makers = {"polars": ("DataFrame", {"strict": False}), "pandas": ("DataFrame", {}), "pyarrow": ("table", {})}
    for library, (maker, options) in makers.items():
        if find_spec(library) is not None:
            return getattr(import_module(library), maker)(columns, **options)
    raise MissingExtra("a dict of columns needs a library of data frames", extra="frames")


class CellsToNumbers(Protocol):
    """How cells become numbers: `as_floats`, or categories by their labels."""

    def __call__(self, array: NDArray[Any], *, what: str) -> NDArray[np.float64]: ...


def from_array(data: Any, read: CellsToNumbers = as_floats) -> Collections:
    """``(n, T)`` numbers, ``(n, T, d)`` vectors, or a list of users that hold unequally many of either."""
    if isinstance(data, (list, tuple)):
        even = None if any(map(_is_masked, data)) else _array(data)
        return _from_ragged(data, read) if even is None else _from_even(even, read)
    array = data if isinstance(data, np.ma.MaskedArray) else _array(data)
    if array is None:
        raise InvalidInput(f"a {type(data).__name__} cannot be read as an array", fix=_WANTED)
    if array.ndim == 1 and array.dtype.kind == "O" and all(isinstance(one, (list, tuple, np.ndarray)) for one in array):
        return from_array(list(array), read)
    return _from_even(array, read)


def _is_masked(user: Any) -> bool:
    """Whether a user's observations, or one of them, are masked: numpy would show what lies below."""
    if isinstance(user, (list, tuple)):
        return any(isinstance(observation, np.ma.MaskedArray) for observation in user)
    return isinstance(user, np.ma.MaskedArray)


def _array(data: Any) -> NDArray[Any] | None:
    try:
        return np.asarray(data)
    except (TypeError, ValueError):  # ragged, or no array at all: the reason could quote what it saw
        return None


def _from_even(array: NDArray[Any], read: CellsToNumbers) -> Collections:
    if array.ndim == 0:
        hint = ", such as list(…) makes of it" if isinstance(array[()], Iterable) and array.dtype.kind == "O" else ""
        raise InvalidInput(f"one {_type_name(array)} is not the data of many users", fix=_WANTED + hint)
    if len(array) == 0:
        raise InvalidInput("no users: the data are empty", code="no-users")
    if array.ndim == 1 and array.dtype.kind == "O":
        raise InvalidInput(f"an array of objects ({_type_name(array[:1].reshape(()))})", fix=_WANTED)
    small = (
        read is as_floats
        and array.dtype.kind in "biuf"
        and array.dtype.itemsize < 8
        and not isinstance(array, np.ma.MaskedArray)
    )
    values = array if small else read(array, what="observations")  # devices widen, a few users at a time
    if values.ndim not in (2, 3):
        raise InvalidInput(f"an array with {values.ndim} {'axis' if values.ndim == 1 else 'axes'}", fix=_WANTED)
    if values.ndim == 3 and values.shape[2] == 0:
        raise InvalidInput("vectors of dimension 0; at least one coordinate is needed")
    users, each, *width = values.shape
    return Collections(values.reshape(users * each, *width), np.arange(users + 1, dtype=np.int64) * each)


def _type_name(array: NDArray[Any]) -> str:
    return type(array[()]).__name__


def _from_ragged(users: Sequence[Any], read: CellsToNumbers) -> Collections:
    people = [_user_array(user, position, read) for position, user in enumerate(users)]
    filled = list(filter(len, people)) or people
    widths = {observations.shape[1:] for observations in filled}
    if len(widths) > 1 and () in widths:
        raise InvalidInput("ragged d: some users hold numbers, others vectors", fix="all must hold the same")
    if len(widths) > 1:
        sizes = sorted(width[0] for width in widths)
        raise InvalidInput(f"ragged d: vectors of {sizes} coordinates", fix="all users must share one dimension")
    return Collections(np.concatenate(filled), np.cumsum([0, *map(len, people)]))


def _user_array(user: Any, position: int, read: CellsToNumbers) -> NDArray[np.float64]:
    where = f"the user at position {position}"
    if isinstance(user, (list, tuple)) and _is_masked(user):  # NaN for those that are
        plain = (np.nan if one is np.ma.masked else one for one in user)
        array = _array([as_floats(one, what=where) if isinstance(one, np.ma.MaskedArray) else one for one in plain])
    else:
        array = user if isinstance(user, np.ma.MaskedArray) else _array(user)
    if array is None:
        raise InvalidInput(f"ragged d: {where} holds vectors of unequal lengths, or something that is no array")
    if array.ndim not in (1, 2):
        raise InvalidInput(rule=f"{where} must hold a sequence of numbers or of vectors, not {array.ndim} axes")
    return read(array, what=where)
