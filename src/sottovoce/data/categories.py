"""Text to numbers of declared categories: what a device of a histogram holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.cells import MISSING, as_floats, plain_number
from sottovoce.messages import InvalidInput, counted

_TRUTHS = ({"false": False, "true": True}, {"no": False, "yes": True}, {"0": False, "1": True})
"""Labels that read as booleans, in pairs, whatever the case."""
_UNKNOWN = -1.0
_NUMBERED = -2.0
"""Category 0 by its number, for as long as it is not known whether numbers are numbers of categories; then -3, -4, …"""


class Coding:
    """Categories by number, 0, 1, 2, … as they were declared.

    Text is the category of that label. A number is the category whose label is that number where a label is a number,
    else the category of that number. Booleans go by meaning where two labels read as booleans (true and false, yes and
    no, 1 and 0, in any order and case); else, of two categories, false is the first and true the second, and with more
    of them booleans are refused. Text that says a number or a boolean counts as one, so that a file says what a frame
    says; among other text it is text, and in no category. What is in none is `other`, where one is declared.

    `texts` and `read` take data piece by piece. What numbers are is known when all was seen: `settled` says it.
    """

    def __init__(self, labels: Sequence[str], other: str | None = None, *, skip: bool = False) -> None:
        self.skip = skip
        """Whether what is in no category is missing, instead of an error."""
        if not labels:
            raise InvalidInput(rule="categories must be a list of two or more labels", wrong="this list is empty")
        if len(set(labels)) < len(labels):
            raise InvalidInput("categories must differ", fix="leave out the one that is declared twice")
        self._numbers: dict[Any, float] = {label: float(number) for number, label in enumerate(labels)}
        self._values = _values_of_labels(labels)
        self._labels = labels
        self._words, self._meant = _boolean_labels(labels)
        self._truth = self._meant or ({False: 0.0, True: 1.0} if len(labels) == 2 else None)
        if other is not None and other not in self._numbers:
            raise InvalidInput("other must be one of the categories", fix="declare it there too")
        self._other = _UNKNOWN if other is None else self._numbers[other]
        self._text_seen = self._truth_seen = False

    def texts(self, cells: Sequence[str]) -> NDArray[np.float64]:
        """Cells of text; those that are missing are NaN."""
        codes = {cell: self._text(cell) for cell in dict.fromkeys(cells)}  # few differ
        return np.fromiter(map(codes.__getitem__, cells), dtype=np.float64, count=len(cells))

    def read(self, array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
        """An array of text, numbers or booleans, in the same shape; None and masked are NaN."""
        if isinstance(array, np.ma.MaskedArray) and array.dtype.kind in "OTUb":
            cells = array.data.astype(object)
            cells[np.ma.getmaskarray(array)] = None
            return self.read(cells, what=what)
        if array.dtype.kind == "b":
            return np.where(array, self._boolean(True), self._boolean(False))
        if array.dtype.kind in "iuf" or isinstance(array, np.ma.MaskedArray):
            return self._placed(as_floats(array, what=what))
        return self._each(array, what, kinds="OTU")

    def _each(self, array: NDArray[Any], what: str, kinds: str) -> NDArray[np.float64]:
        """The codes of cells one by one; those of an array that holds no objects, each of them once."""
        kind = array.dtype.kind
        readable = (str, bool, int, float, np.number, np.bool_, type(None), type(np.ma.masked))
        if kind not in kinds or (kind == "O" and not all(isinstance(cell, readable) for cell in array.flat)):
            raise InvalidInput(rule=f"{what} must hold categories: text, numbers or booleans")
        cells, place = (array.ravel(), ...) if kind == "O" else np.unique(array, return_inverse=True)
        codes = np.array([self._any(cell) for cell in cells], dtype=np.float64)[place]
        return np.asarray(codes).reshape(array.shape)

    def settled(self, codes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The categories of all that `texts` and `read` gave, or why they are not clear; unknown ones are refused."""
        self.check(self.doubtful(codes))
        placed = np.where(codes <= _NUMBERED, self._other if self._text_seen else _NUMBERED - codes, codes)
        return self.known(placed)[0] if self.skip else placed

    @staticmethod
    def known(codes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """With NaN for what is in no category; and where that is."""
        unknown = codes == _UNKNOWN
        return np.where(unknown, np.nan, codes), np.flatnonzero(unknown)

    @staticmethod
    def doubtful(codes: NDArray[np.float64]) -> NDArray[np.int64]:
        """How many of those that `texts` and `read` gave are numbers, are unknown, and there are: blocks add up."""
        return np.array([(codes <= _NUMBERED).sum(), (codes == _UNKNOWN).sum(), codes.size])

    def check(self, doubtful: NDArray[np.int64]) -> None:
        """Refuse what is not clear, or unknown, now that all was seen."""
        numbered, unknown, cells = (int(count) for count in doubtful)
        if self._truth_seen and not self._text_seen:
            raise self._no_truth()
        if numbered and not self._text_seen and self._meant not in (None, {False: 0.0, True: 1.0}):
            # numbers of categories, where 0 and 1 could as well mean false and true, the other way round
            assert self._meant is not None
            false, true = (self._labels[int(self._meant[truth])] for truth in (False, True))
            raise InvalidInput(
                f"the data are numbers, and the categories {true!r} and {false!r} read as true and false: 0 could be "
                f"the first category, or {false!r}",
                fix=f"declare {false!r} first and {true!r} second if 1 means {true!r}, or give the observations as "
                "text or booleans",
            )
        if self._text_seen and self._other == _UNKNOWN:
            unknown += numbered
        if unknown and not self.skip:
            raise InvalidInput(
                f"{unknown:,} of {counted(cells, 'observation')} {'is' if unknown == 1 else 'are'} in none of the "
                f"{len(self._labels):,} categories",
                fix="declare the categories that are missing, or one of them as other (other=, --other), to take the "
                "rest; --skip-bad (skip_bad=True) counts them as missing",
            )

    def _text(self, cell: str) -> float:
        text = cell if cell in self._numbers else cell.strip()
        if text in self._numbers:
            self._text_seen = True
            return self._numbers[text]
        if text.lower() in MISSING:
            return math.nan
        truth = self._words.get(text.lower())
        if truth is not None and self._truth is not None:
            return self._truth[truth]
        number = plain_number(text)
        if number is not None:
            return float(self._placed(np.array([number]))[0])
        if truth is None:
            self._text_seen = True
        else:
            self._truth_seen = True
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
            raise self._no_truth()
        return self._truth[cell]

    def _no_truth(self) -> InvalidInput:
        return InvalidInput(
            f"the data are booleans, and {len(self._labels):,} categories were declared, of which no two read as true "
            "and false",
            fix="declare categories true and false, or give the observations as text",
        )

    def _placed(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        absent = np.isnan(numbers)
        if self._values is not None:
            names, place = np.unique(numbers, return_inverse=True)
            codes = np.array([self._values.get(float(name), self._other) for name in names])[place]
            return np.where(absent, np.nan, codes.reshape(numbers.shape))
        inside = (numbers >= 0) & (numbers < len(self._labels)) & (numbers == np.floor(numbers))
        return np.where(absent, np.nan, np.where(inside, _NUMBERED - numbers, self._other))


def label_texts(categories: Sequence[Any]) -> tuple[str, ...]:
    """Labels as text: false and true for booleans, numbers as they are written."""
    if isinstance(categories, str):
        raise InvalidInput(rule="categories must be a list of labels, not one text")
    return tuple(_label(label) for label in categories)


def _label(label: Any) -> str:
    if isinstance(label, (bool, np.bool_)):
        return str(bool(label)).lower()
    if isinstance(label, str):
        return label
    if isinstance(label, (int, float, np.number)):
        return f"{label:g}" if float(label) != int(label) else str(int(label))
    raise InvalidInput(rule="categories must be labels as text", wrong=f"got a {type(label).__name__}")


def _values_of_labels(labels: Sequence[str]) -> dict[float, float] | None:
    """Labels that are numbers, by their value; None where there are none, or two are the same number."""
    values = {place: value for place, label in enumerate(labels) if (value := plain_number(label)) is not None}
    places = {value: float(place) for place, value in values.items() if math.isfinite(value)}
    return places if places and len(places) == len(values) else None


def _boolean_labels(labels: Sequence[str]) -> tuple[dict[str, bool], dict[bool, float] | None]:
    """Words for booleans, and the categories that false and true mean, where two labels read as booleans."""
    for words in _TRUTHS:
        truths = [
            (words[label.lower()], float(number)) for number, label in enumerate(labels) if label.lower() in words
        ]
        if len(truths) == 2 and truths[0][0] != truths[1][0]:
            return _TRUTHS[0] | words, dict(truths)
    return _TRUTHS[0], None


class FoundLabels(Coding):
    """Categories as they turn up: `labels` are those seen, in order, when all was read."""

    def __init__(self) -> None:
        super().__init__(("", "\0"))
        self._seen: dict[str, float] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """Numbers by size, other labels as text."""
        numbers = [plain_number(label) for label in self._seen]
        if all(number is not None for number in numbers):
            return tuple(label for _, label in sorted(zip(numbers, self._seen, strict=True)))
        return tuple(sorted(self._seen))

    def read(self, array: NDArray[Any], *, what: str) -> NDArray[np.float64]:
        """Cells of any kind that can be written."""
        plain = array.astype(object) if isinstance(array, np.ma.MaskedArray) else array
        return self._each(plain, what, kinds=plain.dtype.kind)

    def settled(self, codes: NDArray[np.float64]) -> NDArray[np.float64]:
        """By the order of the labels."""
        order = {label: float(place) for place, label in enumerate(self.labels)}
        numbers = np.array([*(order[label] for label in self._seen), np.nan])
        return np.asarray(numbers[np.where(np.isnan(codes), len(self._seen), codes).astype(np.int64)])

    def check(self, doubtful: NDArray[np.int64]) -> None:
        """Every label is one."""

    def _text(self, cell: str) -> float:
        text = cell.strip()
        return math.nan if text.lower() in MISSING else self._seen.setdefault(text, float(len(self._seen)))

    def _any(self, cell: Any) -> float:
        if isinstance(cell, str):
            return self._text(str(cell))
        if cell is None or cell is np.ma.masked or cell != cell:
            return math.nan
        return self._text(_label(cell.item() if isinstance(cell, np.generic) else cell))
