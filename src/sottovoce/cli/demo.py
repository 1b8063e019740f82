"""``sotto demo``: a survey rehearsed on real ratings, next to the truth."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import at_least, json_option, number

if TYPE_CHECKING:
    from sottovoce.answers import Estimate
    from sottovoce.data import Dataset
    from sottovoce.explain import Sent

BUDGETS = (0.5, 1.0, 2.0, 4.0)

_EPILOG = """\
examples:
  sotto demo
  sotto demo --epsilon 2 --seed 7

Needs the extra "datasets": pip install "sottovoce[datasets]".
--json prints dataset (name, users, observations, low, high, source), truth, estimate, report
(payload, payload_bytes, message_bytes), budgets (a list with epsilon, value, interval, halfwidth,
error) and seed."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "demo",
        help="rehearse a survey on real data, next to the truth",
        description="Rehearse a survey on 73,421 real ratings from 1 to 5 by 2,972 students: what it would find, how\n"
        "sure it would be, and what one device would send.",
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
        "--seed",
        type=at_least(0),
        metavar="S",
        help="simulate the reports: same law, repeatable, not private (default: real reports, new ones every time)",
    )
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Estimate at several budgets, answer once, print."""
    from sottovoce.calls import mean, typical
    from sottovoce.data import datasets
    from sottovoce.explain import send
    from sottovoce.messages import Question, check_epsilon
    from sottovoce.problems import Mean

    epsilon = check_epsilon(options.epsilon)
    data = datasets.insteval()
    observations = typical(data.collections)
    found = {
        budget: mean(data, epsilon=budget, observations=observations, seed=options.seed)
        for budget in sorted({*BUDGETS, epsilon})
    }
    survey = Mean(
        epsilon=epsilon, low=data.low, high=data.high, users=data.collections.users, observations=observations
    )
    question = survey.decide(())
    assert isinstance(question, Question)
    first_student = next(data.collections.blocks(1))[1]
    sent = send(question, first_student)
    if options.json:
        terminal.show_json(_document(data, found, sent, epsilon=epsilon) | {"seed": options.seed})
        return
    command = (
        f"sotto explain --low {data.low:g} --high {data.high:g} --epsilon {epsilon:g} "
        f"--users {data.collections.users} --observations {observations} --collection 4,5,3"
    )
    simulated = f"with seed {options.seed}: the same law, repeatable, not private"
    extra = [] if options.seed is None else [terminal.labelled("simulated", simulated, indent=2)]
    terminal.show(
        [*_story(data, found[epsilon], sent), *extra, "", *_budgets(found, truth=data.truth), "", *_next(command)]
    )


def _story(data: Dataset, found: Estimate, sent: Sent) -> list[str]:
    from sottovoce.answers import percent
    from sottovoce.explain import times

    held, low, high = data.collections, *found.interval
    epsilon = found.privacy.epsilon
    inside = "inside the interval" if low <= data.truth <= high else "outside the interval, as happens 1 time in 20"
    lines = [
        terminal.bold(f"{data.name}: students rate lectures at ETH Zurich"),
        terminal.paragraph(
            f"{held.users:,} students gave {len(held.values):,} ratings from {data.low:g} to {data.high:g}, "
            f"{held.sizes.min()} to {held.sizes.max()} each. What is the average rating, if nobody may see a student's "
            f"ratings, not even the one who asks?"
        ),
        "",
        terminal.bold(f"A rehearsal at ε = {epsilon:g}"),
        terminal.labelled("estimate", f"{terminal.bold(f'{found.value:.3f}')}", indent=2),
        terminal.labelled(
            "interval", f"{low:.3f} … {high:.3f}  ({percent(found.confidence)}, {found.interval_kind})", indent=2
        ),
        terminal.labelled("truth", f"{data.truth:.3f}, which the survey never sees; {inside}", indent=2),
        "",
        *terminal.picture_lines(found.picture(truth=data.truth, width=80), indent=4),
        "",
        terminal.labelled("privacy", found.privacy.statement, indent=2),
        terminal.labelled(
            "that is", f"other ratings would make no report more than {times(epsilon)} times as likely", indent=2
        ),
        terminal.labelled("method", f"{found.method}: {found.reason}", indent=2),
        "",
        terminal.bold("What one student's device sends, once"),
        terminal.labelled(
            "report",
            f"{sent.report.payload} ({terminal.count(sent.payload_bytes, 'byte')} in hexadecimal; "
            f"{terminal.count(len(sent.message), 'byte')} with its envelope)",
            indent=2,
        ),
    ]
    return [*lines, *(terminal.labelled("warning", warning, indent=2) for warning in found.warnings)]


def _budgets(found: dict[float, Estimate], *, truth: float) -> list[str]:
    rows = [
        (f"{budget:g}", f"{one.value:.3f}", f"{one.halfwidth:.3f}", f"{abs(one.value - truth):.3f}")
        for budget, one in found.items()
    ]
    header = ("ε", "estimate", "± half-width", "|error|")
    return [terminal.bold("What other budgets give, from private to precise"), *terminal.table(header, rows)]


def _next(command: str) -> list[str]:
    return [
        terminal.bold("Next: see a question and its answer through the eyes of a participant"),
        f"  {terminal.accent(command)}",
    ]


def _document(data: Dataset, found: dict[float, Estimate], sent: Sent, *, epsilon: float) -> dict[str, Any]:
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
        "estimate": found[epsilon].to_dict(),
        "report": {
            "payload": sent.report.payload,
            "payload_bytes": sent.payload_bytes,
            "message_bytes": len(sent.message),
        },
        "budgets": [
            {
                "epsilon": budget,
                "value": one.value,
                "interval": list(one.interval),
                "halfwidth": one.halfwidth,
                "error": one.value - data.truth,
            }
            for budget, one in found.items()
        ],
    }
