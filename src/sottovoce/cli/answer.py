"""``sotto answer``: read an invitation, show what is asked and by whom, and answer it once."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sottovoce.cli import consent, failures, held, own, terminal
from sottovoce.cli.files import columns
from sottovoce.cli.parser import json_option, number

if TYPE_CHECKING:
    from sottovoce.cli.held import Observed
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import Manifest

SPREAD = 5.0
WAIT = 60.0

_EPILOG = """\
examples:
  sotto answer "https://example.org/surveys/ID/participate#ID.TOKEN" --data ratings.csv
  sotto answer @invitation.txt --data ratings.csv --column stars --yes
  sotto answer - --values 4,5,3 --yes

The invitation is one URL; quote it, since it holds a #. What stands behind the # is checked here,
and is not part of any address that is asked for. Its last part is a token for you alone, and other
programs may see a command line: @FILE reads the URL from a file, and - from standard input.
What cannot be read in your data counts as missing; you are told how much it is.
One report is ever made for a survey: run the command again after a failure, or when it says to come
back, and it goes on from where it was. sotto ledger shows what was said.
exit codes: 0 answered, or to come back later; 3 declined, or too late, or not taken.
--json needs --yes and prints survey, manifest (collector, purpose, problem, method, epsilon, users,
minimum, retention_days, closes), warnings (a list), entries and missing (how many you gave, and
how many of them could not be read), outcome (state, code, why, again_at, epsilon, slot, before),
report (its payload, or null) and budget (source, cap, spent, left)."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "answer",
        help="answer a survey that you are invited to, once",
        description="Answer a survey: see who asks, what for and at what cost, and send one report that is randomised\n"
        "on this device. Your observations do not leave it.",
        epilog=_EPILOG,
    )
    parser.add_argument("url", metavar="URL", help="the invitation; or @FILE that holds it, or - for standard input")
    mine = parser.add_mutually_exclusive_group(required=True)
    mine.add_argument(
        "--data",
        metavar="FILE",
        help="your observations: text with commas, spaces or new lines between them, or .csv with a header; - reads "
        "standard input",
    )
    mine.add_argument(
        "--values",
        metavar="X,Y,…",
        help="the same on the command line, where other programs may see it; vectors with semicolons between them",
    )
    parser.add_argument(
        "--column",
        type=columns,
        action="extend",
        metavar="COL,COL,…",
        help="columns of the file that hold the observations (default: those that the survey names)",
    )
    parser.add_argument(
        "--source",
        default=own.SOURCE,
        metavar="NAME",
        help=f"which of your data this is: answers about one source share a budget (default: {own.SOURCE!r})",
    )
    own.ledger_options(parser)
    parser.add_argument(
        "--wait",
        type=number,
        default=WAIT,
        metavar="SECONDS",
        help=f"how long to try, and to wait for your turn (default: {WAIT:g})",
    )
    parser.add_argument(
        "--spread",
        type=number,
        default=SPREAD,
        metavar="SECONDS",
        help="send at a random moment, half of these seconds to all of them after the question has come, so that the "
        f"time it takes tells nothing of how much you hold; 0 sends at once (default: {SPREAD:g})",
    )
    parser.add_argument("--yes", action="store_true", help="answer without asking you first")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Look, show, ask, answer, tell."""
    from sottovoce.client import Device
    from sottovoce.messages import InvalidInput, Invitation

    if "-" == options.data == options.url:
        raise InvalidInput("standard input holds the invitation or the observations, not both; put one into a file")
    unasked = options.json or options.data == "-" or not sys.stdin.isatty()
    if unasked and not options.yes:
        raise InvalidInput("nobody can be asked here whether to answer; add --yes to answer all the same")
    given = held.read(options)  # before the first request: what is wrong with a file is nobody else's business
    invitation = Invitation.read(own.invitation_of(options.url))
    with own.open_ledger(options) as ledger:
        device = Device(ledger=ledger, source=options.source, spread_seconds=options.spread)
        manifest = device.manifest(invitation, patience_seconds=options.wait)
        observed, warnings = given.seen_by(manifest), consent.doubts(manifest)
        if not options.json:
            source = options.source
            terminal.show(
                consent.asked(manifest, invitation, observed, ledger=ledger, source=source, warnings=warnings)
            )
        if not options.yes and not _agreed():
            terminal.show(["", "Nothing was sent."])
            raise SystemExit(failures.DECLINED)
        outcome = device.answer(invitation, observed.values, patience_seconds=options.wait)
        if options.json:
            terminal.show_json(_document(manifest, outcome, device, observed=observed, warnings=warnings))
        else:
            _tell(outcome, device)
    if outcome.state not in ("answered", "waiting"):
        raise SystemExit(failures.DECLINED)


def _agreed() -> bool:
    try:
        return input("\nAnswer? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _tell(outcome: Outcome, device: Device) -> None:
    from sottovoce.messages import Declined

    if outcome.state == "declined":
        raise Declined(outcome.code, terminal.plain(outcome.why))
    lines: list[tuple[str, str]] = []
    if outcome.state == "answered":
        head = "Answered before; nothing new was sent" if outcome.code == "before" else "Answered"
        left = max(0.0, float(device.ledger.cap - device.ledger.spent(device.source)))
        lines += [
            ("sent", f"{_payload(outcome, device)} (in hexadecimal), and nothing else of what you hold"),
            ("cost", f"ε = {outcome.epsilon or 0:.4g}; {left:.4g} left for {device.source!r}"),
        ]
    elif outcome.state == "waiting":
        head = "Not yet"
        lines += [("why", outcome.why), ("come back", f"{own.moment(outcome.again_at)}, with the same command")]
    else:
        head = "Not answered"
        lines.append(("why", outcome.why))
    if outcome.before and outcome.state == "answered":
        lines.append(("note", "this invitation was used before; if that was not you, tell the people who ask"))
    terminal.show(["", terminal.bold(head), *(terminal.labelled(name, text, indent=2) for name, text in lines)])


def _payload(outcome: Outcome, device: Device) -> str | None:
    from sottovoce.messages import Report

    entry = device.outbox.of(outcome.survey)
    return None if entry is None else Report.from_bytes(entry.report).payload


def _document(
    manifest: Manifest, outcome: Outcome, device: Device, *, observed: Observed, warnings: list[str]
) -> dict[str, Any]:
    spent, cap = device.ledger.spent(device.source), device.ledger.cap
    names = ("collector", "purpose", "problem", "epsilon", "users", "minimum", "retention_days", "closes")
    told = asdict(outcome)
    return {
        "survey": told.pop("survey"),
        "manifest": {name: getattr(manifest, name) for name in names} | {"method": manifest.settings.get("method")},
        "warnings": warnings,
        "entries": observed.entries,
        "missing": observed.missing,
        "outcome": told,
        "report": _payload(outcome, device),
        "budget": {
            "source": device.source,
            "cap": float(cap),
            "spent": float(spent),
            "left": max(0.0, float(cap - spent)),
        },
    }
