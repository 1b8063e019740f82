"""``sotto estimate mean``: one survey, rehearsed on a file."""

from __future__ import annotations

import argparse

from sottovoce.cli import planned, terminal
from sottovoce.cli.methods import MEAN_METHODS, METHOD_HELP
from sottovoce.cli.parser import at_least, confidence_option, json_option, range_options, whole

_EPILOG = """\
examples:
  sotto estimate mean ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1
  sotto estimate mean trips.parquet --user card --value minutes --low 0 --high 120 --epsilon 2 --json

--json prints the estimate: value, interval, confidence, interval_kind, standard_error (sampling,
privacy, localisation, total), users_per_round, privacy (epsilon, protects, users, rounds,
statement), method, reason, low, high, warnings; and observations, seed."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    group = commands.add_parser(
        "estimate", help="estimate from a file, as a survey would", description="Rehearse a survey on a file."
    )
    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    planned.register_estimate(quantities)
    parser = quantities.add_parser(
        "mean",
        help="the average over users of the mean of their observations",
        description="Estimate the average over users of the mean of their observations. Every user of the file\n"
        "answers once, through the code that runs on a device.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help=".csv, .csv.gz or .parquet; one row is one observation")
    parser.add_argument("--user", required=True, metavar="COL", help="column that says whose observation a row is")
    parser.add_argument("--value", required=True, metavar="COL", help="column with the observed numbers")
    range_options(parser)
    parser.add_argument("--method", choices=MEAN_METHODS, default="auto", metavar="M", help=METHOD_HELP)
    parser.add_argument(
        "--observations",
        type=whole,
        metavar="T",
        help="observations per user, as a survey would declare it (default: looked up in the file)",
    )
    confidence_option(parser)
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports)",
    )
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, ask, print."""
    from sottovoce.cli.methods import protocol
    from sottovoce.data import collections
    from sottovoce.functions import mean
    from sottovoce.functions.common import typical

    settings = {
        "epsilon": options.epsilon,
        "low": options.low,
        "high": options.high,
        "method": options.method,
        "confidence": options.confidence,
    }
    # Wrong settings are reported before a long file is read.
    protocol(**settings, users=1, observations=1 if options.observations is None else options.observations)
    people = collections(options.file, user=options.user, value=options.value)
    looked_up = options.observations is None
    observations = typical(people) if looked_up else options.observations
    found = mean(people, **settings, observations=observations, seed=options.seed)
    if options.json:
        terminal.show_json(found.to_dict() | {"observations": observations, "seed": options.seed})
        return
    lines = terminal.summary_lines(found.summary())
    if looked_up:
        held = terminal.count(observations, "observation")
        text = f"{held} per user, as looked up in the file; a survey has to declare it"
        lines.append(terminal.labelled("rehearsal", text))
    if options.seed is not None:
        text = f"reports simulated with seed {options.seed}: the same law, repeatable, not private"
        lines.append(terminal.labelled("simulated", text))
    terminal.show([*lines, "", *terminal.picture_lines(found.picture(width=72))])
