"""A survey whose method has changed meanwhile: another release must finish it, and nothing is lost until then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sottovoce.engines import verify
from sottovoce.messages import Transcript
from sottovoce.problems import named
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, Refused, http, open_store
from tests.service.test_collector import DAY, answer, asked
from tests.service.web import Clock, manifest_of

ADAPTIVE = Mean(epsilon=2.0, low=1, high=5, users=120, observations=20, method="adaptive")
MANIFEST = manifest_of(ADAPTIVE)
SURVEY = MANIFEST.digest


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def collector(tmp_path: Path, clock: Clock) -> Iterator[Collector]:
    """All of the first round have answered."""
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        made = Collector(store, clock=clock)
        made.create(MANIFEST)
        slots = asked(store, SURVEY).slots
        answer(made, SURVEY, range(slots.first, slots.first + slots.count))
        yield made


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(type(named("mean").method("adaptive")), "edition", 2)
    return monkeypatch


def stored(collector: Collector) -> int:
    return collector.survey(SURVEY, fresh=True).answered


def test_it_is_not_gone_on_with_and_nothing_is_lost(
    collector: Collector, clock: Clock, changed: pytest.MonkeyPatch
) -> None:
    held = stored(collector)
    assert [one.row.id for one in collector.stalled()] == [SURVEY]
    with pytest.raises(Refused) as refused:
        collector.close(SURVEY, 0)
    assert refused.value.code == "other-edition" and MANIFEST.software in refused.value.do
    with pytest.raises(Refused) as refused:
        collector.enrol(SURVEY, "somebody")
    assert refused.value.code == "other-edition"
    for now in (clock.now, MANIFEST.closes + 1, MANIFEST.closes + DAY * MANIFEST.retention_days - 1):
        clock.now = now
        assert collector.tick() == [] and collector.survey(SURVEY, fresh=True).running
        assert stored(collector) == held > 0


def test_the_release_that_announced_it_finishes_it(
    collector: Collector, clock: Clock, changed: pytest.MonkeyPatch
) -> None:
    assert collector.tick() == []
    changed.undo()
    assert [row.because for row in collector.tick()] == ["quota"]
    assert not collector.stalled() and asked(collector.store, SURVEY).round == 1


def test_reports_go_when_they_must(collector: Collector, clock: Clock, changed: pytest.MonkeyPatch) -> None:
    """As participants were promised: the survey then ends without an answer, whoever verifies it."""
    clock.now = MANIFEST.closes + DAY * MANIFEST.retention_days + 1
    (row,) = collector.tick()
    assert row.because == "deadline" and collector.survey(SURVEY, fresh=True).state(clock.now) == "abandoned"
    assert collector.store.counted(row.key, after=-1) == []
    transcript = Transcript.from_bytes(collector.transcript(SURVEY))
    assert transcript.ended == {"code": "ended-other-edition", "data": {"edition": 1}}
    assert verify(transcript).kind == "not-replayed"
    changed.undo()
    assert verify(transcript).kind == "identical"


def test_the_log_names_the_release_when_a_collector_starts(collector: Collector, changed: pytest.MonkeyPatch) -> None:
    """Once, and again where the store did not answer the first time."""
    answers: list[object] = [Refused(status=503, code="unavailable", message=""), collector.stalled()]
    events: list[tuple[str, dict[str, object]]] = []

    async def stalled() -> object:
        told = answers.pop(0)
        if isinstance(told, Exception):
            raise told
        return told

    async def tick() -> list[object]:
        raise asyncio.CancelledError

    state: Any = SimpleNamespace(stalled=stalled, tick=tick)
    state.log = SimpleNamespace(event=lambda what, **more: events.append((what, more)))
    changed.setattr(http, "_TICK_SECONDS", 0)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(http._ticks(state))
    assert events == [
        ("tick refused", {}),
        ("other edition", {"survey": SURVEY[:12], "edition": 1, "finish_with": MANIFEST.software}),
    ]
