"""``sotto estimate cover``: which of many centres most users are nearest to, rehearsed on a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, confidence_option, json_option, number, whole

if TYPE_CHECKING:
    from sottovoce.protocols import Cover

_EPILOG = """\
examples:
  sotto estimate cover stops.csv --user card --value x --value y --space l2 --delta 0.2 --epsilon 2
  sotto estimate cover parts.csv --user card --value part --space sobolev --delta 0.5 --epsilon 2

--json prints the answer: index, centre, size, share, share_interval, gap, top (index, share,
standard_error), radius, error_bound, confidence, interval_kind, users_per_round, privacy, method,
reason, warnings; and metric, seed."""


def register(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the quantity."""
    parser = quantities.add_parser(
        "cover",
        help="the centre of a cover that most users are nearest to",
        description="Find the centre of a cover that most users are nearest to. Every user of the file votes once.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help=".csv, .csv.gz or .parquet; one row is one observation")
    parser.add_argument("--user", required=True, metavar="COL", help="column that says whose observation a row is")
    parser.add_argument(
        "--value", required=True, action="append", metavar="COL", help="column with a coordinate; once for each"
    )
    parser.add_argument(
        "--space",
        choices=("l2", "linf", "sparse", "sobolev"),
        default="l2",
        metavar="S",
        help="what is covered: l2 (default) or linf, a ball about zero; sparse, vectors with few coordinates that are "
        "not zero; sobolev, smooth densities on [0, 1]",
    )
    parser.add_argument(
        "--delta", type=number, required=True, metavar="D", help="distance within which a centre must be"
    )
    parser.add_argument(
        "--radius", type=number, default=None, metavar="R", help="size of the space (default: 1; sobolev: 2)"
    )
    parser.add_argument(
        "--sparsity", type=whole, default=1, metavar="K", help="sparse: coordinates not zero (default: 1)"
    )
    parser.add_argument("--smoothness", type=number, default=1.0, metavar="B", help="sobolev: β (default: 1)")
    parser.add_argument(
        "--epsilon",
        type=number,
        required=True,
        metavar="E",
        help="privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private",
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
    """Make the cover, read, ask, print."""
    from sottovoce.functions import cover_select
    from sottovoce.messages.limits import check_epsilon

    check_epsilon(options.epsilon)  # wrong settings are reported before a long file is read
    cover = _cover(options)
    found = cover_select(
        options.file,
        centres=cover,
        epsilon=options.epsilon,
        user=options.user,
        value=options.value if len(options.value) > 1 else options.value[0],
        confidence=options.confidence,
        seed=options.seed,
    )
    centre = cover.centres[found.index]
    if options.json:
        terminal.show_json(found.to_dict() | {"centre": centre, "metric": cover.metric, "seed": options.seed})
        return
    lines = terminal.summary_lines(found.summary())
    lines.append(terminal.labelled("cover", f"{cover.space}; {len(cover):,} centres, radius {cover.radius:.4g}"))
    if options.seed is not None:
        text = f"reports simulated with seed {options.seed}: the same law, repeatable, not private"
        lines.append(terminal.labelled("simulated", text))
    terminal.show([*lines, "", *terminal.picture_lines(found.picture())])


def _cover(options: argparse.Namespace) -> Cover:
    from sottovoce.protocols import covers

    radius = (2.0 if options.space == "sobolev" else 1.0) if options.radius is None else options.radius
    dimension, delta = len(options.value), options.delta
    match options.space:
        case "l2":
            return covers.l2_ball(dimension=dimension, delta=delta, radius=radius)
        case "linf":
            return covers.linf_ball(dimension=dimension, delta=delta, radius=radius)
        case "sparse":
            return covers.sparse_vectors(dimension=dimension, sparsity=options.sparsity, delta=delta, radius=radius)
        case _:
            return covers.sobolev_densities(smoothness=options.smoothness, radius=radius, delta=delta)
