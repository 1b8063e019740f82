"""``sotto verify``: was everybody asked what was announced, and does the answer follow? For anybody to check."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sottovoce.cli.parser import json_option

if TYPE_CHECKING:
    pass

_EPILOG = """\
examples:
  sotto verify "https://survey.example.org/surveys/ID/participate#ID.TOKEN"
  sotto verify https://survey.example.org/surveys/ID/transcript --survey ID
  sotto verify transcript.json --survey ID --ledger ledger.db

The transcript is replayed: manifest, question, tally, next question … answer. The verdict is
identical; equal up to rounding, where another machine's arithmetic gave the last digits; or
different, with the step, what was expected and what came, and exit code 1. --survey is the id from
your own invitation: without it, a whole other survey would pass for yours. --ledger looks up the
questions that this device answered. No token is sent.
--json prints kind, step, why, survey, rounds, and answer."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check a survey's transcript: what was asked, and whether the answer follows",
        description="Replay a survey's transcript and say whether it asked what it announced, and answered what follows.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "transcript", metavar="URL|FILE", help="an invitation, a transcript's URL, or a file that holds one"
    )
    parser.add_argument("--survey", metavar="ID", help="the id that it must have (default: the one in the URL)")
    parser.add_argument("--ledger", metavar="FILE", help="this device's ledger: what it was asked must be there")
    json_option(parser)
    parser.set_defaults(run=run)
