"""``sotto ledger``: what this device was asked, by whom, what it answered, and what is left of its budget.

The ledger, its options and its budget are those of ``sotto answer`` too.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal
from sottovoce.cli.parser import json_option, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sottovoce.cli.options import Commands
    from sottovoce.client import Entry
    from sottovoce.device import Ledger
    from sottovoce.messages import Fact, Question

_EPILOG = """\
examples:
  sotto ledger
  sotto ledger --ledger work.db --cap 2 --json

--json prints ledger (its file), answers (a list with survey, collector, purpose, source, address,
question (its digest), role, computes, slot, epsilon, report (its payload), sent, acknowledged:
seconds since 1970, or null) and budgets (a list with source, answers, cap, spent, left)."""


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "ledger",
        help="what this device was asked, what it answered, and what is left of its budget",
        description="Show what this device was asked, by whom and what for, what it answered, whether that\n"
        "arrived, and what is left of its budget for each source of data.",
        epilog=_EPILOG,
    )
    ledger_options(parser)
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read the ledger; one that is not there is not made."""
    from sottovoce.client import Outbox
    from sottovoce.messages import Fact

    path = ledger_path(options)
    if not path.exists():
        if options.json:
            terminal.show_json({"ledger": str(path), "answers": [], "budgets": []})
        else:
            none = [("ledger", Fact("ledger-none-at", path=str(path)))]
            terminal.show([terminal.heading("ledger-none"), *terminal.labelled_lines(none)])
        return
    with open_ledger(options) as ledger:
        entries = Outbox(ledger).history()
        budgets = _budgets(ledger, entries)
    if options.json:
        answers = [_document(entry) for entry in entries]
        terminal.show_json({"ledger": str(path), "answers": answers, "budgets": budgets})
        return
    head = terminal.heading("ledger-answers", n=len(entries))
    lines = [head, *terminal.labelled_lines([("ledger", path)])]
    for entry in entries:
        lines += ["", *_entry_lines(entry)]
    terminal.show([*lines, *_budget_lines(budgets)])


def _entry_lines(entry: Entry) -> list[str]:
    from sottovoce.messages import Fact

    asked, report = _read_entry(entry)
    payload = Fact("ledger-unreadable", length=len(entry.report)) if report is None else terminal.shortened(report)
    answered = {"payload": payload, "source": repr(entry.source), "epsilon": float(entry.epsilon)}
    lines = [
        ("what for", Fact("ledger-noted", what=entry.purpose)),
        ("computed", Fact("ledger-noted", what=asked and asked.encoder.fact)),
        ("answered", Fact("ledger-answered", **answered)),
        ("sent", _delivery(entry)),
        ("survey", Fact("ledger-survey", survey=entry.survey, address=entry.address)),
    ]
    return [terminal.heading("ledger-asked", collector=entry.collector), *terminal.labelled_lines(lines)]


def _delivery(entry: Entry) -> Fact:
    from sottovoce.messages import Fact

    sent = local_time(entry.sent)
    if not entry.address:
        return Fact("ledger-elsewhere")
    if entry.acknowledged is not None:
        return Fact("ledger-arrived", sent=sent)
    if not entry.capability:
        return Fact("ledger-not-taken", sent=sent)
    return Fact("ledger-not-yet") if entry.sent is None else Fact("ledger-not-known", sent=sent)


def _read_entry(entry: Entry) -> tuple[Question | None, str | None]:
    """The question and the payload of the report, as far as they can be read."""
    from sottovoce.messages import Malformed, Question, Report

    asked = None
    try:
        asked = Question.from_bytes(entry.question) if entry.question else None
        return asked, Report.from_bytes(entry.report).payload
    except Malformed:
        return asked, None


def _document(entry: Entry) -> dict[str, Any]:
    asked, payload = _read_entry(entry)
    return {
        "survey": entry.survey,
        "collector": entry.collector,
        "purpose": entry.purpose,
        "source": entry.source,
        "address": entry.address,
        "question": entry.digest,
        "role": asked.role if asked else None,
        "computes": asked.encoder.fact.to_plain() if asked else None,
        "slot": entry.slot,
        "epsilon": float(entry.epsilon),
        "report": payload,
        "sent": entry.sent,
        "acknowledged": entry.acknowledged,
    }


def _budgets(ledger: Ledger, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    sources, cap = [entry.source for entry in entries], ledger.cap
    spent = {source: ledger.spent(source) for source in dict.fromkeys(sources)}
    return [
        {
            "source": source,
            "answers": sources.count(source),
            "cap": float(cap),
            "spent": float(cost),
            "left": budget_left(ledger, source),
        }
        for source, cost in spent.items()
    ]


def _budget_lines(budgets: list[dict[str, Any]]) -> list[str]:
    from sottovoce.messages import Fact

    if not budgets:
        return []
    rows = [
        (
            one["source"],
            f"{one['answers']:,}",
            f"{one['spent']:.4g}",
            str(Fact("ledger-left-of", left=one["left"], cap=one["cap"])),
        )
        for one in budgets
    ]
    head = terminal.heading("ledger-left")
    return ["", head, *terminal.table(("source", "answers", "spent", "left"), rows, left=(0,))]


CAP = 4.0
SOURCE = "my data"
_LONGEST = 2**14


def default_path() -> Path:
    """``$XDG_DATA_HOME/sottovoce/ledger.db``, or the same in ``~/.local/share``."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "sottovoce" / "ledger.db"


def ledger_options(parser: argparse._ActionsContainer) -> None:
    """``--ledger`` and ``--cap``."""
    parser.add_argument(
        "--ledger",
        metavar="FILE",
        help="what this device has said and spent (default: sottovoce/ledger.db in $XDG_DATA_HOME, or in "
        "~/.local/share)",
    )
    parser.add_argument(
        "--cap",
        type=number,
        default=CAP,
        metavar="E",
        help=f"the most that this device ever spends on one source of data, in ε (default: {CAP:g})",
    )


def ledger_path(options: argparse.Namespace) -> Path:
    """The ledger's file."""
    return default_path() if options.ledger is None else Path(options.ledger).expanduser()


def open_ledger(options: argparse.Namespace) -> Ledger:
    """The ledger, made where it is new; a folder of its own is for its owner alone."""
    from sottovoce.device import Ledger
    from sottovoce.messages import InvalidInput

    path = ledger_path(options)
    try:
        if options.ledger is None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise InvalidInput(
            f"the ledger cannot be kept at {path} ({why})", fix="name another file with --ledger"
        ) from None
    return Ledger(path, cap=options.cap)


def budget_left(ledger: Ledger, source: str) -> float:
    """What is left of a budget; nothing where no question is cheap enough for it."""
    from sottovoce.messages import MIN_EPSILON

    rest = float(ledger.cap - ledger.spent(source))
    return rest if rest >= MIN_EPSILON else 0.0


def local_time(seconds: float | None) -> str | Fact:
    """A time as people here write it, to the minute, and whose time that is."""
    from sottovoce.messages import Fact

    if seconds is None:
        return Fact("command-never")
    try:
        return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M %Z}"
    except (ValueError, OverflowError, OSError):  # a year that no calendar here has
        return Fact("command-far-future")


def read_invitation(word: str) -> str:
    """An invitation as it is, from the file that ``@FILE`` names, or from a line of standard input for ``-``.

    Other programs of a machine may see a command line, and its history is kept; the token in an invitation is for the
    collector alone.
    """
    from sottovoce.messages import InvalidInput

    if word != "-" and not word.startswith("@"):
        return word
    try:
        if word == "-":
            text = sys.stdin.readline(_LONGEST)
        else:
            with Path(word[1:]).expanduser().open(encoding="utf-8-sig") as file:
                text = file.read(_LONGEST)
    except UnicodeDecodeError:
        raise InvalidInput("the invitation's file is not UTF-8 text") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise InvalidInput(f"one invitation is wanted, on a line of its own; there are {len(lines):,} lines")
    return lines[0]
