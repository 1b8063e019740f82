"""``sotto plan``: what a survey will be worth, or what it takes to reach a half-width."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.methods import MEAN_METHODS, METHOD_HELP
from sottovoce.cli.parser import confidence_option, json_option, number, whole

if TYPE_CHECKING:
    from sottovoce.planning import Plan

_LOW: dict[str, Any] = {"type": number, "metavar": "L", "help": "lowest declared value"}
_HIGH: dict[str, Any] = {"type": number, "metavar": "H", "help": "highest declared value"}
_RANGE = {"low": _LOW | {"required": True}, "high": _HIGH | {"required": True}}
_DIMENSION: dict[str, Any] = {"type": whole, "required": True, "metavar": "D", "help": "coordinates of an observation"}
_PROBLEMS: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {
    "mean": ("the average over users of the mean of their observations", _RANGE),
    "vector": (
        "the mean of vectors",
        {
            "dimension": _DIMENSION,
            "ball": {"choices": ("linf", "l2"), "default": "linf", "help": "a box (default) or a Euclidean ball"},
            "radius": {"type": number, "default": 1.0, "metavar": "R", "help": "of the ball or box (default: 1)"},
        },
    ),
    "sparse": (
        "the mean of vectors that is zero in most coordinates",
        {
            "dimension": _DIMENSION,
            "sparsity": {"type": whole, "required": True, "metavar": "S", "help": "coordinates that are not zero"},
            "low": _LOW | {"default": -1.0},
            "high": _HIGH | {"default": 1.0},
        },
    ),
    "density": (
        "the density of observations",
        _RANGE | {"smoothness": {"type": number, "default": 2.0, "metavar": "B", "help": "β (default: 2)"}},
    ),
    "mixture": (
        "the means of several kinds of users",
        _RANGE | {"components": {"type": whole, "required": True, "metavar": "M", "help": "how many kinds"}},
    ),
}

_EPILOG = """\
examples:
  sotto plan mean --low 1 --high 5 --epsilon 1 --observations 100 --halfwidth 0.05
  sotto plan mean --low 1 --high 5 --epsilon 1 --observations 100 --users 3000
  sotto plan mean --low 0 --high 120 --users 20000 --observations 50 --halfwidth 2 --within 15 \\
      --spread 8 --save plan.toml
  sotto simulate --plan plan.toml
  sotto estimate --plan plan.toml trips.csv --user card --value minutes

Of --users, --observations, --epsilon and --halfwidth (or --mse) leave out one: it is solved for.
--json prints problem, protocol, assumed, solved, target_halfwidth, predicted (halfwidth, rmse, mse,
standard_error, dominant), users_per_round, sensitivity, ways, poisoning, regime, advice."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    group = commands.add_parser(
        "plan",
        help="how many users, which epsilon, how wrong: before anyone is asked",
        description="Plan a survey before anyone is asked.",
    )
    quantities = group.add_subparsers(dest="quantity", metavar="WHAT", required=True, title="what to estimate")
    for name, (what, options) in _PROBLEMS.items():
        parser = quantities.add_parser(
            name,
            help=what,
            description=f"Predict the half-width of a survey of {what}, or solve for what reaches one.",
            epilog=_EPILOG,
        )
        _shared(parser, name)
        survey = parser.add_argument_group("what is declared")
        for option, settings in options.items():
            survey.add_argument(f"--{option}", **settings)
        parser.set_defaults(run=run, settings=tuple(options))


def _shared(parser: argparse.ArgumentParser, name: str) -> None:
    known = parser.add_argument_group("leave out one of these")
    known.add_argument("--users", type=whole, metavar="N", help="how many users")
    known.add_argument("--observations", type=whole, metavar="T", help="observations per user")
    known.add_argument("--epsilon", type=number, metavar="E", help="privacy budget of one report, 1e-6 to 16")
    target = known.add_mutually_exclusive_group()
    target.add_argument("--halfwidth", type=number, metavar="W", help="half-width of the interval to reach")
    target.add_argument("--mse", type=number, metavar="M", help="or the mean squared error to reach")
    survey = parser.add_argument_group("the survey")
    text = METHOD_HELP if name == "mean" else "auto (default) chooses; otherwise one of the protocol's methods"
    survey.add_argument("--method", choices=MEAN_METHODS, default="auto", metavar="M", help=text)
    confidence_option(survey)
    assumed = parser.add_argument_group("the users (default: alike, spread as widely as the range allows)")
    assumed.add_argument(
        "--spread",
        type=number,
        default=0.0,
        metavar="S",
        help="standard deviation of the users' own means (default: 0)",
    )
    assumed.add_argument("--within", type=number, metavar="S", help="standard deviation of one user's observations")
    assumed.add_argument("--around", type=number, metavar="C", help="where the users' means lie (default: the worst)")
    parser.add_argument("--save", metavar="FILE", help="write the plan to a TOML file")
    parser.add_argument("--plot", metavar="FILE", help="draw half-width against users (needs the extra plot)")
    json_option(parser)


def run(options: argparse.Namespace) -> None:
    """Plan, print, save."""
    from sottovoce.functions import plan

    names = ("users", "observations", "epsilon", "halfwidth", "mse", "method", "confidence")
    given = {name: getattr(options, name) for name in (*names, "spread", "within", "around", *options.settings)}
    found = plan(problem=options.quantity, **given)
    if options.plot is not None:
        _draw(found, options.plot)
    if options.save is not None:
        found.save(options.save)
    if options.json:
        terminal.show_json(found.to_dict())
        return
    lines = terminal.summary_lines(found.summary())
    lines += ["", "what if", *terminal.picture_lines(found.picture(width=80), indent=2)]
    if options.save is not None:
        command = "simulate" if options.quantity == "mean" else "estimate"
        lines += ["", f"saved; try: {terminal.accent(f'sotto {command} --plan {options.save}')}"]
    terminal.show(lines)


def _draw(found: Plan, path: str) -> None:
    from sottovoce.messages import MissingExtra

    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra('plots need matplotlib: pip install "sottovoce[plot]"') from error
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    found.plot(figure.subplots())
    figure.savefig(path, dpi=150)
