"""The file that a command reads: its columns, and how they are named on the command line."""

from __future__ import annotations

import argparse
import csv
from typing import Any

from sottovoce.cli.parser import at_least

FILES = ".csv, .tsv, .txt (also .gz), .xlsx or .parquet, - for standard input; one row is {} of one user"


def columns(text: str) -> tuple[str, ...]:
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
            type=columns,
            action="extend",
            metavar="COL,COL,…",
            help="columns with the coordinates: names with commas between them, or --value again for each; 'x*' "
            "means all columns whose names begin with x",
        )
    else:
        parser.add_argument("--value", required=required, metavar="COL", help="column with the observed numbers")
    reading_options(parser)


def reading_options(parser: argparse._ActionsContainer, *, skip_bad: bool = True) -> None:
    """How the file is read, where looking at it is not to decide."""
    parser.add_argument(
        "--separator",
        metavar="S",
        help="what separates cells: one character, or comma, semicolon, tab, pipe, space (default: looked up)",
    )
    parser.add_argument("--encoding", metavar="E", help="such as utf-8, utf-16 or cp1252 (default: looked up)")
    parser.add_argument("--decimal", choices=(".", ","), metavar=".|,", help="the decimal sign (default: looked up)")
    parser.add_argument(
        "--dates",
        choices=("ymd", "dmy", "mdy"),
        metavar="dmy|mdy",
        help="what comes first in dates such as 03/04/2024 (default: looked up; 2024-04-03 needs none)",
    )
    parser.add_argument(
        "--header",
        type=at_least(0),
        metavar="LINE",
        help="the line that holds the names of the columns; 0: none, they are called 1, 2, 3 (default: the first)",
    )
    parser.add_argument("--sheet", metavar="NAME", help="of an Excel workbook (default: the first)")
    if skip_bad:
        parser.add_argument(
            "--skip-bad",
            action="store_true",
            help="count odd cells as missing and leave out rows that cannot be read; the answer says how many",
        )


def stated(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say of how the file is read."""
    from sottovoce.data import NAMES

    said = {name: getattr(options, name, None) for name in NAMES}
    return {name: given for name, given in said.items() if given is not None and given is not False}  # 0 is said


def seed_option(parser: argparse.ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports)",
    )
