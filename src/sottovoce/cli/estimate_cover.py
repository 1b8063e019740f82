"""``sotto estimate cover``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sottovoce.cli.rehearsal import COMMON_KEYS, Rehearsal, Settings

METRICS = ("l2", "linf")
VOTES = ("unary", "subset")
_EPILOG = f"""\
examples:
  sotto estimate cover walks.csv --user phone --value x,y --centres stations.csv --epsilon 2
  sotto estimate cover walks.csv --user phone --value x,y --centres stations.csv --metric linf \\
      --epsilon 4 --vote subset --json

The file of centres has a row for each and a column for each of --value: under the same names if its
first line holds names, else in the same order. Centres are public; they are numbered from 0.
--json prints index, centre, size, share, share_interval, gap (lead over the next, in standard
errors), top (index, share, standard_error), radius, error_bound,
{COMMON_KEYS}
method, reason, warnings; and seed."""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--centres", required=True, metavar="FILE.csv", help="the places to choose from, a row each")
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="l2",
        metavar="l2|linf",
        help="how far a user's average is from a centre: l2 (default), or linf, the largest difference",
    )
    parser.add_argument(
        "--vote",
        choices=VOTES,
        default="unary",
        metavar="unary|subset",
        help="unary (default) sends a bit for each centre, subset a few centres: shorter for epsilon above 3",
    )


def _settings(options: argparse.Namespace) -> Settings:
    from sottovoce.cli.centres import centres

    return {"centres": centres(options.centres, names=options.value), "metric": options.metric, "vote": options.vote}


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.protocols import CoverSelect

    return CoverSelect(**settings, users=1)


def _notes(options: argparse.Namespace) -> list[tuple[str, str]]:
    return [("centres", f"numbered from 0, in the order of {options.centres}")]


COMMAND = Rehearsal(
    name="cover",
    function="cover_select",
    help="which of some given places most users are nearest to",
    description="Find the centre, of those in a file, that most users' averages are nearest to.",
    epilog=_EPILOG,
    options=_options,
    settings=_settings,
    check=_check,
    observations=False,
    several=True,
    drawn=("top",),
    notes=_notes,
)
