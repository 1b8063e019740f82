"""``sotto estimate``: one survey, rehearsed on a file. Each quantity is a problem of the registry."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, tallied, terminal
from sottovoce.cli import several as together
from sottovoce.cli.by_group import by_group, given, group_options, methods, own_options
from sottovoce.cli.files import file_options, seed_option, stated
from sottovoce.cli.options import (
    LOOKED_UP,
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
from sottovoce.cli.showing import tell

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands
    from sottovoce.problems import Problem

FROM_DATA = ("users", "dimension", "names")


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = command(
        commands,
        "estimate",
        _register,
        wanted=wanted,
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
        description="Estimate {}. Every user of the file answers once, through the code that runs on a device.",
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
    """Read options, rehearse, print."""
    from sottovoce.data import matching, value_names
    from sottovoce.messages import Fact
    from sottovoce.problems import named
    from sottovoce.rehearsal import Request, rehearse

    if not by_group(options, problem):
        check_declared(options, problem)
        check_range(options, problem)
    if several(problem):
        options.value = matching(options.file, user=options.user, value=options.value, **stated(options))
    _, names = value_names(user=options.user, value=options.value)
    request = Request.of(
        problem.name,
        options.file,
        user=options.user,
        value=options.value,
        find_range=getattr(options, "find_range", None),
        seed=options.seed,
        **read_settings(options, problem, names=names, skip=("groups", "memberships")),
        **given(options, problem),
        **stated(options),
    )
    kind, of = named(getattr(options, "of", problem.name)) if problem.name == "groups" else problem, ", ".join(names)
    tell(options, rehearse(request), title=Fact("page-of", heading=kind.heading, of=of, by=request.by), of=of)
