"""Arrays and lists: one entry of the first axis is one user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.numeric import floats
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput

_WANTED = "wanted: an array of shape (n, T) or (n, T, d), or a list with one sequence per user"


class Read(Protocol):
    """How cells become numbers: `floats`, or categories by their labels."""

    def __call__(self, array: NDArray[Any], *, what: str) -> NDArray[np.float64]: ...


def from_array(data: Any, read: Read = floats) -> Collections:
    """``(n, T)`` numbers, ``(n, T, d)`` vectors, or a list of users that hold unequally many of either."""
    if isinstance(data, (list, tuple)):
        even = None if any(map(_masked, data)) else _array(data)
        return _ragged(data, read) if even is None else _even(even, read)
    array = data if isinstance(data, np.ma.MaskedArray) else _array(data)
    if array is not None and array.ndim == 1 and array.dtype.kind == "O" and all(map(_is_list, array)):
        return from_array(list(array), read)
    if array is None:
        raise InvalidInput(f"a {type(data).__name__} cannot be read as an array", fix=_WANTED)
    return _even(array, read)


def _is_list(user: Any) -> bool:
    return isinstance(user, (list, tuple, np.ndarray))


def _masked(user: Any) -> bool:
    """Whether a user's observations, or one of them, are masked: numpy would show what lies below."""
    if isinstance(user, (list, tuple)):
        return any(isinstance(observation, np.ma.MaskedArray) for observation in user)
    return isinstance(user, np.ma.MaskedArray)


def _unmasked(user: Sequence[Any], where: str) -> NDArray[Any] | None:
    """A list in which some observations are masked, as an array with NaN for them."""
    seen = [np.nan if observation is np.ma.masked else observation for observation in user]
    return _array([floats(one, what=where) if isinstance(one, np.ma.MaskedArray) else one for one in seen])


def _array(data: Any) -> NDArray[Any] | None:
    try:
        return np.asarray(data)
    except (TypeError, ValueError):  # ragged, or no array at all: the reason could quote what it saw
        return None


def _even(array: NDArray[Any], read: Read) -> Collections:
    if array.ndim == 0:
        hint = ", such as list(…) makes of it" if isinstance(array[()], Iterable) and array.dtype.kind == "O" else ""
        raise InvalidInput(f"one {_name(array)} is not the data of many users", fix=_WANTED + hint)
    if len(array) == 0:
        raise InvalidInput("no users: the data are empty", code="no-users")
    if array.ndim == 1 and array.dtype.kind == "O":
        raise InvalidInput(f"an array of objects ({_name(array[:1].reshape(()))})", fix=_WANTED)
    small = (
        read is floats
        and array.dtype.kind in "biuf"
        and array.dtype.itemsize < 8
        and not isinstance(array, np.ma.MaskedArray)
    )
    values = array if small else read(array, what="observations")  # devices widen, a few users at a time
    if values.ndim not in (2, 3):
        raise InvalidInput(f"an array with {values.ndim} {'axis' if values.ndim == 1 else 'axes'}", fix=_WANTED)
    if values.ndim == 3 and values.shape[2] == 0:
        raise InvalidInput("vectors of dimension 0; at least one coordinate is needed")
    users, each = values.shape[:2]
    flat = values.reshape(users * each, *values.shape[2:])
    return Collections(flat, np.arange(users + 1, dtype=np.int64) * each)


def _name(array: NDArray[Any]) -> str:
    return type(array[()]).__name__


def _ragged(users: Sequence[Any], read: Read) -> Collections:
    held = [_one(user, position, read) for position, user in enumerate(users)]
    filled = [observations for observations in held if len(observations)] or held
    widths = {observations.shape[1:] for observations in filled}
    if len(widths) > 1 and {len(width) for width in widths} == {1, 0}:
        raise InvalidInput("ragged d: some users hold numbers, others vectors", fix="all must hold the same")
    if len(widths) > 1:
        found = sorted(width[0] for width in widths)
        raise InvalidInput(f"ragged d: vectors of {found} coordinates", fix="all users must share one dimension")
    values = np.concatenate(filled)
    return Collections(values, np.concatenate(([0], np.cumsum([len(observations) for observations in held]))))


def _one(user: Any, position: int, read: Read) -> NDArray[np.float64]:
    where = f"the user at position {position}"
    if isinstance(user, (list, tuple)) and _masked(user):
        array = _unmasked(user, where)
    else:
        array = user if isinstance(user, np.ma.MaskedArray) else _array(user)
    if array is None:
        raise InvalidInput(f"ragged d: {where} holds vectors of unequal lengths, or something that is no array")
    if array.ndim not in (1, 2):
        raise InvalidInput(rule=f"{where} must hold a sequence of numbers or of vectors, not {array.ndim} axes")
    return read(array, what=where)
