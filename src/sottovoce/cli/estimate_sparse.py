"""``sotto estimate sparse``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sottovoce.cli.parser import number, whole
from sottovoce.cli.rehearsal import COMMON_KEYS, PLENTY, Rehearsal, Settings

METHODS = ("auto", "paper", "theory")
PROCEDURES = ("auto", "selection", "threshold")
_METHOD_HELP = (
    "auto (default) is paper, but refines in one round where that has the lower predicted error; paper and theory have "
    "the constants of the paper's experiments or proofs"
)
_EPILOG = f"""\
examples:
  sotto estimate sparse likes.csv --user reader --value 'tag_*' --sparsity 4 --epsilon 2
  sotto estimate sparse moods.csv --user who --value a,b,c,d --sparsity 1 --low -10 --high 10 --epsilon 4

When in doubt about --sparsity, choose it rather too large.
--json prints support (selected coordinates, counted from 0, best first), left_out, value, intervals,
simultaneous, standard_error, low, high, names, note,
{COMMON_KEYS}
method, reason, warnings; and observations, seed."""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--sparsity", type=whole, required=True, metavar="S", help="at most so many means differ from zero"
    )
    parser.add_argument(
        "--low", type=number, default=-1.0, metavar="L", help="lowest declared value of every column (default: -1)"
    )
    parser.add_argument(
        "--high", type=number, default=1.0, metavar="H", help="highest; averages beyond are clamped (default: 1)"
    )
    parser.add_argument(
        "--procedure",
        choices=PROCEDURES,
        default="auto",
        metavar="P",
        help="selection lets half of the users vote for columns first, threshold estimates every column and drops "
        "the small ones; auto (default) takes threshold when users are very many",
    )
    parser.add_argument(
        "--public-seed", type=whole, default=0, metavar="S", help="makes the public signs of the votes (default: 0)"
    )


def _settings(options: argparse.Namespace) -> Settings:
    names = ("sparsity", "low", "high", "procedure", "public_seed")
    return {name: getattr(options, name) for name in names}


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.protocols import SparseMean

    own = {name: value for name, value in settings.items() if name != "public_seed"}
    return SparseMean(
        **own, seed=settings["public_seed"], users=PLENTY, observations=observations, dimension=len(names)
    )


COMMAND = Rehearsal(
    name="sparse",
    function="sparse_mean",
    help="the same for many columns, nearly all of whose means are zero",
    description="Find the few columns whose mean is not zero, and estimate it.",
    epilog=_EPILOG,
    options=_options,
    settings=_settings,
    check=_check,
    methods=METHODS,
    method_help=_METHOD_HELP,
    several=True,
    named=True,
)
