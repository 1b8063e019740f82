"""``sotto compare``: methods and baselines on the same users at the same ε, at one budget or at several.

Whom a trial asks, users of a file or made-up ones, and how its figures are shown, ``sotto simulate`` has from here.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.answer_output import save_plot
from sottovoce.cli.file_options import file_options, placeholder_names, stated_options
from sottovoce.cli.options import (
    LOOKED_UP,
    add_command,
    add_option,
    add_options,
    add_problem,
    add_settings,
    check_declared,
    has_setting,
    method_help,
    ranges_to_declare,
    read_options,
    read_settings,
)
from sottovoce.cli.parser import html_option, json_option, numbers, repetition_options
from sottovoce.cli.terminal import progress

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.cli.options import Commands
    from sottovoce.messages import Fact
    from sottovoce.problems import Problem
    from sottovoce.trials import Comparison, Performance, Population

_EPILOG = (
    "MSE ratios are paired: what hits two methods in the same repetition cancels. A method with a star protects single "
    "observations only, so it is no rival at the same ε.",
    "--json prints problem, users (as facts), truth, notes, settings, epsilons, reference, repetitions, seed and "
    "rows, a list with method, epsilon, ran (what auto chose), reason, protects, warnings (of the last repetition), "
    "collection_epsilon, mse, mse_se, rmse, rmse_se, mse_ratio (over the MSE of the reference at this ε), "
    "mse_ratio_se, cost (over its own MSE at the largest ε), cost_se, coverage, coverage_se, figures ({figures}), "
    "figures_se; or with method, epsilon and impossible. --csv writes the same, a line for each row.",
)


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    add_command(
        commands,
        "compare",
        _register,
        wanted=wanted,
        help="methods and baselines side by side, at one epsilon or several",
        description="Compare methods and baselines on the same users with the same seeds: how much lower the error of\n"
        "each is, how often its intervals hold the truth, and what a smaller epsilon would cost.",
    )


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    from sottovoce.problems import described
    from sottovoce.trials import every_method

    parser = add_problem(
        quantities,
        problem,
        description=(
            "Compare methods and baselines on the same users with the same seeds, at one epsilon or several. They "
            "estimate {}."
        ),
        epilog=_epilog(problem),
    )
    population_options(parser, problem, skip=("epsilon", "method"))
    trial = parser.add_argument_group("the comparison")
    (budget,) = (field for field in described(problem.settings) if field.name == "epsilon")
    trial.add_argument(
        "--epsilon",
        type=numbers,
        nargs="+",
        action="extend",
        required=True,
        metavar="E",
        help=f"{budget.help.text}; several are compared",
    )
    trial.add_argument(
        "--methods",
        metavar="M,M,…",
        help="names with commas between them, the first being the reference (default: all, and the reference is "
        f"auto): {method_help(problem, every_method(problem)).replace('(default) ', '')}",
    )
    repetition_options(trial, repetitions=100)
    parser.add_argument("--csv", metavar="FILE", help="write every row to a CSV file")
    parser.add_argument("--plot", metavar="FILE", help="draw RMSE against epsilon (needs the extra plot)")
    html_option(parser, "the comparison")
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    """Examples are those of a simulation, at several budgets."""
    lines: list[str] = []
    for words in problem.commands.simulate:
        asked = re.sub(r" --method \S+", "", re.sub(r"--epsilon \S+", "--epsilon 0.5 1 2 4", words))
        files = "" if lines else " --csv table.csv --plot table.png"
        lines.append(terminal.wrap_command(f"sotto compare {problem.name} {asked}{files}"))
    figures = ", ".join(problem.world.figures)
    keys = [terminal.wrap_help(text.format(figures=figures)) for text in _EPILOG]
    return "\n".join([*(["examples:", *lines, ""] if lines else []), *about_users(problem), *keys])


def _check_method(problem: Problem[Any], name: str) -> None:
    from sottovoce.messages import InvalidInput
    from sottovoce.trials import check_method, every_method

    try:
        check_method(problem, name)
    except InvalidInput as error:
        command = f"sotto compare {problem.name}"
        fix = failures.suggestion(name, list(every_method(problem)), command=command)
        raise failures.WrongUsage(str(error), command=command, fix=fix) from error


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Compare, save, print."""
    from sottovoce.messages import Fact
    from sottovoce.trials import every_method

    methods = every_method(problem)
    if options.methods is not None:
        methods = tuple(name.strip() for name in options.methods.split(","))
    for name in methods:  # before a long file is read
        _check_method(problem, name)
    epsilons = [epsilon for given in options.epsilon for epsilon in given]
    options.epsilon = epsilons[0]
    comparison, _ = run_trials(problem, options, methods, epsilons=epsilons)
    if options.csv is not None:
        comparison.to_csv(options.csv)
    if options.plot is not None:
        save_plot(comparison.plot, options.plot)
    if options.html is not None:
        from sottovoce.cli.pages import comparison_page, save_page

        save_page(options.html, comparison_page(comparison, title=Fact("trial-page-compared", problem=problem.name)))
    if options.json:
        terminal.show_json(comparison.to_dict())
        return
    terminal.show(comparison_lines(comparison))


_USERS_EPILOG = "A file's users are the same in every repetition; made-up users are drawn afresh."
_SIZES = ("users", "dimension")
"""What a file says by itself."""


def population_options(
    parser: argparse.ArgumentParser, problem: Problem[Any], *, methods: Sequence[str] = (), skip: Sequence[str] = ()
) -> None:
    """Users of a file, or made-up users; then the settings of the survey, all but those in `skip`."""
    from sottovoce.calls import of_users
    from sottovoce.problems import described
    from sottovoce.trials import has_truth

    instead = ranges_to_declare(problem)
    if has_truth(problem):
        file_options(parser.add_argument_group("users of a file"), several=problem.takes_vectors, required=False)
        made_up, instead = parser.add_argument_group("or made-up users"), instead | LOOKED_UP
    else:
        made_up = parser.add_argument_group("the made-up users")
        parser.set_defaults(file=None)
    for field in described(problem.settings):
        if field.name in _SIZES:
            add_option(made_up, field, instead="" if has_truth(problem) else None)
    add_options(made_up, problem.world)
    left_out = (*_SIZES, "names", *of_users(problem), *skip)
    add_settings(parser, problem, skip=left_out, instead=instead, methods=methods)


def about_users(problem: Problem[Any]) -> list[str]:
    """What the end of a help page says of users, where there is a choice."""
    from sottovoce.trials import has_truth

    return [_USERS_EPILOG] if has_truth(problem) else []


def population_of(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    """Whom the options name, and the settings to ask them with."""
    check_declared(options, problem)
    return _made_up_population(problem, options) if options.file is None else _population_of_file(problem, options)


def run_trials(
    problem: Problem[Any], options: argparse.Namespace, methods: Sequence[str], *, epsilons: Sequence[float]
) -> tuple[Comparison, dict[str, Any]]:
    """The methods on whom the options name, as often as those say; and the settings that they were asked with."""
    from sottovoce.trials import compare

    people, settings = population_of(problem, options)
    with progress(options.repetitions, "repetitions") as done:
        comparison = compare(
            problem,
            methods,
            settings,
            people,
            epsilons=epsilons,
            repetitions=options.repetitions,
            seed=options.seed,
            done=done,
        )
    return comparison, settings


def _made_up_population(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce.calls import made_up, of_users
    from sottovoce.messages import InvalidInput

    needed = [name for name in (*_SIZES, "observations") if has_setting(problem, name)]
    if any(getattr(options, name) is None for name in needed):
        *most, last = [f"--{name}" for name in needed]
        words = f"{', '.join(most)} and {last}" if most else last
        raise InvalidInput(fix=f"name a FILE with --user and --value, or make users up with {words}")
    settings = read_settings(options, problem, names=placeholder_names(options), skip=("method", *of_users(problem)))
    return made_up(problem, settings, read_options(options, problem.world))


def _population_of_file(problem: Problem[Any], options: argparse.Namespace) -> tuple[Population, dict[str, Any]]:
    from sottovoce.calls import observed, of_users
    from sottovoce.data import matching_columns
    from sottovoce.messages import InvalidInput
    from sottovoce.problems import described

    made_up = [field.option for field in described(problem.world) if getattr(options, field.name) != field.default]
    made_up += [f"--{name}" for name in _SIZES if getattr(options, name, None) is not None]
    if made_up:
        raise InvalidInput(f"made-up users ({', '.join(made_up)}) and a FILE at once", fix="leave out one of the two")
    if options.user is None or options.value is None:
        raise InvalidInput(rule="a FILE needs --user and --value, the names of its columns")
    value: str | Sequence[str] = options.value
    if problem.takes_vectors:
        value = matching_columns(options.file, user=options.user, value=options.value, **stated_options(options))
    names = (value,) if isinstance(value, str) else tuple(value)
    settings = read_settings(options, problem, names=names, skip=("method", *of_users(problem))) | stated_options(
        options
    )
    return observed(problem, options.file, settings, name=options.file, user=options.user, value=value)


def method_lines(comparison: Comparison) -> list[Line]:
    """The only method of a comparison, a line for each figure."""
    from sottovoce.answers import line
    from sottovoce.messages import Fact

    (row,) = comparison.rows
    result, world = row.performance, comparison.problem.world
    assert result is not None
    lines = [line("rmse", Fact("trial-rmse", figure=rmse_fact(result), error=world.error))]
    if result.coverage_fact is not None:
        held = Fact("trial-held-of-intervals", held=result.coverage_fact, confidence=comparison.confidence)
        lines.append(line("coverage", held))
    for name, value in result.figures.items():
        figure = world.figures[name]
        lines.append((Fact(figure.label), figure.told(value, result.figures_se[name])))
    lines += [line("method", row.chosen.method_fact(row.ran)), line("protects", row.protects)]
    return [*lines, *(line("warning", warning) for warning in row.warnings)]


def rmse_fact(result: Performance) -> Fact:
    """The error that repetitions show, with its own standard error."""
    from sottovoce.messages import Fact
    from sottovoce.problems import with_error

    return with_error(Fact("figure-number", value=result.rmse), result.rmse_se)


def comparison_lines(comparison: Comparison) -> list[str]:
    """What was compared, and the tables."""
    from sottovoce.answers import lines_in_words

    lines = terminal.labelled_lines(lines_in_words(comparison.lines()), indent=0)
    for table in comparison.tables():
        header = [str(label) for label in table.header]
        body = terminal.table(header, table.cells(), left=(0,), indent=0) if table.rows else []
        notes = [terminal.paragraph(str(note), indent=0) for note in table.notes]
        lines += ["", *([terminal.bold(str(table.title))] if table.title else []), *body, *notes]
    return lines
