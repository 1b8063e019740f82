"""``sotto estimate mean``."""

from __future__ import annotations

from collections.abc import Sequence

from sottovoce.cli.methods import MEAN_METHODS, METHOD_HELP
from sottovoce.cli.parser import ends_options
from sottovoce.cli.rehearsal import COMMON_KEYS, Rehearsal, Settings

_EPILOG = f"""\
examples:
  sotto estimate mean ratings.csv --user student --value rating --low 1 --high 5 --epsilon 1
  sotto estimate mean trips.parquet --user card --value minutes --low 0 --high 120 --epsilon 2 --json

--json prints value, interval, standard_error (sampling, privacy, localisation, total), low, high,
{COMMON_KEYS}
method, reason, warnings; and observations, seed."""


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.protocols import Mean

    return Mean(**settings, users=1, observations=observations)


COMMAND = Rehearsal(
    name="mean",
    function="mean",
    help="the average over users of the mean of their observations",
    description="Estimate the average over users of the mean of their observations. Every user of the file\n"
    "answers once, through the code that runs on a device.",
    epilog=_EPILOG,
    options=ends_options,
    settings=lambda options: {"low": options.low, "high": options.high},
    check=_check,
    methods=MEAN_METHODS,
    method_help=METHOD_HELP,
)
