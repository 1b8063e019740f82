"""Options that name files, and what is read from them: columns of observations, labels of categories, centres."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from sottovoce.cli.collection import MAX_BYTES
from sottovoce.cli.parser import at_least

FILES = ".csv, .tsv, .txt (also .gz), .xlsx or .parquet, - for standard input; one row is {} of one user"


def column_names(text: str) -> tuple[str, ...]:
    """Names of columns with commas between them; one that holds a comma stands in double quotes."""
    try:
        names = next(csv.reader([text], skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration):
        names = [""]
    names = [name.strip() for name in names]
    if not all(names):
        raise argparse.ArgumentTypeError("names of columns are wanted, with commas between them, such as a,b,c")
    return tuple(names)


def file_options(parser: argparse._ActionsContainer, *, several: bool = False, required: bool = True) -> None:
    """``FILE``, ``--user`` and ``--value``."""
    one = "one vector" if several else "one observation"
    parser.add_argument("file", metavar="FILE", nargs=None if required else "?", help=FILES.format(one))
    user = "column that says whose observation a row is"
    parser.add_argument("--user", required=required, metavar="COL", help=user)
    if several:
        parser.add_argument(
            "--value",
            required=required,
            type=column_names,
            action="extend",
            metavar="COL,COL,…",
            help="columns with the coordinates: names with commas between them, or --value again for each; 'x*' "
            "means all columns whose names begin with x",
        )
    else:
        parser.add_argument("--value", required=required, metavar="COL", help="column with the observed numbers")
    reading_options(parser)


def reading_options(parser: argparse._ActionsContainer, *, skip_bad: bool = True) -> None:
    """How the file is read, where looking at it is not to decide: the options of `sottovoce.data.read`."""
    from sottovoce.data import ReadingOptions

    for option in fields(ReadingOptions):
        named = dict(option.metadata)
        if "lowest" in named:
            named["type"] = at_least(named.pop("lowest"))
        if skip_bad or option.name != "skip_bad":
            parser.add_argument(f"--{option.name.replace('_', '-')}", **named)


def stated_options(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say of how the file is read."""
    from sottovoce.data import READING_OPTIONS

    values = {name: getattr(options, name, None) for name in READING_OPTIONS}
    return {name: given for name, given in values.items() if given is not None and given is not False}  # 0 is said


def seed_option(parser: argparse.ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports)",
    )


def labels_or_file(given: Sequence[str]) -> tuple[str, ...]:
    """As they are given, or from the file that ``@FILE`` names, a label to a line."""
    from sottovoce.messages import InvalidInput

    if len(given) != 1 or not given[0].startswith("@"):
        return tuple(given)
    path = Path(given[0][1:]).expanduser()
    if path.stat().st_size > MAX_BYTES:
        raise InvalidInput(f"{path.name!r} is longer than {MAX_BYTES:,} bytes")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InvalidInput(f"{path.name!r} is not UTF-8 text") from None
    return tuple(line.strip() for line in lines if line.strip())


Centres = tuple[tuple[float, ...], ...]


def centres_or_space(file: str, *, names: Sequence[str]) -> Centres | str:
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
    if all(_number_in(cell) is None for cell in first):  # names
        check_columns(wanted=names, there=first, place=repr(path.name))
        places = [first.index(name) for name in names]
        rows = rows[1:]
    elif len(first) != len(names):
        raise InvalidInput(
            rule=f"{path.name!r} has {len(first)} columns and --value names {len(names)}; a centre has a number for "
            "each"
        )
    return tuple(_centre_of_row(row, len(first), places, f"line {line} of {path.name!r}") for line, row in rows)


def placeholder_names(options: argparse.Namespace) -> tuple[str, ...]:
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
        if any(_number_in(cell) is not None for cell in first):
            return tuple(f"x{index + 1}" for index in range(len(first)))
        second = next(rows, [])
    columns = zip(first, second, strict=False)
    return tuple(name.strip() for name, cell in columns if _number_in(cell) is not None) or tuple(map(str.strip, first))


def _centre_of_row(row: Sequence[str], width: int, places: Sequence[int], where: str) -> tuple[float, ...]:
    from sottovoce.messages import InvalidInput

    if len(row) != width:
        raise InvalidInput(f"{where} has {len(row)} cells, its first line has {width}")
    numbers = tuple(value for place in places if (value := _number_in(row[place])) is not None)
    if len(numbers) < len(places):
        raise InvalidInput(rule=f"{where} must hold numbers only")
    return numbers


def _number_in(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
