"""The file that a command reads: its columns, and how they are named on the command line."""

from __future__ import annotations

import argparse
import csv

from sottovoce.cli.parser import at_least


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
    text = f".csv, .csv.gz or .parquet; one row is {one} of one user"
    parser.add_argument("file", metavar="FILE", nargs=None if required else "?", help=text)
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


def seed_option(parser: argparse.ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports)",
    )
