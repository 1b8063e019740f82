"""``sotto plan``: what a survey will be worth, or what it takes to reach a half-width."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import several, terminal
from sottovoce.cli.answer_output import save_plot
from sottovoce.cli.options import add_command, add_problem, add_settings, read_settings
from sottovoce.cli.parser import html_option, json_option, number, whole

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands
    from sottovoce.problems import Problem

_NEXT_EPILOG = """\
  sotto simulate --plan plan.toml
  sotto estimate --plan plan.toml trips.csv --user card --value minutes"""
_EPILOG = """\
Of {unknowns} and --halfwidth (or --error) leave out one: it is solved for.
--json prints problem, protocol, assumed, solved, target_halfwidth, predicted (halfwidth, rmse, mse,
standard_error, dominant), efficiency, methods, users_per_round, sensitivity, ways, poisoning,
regime, advice, warnings, beyond (what theory says of an ε that no device answers)."""
_UNKNOWNS: dict[str, dict[str, Any]] = {
    "users": {"type": whole, "metavar": "N", "help": "how many users"},
    "observations": {"type": whole, "metavar": "T", "help": "observations per user"},
    "epsilon": {
        "type": number,
        "metavar": "E",
        "help": "privacy budget of one report, 1e-6 to 16; above 16: planned for 16",
    },
}


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command; its parts only when they are wanted, since they load the library."""
    quantities = add_command(
        commands,
        "plan",
        _register,
        wanted=wanted,
        help="how many users, which epsilon, how wrong: before anyone is asked",
        description="Plan a survey before anyone is asked.",
    )
    if quantities is not None:
        several.register_plan(quantities)


def _register(quantities: Commands, problem: Problem[Any]) -> None:
    parser = add_problem(
        quantities,
        problem,
        description="Predict the half-width of a survey, or solve for what reaches one. It estimates {}.",
        epilog=_epilog(problem),
    )
    known = parser.add_argument_group("leave out one of these")
    for name in problem.unknowns:
        known.add_argument(f"--{name}", **_UNKNOWNS[name])
    target = known.add_mutually_exclusive_group()
    target.add_argument("--halfwidth", type=number, metavar="W", help="half-width of the interval to reach")
    target.add_argument("--error", type=number, metavar="R", help="or the root mean squared error to reach")
    add_settings(parser, problem, skip=(*problem.unknowns, "names", *problem.plan.crowd))
    assumed = parser.add_argument_group("the users, as they are assumed to be")
    for name, text in problem.plan.crowd.items():
        assumed.add_argument(f"--{name}", type=number, metavar=name[:1].upper(), help=text)
    parser.add_argument("--save", metavar="FILE", help="write the plan to a TOML file")
    parser.add_argument("--plot", metavar="FILE", help="draw half-width against users (needs the extra plot)")
    html_option(parser, "the plan")
    json_option(parser)
    parser.set_defaults(run=lambda options: run(problem, options))


def _epilog(problem: Problem[Any]) -> str:
    lines = [terminal.wrap_command(f"sotto plan {problem.name} {words}") for words in problem.commands.plan]
    if any("plan.toml" in line for line in lines):
        lines.append(_NEXT_EPILOG)
    unknowns = ", ".join(f"--{name}" for name in problem.unknowns)
    return "\n".join([*(["examples:", *lines, ""] if lines else []), _EPILOG.format(unknowns=unknowns)])


def run(problem: Problem[Any], options: argparse.Namespace) -> None:
    """Plan, print, save."""
    from sottovoce.cli.file_options import placeholder_names
    from sottovoce.planning import plan

    names = (*problem.unknowns, "halfwidth", "error", *problem.plan.crowd)
    given = {name: getattr(options, name) for name in names}
    settings = read_settings(
        options, problem, names=placeholder_names(options), skip=(*problem.unknowns, *problem.plan.crowd)
    )
    planned = plan(problem=problem.name, **given, **settings)
    if options.plot is not None:
        save_plot(planned.plot, options.plot)
    if options.save is not None:
        planned.save(options.save)
    if options.html is not None:
        from sottovoce.cli.pages import plan_page, save_page

        save_page(options.html, plan_page(planned))
    if options.json:
        terminal.show_json(planned.to_dict())
        return
    lines = terminal.summary_lines(planned.summary())
    lines += [
        "",
        terminal.sentence("command-what-if"),
        *terminal.picture_lines(planned.picture(width=min(80, terminal.columns() - 2)), indent=2),
    ]
    if options.save is not None:
        groups = bool(getattr(planned.protocol, "groups", ()))
        simulated = problem.plan.users is not None  # else there is nobody to simulate with
        next_ = terminal.sentence("command-plan-next", plan=options.save, simulated=simulated, groups=groups)
        lines += ["", terminal.sentence("command-try", command=terminal.accent(next_))]
    terminal.show(lines)
