"""``sotto estimate``: one survey, rehearsed on a file. Each quantity is a problem of the registry."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, tallied, terminal
from sottovoce.cli import several as together
from sottovoce.cli.files import file_options, seed_option
from sottovoce.cli.options import (
    add_settings,
    answer_keys,
    check_declared,
    from_data,
    read_settings,
    several,
    takes,
    to_declare,
)
from sottovoce.cli.parser import html_option, json_option
from sottovoce.cli.quantities import command, part
from sottovoce.cli.showing import document, save_page, show

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands
    from sottovoce.problems import Problem

PLENTY = 10_000_000
"""Users, and observations, of a survey that is only made to check its settings: enough for any number of folds."""
FROM_DATA = ("users", "dimension", "names")
LOOKED_UP = {"observations": "looked up in the file"}


def register(commands: Commands, *, whole_tree: bool) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = command(
        commands,
        "estimate",
        _register,
        whole_tree=whole_tree,
        help="estimate from a file, as a survey would",
        description="Rehearse a survey on a file. Every user of the file answers once, through the code that runs on\n"
        "a device.",
    )
    if quantities is not None:
        together.register_estimate(quantities)
        planned.register_estimate(quantities)
        tallied.register(quantities)


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    parser = part(
        quantities,
        problem,
        says="Estimate {}. Every user of the file answers once, through the code that runs on a device.",
        epilog=_epilog(problem),
    )
    file_options(parser, several=several(problem))
    add_settings(parser, problem, skip=FROM_DATA, instead=LOOKED_UP | to_declare(problem) | from_data(problem))
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    lines = [terminal.command(f"sotto estimate {problem.name} {words}") for words in problem.command_examples]
    more = "observations, seed" if takes(problem, "observations") else "seed"
    keys = terminal.wrapped(f"--json prints {answer_keys(problem)}; and {more}.")
    hints = [terminal.wrapped(" ".join(problem.hints))] if problem.hints else []
    return "\n".join(["examples:", *lines, "", keys, *hints])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Read, ask, print."""
    from sottovoce import calls
    from sottovoce.data import matching, value_names
    from sottovoce.engines import run as ask

    check_declared(options, problem)
    if several(problem):
        options.value = matching(options.file, user=options.user, value=options.value)
    _, names = value_names(user=options.user, value=options.value)
    settings = read_settings(options, problem, names=names)
    _check(problem, settings, names)
    columns = names if several(problem) else options.value
    people, settings = calls.gathered(problem, options.file, settings, user=options.user, value=columns)
    people, survey = calls.declared(problem, people, names=tuple(names), **settings)
    found = calls.rehearsed(ask(survey, calls.engine(people, options.seed)), survey, people)
    held = getattr(survey, "observations", None)
    notes = []
    if held is not None and options.observations is None:
        text = f"{terminal.count(held, 'observation')} per user, as looked up in the file; a survey has to declare it"
        notes.append(("rehearsal", text))
    title = f"{problem.name.capitalize()} of {', '.join(names)}"
    save_page(options.html, (title, found, ", ".join(names)), notes=notes)
    if options.json:
        terminal.show_json(document(found, survey, seed=options.seed))
    else:
        show(found, notes, seed=options.seed, of=", ".join(names))


def _check(problem: Problem[Any], settings: dict[str, Any], names: Sequence[str]) -> None:
    """Wrong settings are reported before a long file is read; a cover that users decide on is not there yet."""
    from sottovoce import calls
    from sottovoce.problems import described

    if any(field.table and isinstance(settings.get(field.name), str) for field in described(problem.settings)):
        return
    plenty = {"users": PLENTY, "observations": PLENTY, "dimension": len(names)}
    made_up = {name: value for name, value in plenty.items() if takes(problem, name) and settings.get(name) is None}
    problem.settings(**calls.fitting(problem, settings, len(names)) | made_up)
