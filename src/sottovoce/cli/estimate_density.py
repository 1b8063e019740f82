"""``sotto estimate density``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli.parser import ends_options, number, whole
from sottovoce.cli.rehearsal import COMMON_KEYS, PLENTY, Rehearsal, Settings

if TYPE_CHECKING:
    from sottovoce.messages import DensityEstimate

METHODS = ("auto", "one-round", "paper", "theory")
POINTS = 101
_METHOD_HELP = (
    "auto (default) chooses the number of coefficients and the way to ask by the lowest predicted error; the others "
    "take the paper's number: one-round asks everybody once on the full range, paper and theory vote for a place first"
)
_EPILOG = f"""\
examples:
  sotto estimate density trips.csv --user card --value hour --low 0 --high 24 --epsilon 2
  sotto estimate density trips.csv --user card --value hour --low 0 --high 24 --epsilon 2 --json

--json prints coefficients, coefficient_intervals, coefficient_errors, low, high, smoothness, shift,
{COMMON_KEYS}
method, reason, warnings; curve (points, density, band_low, band_high; the density without negative
parts), mean, quartiles; and observations, seed."""


def _options(parser: argparse._ActionsContainer) -> None:
    ends_options(parser, beyond="observations beyond count at the ends")
    parser.add_argument(
        "--smoothness",
        type=number,
        default=2.0,
        metavar="B",
        help="how many derivatives the density is trusted to have (default: 2)",
    )
    parser.add_argument(
        "--coefficients", type=whole, metavar="K", help="how many coefficients, 2 or more (default: by the method)"
    )


def _settings(options: argparse.Namespace) -> Settings:
    return {name: getattr(options, name) for name in ("low", "high", "smoothness", "coefficients")}


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.protocols import Density

    return Density(**settings | {"coefficients": None}, users=PLENTY, observations=observations)


def _more(found: DensityEstimate) -> dict[str, Any]:
    import numpy as np

    true = found.projected()
    points = np.linspace(found.low, found.high, POINTS)
    low, high = true.band(points)
    curve = {"points": points, "density": true(points), "band_low": low, "band_high": high}
    return {
        "curve": {name: values.tolist() for name, values in curve.items()},
        "mean": true.mean,
        "quartiles": list(true.quantiles((0.25, 0.5, 0.75))),
    }


COMMAND = Rehearsal(
    name="density",
    function="density",
    help="how the observations of a user are spread, averaged over users",
    description="Estimate the density of the observations of a user, averaged over users.",
    epilog=_EPILOG,
    options=_options,
    settings=_settings,
    check=_check,
    methods=METHODS,
    method_help=_METHOD_HELP,
    more=_more,
    drawn=("shape",),
)
