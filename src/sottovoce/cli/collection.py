"""One user's observations from the command line. Nothing here repeats what it could not read."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

MAX_BYTES = 64 * 2**20

Rows = list[list[float]]


def from_words(text: str) -> Rows:
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


def text_of(name: str) -> str:
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


def from_file(name: str) -> Rows:
    """Rows of numbers from a text file."""
    return _numbers(text_of(name))


def from_labels(text: str, labels: Sequence[str] | None, other: str | None) -> list[float]:
    """Categories by number, from labels with commas, semicolons or new lines between them; numbers without labels."""
    if labels is None:
        return [value for row in _numbers(text) for value in row]
    from sottovoce.data import collections

    cells = [cell.strip() for cell in re.split(r"[,;\r\n]", text.strip("\ufeff"))]
    held = collections([[cell for cell in cells if cell]], categories=labels, other=other)
    found: list[float] = held.values[:, 0].tolist()
    return found


def _numbers(text: str) -> Rows:
    from sottovoce.messages import InvalidInput

    try:
        return from_words(text)
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
