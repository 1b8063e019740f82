"""``sotto estimate``: one survey, rehearsed on a file. Each quantity is a function of the library."""

from __future__ import annotations

import argparse

from sottovoce.cli import (
    estimate_cover,
    estimate_density,
    estimate_mean,
    estimate_mixture,
    estimate_sparse,
    estimate_vector,
    planned,
    rehearsal,
)

QUANTITIES = (
    estimate_mean.COMMAND,
    estimate_vector.COMMAND,
    estimate_sparse.COMMAND,
    estimate_density.COMMAND,
    estimate_mixture.COMMAND,
    estimate_cover.COMMAND,
)


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    group = commands.add_parser(
        "estimate",
        help="estimate from a file, as a survey would",
        description="Rehearse a survey on a file. Every user of the file answers once, through the code that runs on\n"
        "a device.",
    )
    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    for command in QUANTITIES:
        rehearsal.register(quantities, command)
    planned.register_estimate(quantities)
