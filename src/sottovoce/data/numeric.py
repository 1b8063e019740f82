"""Turn an array of anything into floats, or say what it holds instead without showing it."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput

_HELD = {
    "c": "complex numbers",
    "m": "durations",
    "M": "dates or times",
    "O": "objects",
    "S": "bytes",
    "T": "text",
    "U": "text",
    "V": "records",
}


def floats(array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
    """Numbers and booleans as floats, missing cells (None, masked) as NaN; anything else is an error about `what`."""
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray):
        seen = array.data.copy()
        if kind == "O":
            seen[np.ma.getmaskarray(array)] = None
        return np.where(np.ma.getmaskarray(array), np.nan, floats(seen, what=what))
    if kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):  # wider floats than ours become infinite: encoders are total
            return array.astype(np.float64, copy=False)
    if kind == "O" and all(map(_is_number, array.flat)):
        return np.array([_real(cell) for cell in array.flat], dtype=np.float64).reshape(array.shape)
    raise InvalidInput(f"{what} must hold numbers, not {_HELD.get(kind, 'objects')}")


def _is_number(cell: Any) -> bool:
    if isinstance(cell, np.timedelta64):  # numpy calls it an integer
        return False
    return cell is None or cell is np.ma.masked or isinstance(cell, (Real, Decimal, np.bool_))


def _real(cell: Any) -> float:
    if cell is None or cell is np.ma.masked:
        return np.nan
    try:
        return float(cell)
    except OverflowError:  # an integer or a fraction that no float can hold
        return np.inf if cell > 0 else -np.inf
    except ValueError:  # a signalling NaN of the decimal module
        return np.nan


def plain_number(text: str) -> float | None:
    """The number that a cell of text says, infinite ones and NaN too; None where it says none."""
    try:
        return None if "_" in text else float(text)  # float() would read 1_000
    except ValueError:
        return None
