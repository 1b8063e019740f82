"""Commands with a part for each problem of the registry."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.problems import Problem

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
    Add = Callable[[Commands, Problem[Any]], None]


def command(
    commands: Commands,
    name: str,
    add: Add,
    *,
    wanted: str | None,
    metavar: str = "WHAT",
    title: str = "what to estimate",
    **words: Any,
) -> Commands | None:
    """Add a command and the problem that is `wanted`; where none is by that name, all of them, for others to add to.

    None at all where `wanted` is None, since they load the library.
    """
    group = commands.add_parser(name, **words)
    if wanted is None:
        return None
    from sottovoce.problems import problems

    quantities = group.add_subparsers(dest="quantity", metavar=metavar, required=True, title=title)
    named = [problem for problem in problems() if problem.name == wanted]
    for problem in named or problems():
        add(quantities, problem)
    return None if named else quantities


def part(quantities: Commands, problem: Problem[Any], *, description: str, epilog: str) -> argparse.ArgumentParser:
    """The part of one problem, which says what it does; what the problem estimates goes where {} stands."""
    return quantities.add_parser(
        problem.name,
        help=str(problem.estimates),
        description=terminal.wrapped(description.format(problem.estimates)),
        epilog=epilog,
    )
