"""``sotto simulate --plan`` and ``sotto estimate --plan``: a survey as a plan file describes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sottovoce.cli import terminal
from sottovoce.cli.files import file_options, seed_option, stated
from sottovoce.cli.page import save
from sottovoce.cli.parser import html_option, json_option, named, repetition_options
from sottovoce.cli.performance import rmse
from sottovoce.cli.progress import progress
from sottovoce.cli.showing import tell

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.cli.quantities import Commands
    from sottovoce.planning import Plan
    from sottovoce.trials import Performance

NAME = "planned"


def spelled_out(words: Sequence[str]) -> list[str]:
    """``estimate --plan FILE …`` says what to estimate in the file, so the word that names it may be left out."""
    return named(words, NAME, option="--plan", commands=("estimate", "simulate"))


def register_estimate(quantities: Commands) -> None:
    """Add ``sotto estimate planned``."""
    parser = quantities.add_parser(
        NAME,
        help="what a plan file says; the word may be left out before --plan",
        description="Rehearse on a file the survey that a plan describes; columns in the order that the plan has them.",
    )
    file_options(parser, several=True)
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    parser.add_argument("--by", metavar="COL", help="for a plan by group: the column that says the group of a row")
    seed_option(parser)
    html_option(parser)
    json_option(parser)
    parser.set_defaults(run=estimate)


def register_simulate(quantities: Commands) -> None:
    """Add ``sotto simulate planned``."""
    parser = quantities.add_parser(
        NAME,
        help="what a plan file says; the word may be left out before --plan",
        description="Repeat the survey that a plan describes with users as the plan assumes them.",
        epilog="--json prints plan, users, repetitions, seed, predicted (halfwidth, rmse), ratio (predicted over\n"
        "simulated error), mse, mse_se, rmse, rmse_se, coverage, coverage_se, figures, figures_se.",
    )
    parser.add_argument("--plan", required=True, metavar="PLAN", help="a file written by sotto plan --save")
    repetition_options(parser)
    html_option(parser, "the result")
    json_option(parser)
    parser.set_defaults(run=simulate)


def estimate(options: argparse.Namespace) -> None:
    """Read options, rehearse as planned, print."""
    from sottovoce.data import matching
    from sottovoce.messages import Fact
    from sottovoce.planning import load
    from sottovoce.rehearsal import Request, rehearse

    plan = load(options.plan)
    value = matching(options.file, user=options.user, value=options.value, **stated(options))
    request = Request.of_plan(
        plan, options.file, user=options.user, value=value, by=options.by, seed=options.seed, **stated(options)
    )
    of = ", ".join(value)
    title = Fact("page-of", heading=plan.problem.heading, of=of, by=options.by)
    tell(options, rehearse(request), title=title, of=of)


def simulate(options: argparse.Namespace) -> None:
    """Draw users as assumed, repeat, compare with the prediction."""
    from sottovoce.answers import told
    from sottovoce.engines import run
    from sottovoce.engines import simulate as engine
    from sottovoce.messages import Fact, InvalidInput
    from sottovoce.planning import load
    from sottovoce.trials import MadeUp, performance

    plan = load(options.plan)
    if plan.problem.assumed is None:
        raise InvalidInput(
            f"sotto simulate --plan cannot make up the users of a {plan.problem.name} as a plan assumes them",
            fix=f"take sotto simulate {plan.problem.name} instead, with the plan's numbers",
        )
    worlds = [MadeUp(world=plan.problem.assumed(plan.protocol, users)) for users in plan.assumed]  # in turn
    scores = []
    with progress(options.repetitions, "repetitions") as done:
        for repetition in range(options.repetitions):
            population = worlds[repetition % len(worlds)]
            people = population.draw(seed=options.seed, repetition=repetition)
            answer = run(plan.protocol, engine(people, seed=options.seed, repetition=repetition))
            scores.append(plan.problem.world.score(answer, population.truth))
            done()
    seen = performance(scores)
    ratio = plan.prediction.rmse / seen.rmse if seen.rmse > 0 else float("inf")
    lines = _simulated(plan, seen, ratio, repetitions=options.repetitions, seed=options.seed)
    if options.html is not None:
        from sottovoce.cli.result_page import repeated_page

        save(options.html, repeated_page(lines, title=Fact("trial-page-planned", problem=plan.problem.name)))
    if options.json:
        figures = {"halfwidth": plan.halfwidth, "rmse": plan.prediction.rmse}
        terminal.show_json(
            {"plan": options.plan, "users": plan.protocol.users, "repetitions": options.repetitions}
            | {"seed": options.seed, "predicted": figures, "ratio": ratio}
            | seen.to_dict()
        )
        return
    terminal.show(terminal.told(told(lines), indent=0))


def _simulated(plan: Plan, seen: Performance, ratio: float, *, repetitions: int, seed: int) -> list[Line]:
    """What was seen beside what was predicted."""
    from sottovoce.answers import line
    from sottovoce.messages import Fact

    asked, predicted = plan.protocol, plan.prediction.rmse
    held = None if seen.coverage is None else 100 * seen.coverage
    survey = {"method": plan.method, "epsilon": asked.epsilon, "repetitions": repetitions, "seed": seed}
    users = Fact("made-up-as-assumed", users=asked.users, assumed=plan.problem.crowd_fact(plan.assumed))
    lines = [
        line("answer", Fact("planned-answer", error=seen.rmse, predicted=predicted, held_percent=held)),
        line("users", users),
        line("survey", Fact("planned-survey", **survey)),
        line("rmse", Fact("planned-rmse", figure=rmse(seen), predicted=predicted, ratio=ratio)),
        line("half-width", Fact("planned-halfwidth-predicted", halfwidth=plan.halfwidth)),
    ]
    if seen.held is not None:
        lines.append(line("coverage", Fact("planned-coverage", held=seen.held, confidence=plan.confidence)))
    return lines
