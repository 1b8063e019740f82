"""``sotto estimate vector``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sottovoce.cli.methods import MEAN_METHODS, METHOD_HELP
from sottovoce.cli.parser import number, numbers
from sottovoce.cli.rehearsal import COMMON_KEYS, PLENTY, Rehearsal, Settings

_EPILOG = f"""\
examples:
  sotto estimate vector walks.csv --user phone --value x,y,z --ball l2 --radius 2 --epsilon 2
  sotto estimate vector meals.csv --user guest --value fat --value salt --low 0 --high 100,10 --epsilon 1

--json prints value, intervals, simultaneous (for all coordinates at once), standard_error (a list
of sampling, privacy, localisation, total), low, high, names, note,
{COMMON_KEYS}
method, reason, warnings; and observations, seed."""


def _options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--ball",
        choices=("l2", "linf"),
        metavar="l2|linf",
        help="where vectors are declared to lie: l2, a Euclidean ball, or linf, a range for each coordinate "
        "(default: linf with --low and --high, else l2)",
    )
    parser.add_argument("--radius", type=number, metavar="R", help="of the ball; averages beyond are moved into it")
    parser.add_argument("--centre", type=numbers, metavar="X,Y,…", help="of the ball (default: zero)")
    parser.add_argument("--low", type=numbers, metavar="L", help="lowest value of all, or of each: L,L,…")
    parser.add_argument("--high", type=numbers, metavar="H", help="highest value of all, or of each: H,H,…")


def _settings(options: argparse.Namespace) -> Settings:
    from sottovoce.messages import InvalidInput

    box = options.low is not None or options.high is not None
    if box and (options.radius is not None or options.centre is not None):
        raise InvalidInput("--low and --high declare a box, --radius and --centre a ball; give one of the two")
    if not box and options.radius is None:
        raise InvalidInput("declare where vectors lie: --radius for a ball, or --low and --high for a box")
    return {
        "ball": options.ball or ("linf" if box else "l2"),
        "radius": 1.0 if options.radius is None else options.radius,
        "centre": options.centre,
        "low": _end(options.low),
        "high": _end(options.high),
    }


def _end(given: tuple[float, ...] | None) -> float | tuple[float, ...] | None:
    return given[0] if given is not None and len(given) == 1 else given


def _check(settings: Settings, names: Sequence[str], observations: int) -> object:
    from sottovoce.messages import InvalidInput
    from sottovoce.protocols import VectorMean

    for name in ("centre", "low", "high"):
        given = settings[name]
        if isinstance(given, tuple) and len(given) != len(names):
            raise InvalidInput(f"--{name} has {len(given)} entries and --value names {len(names)}; they must agree")
    return VectorMean(**settings, users=PLENTY, observations=observations, dimension=len(names))


COMMAND = Rehearsal(
    name="vector",
    function="vector_mean",
    help="the same for vectors, one column for each coordinate",
    description="Estimate the average over users of the mean of their vectors, declared to lie in a ball or a box.",
    epilog=_EPILOG,
    options=_options,
    settings=_settings,
    check=_check,
    methods=MEAN_METHODS,
    method_help=METHOD_HELP,
    several=True,
    named=True,
)
