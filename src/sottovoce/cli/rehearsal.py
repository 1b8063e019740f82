"""What every ``sotto estimate …`` shares: the file and its columns, the survey's options, the answer on a terminal."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, confidence_option, epsilon_option, json_option, whole

Settings = dict[str, Any]
PLENTY = 10_000_000
"""Users of a protocol that is only made to check its settings: enough for any number of folds."""
COMMON_KEYS = "confidence, interval_kind, users_per_round, privacy (epsilon, protects, users, rounds, statement),"


def _nothing_more(_: Any) -> Settings:
    return {}


def _no_notes(_: argparse.Namespace) -> Sequence[tuple[str, str]]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """One quantity: a function of the library as a command.

    `settings` reads from the options what the function takes beyond epsilon, confidence, method and observations.
    `check` makes a protocol of made-up size from all settings and the columns, so that wrong settings are reported
    before a long file is read. `several` value columns make vectors.
    """

    name: str
    function: str
    help: str
    description: str
    epilog: str
    options: Callable[[argparse._ActionsContainer], None]
    settings: Callable[[argparse.Namespace], Settings]
    check: Callable[[Settings, Sequence[str], int], object]
    methods: tuple[str, ...] = ()
    method_help: str = ""
    observations: bool = True
    several: bool = False
    named: bool = False
    """Whether the function takes the names of the columns."""
    more: Callable[[Any], Settings] = _nothing_more
    """What --json prints beyond the answer."""
    notes: Callable[[argparse.Namespace], Sequence[tuple[str, str]]] = _no_notes
    """Further lines, a label and a text each."""
    drawn: tuple[str, ...] = ()
    """Lines of the summary that the picture says better."""


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


def file_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """``FILE``, ``--user`` and ``--value``."""
    one = "one vector" if several else "one observation"
    parser.add_argument("file", metavar="FILE", help=f".csv, .csv.gz or .parquet; one row is {one} of one user")
    parser.add_argument("--user", required=True, metavar="COL", help="column that says whose observation a row is")
    if several:
        parser.add_argument(
            "--value",
            required=True,
            type=columns,
            action="extend",
            metavar="COL,COL,…",
            help="columns with the coordinates: names with commas between them, or --value again for each; 'x*' "
            "means all columns whose names begin with x",
        )
    else:
        parser.add_argument("--value", required=True, metavar="COL", help="column with the observed numbers")


def seed_option(parser: argparse.ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports)",
    )


def register(quantities: argparse._SubParsersAction[argparse.ArgumentParser], command: Rehearsal) -> None:
    """Add ``sotto estimate NAME``."""
    parser = quantities.add_parser(
        command.name, help=command.help, description=command.description, epilog=command.epilog
    )
    file_options(parser, several=command.several)
    command.options(parser)
    epsilon_option(parser)
    if command.methods:
        parser.add_argument(
            "--method", choices=command.methods, default=command.methods[0], metavar="M", help=command.method_help
        )
    if command.observations:
        parser.add_argument(
            "--observations",
            type=whole,
            metavar="T",
            help="observations per user, as a survey would declare it (default: looked up in the file)",
        )
    confidence_option(parser)
    seed_option(parser)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(command, options))


def run(command: Rehearsal, options: argparse.Namespace) -> None:
    """Read, ask, print."""
    from sottovoce import functions
    from sottovoce.data import collections
    from sottovoce.data.columns import value_names
    from sottovoce.data.files import matching

    if command.several:
        options.value = matching(options.file, user=options.user, value=options.value)
    _, names = value_names(user=options.user, value=options.value)
    settings = command.settings(options) | {"epsilon": options.epsilon, "confidence": options.confidence}
    if command.methods:
        settings["method"] = options.method
    given = options.observations if command.observations else None
    command.check(settings, names, 1 if given is None else given)
    people = collections(options.file, user=options.user, value=names if command.several else options.value)
    if command.named:
        settings["names"] = names
    if command.observations:
        settings["observations"] = functions.typical(people) if given is None else given
    found = getattr(functions, command.function)(people, **settings, seed=options.seed)
    if options.json:
        declared = {name: settings[name] for name in ("observations",) if command.observations}
        terminal.show_json(found.to_dict() | command.more(found) | declared | {"seed": options.seed})
        return
    notes = list(command.notes(options))
    if command.observations and given is None:
        held = terminal.count(settings["observations"], "observation")
        notes.append(("rehearsal", f"{held} per user, as looked up in the file; a survey has to declare it"))
    show(found, notes, seed=options.seed, drawn=command.drawn)


def show(found: Any, notes: Sequence[tuple[str, str]], *, seed: int | None, drawn: Sequence[str] = ()) -> None:
    """The answer for people: its summary, notes, its picture."""
    summary = [line for line in found.summary().splitlines() if line.partition(" ")[0] not in drawn]
    lines = terminal.summary_lines("\n".join(summary))
    lines += [terminal.labelled(label, text) for label, text in notes]
    if seed is not None:
        text = f"reports simulated with seed {seed}: the same law, repeatable, not private"
        lines.append(terminal.labelled("simulated", text))
    terminal.show([*lines, "", *terminal.picture_lines(found.picture(width=min(72, terminal.columns() - 28)))])
