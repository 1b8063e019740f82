"""``sotto explain``: a question in plain words, and what a device would answer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.collection import from_file, from_words
from sottovoce.cli.methods import BASELINE_HELP, EVERY_METHOD, METHOD_HELP
from sottovoce.cli.parser import json_option, number, range_options, whole

if TYPE_CHECKING:
    from sottovoce.cli.explanation import Explanation

_EPILOG = """\
examples:
  sotto explain --low 1 --high 5 --epsilon 1 --users 3000 --observations 25 --collection 3,4,5
  sotto explain --low 0 --high 1 --epsilon 2 --users 5000 --observations 2000 --method paper --round 1
  sotto explain --low 1 --high 5 --epsilon 1 --users 3000 --observations 25 --raw | sha256sum

The second round of paper and theory depends on how others voted in the first. It is shown as if
the bin of the given collection had won, or the middle bin without one.
--json prints question, digest, question_bytes, method, reason, round, assumed_winner, epsilon
(asked, declared, certified, slack), steps, promise, and device: null without a collection, else
observations, computes, report, payload_bytes, message_bytes, relative_likelihood,
guaranteed_likelihood."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "explain",
        help="show what a device is asked and what it would send",
        description="Show the question of a survey of the mean in plain words, what it costs in privacy, proven from\n"
        "its integers, and what a device with a given collection would send.",
        epilog=_EPILOG,
    )
    range_options(parser)
    parser.add_argument("--users", type=whole, required=True, metavar="N", help="users in the survey")
    parser.add_argument("--observations", type=whole, required=True, metavar="T", help="typical observations per user")
    parser.add_argument(
        "--method", choices=EVERY_METHOD, default="auto", metavar="M", help=f"{METHOD_HELP}; {BASELINE_HELP}"
    )
    parser.add_argument(
        "--round", type=whole, choices=(0, 1), default=0, help="which question, 0 or 1 (default: 0, the first)"
    )
    mine = parser.add_mutually_exclusive_group()
    mine.add_argument(
        "--collection", type=from_words, metavar="X,Y,…", help="one user's observations, with commas between them"
    )
    mine.add_argument(
        "--collection-file",
        metavar="FILE",
        help="the same from a text file, with commas, spaces or new lines between them; - reads standard input",
    )
    parser.add_argument(
        "--cap",
        type=number,
        metavar="C",
        help="the most this device would ever spend on its data, in ε (default: what the question declares)",
    )
    form = parser.add_mutually_exclusive_group()
    json_option(form)
    form.add_argument(
        "--raw", action="store_true", help="print the canonical JSON of the question, to the byte that the digest is of"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Ask, answer, print."""
    from sottovoce.cli.explanation import explained

    values = options.collection if options.collection_file is None else from_file(options.collection_file)
    told = explained(
        options.method,
        epsilon=options.epsilon,
        low=options.low,
        high=options.high,
        users=options.users,
        observations=options.observations,
        round=options.round,
        values=values,
        cap=options.cap,
    )
    if options.raw:
        print(told.question.to_bytes().decode(), end="\n" if sys.stdout.isatty() else "")
    elif options.json:
        terminal.show_json(told.to_dict())
    else:
        _show(told)


def _show(told: Explanation) -> None:
    from sottovoce.cli.words import promise, steps

    question = told.question
    who = f"{question.slots.count:,} of {told.users:,} users, chosen before anyone looks at data"
    if question.slots.count == told.users:
        who = terminal.count(told.users, "user") + ", everybody"
    lines = [
        terminal.bold("The question"),
        terminal.labelled("asks", f"{who} (round {question.round} of the survey)", indent=2),
        terminal.labelled("method", f"{told.method}: {told.reason}", indent=2),
        *(terminal.labelled(name, text, indent=2) for name, text in steps(question)),
    ]
    if told.assumed_winner is not None:
        text = f"bin {told.assumed_winner} (counting from 0) won the first round; in a survey the votes decide that"
        lines.append(terminal.labelled("assumed", text, indent=2))
    epsilon = told.epsilon
    lines += [
        terminal.labelled("digest", question.digest, indent=2),
        terminal.labelled(
            "privacy",
            f"ε = {epsilon['declared']:g} declared; certified from the integers of the channel: "
            f"{epsilon['declared']:g} − {epsilon['slack']:.1e}",
            indent=2,
        ),
        *_protects(told),
        "",
        *_device(told),
        "",
        terminal.bold("In plain words"),
        terminal.paragraph(promise(question)),
    ]
    terminal.show(lines)


def _protects(told: Explanation) -> list[str]:
    if told.asked_epsilon == told.question.epsilon:
        return []
    text = f"a single observation at ε = {told.asked_epsilon:g}; the whole collection only at {told.question.epsilon:g}"
    return [terminal.labelled("protects", text, indent=2)]


def _device(told: Explanation) -> list[str]:
    from sottovoce.cli.words import times

    if told.device is None:
        return [
            terminal.bold("A device"),
            terminal.paragraph("Add --collection 3,4,5 (one user's observations) to see what it computes and sends."),
        ]
    device: dict[str, Any] = told.device
    lines = [
        terminal.bold(f"Your device, holding {terminal.count(device['observations'], 'observation')}"),
        terminal.labelled("computes", f"{told.computed_words()}; for your eyes only, never sent", indent=2),
        terminal.labelled("sends", f"{_shortened(device['report']['payload'])} ({told.sent_words()})", indent=2),
    ]
    if device["relative_likelihood"] is not None and told.epsilon["certified"] < 100:
        seen = device["relative_likelihood"]
        text = (
            f"this very report is {seen[0]:.3g} to {seen[1]:.3g} times as likely from any other collection as from "
            f"yours; for every report it is at most {times(told.epsilon['certified'])} times"
        )
        lines.append(terminal.labelled("compare", text, indent=2))
    return lines


def _shortened(payload: str, *, longest: int = 48) -> str:
    return payload if len(payload) <= longest else f"{payload[:longest]}…"
