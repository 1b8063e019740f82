"""``sotto simulate``, and ``mean`` of it: what a survey would give, many times over."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from sottovoce.cli import (
    experiment,
    planned,
    simulate_density,
    simulate_mixture,
    simulate_sparse,
    simulate_vector,
    terminal,
)
from sottovoce.cli.distributions import FORMS, distribution
from sottovoce.cli.methods import BASELINE_HELP, EVERY_METHOD, METHOD_HELP
from sottovoce.cli.parser import confidence_option, json_option, number, range_options, repetition_options, whole

if TYPE_CHECKING:
    from sottovoce.cli.comparison import Row
    from sottovoce.cli.populations import Population

EXPERIMENTS = (
    simulate_vector.EXPERIMENT,
    simulate_sparse.EXPERIMENT,
    simulate_density.EXPERIMENT,
    simulate_mixture.EXPERIMENT,
)
_EPILOG = """\
examples:
  sotto simulate mean --users 3000 --observations 25 --low 1 --high 5 --epsilon 1
  sotto simulate mean --users 500 --observations 1000 --distribution beta:2,5 --low 0 --high 1 \\
      --epsilon 2 --method all
  sotto simulate mean ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1

A file's users are the same in every repetition; made-up users are drawn afresh.
--json prints population, truth, low, high, epsilon, confidence, repetitions, seed, notes, and
methods: a list with method, ran (what auto chose), reason, protects, collection_epsilon,
mean_estimate, rmse, rmse_se, bias, bias_se, halfwidth, coverage, coverage_se; or with method and
impossible where a method cannot run."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    group = commands.add_parser(
        "simulate",
        help="repeat a survey to see how accurate it would be",
        description="Repeat a survey with the exact simulator.",
    )
    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    parser = quantities.add_parser(
        "mean",
        help="the average over users of the mean of their observations",
        description="Repeat a survey of the mean with the exact simulator: error, bias and coverage of the interval.",
        epilog=_EPILOG,
    )
    real = parser.add_argument_group("users of a file")
    real.add_argument("file", nargs="?", metavar="FILE", help=".csv, .csv.gz or .parquet; one row is one observation")
    real.add_argument("--user", metavar="COL", help="column that says whose observation a row is")
    real.add_argument("--value", metavar="COL", help="column with the observed numbers")
    made_up = parser.add_argument_group("or made-up users")
    made_up.add_argument("--users", type=whole, metavar="N", help="how many")
    made_up.add_argument(
        "--distribution", type=distribution, metavar="D", help=f"{FORMS}, on [L, H] (default: uniform)"
    )
    made_up.add_argument(
        "--spread",
        type=number,
        metavar="S",
        help="standard deviation of the users' own means, in units of the observations (default: 0, users alike)",
    )
    survey = parser.add_argument_group("the survey")
    range_options(survey)
    survey.add_argument(
        "--observations",
        type=whole,
        metavar="T",
        help="observations per user; with a file, what the survey declares (default: looked up in the file)",
    )
    methods = f"{METHOD_HELP}; {BASELINE_HELP}; all compares them"
    survey.add_argument("--method", choices=(*EVERY_METHOD, "all"), default="auto", metavar="M", help=methods)
    confidence_option(survey)
    repetition_options(survey)
    json_option(parser)
    parser.set_defaults(run=run)
    for one in EXPERIMENTS:
        experiment.register(quantities, one)
    planned.register_simulate(quantities)


def run(options: argparse.Namespace) -> None:
    """Repeat, print."""
    from tqdm import tqdm

    from sottovoce.cli.comparison import compare
    from sottovoce.cli.methods import protocol

    settings = {name: getattr(options, name) for name in ("epsilon", "low", "high", "confidence")}
    protocol("auto", **settings, users=1, observations=1)  # wrong settings are reported before any work
    population = _population(options)
    methods = EVERY_METHOD if options.method == "all" else (options.method,)
    with tqdm(
        total=options.repetitions, desc="repetitions", leave=False, file=sys.stderr, disable=not sys.stderr.isatty()
    ) as bar:
        rows = compare(
            methods,
            population,
            **settings,
            repetitions=options.repetitions,
            seed=options.seed,
            strict=options.method != "all",
            done=bar.update,
        )
    if options.json:
        terminal.show_json(
            {"population": population.to_dict(), "truth": population.truth}
            | settings
            | {"repetitions": options.repetitions, "seed": options.seed, "notes": list(population.notes)}
            | {"methods": [row.to_dict() for row in rows]}
        )
        return
    _show(options, population, rows)


def _population(options: argparse.Namespace) -> Population:
    from sottovoce.cli.populations import FromFile, MadeUp
    from sottovoce.messages import InvalidInput
    from sottovoce.protocols.base import check_observations, check_users

    made_up = {"--users": options.users, "--distribution": options.distribution, "--spread": options.spread}
    if options.file is not None:
        extra = [name for name, given in made_up.items() if given is not None]
        if extra:
            raise InvalidInput(f"made-up users ({', '.join(extra)}) and a FILE at once; leave out one of the two")
        if options.user is None or options.value is None:
            raise InvalidInput("a FILE needs --user and --value, the names of its columns")
        if options.observations is not None:
            check_observations(options.observations)
        return FromFile.read(
            options.file,
            user=options.user,
            value=options.value,
            low=options.low,
            high=options.high,
            observations=options.observations,
        )
    if options.users is None or options.observations is None:
        raise InvalidInput("name a FILE with --user and --value, or make users up with --users and --observations")
    check_users(options.users)
    check_observations(options.observations)
    return MadeUp(
        users=options.users,
        observations=options.observations,
        distribution=options.distribution or distribution("uniform"),
        low=options.low,
        high=options.high,
        spread=options.spread or 0.0,
    )


def _show(options: argparse.Namespace, population: Population, rows: list[Row]) -> None:
    from sottovoce.cli import comparison

    survey = f"ε = {options.epsilon:g}, {terminal.count(options.repetitions, 'repetition')}, seed {options.seed}"
    lines = [
        terminal.labelled("users", population.words),
        terminal.labelled("survey", survey),
        terminal.labelled("truth", f"{population.truth:{comparison.form(rows)}}"),
    ]
    shown = comparison.one(rows[0], options.confidence) if len(rows) == 1 else ["", *comparison.side_by_side(rows)]
    terminal.show([*lines, *shown, *(terminal.labelled("note", note) for note in population.notes)])
