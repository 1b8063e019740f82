"""``sotto simulate``: what a survey would give, many times over, on made-up users or on those of a file."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, terminal
from sottovoce.cli.centres import placeholders
from sottovoce.cli.estimate import several
from sottovoce.cli.files import file_options
from sottovoce.cli.options import add_options, add_settings, read_options, read_settings, takes
from sottovoce.cli.parser import json_option, repetition_options

if TYPE_CHECKING:
    from sottovoce.problems import Problem
    from sottovoce.trials import Performance, Population, Row

_KEYS = """\
A file's users are the same in every repetition; made-up users are drawn afresh.
--json prints problem, users (in words), truth, settings, repetitions, seed, notes, and methods: a
list with method, ran (what auto chose), reason, protects, warnings, collection_epsilon, mse, mse_se,
rmse, rmse_se, coverage, coverage_se, figures, figures_se; or with method and impossible where a
method cannot run."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    group = commands.add_parser(
        "simulate",
        help="repeat a survey to see how accurate it would be",
        description="Repeat a survey with the exact simulator.",
    )
    if not whole_tree:
        return
    from sottovoce.problems import problems

    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    for problem in problems():
        _register(quantities, problem)
    planned.register_simulate(quantities)


def _register(quantities: argparse._SubParsersAction[argparse.ArgumentParser], problem: Problem[Any]) -> None:
    from sottovoce.trials import every_method

    parser = quantities.add_parser(
        problem.name,
        help=problem.estimates,
        description=f"Repeat a survey of {problem.estimates}\nwith the exact simulator: error, and coverage of the "
        "intervals.",
        epilog="\n".join(
            ["examples:", *(f"  sotto simulate {problem.name} {words}" for words in problem.simulate_examples)]
        )
        + f"\n\n{_KEYS}",
    )
    file_options(parser.add_argument_group("users of a file"), several=several(problem), required=False)
    add_options(parser.add_argument_group("or made-up users"), problem.world)
    optional = ("users", "observations", "dimension")
    add_settings(parser, problem, skip=("names",), optional=optional, methods=(*every_method(problem), "all"))
    repetition_options(parser.add_argument_group("the trial"), repetitions=50)
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


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
    from sottovoce import calls
    from sottovoce.data import collections, matching
    from sottovoce.messages import InvalidInput
    from sottovoce.trials import MadeUp, Observed

    if options.file is None:
        needed = [name for name in ("users", "observations", "dimension") if takes(problem, name)]
        if any(getattr(options, name) is None for name in needed):
            words = ", ".join(f"--{name}" for name in needed)
            raise InvalidInput(f"name a FILE with --user and --value, or make users up with {words}")
        settings = read_settings(options, problem, names=placeholders(options), skip=("method",))
        world = problem.world(settings=problem.settings(**settings), **read_options(options, problem.world))
        return MadeUp(world=world), settings
    from sottovoce.problems import described

    made_up = [field.option for field in described(problem.world) if getattr(options, field.name) != field.default]
    made_up += [f"--{name}" for name in ("users", "dimension") if getattr(options, name, None) is not None]
    if made_up:
        raise InvalidInput(f"made-up users ({', '.join(made_up)}) and a FILE at once; leave out one of the two")
    if options.user is None or options.value is None:
        raise InvalidInput("a FILE needs --user and --value, the names of its columns")
    value: str | Sequence[str] = options.value
    if several(problem):
        value = matching(options.file, user=options.user, value=options.value)
    names = (value,) if isinstance(value, str) else tuple(value)
    people = collections(options.file, user=options.user, value=value)
    given = read_settings(options, problem, names=names, skip=("method",))
    people, survey = calls.declared(problem, people, **given)
    held = getattr(survey, "observations", None) or calls.typical(people)
    found = Observed.of(problem, people, name=options.file, observations=held)
    fields = ("users", "observations", "dimension")
    settings = given | {name: getattr(survey, name) for name in fields if takes(problem, name)}
    low, high = getattr(survey, "low", None), getattr(survey, "high", None)
    return (found if low is None else found.outside(low, high)), settings


def _show(problem: Problem[Any], options: argparse.Namespace, population: Population, rows: list[Row]) -> None:
    survey = f"ε = {options.epsilon:g}, {terminal.count(options.repetitions, 'repetition')}, seed {options.seed}"
    lines = [terminal.labelled("users", population.words), terminal.labelled("survey", survey)]
    if isinstance(population.truth, (int, float)):
        lines.append(terminal.labelled("truth", f"{population.truth:.6g}"))
    shown = _one(problem, rows[0], options.confidence) if len(rows) == 1 else ["", *_side_by_side(problem, rows)]
    terminal.show([*lines, *shown, *(terminal.labelled("note", note) for note in population.notes)])


def _one(problem: Problem[Any], row: Row, confidence: float) -> list[str]:
    """One method, a line for each figure."""
    result = row.performance
    assert result is not None
    lines = [("RMSE", f"{result.rmse:.4g}{_give_or_take(result.rmse_se)}: {problem.world.error}")]
    if result.coverage is not None:
        text = f"{_coverage(result)} of the intervals hold the truth; {100 * confidence:g}% is the aim"
        lines.append(("coverage", text))
    for name, figure in result.figures.items():
        label, text = problem.world.figures[name]
        lines.append((label, text.format(figure) + _give_or_take(result.figures_se[name])))
    lines += [("method", f"{row.ran}: {row.reason}"), ("protects", row.protects)]
    lines += [("warning", warning) for warning in row.warnings]
    return [terminal.labelled(label, text) for label, text in lines]


def _side_by_side(problem: Problem[Any], rows: Sequence[Row]) -> list[str]:
    """A table of the methods that ran, then those that could not."""
    ran = [row for row in rows if row.performance is not None]
    names = [name for name in problem.world.figures if any(name in _of(row).figures for row in ran)]
    header = ("method", "RMSE", "", *(problem.world.figures[name][0] for name in names), "coverage", "protects")
    cells = [_cells(row, _of(row), names) for row in ran]
    silent = [row for row in rows if row.performance is None]
    table = terminal.table(header, cells, left=(0, 2, len(header) - 1), indent=0) if cells else []
    return [*table, *(terminal.labelled(row.method, f"cannot run: {row.impossible}") for row in silent)]


def _of(row: Row) -> Performance:
    assert row.performance is not None
    return row.performance


def _cells(row: Row, result: Performance, names: Sequence[str]) -> tuple[str, ...]:
    whole = "single observation" not in row.protects
    spent = "" if row.collection_epsilon is None else f" (all: ε = {row.collection_epsilon:g})"
    return (
        row.method if row.ran.startswith(row.method) else f"{row.method} ({row.ran})",
        f"{result.rmse:.4g}",
        _give_or_take(result.rmse_se).strip(),
        *(f"{result.figures[name]:.4g}" if name in result.figures else "" for name in names),
        "" if result.coverage is None else _coverage(result),
        "whole collection" if whole else f"one item{spent}",
    )


def _give_or_take(error: float | None) -> str:
    return "" if error is None or math.isnan(error) else f" ± {error:.2g}"


def _coverage(result: Performance) -> str:
    return f"{result.coverage:.1%} ± {result.coverage_se:.1%}"
