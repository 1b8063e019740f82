"""``sotto look``: what a file holds, before anything is asked of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sottovoce.cli import terminal
from sottovoce.cli.file_options import FILES, reading_options, stated_options
from sottovoce.cli.parser import json_option

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands

_EPILOG = """\
examples:
  sotto look ratings.csv
  sotto look "my ratings.xlsx" --sheet 2024 --user student

A file called - is standard input. Nothing is sent, and nothing of what is shown is private: it is
for whoever holds the file already.
--json prints kind, version, name, rows, cut (whether there are more rows than were looked at),
separator, encoding, columns (name, kind, missing, odd, lines, distinct, range, labels, decimal,
empty, hint), users (column, guessed, count, rows), left_out (reason, count, lines), commands, beware."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "look",
        help="what a file holds: columns, users, odd cells, and a command to go on with",
        description="Look at a file before anything is asked of it: its columns and what they hold, whose rows they\n"
        "are, cells that are missing or odd and in which lines, and a command that works as typed.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help=FILES.format("one observation"))
    parser.add_argument("--user", metavar="COL", help="column that says whose observation a row is (default: guessed)")
    if wanted is not None:  # these load the library
        reading_options(parser, skip_bad=False)
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Look, print."""
    from sottovoce.answers import lines_in_words
    from sottovoce.data import look, read

    found = look(read(options.file, user=options.user, **stated_options(options)))
    if options.json:
        terminal.show_json(found.to_dict())
        return
    first, *rest = terminal.labelled_lines(lines_in_words(found.lines()), indent=0)
    narrow = terminal.columns() < terminal.STACKED  # no columns then: what a cell holds may go on
    room = 1_000 if narrow else max(20, terminal.columns() - 50)
    rows = [(*row[:-1], row[-1] if len(row[-1]) <= room else f"{row[-1][: room - 2]} …") for row in found.table()]
    lines = [first, "", *terminal.table(found.header(), rows, left=(0, 1, 4)), "", *rest]
    if found.commands:
        lines += ["", "try:", *(f"  {terminal.accent(command)}" for command in found.commands)]
    terminal.show(lines)
