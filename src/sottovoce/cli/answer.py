"""``sotto answer``: read an invitation, show what is asked and by whom, and answer it once."""

from __future__ import annotations

import argparse
import sys
from functools import cache
from typing import TYPE_CHECKING

from sottovoce.cli import answered, consent, failures, held, own, terminal
from sottovoce.cli.answered import Asked
from sottovoce.cli.files import columns
from sottovoce.cli.parser import json_option, number

if TYPE_CHECKING:
    from sottovoce.cli.held import Given
    from sottovoce.cli.quantities import Commands
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import Invitation, Manifest

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
What cannot be read in your data counts as missing; you are told how much it is. A file is read
before the first request. What takes longer the more you hold, and is left to do, is done between
the question and your report, whose moment --spread hides; without --yes it is done before you are
asked, and hidden by your own pause.
One report is ever made for a survey: run the command again after a failure, or when it says to come
back, and it goes on from where it was. sotto ledger shows what was said.
exit codes: 0 answered, or to come back later, also where the collector cannot be reached; 3
declined, or too late, or not taken.
--json needs --yes and prints survey, manifest (collector, purpose, problem, method, epsilon, users,
minimum, retention_days, closes), warnings (a list), entries and missing (how many you gave, and
how many of them could not be read), outcome (state, code, why; again_at, when it is worth coming
back, and latest_at, when the round that is open will have closed at the latest, in seconds since
1970 or null; epsilon and slot of the report, taken or not; before, whether the invitation had been
used before you first came), report (its payload, or null) and budget (source, cap, spent, left).
manifest, entries and missing are null where the survey need not, or cannot, be looked at."""


def register(commands: Commands, *, wanted: str | None) -> None:
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
        help="columns of the file that hold the observations (default: those that the survey names; else, of a .csv "
        "file, its only one, or as many as the survey looks at)",
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
        "time it takes tells nothing of how much you hold, as long as that is less than half; 0 sends at once, and a "
        f"survey that closes before is not answered (default: {SPREAD:g})",
    )
    parser.add_argument("--yes", action="store_true", help="answer without asking you first")
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Look, show, ask, answer, tell."""
    from sottovoce.client import Device, Outcome
    from sottovoce.messages import InvalidInput, Invitation

    if "-" == options.data == options.url:
        raise InvalidInput(
            "standard input holds the invitation or the observations, not both", fix="put one into a file"
        )
    unasked = options.json or options.data == "-" or not sys.stdin.isatty()
    if unasked and not options.yes:
        raise InvalidInput("nobody can be asked here whether to answer", fix="add --yes to answer all the same")
    given = held.read(options)  # before the first request: what is wrong with a file is nobody else's business
    invitation = Invitation.read(own.invitation_of(options.url))
    with own.open_ledger(options) as ledger:
        device = Device(ledger=ledger, source=options.source, spread_seconds=options.spread)
        found = device.look(invitation, patience_seconds=options.wait)
        if isinstance(found, Outcome):
            outcome, asked = found, None
        else:
            outcome, asked = _asked(found, invitation, given, device, options)
        if options.json:
            terminal.show_json(answered.document(outcome, device, asked), failure=answered.failure(outcome))
        else:
            answered.tell(outcome, device, asked if options.yes else None)
    if answered.failure(outcome) is not None:
        raise SystemExit(failures.DECLINED)


def _asked(
    manifest: Manifest, invitation: Invitation, given: Given, device: Device, options: argparse.Namespace
) -> tuple[Outcome, Asked]:
    """Show, ask, answer. How much there is to read shows in no moment of a request.

    Where a person is asked, it is read before, and their own pause hides how long that took; else after the question
    has come, within the spread (see `Device`), or after the last request.
    """
    from sottovoce.messages import Fact

    columns, warnings = given.columns(manifest), consent.doubts(manifest)
    read = cache(lambda: given.seen_by(manifest))
    if not options.json:
        observed = None if options.yes else read()
        terminal.show(
            consent.asked(
                manifest,
                invitation,
                columns=columns,
                observed=observed,
                ledger=device.ledger,
                source=device.source,
                warnings=warnings,
            )
        )
    if not options.yes and not _agreed():
        terminal.show(["", str(Fact("consent-nothing-sent"))])
        raise SystemExit(failures.DECLINED)
    outcome = device.answer(invitation, lambda: read().values, patience_seconds=options.wait)
    return outcome, Asked(manifest=manifest, observed=read(), warnings=warnings)


def _agreed() -> bool:
    try:
        return input("\nAnswer? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
