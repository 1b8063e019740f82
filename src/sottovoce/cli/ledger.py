"""``sotto ledger``: what this device was asked, by whom, what it answered, and what is left of its budget."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import own, terminal
from sottovoce.cli.parser import json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sottovoce.cli.quantities import Commands
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
    own.ledger_options(parser)
    json_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read the ledger; one that is not there is not made."""
    from sottovoce.client import Outbox
    from sottovoce.messages import Fact

    path = own.path_of(options)
    if not path.exists():
        if options.json:
            terminal.show_json({"ledger": str(path), "answers": [], "budgets": []})
        else:
            none = [("ledger", Fact("ledger-none-at", path=str(path)))]
            terminal.show([terminal.heading("ledger-none"), *terminal.told(none)])
        return
    with own.open_ledger(options) as ledger:
        entries = Outbox(ledger).history()
        budgets = _budgets(ledger, entries)
    if options.json:
        answers = [_document(entry) for entry in entries]
        terminal.show_json({"ledger": str(path), "answers": answers, "budgets": budgets})
        return
    head = terminal.heading("ledger-answers", n=len(entries))
    lines = [head, *terminal.told([("ledger", path)])]
    for entry in entries:
        lines += ["", *_shown(entry)]
    terminal.show([*lines, *_left(budgets)])


def _shown(entry: Entry) -> list[str]:
    from sottovoce.messages import Fact

    asked, report = _read(entry)
    payload = Fact("ledger-unreadable", length=len(entry.report)) if report is None else terminal.shortened(report)
    answered = {"payload": payload, "source": repr(entry.source), "epsilon": float(entry.epsilon)}
    lines = [
        ("what for", Fact("ledger-noted", what=entry.purpose)),
        ("computed", Fact("ledger-noted", what=asked and asked.encoder.fact)),
        ("answered", Fact("ledger-answered", **answered)),
        ("sent", _journey(entry)),
        ("survey", Fact("ledger-survey", survey=entry.survey, address=entry.address)),
    ]
    return [terminal.heading("ledger-asked", collector=entry.collector), *terminal.told(lines)]


def _journey(entry: Entry) -> Fact:
    from sottovoce.messages import Fact

    sent = own.moment(entry.sent)
    if not entry.address:
        return Fact("ledger-elsewhere")
    if entry.acknowledged is not None:
        return Fact("ledger-arrived", sent=sent)
    if not entry.capability:
        return Fact("ledger-not-taken", sent=sent)
    return Fact("ledger-not-yet") if entry.sent is None else Fact("ledger-not-known", sent=sent)


def _read(entry: Entry) -> tuple[Question | None, str | None]:
    """The question and the payload of the report, as far as they can be read."""
    from sottovoce.messages import Malformed, Question, Report

    asked = None
    try:
        asked = Question.from_bytes(entry.question) if entry.question else None
        return asked, Report.from_bytes(entry.report).payload
    except Malformed:
        return asked, None


def _document(entry: Entry) -> dict[str, Any]:
    asked, payload = _read(entry)
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
            "left": own.left(ledger, source),
        }
        for source, cost in spent.items()
    ]


def _left(budgets: list[dict[str, Any]]) -> list[str]:
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
