"""``sotto estimate``: one survey, rehearsed on a file. Each quantity is a problem of the registry."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, tallied, terminal
from sottovoce.cli import several as together
from sottovoce.cli.by_group import by_group, group_options, methods, own_options, run_by_group
from sottovoce.cli.files import file_options, seed_option, stated
from sottovoce.cli.options import (
    add_settings,
    answer_keys,
    check_declared,
    check_range,
    from_data,
    range_option,
    range_to_find,
    read_settings,
    several,
    takes,
    to_declare,
)
from sottovoce.cli.parser import html_option, json_option
from sottovoce.cli.quantities import command, part
from sottovoce.cli.read import read_notes
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
    instead = LOOKED_UP | to_declare(problem) | from_data(problem) | range_to_find(problem)
    add_settings(parser, problem, skip=(*FROM_DATA, *own_options(problem)), instead=instead, methods=methods(problem))
    range_option(parser, problem)
    group_options(parser, problem)
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    lines = [terminal.command(f"sotto estimate {problem.name} {words}") for words in problem.command_examples]
    more = "observations, seed, reading" if takes(problem, "observations") else "seed, reading"
    keys = terminal.wrapped(f"--json prints {answer_keys(problem)}; and {more}.")
    hints = [terminal.wrapped(" ".join(problem.hints))] if problem.hints else []
    return "\n".join(["examples:", *lines, "", keys, *hints])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Read, ask, print."""
    from sottovoce import calls
    from sottovoce.data import matching, reading_of, value_names

    if by_group(options, problem):
        run_by_group(problem, options)
        return
    check_declared(options, problem)
    check_range(options, problem)
    if several(problem):
        options.value = matching(options.file, user=options.user, value=options.value, **stated(options))
    _, names = value_names(user=options.user, value=options.value)
    settings = read_settings(options, problem, names=names)
    first = getattr(options, "find_range", None)
    _check(problem, settings, names, find_range=first)
    columns = names if several(problem) else options.value
    settings |= stated(options)
    people, settings = calls.gathered(problem, options.file, settings, user=options.user, value=columns)
    reading = reading_of(people)
    people, survey = calls.declared(problem, people, names=tuple(names), find_range=first, **settings)
    answer, settled = calls.answered(survey, calls.engine(people, options.seed))
    answer = calls.rehearsed(answer, settled, people)
    found = calls.told(answer, reading)
    held = getattr(survey, "observations", None)
    notes = read_notes(reading, found)
    if held is not None and options.observations is None:
        text = f"{terminal.count(held, 'observation')} per user, as looked up in the file; a survey has to declare it"
        notes.append(("rehearsal", text))
    title = f"{problem.heading} of {', '.join(names)}"
    save_page(options.html, (title, found, ", ".join(names), notes), seed=options.seed)
    if options.json:
        read = {} if reading is None else {"reading": reading.to_dict()}
        terminal.show_json(document(found, survey, seed=options.seed) | read)
    else:
        show(found, notes, seed=options.seed, of=", ".join(names))


def _check(
    problem: Problem[Any], settings: dict[str, Any], names: Sequence[str], *, find_range: float | None = None
) -> None:
    """Wrong settings are reported before a long file is read; a cover that users decide on is not there yet."""
    from sottovoce import calls
    from sottovoce.problems import Ranged, described

    if any(field.table and isinstance(settings.get(field.name), str) for field in described(problem.settings)):
        return
    plenty = {"users": PLENTY, "observations": PLENTY, "dimension": len(names)}
    made_up = {name: value for name, value in plenty.items() if takes(problem, name) and settings.get(name) is None}
    values = calls.fitting(problem, settings, len(names)) | made_up
    if find_range is None:
        problem.settings(**values)
    else:
        Ranged.of(problem, values, share=find_range)
