"""Turn an array of anything into floats, or say what it holds instead without showing it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.dates import number
from sottovoce.messages import InvalidInput

_HELD = {
    "c": "complex numbers",
    "m": "durations",
    "O": "objects",
    "S": "bytes",
    "T": "text",
    "U": "text",
    "V": "records",
}
_FIXES = {
    "text": "skip_bad=True (--skip-bad) reads text that says numbers, a histogram with categories= counts labels",
    "durations": "divide them by a unit first, such as a day",
}
"""What to do about it, where something can be done."""


def floats(array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
    """Numbers and booleans as floats, dates as days since 1970, missing cells (None, masked) as NaN.

    Anything else is an error about `what`.
    """
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray):
        seen = array.data.copy()
        if kind == "O":
            seen[np.ma.getmaskarray(array)] = None
        return np.where(np.ma.getmaskarray(array), np.nan, floats(seen, what=what))
    if kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):  # wider floats than ours become infinite: encoders are total
            return array.astype(np.float64, copy=False)
    if kind == "M":  # a time that is none becomes NaN
        return np.asarray((array - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"), dtype=np.float64)
    if kind == "O" and any(isinstance(cell, date) for cell in array.flat):
        days = [number(cell) if isinstance(cell, date) else cell for cell in array.flat]
        if all(cell is None or isinstance(cell, float) for cell in days):
            return np.array([np.nan if cell is None else cell for cell in days]).reshape(array.shape)
    if kind == "O" and all(map(_is_number, array.flat)):
        return np.array([_real(cell) for cell in array.flat], dtype=np.float64).reshape(array.shape)
    held = "text" if kind == "O" and any(isinstance(cell, str) for cell in array.flat) else _HELD.get(kind, "objects")
    raise InvalidInput(rule=f"{what} must hold numbers, not {held}", fix=_FIXES.get(held, ""))


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


MINUS = "\u2212"
"""As text is set."""


def plain_number(text: str) -> float | None:
    """The number that a cell of text says, infinite ones and NaN too; None where it says none."""
    try:
        return None if "_" in text else float(text.replace(MINUS, "-"))  # float() would read 1_000
    except ValueError:
        return None
