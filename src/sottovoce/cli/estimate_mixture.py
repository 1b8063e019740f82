"""``sotto estimate mixture``: the means and shares of several kinds of users, rehearsed on a file."""

from __future__ import annotations

import argparse

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, confidence_option, json_option, range_options, whole

_EPILOG = """\
example:
  sotto estimate mixture trips.csv --user card --value minutes --components 3 --low 0 --high 120 --epsilon 4

--json prints the answer: means, intervals, standard_errors (sampling, privacy, localisation, total),
shares, share_errors, centres, low, high, confidence, interval_kind, users_per_round, privacy, method,
reason, warnings; and observations, seed."""


def register(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the quantity."""
    parser = quantities.add_parser(
        "mixture",
        help="the means and shares of several kinds of users",
        description="Estimate the means and the shares of several kinds of users. Every user of the\n"
        "file is of one kind and answers once; not even the kind is told.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help=".csv, .csv.gz or .parquet; one row is one observation")
    parser.add_argument("--user", required=True, metavar="COL", help="column that says whose observation a row is")
    parser.add_argument("--value", required=True, metavar="COL", help="column with the observed numbers")
    parser.add_argument(
        "--components", required=True, type=whole, metavar="M", help="how many kinds of users there are"
    )
    range_options(parser)
    parser.add_argument(
        "--method",
        choices=("paper", "theory"),
        default="paper",
        metavar="M",
        help="paper (default) or theory: the constants of the paper's experiments or of its proofs",
    )
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
    from sottovoce.data import collections
    from sottovoce.functions import mixture_means
    from sottovoce.functions.common import typical
    from sottovoce.messages.limits import check_epsilon, check_range

    check_epsilon(options.epsilon)  # wrong settings are reported before a long file is read
    check_range(options.low, options.high)
    people = collections(options.file, user=options.user, value=options.value)
    looked_up = options.observations is None
    observations = typical(people) if looked_up else options.observations
    found = mixture_means(
        people,
        components=options.components,
        epsilon=options.epsilon,
        low=options.low,
        high=options.high,
        method=options.method,
        confidence=options.confidence,
        observations=observations,
        seed=options.seed,
    )
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
    terminal.show([*lines, "", *terminal.picture_lines(found.picture(width=52))])
