"""``sotto simulate``: what a survey would give, many times over, on made-up users or on those of a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, terminal
from sottovoce.cli.centres import placeholders
from sottovoce.cli.estimate import LOOKED_UP
from sottovoce.cli.files import file_options
from sottovoce.cli.options import (
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
from sottovoce.cli.parser import json_option, repetition_options
from sottovoce.cli.performance import one, side_by_side

if TYPE_CHECKING:
    from sottovoce.problems import Problem
    from sottovoce.trials import Population, Row

_SIZES = ("users", "dimension")
"""What a file says by itself."""
_FRESH = "A file's users are the same in every repetition; made-up users are drawn afresh."
_KEYS = """\
--json prints problem, users (in words), truth, settings, repetitions, seed, notes, and methods: a
list with method, ran (what auto chose), reason, protects, warnings (of the last repetition),
collection_epsilon, mse, mse_se, rmse, rmse_se, coverage, coverage_se, figures ({figures}),
figures_se; or with method and impossible where a method cannot run."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    group = commands.add_parser(
        "simulate",
        help="repeat a survey to see how accurate it would be",
        description="Repeat a survey with the exact simulator, to see how accurate it would be.",
    )
    if not whole_tree:
        return
    from sottovoce.problems import problems

    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    for problem in problems():
        _register(quantities, problem)
    planned.register_simulate(quantities)


def _register(quantities: argparse._SubParsersAction[argparse.ArgumentParser], problem: Problem[Any]) -> None:
    from sottovoce.problems import described
    from sottovoce.trials import every_method, tellable

    parser = quantities.add_parser(
        problem.name,
        help=problem.estimates,
        description=terminal.wrapped(
            "Repeat a survey with the exact simulator: its error, and how often its intervals hold the truth. It "
            f"estimates {problem.estimates}."
        ),
        epilog=_epilog(problem),
    )
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
    methods = (*every_method(problem), "all")
    add_settings(parser, problem, skip=(*_SIZES, "names", *_of_users(problem)), instead=instead, methods=methods)
    repetition_options(parser.add_argument_group("the trial"), repetitions=50)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _of_users(problem: Problem[Any]) -> tuple[str, ...]:
    """Options that say how made-up users are; settings of the same name declare it, and a trial declares nothing."""
    from sottovoce.problems import described

    return tuple(field.name for field in described(problem.world))


def _epilog(problem: Problem[Any]) -> str:
    from sottovoce.trials import tellable

    examples = [terminal.command(f"sotto simulate {problem.name} {words}") for words in problem.simulate_examples]
    keys = terminal.wrapped(_KEYS.replace("\n", " ").format(figures=", ".join(problem.world.figures)))
    return "\n".join(["examples:", *examples, "", *([_FRESH] if tellable(problem) else []), keys])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Repeat, print."""
    from tqdm import tqdm

    from sottovoce.trials import compare, every_method

    population, settings = _population(problem, options)
    methods = every_method(problem) if options.method == "all" else (options.method,)
    silent = not sys.stderr.isatty()
    with tqdm(total=options.repetitions, desc="repetitions", leave=False, file=sys.stderr, disable=silent) as bar:
        rows = compare(
            problem,
            methods,
            settings,
            population,
            repetitions=options.repetitions,
            seed=options.seed,
            strict=options.method != "all",
            done=bar.update,
        )
    if options.json:
        terminal.show_json(
            {"problem": problem.name, "users": population.words, "truth": population.truth, "settings": settings}
            | {"repetitions": options.repetitions, "seed": options.seed, "notes": list(population.notes)}
            | {"methods": [row.to_dict() for row in rows]}
        )
        return
    _show(problem, options, population, rows)


def _population(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    check_declared(options, problem)
    return _made_up(problem, options) if options.file is None else _observed(problem, options)


def _made_up(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce.messages import InvalidInput
    from sottovoce.trials import MadeUp

    needed = [name for name in (*_SIZES, "observations") if takes(problem, name)]
    if any(getattr(options, name) is None for name in needed):
        *most, last = [f"--{name}" for name in needed]
        words = f"{', '.join(most)} and {last}" if most else last
        raise InvalidInput(f"name a FILE with --user and --value, or make users up with {words}")
    settings = read_settings(options, problem, names=placeholders(options), skip=("method", *_of_users(problem)))
    world = problem.world(settings=problem.settings(**settings), **read_options(options, problem.world))
    return MadeUp(world=world), settings


def _observed(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce import calls
    from sottovoce.data import collections, matching
    from sottovoce.messages import InvalidInput
    from sottovoce.problems import described
    from sottovoce.trials import Observed

    made_up = [field.option for field in described(problem.world) if getattr(options, field.name) != field.default]
    made_up += [f"--{name}" for name in _SIZES if getattr(options, name, None) is not None]
    if made_up:
        raise InvalidInput(f"made-up users ({', '.join(made_up)}) and a FILE at once; leave out one of the two")
    if options.user is None or options.value is None:
        raise InvalidInput("a FILE needs --user and --value, the names of its columns")
    value: str | Sequence[str] = options.value
    if several(problem):
        value = matching(options.file, user=options.user, value=options.value)
    names = (value,) if isinstance(value, str) else tuple(value)
    people = collections(options.file, user=options.user, value=value)
    given = read_settings(options, problem, names=names, skip=("method", *_of_users(problem)))
    people, survey = calls.declared(problem, people, **given)
    held = getattr(survey, "observations", None) or calls.typical(people)
    found = Observed.of(problem, people, name=options.file, observations=held)
    settings = given | {name: getattr(survey, name) for name in (*_SIZES, "observations") if takes(problem, name)}
    low, high = getattr(survey, "low", None), getattr(survey, "high", None)
    return (found if low is None else found.outside(low, high)), settings


def _show(problem: Problem[Any], options: argparse.Namespace, population: Population, rows: list[Row]) -> None:
    survey = f"ε = {options.epsilon:g}, {terminal.count(options.repetitions, 'repetition')}, seed {options.seed}"
    lines = [terminal.labelled("users", population.words), terminal.labelled("survey", survey)]
    if isinstance(population.truth, (int, float)):
        lines.append(terminal.labelled("truth", f"{population.truth:.6g}"))
    shown = one(problem, rows[0], options.confidence) if len(rows) == 1 else ["", *side_by_side(problem, rows)]
    terminal.show([*lines, *shown, *(terminal.labelled("note", note) for note in population.notes)])
