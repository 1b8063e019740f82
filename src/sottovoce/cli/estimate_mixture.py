"""``sotto estimate mixture``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sottovoce.cli.parser import ends_options, number, whole
from sottovoce.cli.rehearsal import COMMON_KEYS, PLENTY, Rehearsal, Settings

METHODS = ("paper", "theory")
_METHOD_HELP = "with the constants of the paper's experiments (paper, default) or proofs (theory)"
_EPILOG = f"""\
examples:
  sotto estimate mixture shops.csv --user card --value amount --components 2 --low 0 --high 200 --epsilon 4
  sotto estimate mixture clicks.parquet --user who --value clicked --components 3 --low 0 --high 1 \\
      --epsilon 4 --smallest-share 0.1

--json prints means, intervals, standard_errors (a list of sampling, privacy, localisation, total),
shares, share_errors, centres, low, high,
{COMMON_KEYS}
method, reason, warnings; and observations, seed."""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--components", type=whole, required=True, metavar="M", help="how many kinds of users there are"
    )
    ends_options(parser)
    parser.add_argument(
        "--smallest-share",
        type=number,
        metavar="P",
        help="no kind has a smaller share of the users (default: by the method)",
    )


def _settings(options: argparse.Namespace) -> Settings:
    return {name: getattr(options, name) for name in ("components", "low", "high", "smallest_share")}


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.protocols import MixtureMeans

    # How many components there is room for depends on how many observations users hold.
    return MixtureMeans(
        **settings | {"components": min(1, settings["components"])}, users=PLENTY, observations=observations
    )


COMMAND = Rehearsal(
    name="mixture",
    function="mixture_means",
    help="the mean and the share of each of several kinds of users",
    description="Users are of a few kinds, and nobody says of which: estimate the mean and the share of each kind.",
    epilog=_EPILOG,
    options=_options,
    settings=_settings,
    check=_check,
    methods=METHODS,
    method_help=_METHOD_HELP,
)
