"""``sotto simulate --plan`` and ``sotto estimate --plan``: a survey as a plan file describes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.files import file_options, seed_option, stated
from sottovoce.cli.page import save
from sottovoce.cli.parser import html_option, json_option, named, repetition_options
from sottovoce.cli.performance import rmse
from sottovoce.cli.progress import progress
from sottovoce.cli.read import read_notes
from sottovoce.cli.showing import document, save_page, show

if TYPE_CHECKING:
    from sottovoce.answers import Line
    from sottovoce.engines import People
    from sottovoce.planning import Plan
    from sottovoce.trials import Performance

NAME = "planned"


def spelled_out(words: Sequence[str]) -> list[str]:
    """``estimate --plan FILE …`` says what to estimate in the file, so the word that names it may be left out."""
    return named(words, NAME, option="--plan", commands=("estimate", "simulate"))


def register_estimate(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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


def register_simulate(quantities: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    """Read, ask as planned, print."""
    from sottovoce import calls
    from sottovoce.answers import line, told
    from sottovoce.data import grouped_by, matching, reading_of
    from sottovoce.engines import run
    from sottovoce.messages import Fact, InvalidInput
    from sottovoce.planning import load
    from sottovoce.problems import ByGroup

    plan = load(options.plan)
    options.value = matching(options.file, user=options.user, value=options.value, **stated(options))
    groups = plan.protocol.groups if isinstance(plan.protocol, ByGroup) else ()
    if bool(groups) != (options.by is not None):
        fix = "name the column that says the group with --by" if groups else "it has no groups: leave --by out"
        raise InvalidInput(f"this plan is of a {plan.problem.name}: {fix}")
    wanted = 1 if groups else _columns(plan)
    if len(options.value) != wanted:
        raise InvalidInput(
            f"this plan is of a {plan.problem.name}: --value takes {terminal.count(wanted, 'column')}; "
            f"got {len(options.value)}"
        )
    declared = {name: getattr(plan.protocol, name, None) for name in ("categories", "other")} | stated(options)
    columns = options.value if wanted > 1 else options.value[0]
    people: People
    if groups:
        people, _ = grouped_by(
            options.file, by=options.by, groups=groups, user=options.user, value=columns, **_said(declared)
        )
    else:
        people, _ = calls.gathered(plan.problem, options.file, declared, user=options.user, value=columns)
    reading = reading_of(people)
    asked = replace(plan.protocol, users=people.users)
    if hasattr(asked, "names"):
        asked = replace(asked, names=tuple(options.value))
    answer = calls.rehearsed(run(asked, calls.engine(people, options.seed)), asked, people)
    found = calls.told(answer, reading)
    of = ", ".join(options.value)
    there = None if people.users == plan.protocol.users else people.users
    note = Fact("planned-for-users", halfwidth=plan.halfwidth, users=plan.protocol.users, there=there)
    notes = [*read_notes(reading, found), *told([line("planned", note)])]
    title = f"{plan.problem.heading} of {of}{f' by {options.by}' if options.by else ''}"
    save_page(options.html, (title, found, of, notes), seed=options.seed)
    if options.json:
        terminal.show_json(document(found, asked, seed=options.seed))
        return
    show(found, notes, seed=options.seed, of=of)


def _said(declared: dict[str, Any]) -> dict[str, Any]:
    return {name: given for name, given in declared.items() if given is not None}


def _columns(plan: Plan) -> int:
    """How many numbers an observation holds, as its first question says."""
    first = plan.protocol.decide(())
    return int(first.encoder.dimension)


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
            f"sotto simulate --plan cannot make up the users of a {plan.problem.name} as a plan assumes them; take "
            f"sotto simulate {plan.problem.name} instead, with the plan's numbers"
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
    terminal.show([terminal.labelled(label, text) for label, text in told(lines)])


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
        line("half-width", Fact("planned-halfwidth", halfwidth=plan.halfwidth)),
    ]
    if seen.held is not None:
        lines.append(line("coverage", Fact("planned-coverage", held=seen.held, confidence=plan.confidence)))
    return lines
