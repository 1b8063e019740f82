"""``sotto ledger``: what this device was asked, by whom, what it answered, and what is left of its budget."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sottovoce.cli import own, terminal
from sottovoce.cli.parser import json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sottovoce.client import Entry
    from sottovoce.device import Ledger

_EPILOG = """\
examples:
  sotto ledger
  sotto ledger --ledger work.db --cap 2 --json

--json prints ledger (its file), answers (a list with survey, collector, purpose, source, address,
question (its digest), role, computes, slot, epsilon, report (its payload), sent, acknowledged:
seconds since 1970, or null) and budgets (a list with source, answers, cap, spent, left)."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], *, whole_tree: bool) -> None:
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

    path = own.path_of(options)
    if not path.exists():
        if options.json:
            terminal.show_json({"ledger": str(path), "answers": [], "budgets": []})
        else:
            terminal.show([terminal.bold("No answers"), terminal.labelled("ledger", f"none at {path} yet", indent=2)])
        return
    with own.open_ledger(options) as ledger:
        entries = Outbox(ledger).history()
        budgets = _budgets(ledger, entries)
    if options.json:
        answers = [_document(entry) for entry in entries]
        terminal.show_json({"ledger": str(path), "answers": answers, "budgets": budgets})
        return
    lines = [terminal.bold(terminal.count(len(entries), "answer")), terminal.labelled("ledger", str(path), indent=2)]
    for entry in entries:
        lines += ["", *_shown(entry)]
    terminal.show([*lines, *_left(budgets)])


def _shown(entry: Entry) -> list[str]:
    told = _document(entry)
    where = f" at {entry.address}" if entry.address else ""
    payload = told["report"] or f"{len(entry.report)} bytes that cannot be read"
    payload = payload if len(payload) <= 48 else f"{payload[:48]}…"
    lines = [
        ("what for", entry.purpose or "not noted"),
        ("computed", told["computes"] or "not noted"),
        ("answered", f"{payload} (in hexadecimal), about {entry.source!r}, at ε = {told['epsilon']:.4g}"),
        ("sent", _journey(entry)),
        ("survey", f"{entry.survey}{where}"),
    ]
    head = entry.collector or "Somebody who gave no name"
    return [terminal.bold(f"{head} asked"), *(terminal.labelled(name, text, indent=2) for name, text in lines)]


def _journey(entry: Entry) -> str:
    if not entry.address:
        return "not through this outbox"
    if entry.acknowledged is not None:
        return f"{own.moment(entry.sent)}, and it arrived"
    if not entry.capability:
        return f"{own.moment(entry.sent)}, but it was not taken: the survey was over, or the collector refused it"
    if entry.sent is None:
        return "not yet; run sotto answer again with the same invitation"
    return f"{own.moment(entry.sent)}, but whether it arrived is not known; run sotto answer again"


def _document(entry: Entry) -> dict[str, Any]:
    from sottovoce.messages import Malformed, Question, Report

    asked = payload = None
    try:
        asked = Question.from_bytes(entry.question) if entry.question else None
        payload = Report.from_bytes(entry.report).payload
    except Malformed:
        pass
    return {
        "survey": entry.survey,
        "collector": entry.collector,
        "purpose": entry.purpose,
        "source": entry.source,
        "address": entry.address,
        "question": entry.digest,
        "role": asked.role if asked else None,
        "computes": asked.encoder.words if asked else None,
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
    if not budgets:
        return []
    rows = [
        (one["source"], f"{one['answers']:,}", f"{one['spent']:.4g}", f"{one['left']:.4g} of {one['cap']:g}")
        for one in budgets
    ]
    head = terminal.bold("What is left for each source of data, in ε")
    return ["", head, *terminal.table(("source", "answers", "spent", "left"), rows, left=(0,))]
