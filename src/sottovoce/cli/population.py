"""Options that say whom a trial asks, for every command that tries a survey out: users of a file, or made-up ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli.centres import placeholders
from sottovoce.cli.files import file_options, stated
from sottovoce.cli.options import (
    LOOKED_UP,
    add_option,
    add_options,
    add_settings,
    check_declared,
    read_options,
    read_settings,
    several,
    takes,
    to_declare,
)
from sottovoce.cli.progress import progress

if TYPE_CHECKING:
    from sottovoce.problems import Problem
    from sottovoce.trials import Comparison, Population

_USERS_EPILOG = "A file's users are the same in every repetition; made-up users are drawn afresh."
_SIZES = ("users", "dimension")
"""What a file says by itself."""


def population_options(
    parser: argparse.ArgumentParser, problem: Problem[Any], *, methods: Sequence[str] = (), skip: Sequence[str] = ()
) -> None:
    """Users of a file, or made-up users; then the settings of the survey, all but those in `skip`."""
    from sottovoce.calls import of_users
    from sottovoce.problems import described
    from sottovoce.trials import tellable

    instead = to_declare(problem)
    if tellable(problem):
        file_options(parser.add_argument_group("users of a file"), several=several(problem), required=False)
        made_up, instead = parser.add_argument_group("or made-up users"), instead | LOOKED_UP
    else:
        made_up = parser.add_argument_group("the made-up users")
        parser.set_defaults(file=None)
    for field in described(problem.settings):
        if field.name in _SIZES:
            add_option(made_up, field, instead="" if tellable(problem) else None)
    add_options(made_up, problem.world)
    left_out = (*_SIZES, "names", *of_users(problem), *skip)
    add_settings(parser, problem, skip=left_out, instead=instead, methods=methods)


def about_users(problem: Problem[Any]) -> list[str]:
    """What the end of a help page says of users, where there is a choice."""
    from sottovoce.trials import tellable

    return [_USERS_EPILOG] if tellable(problem) else []


def population(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    """Whom the options name, and the settings to ask them with."""
    check_declared(options, problem)
    return _made_up(problem, options) if options.file is None else _observed(problem, options)


def tried(
    problem: Problem[Any], options: argparse.Namespace, methods: Sequence[str], *, epsilons: Sequence[float]
) -> tuple[Comparison, dict[str, Any]]:
    """The methods on whom the options name, as often as those say; and the settings that they were asked with."""
    from sottovoce.trials import compare

    people, settings = population(problem, options)
    with progress(options.repetitions, "repetitions") as done:
        found = compare(
            problem,
            methods,
            settings,
            people,
            epsilons=epsilons,
            repetitions=options.repetitions,
            seed=options.seed,
            done=done,
        )
    return found, settings


def _made_up(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce.calls import made_up, of_users
    from sottovoce.messages import InvalidInput

    needed = [name for name in (*_SIZES, "observations") if takes(problem, name)]
    if any(getattr(options, name) is None for name in needed):
        *most, last = [f"--{name}" for name in needed]
        words = f"{', '.join(most)} and {last}" if most else last
        raise InvalidInput(fix=f"name a FILE with --user and --value, or make users up with {words}")
    settings = read_settings(options, problem, names=placeholders(options), skip=("method", *of_users(problem)))
    return made_up(problem, settings, read_options(options, problem.world))


def _observed(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce.calls import observed, of_users
    from sottovoce.data import matching
    from sottovoce.messages import InvalidInput
    from sottovoce.problems import described

    made_up = [field.option for field in described(problem.world) if getattr(options, field.name) != field.default]
    made_up += [f"--{name}" for name in _SIZES if getattr(options, name, None) is not None]
    if made_up:
        raise InvalidInput(f"made-up users ({', '.join(made_up)}) and a FILE at once", fix="leave out one of the two")
    if options.user is None or options.value is None:
        raise InvalidInput(rule="a FILE needs --user and --value, the names of its columns")
    value: str | Sequence[str] = options.value
    if several(problem):
        value = matching(options.file, user=options.user, value=options.value, **stated(options))
    names = (value,) if isinstance(value, str) else tuple(value)
    settings = read_settings(options, problem, names=names, skip=("method", *of_users(problem))) | stated(options)
    return observed(problem, options.file, settings, name=options.file, user=options.user, value=value)
