"""Surveys on a terminal: what was announced, and where they stand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.service import Collector, Survey


def told(moment: float) -> str:
    """A moment for people, in UTC."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M UTC")


def show_all(collector: Collector, *, as_json: bool) -> None:
    """One line a survey."""
    surveys, now = collector.surveys(), collector.clock()
    if as_json:
        terminal.show_json([document(survey, now) for survey in surveys])
    elif not surveys:
        terminal.show(["no surveys yet; see sotto survey create --help"])
    else:
        rows = [
            (
                one.row.id[:12],
                one.manifest.problem,
                one.state(now),
                str(one.last.number + 1),
                f"{one.answered:,} of {one.question.slots.count:,}",
                told(one.manifest.closes),
                one.manifest.purpose[:32],
            )
            for one in surveys
        ]
        header = ("id", "problem", "state", "round", "answered", "closes", "purpose")
        terminal.show(terminal.table(header, rows, left=(0, 1, 2, 5, 6), indent=0))


def show_one(collector: Collector, survey: str, *, as_json: bool) -> None:
    """Everything that is public of a survey."""
    held, now = collector.survey(survey, fresh=True), collector.clock()
    if as_json:
        terminal.show_json(document(held, now))
        return
    manifest = held.manifest
    lines = [
        ("survey", held.row.id),
        ("asks", f"{manifest.collector}: {manifest.purpose}"),
        (
            "estimates",
            f"{held.announced.settings.problem.estimates} ({manifest.problem}, {manifest.settings['method']})",
        ),
        ("privacy", f"one report a user, {manifest.epsilon:g}-locally-private for the whole collection"),
        ("users", f"{held.row.enrolled:,} of {manifest.users:,} enrolled, {manifest.enrolment}, {manifest.access}"),
        ("open", f"{told(manifest.opens)} to {told(manifest.closes)}"),
        ("minimum", f"{terminal.count(manifest.minimum, 'user')} a round; fewer are not looked at"),
        ("kept", f"reports until {_kept(manifest.retention_days)}"),
        ("state", _state(held, now)),
    ]
    terminal.show([*(terminal.labelled(label, text) for label, text in lines), "", *_rounds(held, now)])
    if held.row.answer:
        from sottovoce.answers import read
        from sottovoce.cli import showing

        terminal.show([""])
        showing.show(read(held.row.answer), (), seed=None)


def _kept(days: int) -> str:
    return f"{terminal.count(days, 'day')} after the end" if days else "the end"


def _state(held: Survey, now: float) -> str:
    state = held.state(now)
    if state == "abandoned":
        return f"abandoned: {held.row.abandoned}"
    return f"{state}; the open round closes {told(held.deadline)} at the latest" if state == "open" else state


def _rounds(held: Survey, now: float) -> list[str]:
    """Counted from 1, for people; from 0 for programs, as in addresses."""
    rows, under_way = [], "not open yet" if held.state(now) == "early" else "open"
    for row in held.rounds:
        asked = _asked(held, row.number)
        answered = held.answered if row.closed is None else row.answered or 0
        ended = under_way if row.closed is None else f"{told(row.closed)}, {row.because}"
        rows.append((str(row.number + 1), row.role, f"{asked:,}", f"{answered:,}", told(row.opened), ended))
    by_hand = [f"round {row.number + 1} was closed by {row.by}" for row in held.rounds if row.by]
    heads = ("round", "role", "asked", "answered", "opened", "closed")
    return [*terminal.table(heads, rows, left=(1, 4, 5), indent=0), *by_hand]


def _asked(held: Survey, number: int) -> int:
    from sottovoce.messages import Question

    return Question.from_bytes(held.rounds[number].question).slots.count


def document(held: Survey, now: float) -> dict[str, Any]:
    """The same for programs."""
    manifest = held.manifest
    return {
        "survey": held.row.id,
        "problem": manifest.problem,
        "method": manifest.settings["method"],
        "collector": manifest.collector,
        "purpose": manifest.purpose,
        "epsilon": manifest.epsilon,
        "state": held.state(now),
        "abandoned": held.row.abandoned or None,
        "users": manifest.users,
        "enrolled": held.row.enrolled,
        "minimum": manifest.minimum,
        "opens": manifest.opens,
        "closes": manifest.closes,
        "rounds": [
            {
                "number": row.number,
                "role": row.role,
                "asked": _asked(held, row.number),
                "answered": held.answered if row.closed is None else row.answered,
                "opened": row.opened,
                "closed": row.closed,
                "because": row.because or None,
                "by": row.by or None,
            }
            for row in held.rounds
        ],
    }
