"""``sotto simulate``: what a survey would give, many times over, on made-up users or on those of a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import planned, terminal
from sottovoce.cli.page import save
from sottovoce.cli.parser import html_option, json_option, repetition_options
from sottovoce.cli.performance import compared, one
from sottovoce.cli.population import about_users, population_options, tried
from sottovoce.cli.quantities import command, part

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.cli.quantities import Commands
    from sottovoce.problems import Problem
    from sottovoce.trials import Comparison

_EPILOG = """\
--json prints problem, users (as facts), truth, settings, repetitions, seed, notes, and methods: a
list with method, epsilon, ran (what auto chose), reason, protects, warnings (of the last repetition),
collection_epsilon, mse, mse_se, rmse, rmse_se, coverage, coverage_se, figures ({figures}),
figures_se; or with method and impossible where a method cannot run."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = command(
        commands,
        "simulate",
        _register,
        wanted=wanted,
        help="repeat a survey to see how accurate it would be",
        description="Repeat a survey with the exact simulator, to see how accurate it would be.",
    )
    if quantities is not None:
        planned.register_simulate(quantities)


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    from sottovoce.trials import every_method

    parser = part(
        quantities,
        problem,
        description=(
            "Repeat a survey with the exact simulator: its error, and how often its intervals hold the truth. It "
            "estimates {}."
        ),
        epilog=_epilog(problem),
    )
    population_options(parser, problem, methods=(*every_method(problem), "all"))
    repetition_options(parser.add_argument_group("the trial"), repetitions=50)
    html_option(parser, "the result")
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    examples = [terminal.command(f"sotto simulate {problem.name} {words}") for words in problem.simulate_examples]
    keys = terminal.wrapped(_EPILOG.replace("\n", " ").format(figures=", ".join(problem.world.figures)))
    return "\n".join(["examples:", *examples, "", *about_users(problem), keys])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Repeat, print."""
    from sottovoce.answers import to_plain, told
    from sottovoce.messages import Fact
    from sottovoce.trials import every_method

    several = options.method == "all"
    methods = every_method(problem) if several else (options.method,)
    found, settings = tried(problem, options, methods, epsilons=(options.epsilon,))
    if options.html is not None:
        from sottovoce.cli.result_page import compared_page, repeated_page

        title = Fact("trial-page-simulated", problem=problem.name)
        save(options.html, compared_page(found, title=title) if several else repeated_page(_alone(found), title=title))
    if options.json:
        terminal.show_json(
            {"problem": problem.name, "users": to_plain(found.users), "truth": found.truth, "settings": settings}
            | {"repetitions": options.repetitions, "seed": options.seed, "notes": to_plain(found.notes)}
            | {"methods": [row.to_dict() for row in found.rows]}
        )
    elif several:
        terminal.show(compared(found))
    else:
        terminal.show(terminal.told(told(_alone(found)), indent=0))


def _alone(found: Comparison) -> list[Line]:
    """One method, line by line."""
    from sottovoce.messages import Fact

    about, *kept = (Fact(f"label-{name}") for name in ("note", "answer", "users", "survey", "truth"))
    lines = found.lines()
    return [*(line for line in lines if line[0] in kept), *one(found), *(line for line in lines if line[0] == about)]
