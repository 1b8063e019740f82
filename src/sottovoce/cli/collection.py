"""One user's observations, from the command line or a file: as they stand, and as a survey looks at them.

Nothing here repeats what it could not read. What a person holds is read before anything is asked for, and whatever
stands there, there is an answer: a collector that sees a device fetch the manifest must not learn from its silence
what the data are like. What cannot be read counts as missing, and the person is told how much of it there is. Only a
file that cannot be read as text, that lacks the columns, or whose header leaves open which are meant, is refused: the
rows have no part in that. Nor must it learn from the time: what takes longer the more there is (`Given` itself,
`Given.seen_by`) stands apart from what is known from the first line (`Given.columns`).
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.messages import Manifest

MAX_BYTES = 64 * 2**20

Rows = list[list[float]]


def rows_of_text(text: str) -> Rows:
    """Rows with semicolons or new lines between them, of numbers with commas or blanks; none at all is one too."""
    rows: Rows = []
    place = 0
    for line in re.split(r"[;\r\n]", text.strip("\ufeff")):
        row = []
        for word in re.split(r"[,\s]+", line.strip(" ,\t")):
            if not word:
                continue
            place += 1
            try:
                row.append(float(word))
            except ValueError:
                raise argparse.ArgumentTypeError(f"entry {place} of the collection is not a number") from None
        rows += [row] if row else []
    return rows


def read_text(name: str) -> str:
    """What a text file holds, or standard input when it is called ``-``."""
    from sottovoce.messages import InvalidInput

    try:
        if name == "-":
            text = sys.stdin.read(MAX_BYTES + 1)
        else:
            with Path(name).expanduser().open(encoding="utf-8") as file:
                text = file.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        raise InvalidInput("the collection file is not UTF-8 text") from None
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"the collection file is longer than {MAX_BYTES:,} characters")
    return text


def rows_of_file(name: str) -> Rows:
    """Rows of numbers from a text file."""
    return _rows_or_error(read_text(name))


def numbers_of_labels(text: str, labels: Sequence[str] | None, other: str | None) -> list[float]:
    """Categories by number, from labels with commas, semicolons or new lines between them; numbers without labels."""
    if labels is None:
        return [value for row in _rows_or_error(text) for value in row]
    from sottovoce.data import collections

    cells = [cell.strip() for cell in re.split(r"[,;\r\n]", text.strip("\ufeff"))]
    people = collections([[cell for cell in cells if cell]], categories=labels, other=other)
    numbers: list[float] = people.values[:, 0].tolist()
    return numbers


def _rows_or_error(text: str) -> Rows:
    from sottovoce.messages import InvalidInput

    try:
        return rows_of_text(text)
    except argparse.ArgumentTypeError as error:
        trouble = str(error)
    raise InvalidInput(trouble)


def observations(rows: Rows, dimension: int) -> list[float] | Rows:
    """Rows as a survey looks at them: an observation each, or where one is a single number, every number by itself."""
    from sottovoce.messages import InvalidInput

    if dimension == 1:
        return [value for row in rows for value in row]
    for place, row in enumerate(rows, start=1):
        if len(row) != dimension:
            raise InvalidInput(
                f"an observation has {dimension} numbers here, with commas between them and semicolons or new lines "
                f"between observations; row {place} of the collection has {len(row)}"
            )
    return rows


_WORD = re.compile(r"[^,;\s]+")
_SHOWN = 20


@dataclass(frozen=True, kw_only=True, repr=False)
class Observed:
    """One user's observations as a survey looks at them: numbers, rows of them, or categories by number."""

    values: Any
    entries: int
    missing: int
    """Entries that could not be read, or were not there."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Given:
    """What was given: text, and where it is a table the cells of its columns, in order."""

    text: str
    table: dict[str, list[str]] | None = None
    chosen: tuple[str, ...] = ()
    """Columns that the person names."""

    def __post_init__(self) -> None:
        """Numbers are read here, so that the time it takes lies before the first request."""
        _ = self._rows, self._numbers

    def seen_by(self, manifest: Manifest) -> Observed:
        """As the survey looks at it. What `columns` does not refuse, is not refused here."""
        dimension, names = _dimension(manifest), self.columns(manifest)
        if manifest.groups and dimension > 1:
            return self._grouped(manifest, dimension, names)
        if manifest.labels:
            other = manifest.settings.get("other")
            codes = _categories(self._cells(names), manifest.labels, other if isinstance(other, str) else None)
            return _observed_of(codes)
        if dimension == 1:
            parts = [self._numbers[name] for name in names] if names else self._rows
            return _observed_of([value for part in parts for value in part])
        if names:
            return _observed_of([list(row) for row in zip(*(self._numbers[name] for name in names), strict=True)])
        # A row of another length does not say which of its numbers are there.
        return _observed_of([row if len(row) == dimension else [math.nan] * dimension for row in self._rows])

    def _grouped(self, manifest: Manifest, dimension: int, names: tuple[str, ...]) -> Observed:
        """Numbers, or categories by number, and in the last column the group of each; who is in none is missing there.

        A row of text is numbers and a name with commas between them: names may hold blanks.
        """
        if names and self.table is not None:
            columns = [[cell.strip() for cell in self.table[name]] for name in names]
        else:
            text = (row for row in re.split(r"[;\r\n]", self.text.strip("\ufeff")) if row.strip())
            rows = [[cell.strip() for cell in row.split(",")] for row in text]
            whole = [row if len(row) == dimension else [""] * dimension for row in rows]
            columns = [[row[place] for row in whole] for place in range(dimension)]
        *own, last = columns
        labels, other = manifest.labels, manifest.settings.get("other")
        known = other if isinstance(other, str) else None
        coded = [_categories(one, labels, known) if labels else list(map(_number_or_nan, one)) for one in own]
        groups = _categories(last, manifest.groups, None)
        return _observed_of([list(row) for row in zip(*coded, groups, strict=True)])

    def columns(self, manifest: Manifest) -> tuple[str, ...]:
        """The columns to take: the person's own, or the survey's; none where all of the text is meant.

        Refusals depend on what columns there are and on the manifest, not on rows; nor does the time.
        """
        from sottovoce.messages import InvalidInput

        if self.table is None:
            return ()
        dimension, names = _dimension(manifest), self.chosen or manifest.columns
        if not names:
            header = tuple(self.table)
            known = {*manifest.labels, *manifest.groups}
            if not all(math.isnan(_number_or_nan(name)) and name not in known for name in header):
                return ()  # it has no header
            if header and len(header) != dimension:
                shown = ", ".join(header[:_SHOWN]) + (", …" if len(header) > _SHOWN else "")
                wanted = "" if dimension == 1 else f" ({dimension:,} are wanted)"
                raise InvalidInput(f"the file has columns {shown}", fix=f"say which are yours with --column{wanted}")
            return header
        if missing := [name for name in names if name not in self.table]:
            raise InvalidInput(
                f"the file has no column {missing[0]!r} in its first line",
                fix="name its own with --column",
                code="unknown-column",
                fields={"columns": tuple(missing)},
            )
        if dimension > 1 and len(names) != dimension:
            raise InvalidInput(
                f"the survey looks at {dimension:,} columns", fix=f"{len(names):,} are named: see --column"
            )
        return names

    def _cells(self, names: tuple[str, ...]) -> list[str]:
        """The cells of columns; or of all of the text, with commas, semicolons or new lines between them."""
        if self.table is None or not names:
            cells = (cell.strip() for cell in re.split(r"[,;\r\n]", self.text.strip("\ufeff")))
            return [cell for cell in cells if cell]
        return [cell.strip() for name in names for cell in self.table[name]]

    @cached_property
    def _rows(self) -> list[list[float]]:
        """The rows of the text, in the layout that other commands read; a word that is no number is missing."""
        text = self.text.strip("\ufeff")
        return rows_of_text(_WORD.sub(lambda word: "nan" if math.isnan(_number_or_nan(word[0])) else word[0], text))

    @cached_property
    def _numbers(self) -> dict[str, list[float]]:
        return {name: list(map(_number_or_nan, cells)) for name, cells in (self.table or {}).items()}


def read_given(options: argparse.Namespace) -> Given:
    """From ``--values``, or from ``--data`` and ``--column``; a file that cannot be used is refused here."""
    from sottovoce.messages import InvalidInput

    chosen = tuple(options.column or ())
    if options.data is None:
        if chosen:
            raise InvalidInput("--column names columns of a file", fix="give it with --data")
        return Given(text=options.values)
    text = read_text(options.data)
    if not chosen and not options.data.lower().endswith(".csv"):
        return Given(text=text)
    table = _columns_of(text)
    if missing := [name for name in chosen if name not in table]:
        raise InvalidInput(f"the file has no column {missing[0]!r} in its first line")
    return Given(text=text, table=table, chosen=chosen)


def _dimension(manifest: Manifest) -> int:
    return max(way.columns for way in manifest.rules.ways)


def _columns_of(text: str) -> dict[str, list[str]]:
    """The cells of each column, from text with a header; what a row lacks is empty."""
    from sottovoce.messages import InvalidInput

    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), restval="", skipinitialspace=True)
    try:
        header = [name for name in (reader.fieldnames or ()) if name]
        rows = list(reader)
    except csv.Error:
        raise InvalidInput("the file is not text with commas between its columns") from None
    return {name: [row[name] for row in rows] for name in header}


def _categories(cells: list[str], labels: Sequence[str], other: str | None) -> list[float]:
    """Categories by number; what is in none of them is missing."""
    from sottovoce.data import collections
    from sottovoce.messages import InvalidInput

    try:
        codes: list[float] = collections([cells], categories=labels, other=other).values[:, 0].tolist()
    except InvalidInput:  # some are in no category, or numbers and booleans could mean more than one
        numbers = {label: float(number) for number, label in enumerate(labels)}
        codes = [numbers.get(cell, math.nan) for cell in cells]
    return codes


def _observed_of(values: list[Any]) -> Observed:
    flat = [entry for row in values for entry in (row if isinstance(row, list) else (row,))]
    return Observed(values=values, entries=len(flat), missing=sum(map(math.isnan, flat)))


def _number_or_nan(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan
