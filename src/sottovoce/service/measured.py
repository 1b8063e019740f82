"""What ``/metrics`` shows: what this worker counted, its writer, and where the surveys stand."""

from __future__ import annotations

from collections.abc import Sequence

from sottovoce.service.metrics import gauge, groups
from sottovoce.service.state import State
from sottovoce.service.survey import Survey


def measured(state: State, running: Sequence[Survey]) -> str:
    """In Prometheus's text format. A survey is named by its first 12 digits; nothing tells users apart."""
    answered = [
        (f'{{survey="{held.row.id[:12]}",round="{row.number}"}}', _answered(held, row.number))
        for held in running
        for row in held.rounds
    ]
    return state.metrics.text(
        [
            *groups(state.writer.groups),
            *gauge("sotto_writer_waiting", "Reports that wait to be durable.", [("", state.writer.waiting)]),
            *gauge("sotto_open_rounds", "Rounds that take reports.", [("", len(running))]),
            *gauge("sotto_round_answered", "Users who answered, by round.", answered),
        ]
    )


def _answered(held: Survey, number: int) -> int:
    row = held.rounds[number]
    return held.answered if row.answered is None else row.answered
