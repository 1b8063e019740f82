"""``sotto compare``: methods and baselines on the same users at the same ε, at one budget or at several."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.options import method_help
from sottovoce.cli.page import save
from sottovoce.cli.parser import html_option, json_option, numbers, repetition_options
from sottovoce.cli.performance import compared
from sottovoce.cli.population import about_users, population_options, tried
from sottovoce.cli.quantities import command, part
from sottovoce.cli.showing import save_plot

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands
    from sottovoce.problems import Problem

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
    command(
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

    parser = part(
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
    for words in problem.simulate_examples:
        asked = re.sub(r" --method \S+", "", re.sub(r"--epsilon \S+", "--epsilon 0.5 1 2 4", words))
        files = "" if lines else " --csv table.csv --plot table.png"
        lines.append(terminal.command(f"sotto compare {problem.name} {asked}{files}"))
    figures = ", ".join(problem.world.figures)
    keys = [terminal.wrapped(text.format(figures=figures)) for text in _EPILOG]
    return "\n".join([*(["examples:", *lines, ""] if lines else []), *about_users(problem), *keys])


def _check(problem: Problem[Any], name: str) -> None:
    from sottovoce.messages import InvalidInput
    from sottovoce.trials import check_method, every_method

    try:
        check_method(problem, name)
    except InvalidInput as error:
        command = f"sotto compare {problem.name}"
        fix = failures.meant(name, list(every_method(problem)), command=command)
        raise failures.WrongUsage(str(error), command=command, fix=fix) from error


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Compare, save, print."""
    from sottovoce.messages import Fact
    from sottovoce.trials import every_method

    methods = every_method(problem)
    if options.methods is not None:
        methods = tuple(name.strip() for name in options.methods.split(","))
    for name in methods:  # before a long file is read
        _check(problem, name)
    epsilons = [epsilon for given in options.epsilon for epsilon in given]
    options.epsilon = epsilons[0]
    found, _ = tried(problem, options, methods, epsilons=epsilons)
    if options.csv is not None:
        found.to_csv(options.csv)
    if options.plot is not None:
        save_plot(found.plot, options.plot)
    if options.html is not None:
        from sottovoce.cli.result_page import compared_page

        save(options.html, compared_page(found, title=Fact("trial-page-compared", problem=problem.name)))
    if options.json:
        terminal.show_json(found.to_dict())
        return
    terminal.show(compared(found))
