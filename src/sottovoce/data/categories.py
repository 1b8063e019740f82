"""Text to numbers of declared categories: what a device of a histogram holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.numeric import floats
from sottovoce.messages import InvalidInput

MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))
"""What stands for a missing observation in a file, whatever the case, where no category is called so."""
_TRUTHS = ({"false": False, "true": True}, {"no": False, "yes": True}, {"0": False, "1": True})
"""Labels that read as booleans, in pairs, whatever the case."""
_UNKNOWN = -1.0


class Coding:
    """Categories by number, 0, 1, 2, … as they were declared.

    Text is the category of that label. A number is the category whose label is that number where all labels are
    numbers, else the category of that number. Booleans, as text too, go by meaning where two labels read as booleans
    (true and false, yes and no, 1 and 0, in any order and case); else, of two categories, false is the first and true
    the second, and with more of them booleans are refused. What is in none is `other`, where one is declared; else it
    is counted, and `check` refuses.
    """

    def __init__(self, labels: Sequence[str], other: str | None = None) -> None:
        if len(set(labels)) < len(labels):
            raise InvalidInput("categories must differ; one of them is declared twice")
        self._numbers: dict[Any, float] = {label: float(number) for number, label in enumerate(labels)}
        self._values = _values(labels)
        self._size = len(labels)
        self._words, self._truth = _truth(labels)
        if other is not None and other not in self._numbers:
            raise InvalidInput("other must be one of the categories; declare it there too")
        self._other = _UNKNOWN if other is None else self._numbers[other]
        self._unknown = self._seen = 0

    def texts(self, cells: Iterable[str]) -> NDArray[np.float64]:
        """The categories of cells of text; those that are missing are NaN."""
        return self._counted(np.fromiter((self._text(cell) for cell in cells), dtype=np.float64))

    def read(self, array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
        """The categories of an array of text, numbers or booleans, of the same shape; None and masked are NaN."""
        if isinstance(array, np.ma.MaskedArray):
            if array.dtype.kind not in "OTUb":
                return self._numbered(floats(array, what=what))
            seen = array.data.astype(object)
            seen[np.ma.getmaskarray(array)] = None
            return self.read(seen, what=what)
        if array.dtype.kind == "b":
            return self._counted(np.where(array, self._boolean(True), self._boolean(False)))
        if array.dtype.kind in "iuf":
            return self._numbered(floats(array, what=what))
        if array.dtype.kind in "TU":
            names, place = np.unique(array, return_inverse=True)
            found = np.array([self._text(str(name)) for name in names], dtype=np.float64)[place]
            return self._counted(found).reshape(array.shape)
        if array.dtype.kind != "O" or not all(_readable(cell) for cell in array.flat):
            raise InvalidInput(f"{what} must hold categories: text, numbers or booleans")
        found = np.fromiter((self._any(cell) for cell in array.flat), dtype=np.float64, count=array.size)
        return self._counted(found).reshape(array.shape)

    def check(self) -> None:
        """Refuse data in which observations were in no category."""
        if self._unknown:
            raise InvalidInput(
                f"{self._unknown:,} of {self._seen:,} observations are in none of the {self._size:,} categories; "
                "declare the categories that are missing, or name one of them with other= that takes the rest"
            )

    def _text(self, cell: str) -> float:
        found = self._numbers.get(cell)
        if found is not None:
            return found
        text = cell.strip()
        found = self._numbers.get(text)
        if found is not None:
            return found
        if text.lower() in MISSING:
            return math.nan
        if self._truth is not None and text.lower() in self._words:
            return self._truth[self._words[text.lower()]]
        if self._values is not None:
            try:
                return self._values.get(float(text), self._other)
            except ValueError:
                pass
        return self._other

    def _any(self, cell: Any) -> float:
        if isinstance(cell, str):
            return self._text(cell)
        if cell is None or cell is np.ma.masked:
            return math.nan
        if isinstance(cell, (bool, np.bool_)):
            return self._boolean(bool(cell))
        return float(self._placed(np.array([cell], dtype=np.float64))[0])

    def _boolean(self, cell: bool) -> float:
        if self._truth is None:
            raise InvalidInput(
                f"the data are booleans, and {self._size:,} categories were declared, of which no two read as true and "
                "false; declare categories true and false, or give the observations as text"
            )
        return self._truth[cell]

    def _numbered(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._counted(self._placed(numbers))

    def _placed(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        absent = np.isnan(numbers)
        if self._values is not None:
            names, place = np.unique(numbers, return_inverse=True)
            found = np.array([self._values.get(float(name), self._other) for name in names])[place]
            return np.where(absent, np.nan, found.reshape(numbers.shape))
        inside = (numbers >= 0) & (numbers < self._size) & (numbers == np.floor(numbers))
        return np.where(absent, np.nan, np.where(inside, numbers, self._other))

    def _counted(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        self._seen += found.size
        self._unknown += int((found == _UNKNOWN).sum())
        return found


def labelled(categories: Sequence[Any]) -> tuple[str, ...]:
    """Labels as text: false and true for booleans, numbers as they are written."""
    if isinstance(categories, str):
        raise InvalidInput("categories must be a list of labels, not one text")
    return tuple(_label(label) for label in categories)


def _label(label: Any) -> str:
    if isinstance(label, (bool, np.bool_)):
        return str(bool(label)).lower()
    if isinstance(label, str):
        return label
    if isinstance(label, (int, float, np.number)):
        return f"{label:g}" if float(label) != int(label) else str(int(label))
    raise InvalidInput(f"categories must be labels as text; got a {type(label).__name__}")


def _values(labels: Sequence[str]) -> dict[float, float] | None:
    """Labels that are all numbers, by their value; None where one is not, or two are the same number."""
    try:
        found = {float(label): float(number) for number, label in enumerate(labels)}
    except ValueError:
        return None
    return found if len(found) == len(labels) and all(map(math.isfinite, found)) else None


def _truth(labels: Sequence[str]) -> tuple[dict[str, bool], dict[bool, float] | None]:
    """Words for booleans, and the categories that false and true are: by meaning, else by place where there are two."""
    for words in _TRUTHS:
        found = [(words[label.lower()], float(number)) for number, label in enumerate(labels) if label.lower() in words]
        if len(found) == 2 and found[0][0] != found[1][0]:
            return _TRUTHS[0] | words, dict(found)
    return _TRUTHS[0], {False: 0.0, True: 1.0} if len(labels) == 2 else None


def _readable(cell: Any) -> bool:
    return cell is None or cell is np.ma.masked or isinstance(cell, (str, bool, int, float, np.number, np.bool_))
