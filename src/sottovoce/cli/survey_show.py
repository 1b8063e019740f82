"""Surveys on a terminal: what was announced, and where they stand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.service import Collector, Survey


def told(moment: float) -> str:
    """A moment for people, in UTC."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def show_all(collector: Collector, *, as_json: bool) -> None:
    """One line a survey."""
    surveys, now = collector.surveys(), collector.clock()
    if as_json:
        terminal.show_json([document(survey, now) for survey in surveys])
    elif not surveys:
        terminal.show([terminal.say("command-survey-none")])
    else:
        rows = [
            (
                one.row.id[:12],
                one.manifest.problem,
                one.state(now),
                str(one.last.number + 1),
                terminal.say("command-survey-answered", answered=one.answered, asked=one.question.slots.count),
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
    manifest, say = held.manifest, terminal.say
    users = {"enrolled": held.row.enrolled, "enrolment": manifest.enrolment, "access": manifest.access}
    lines = [
        ("survey", held.row.id),
        ("asks", f"{manifest.collector}: {manifest.purpose}"),
        (
            "estimates",
            f"{held.announced.settings.problem.estimates} ({manifest.problem}, {manifest.settings['method']})",
        ),
        ("privacy", say("command-survey-privacy", epsilon=manifest.epsilon)),
        ("users", say("command-survey-users", users=manifest.users, **users)),
        ("open", say("command-survey-open", opens=told(manifest.opens), closes=told(manifest.closes))),
        ("minimum", say("command-survey-minimum", n=manifest.minimum)),
        ("kept", say("command-survey-kept", days=manifest.retention_days)),
        ("state", _state(held, now)),
    ]
    terminal.show([*terminal.told(lines, indent=0), "", *_rounds(held, now)])
    if held.row.answer:
        from sottovoce.cli import showing
        from sottovoce.problems import read

        terminal.show([""])
        showing.show(read(held.row.answer), (), seed=None)


def _state(held: Survey, now: float) -> str:
    state = held.state(now)
    closes = told(held.deadline) if state == "open" else None
    return terminal.say("command-survey-state", state=state, ended=held.ended, closes=closes)


def _rounds(held: Survey, now: float) -> list[str]:
    """Counted from 1, for people; from 0 for programs, as in addresses."""
    rows, under_way = [], terminal.say("command-round-under-way", state=held.state(now))
    for row in held.rounds:
        asked = _asked(held, row.number)
        answered = held.answered if row.closed is None else row.answered or 0
        ended = under_way if row.closed is None else f"{told(row.closed)}, {row.because}"
        rows.append((str(row.number + 1), row.role, f"{asked:,}", f"{answered:,}", told(row.opened), ended))
    by_hand = [
        terminal.say("command-round-closed-by", round=row.number + 1, by=row.by) for row in held.rounds if row.by
    ]
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
        "abandoned": held.ended and held.ended.to_plain(),
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
