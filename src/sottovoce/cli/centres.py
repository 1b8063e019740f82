"""The public centres of a cover, from a CSV file."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

from sottovoce.cli.collection import MAX_BYTES

Centres = tuple[tuple[float, ...], ...]


def centres(file: str, *, names: Sequence[str]) -> Centres | str:
    """A row for each centre; columns by the `names` of the first line, or in their order when there are no names.

    The name of a space stays what it is: its cover is made for the users at hand.
    """
    from sottovoce.data import check_columns
    from sottovoce.messages import InvalidInput
    from sottovoce.problems.cover import SPACES, is_space

    if is_space(file) and names:
        return file
    path = Path(file).expanduser()
    if not path.exists():
        raise InvalidInput(
            f"No such file or directory: {file!r}, and no space: spaces are {', '.join(SPACES.values())}",
            code="missing-file",
        )
    if path.stat().st_size > MAX_BYTES:
        raise InvalidInput(f"{path.name!r} is longer than {MAX_BYTES:,} bytes")
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.reader(lines, skipinitialspace=True, strict=True)
            rows = [(reader.line_num, row) for row in reader if row]
    except UnicodeDecodeError:
        raise InvalidInput(f"{path.name!r} is not UTF-8 text") from None
    except csv.Error:
        raise InvalidInput(f"{path.name!r} has a quote that is never closed, or another fault of that kind") from None
    if not rows:
        raise InvalidInput(f"{path.name!r} is empty; a file of centres has a row for each")
    first = [cell.strip() for cell in rows[0][1]]
    places = list(range(len(names)))
    if all(_number(cell) is None for cell in first):  # names
        check_columns(wanted=names, there=first, place=repr(path.name))
        places = [first.index(name) for name in names]
        rows = rows[1:]
    elif len(first) != len(names):
        raise InvalidInput(
            rule=f"{path.name!r} has {len(first)} columns and --value names {len(names)}; a centre has a number for "
            "each"
        )
    return tuple(_centre(row, len(first), places, f"line {line} of {path.name!r}") for line, row in rows)


def placeholders(options: argparse.Namespace) -> tuple[str, ...]:
    """Names for the columns of the file of centres where no data name them: those that hold numbers in its first row.

    A column beside them may say what a centre is called.
    """
    from sottovoce.messages import InvalidInput
    from sottovoce.problems.cover import is_space

    file = getattr(options, "centres", None)
    if file is None:
        return ()
    if is_space(file):
        raise InvalidInput(
            rule=f"{file} is a space: its cover is made by sotto estimate, for the users in a file; here give the "
            "centres"
        )
    with Path(file).expanduser().open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines, skipinitialspace=True)
        first = next(rows, [])
        if any(_number(cell) is not None for cell in first):
            return tuple(f"x{index + 1}" for index in range(len(first)))
        second = next(rows, [])
    told = zip(first, second, strict=False)
    return tuple(name.strip() for name, cell in told if _number(cell) is not None) or tuple(map(str.strip, first))


def _centre(row: Sequence[str], width: int, places: Sequence[int], where: str) -> tuple[float, ...]:
    from sottovoce.messages import InvalidInput

    if len(row) != width:
        raise InvalidInput(f"{where} has {len(row)} cells, its first line has {width}")
    found = tuple(value for place in places if (value := _number(row[place])) is not None)
    if len(found) < len(places):
        raise InvalidInput(rule=f"{where} must hold numbers only")
    return found


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
