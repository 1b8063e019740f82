"""Rounds and seats without HTTP, with a clock that stands still: who gets which slot, when a round closes, and why.

A survey whose method has changed meanwhile: another release must finish it, and nothing is lost until then.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sottovoce.engines import verify
from sottovoce.messages import InvalidInput, Invitation, Manifest, Question, Transcript
from sottovoce.problems import Announced, Settings, named, read
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.service import Collector, Refused, Store, Survey, http, open_store
from sottovoce.service.slots import order_ahead, order_on_arrival
from sottovoce.service.store import ReportRow, RoundRow
from tests.service.web import START, Clock, manifest_of, payload_of

DAY = 86_400
SMALL = Mean(epsilon=1.0, low=1, high=5, users=20, observations=5, method="one-round")
ADAPTIVE = Mean(epsilon=2.0, low=1, high=5, users=120, observations=20, method="adaptive")


@pytest.fixture
def collector(tmp_path: Path, clock: Clock) -> Iterator[Collector]:
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        yield Collector(store, clock=clock)


def answer(collector: Collector, survey: str, slots: range | list[int]) -> None:
    held = collector.survey(survey, fresh=True)
    payload = bytes.fromhex(payload_of(held.question))
    assert set(collector.store.put([ReportRow(held.last.key, slot, payload) for slot in slots])) == {"stored"}


def begun(collector: Collector, settings: Settings = ADAPTIVE, **more: Any) -> str:
    """A survey that is announced."""
    manifest = manifest_of(settings, **more)
    collector.create(manifest)
    return manifest.digest


def answer_all(collector: Collector, survey: str, *, but: int = 0) -> None:
    """All whom the open round asks, but for so many."""
    slots = asked(collector.store, survey).slots
    answer(collector, survey, range(slots.first, slots.first + slots.count - but))


def asked(store: Store, survey: str) -> Question:
    return Question.from_bytes(store.rounds(survey)[-1].question)


def verified(collector: Collector, survey: str) -> Transcript:
    transcript = Transcript.from_bytes(collector.transcript(survey))
    verdict = verify(transcript, survey=survey)
    assert verdict.ok, str(verdict)
    return transcript


BINS = Histogram(epsilon=2.0, low=0, high=4, bins=4, users=1000, observations=10)


@pytest.mark.parametrize("settings", [ADAPTIVE, BINS])
def test_any_number_of_users_is_spread_evenly_over_the_waves(settings: Mean | Histogram) -> None:
    rules = manifest_of(settings).rules
    order = order_ahead(rules)
    assert sorted(order) == list(range(rules.users))
    firsts = np.array([wave.first for wave in rules.waves])
    sizes = np.array([wave.count for wave in rules.waves])
    for come in (10, 37, 60, 100):
        filled = np.bincount(np.searchsorted(firsts, order[:come], side="right") - 1, minlength=len(sizes))
        assert np.all(np.abs(filled - come * sizes / sizes.sum()) <= 1.5), "in proportion to their sizes"
        for first, count in zip(firsts, filled, strict=True):
            inside = sorted(slot for slot in order[:come] if first <= slot < first + sizes[list(firsts).index(first)])
            assert inside == list(range(first, first + count)), "neighbours, who are in different groups"


def test_a_token_keeps_its_slot_and_the_last_slot_is_the_last(collector: Collector) -> None:
    manifest = manifest_of(Mean(epsilon=1.0, low=1, high=5, users=10, observations=5, method="one-round"))
    survey = manifest.digest
    collector.create(manifest)
    tokens = [Invitation.read(url).token for url in collector.invite(survey, count=11, base="http://127.0.0.1")]
    seats = [collector.enrol(survey, token) for token in tokens[:10]]
    assert sorted(seat.slot for seat in seats) == list(range(10)) and not any(seat.before for seat in seats)
    again = collector.enrol(survey, tokens[3])
    assert (again.slot, again.before, again.capability) == (seats[3].slot, True, seats[3].capability)
    for token, status, code in ((tokens[10], 409, "full"), ("another", 401, "unauthorised")):
        with pytest.raises(Refused) as refused:
            collector.enrol(survey, token)
        assert (refused.value.status, refused.value.code) == (status, code)


def test_on_arrival_a_slot_of_the_open_round_is_given_and_a_full_round_says_to_come_back(
    collector: Collector,
) -> None:
    survey = begun(collector, ADAPTIVE, enrolment="on-arrival", access="open")
    first = asked(collector.store, survey).slots
    slots = [collector.enrol(survey, f"token {number}").slot for number in range(first.count)]
    assert sorted(slots) == list(range(first.first, first.first + first.count))
    assert slots != sorted(slots), "a slot does not say who came when"
    with pytest.raises(Refused) as refused:
        collector.enrol(survey, "one too many")
    assert (refused.value.status, refused.value.code) == (425, "early") and refused.value.retry_after
    answer(collector, survey, slots)
    collector.tick()
    second = asked(collector.store, survey).slots
    assert second.first == first.count and collector.enrol(survey, "one too many").slot in second
    with pytest.raises(Refused, match="has closed"):
        collector.enrol(survey, "token 0")


def test_a_round_closes_at_its_quota_and_the_transcript_says_so(collector: Collector) -> None:
    survey = begun(collector, ADAPTIVE, quota=0.5)
    while collector.survey(survey, fresh=True).running:
        slots = asked(collector.store, survey).slots
        half = -(-slots.count // 2)
        answer(collector, survey, range(slots.first, slots.first + half - 1))
        assert collector.tick() == [], "one is missing"
        answer(collector, survey, [slots.first + half - 1])
        assert [row.because for row in collector.tick()] == ["quota"]
    transcript = verified(collector, survey)
    assert {row.because for row in transcript.rounds} == {"quota"}
    collection = read(collector.estimate(survey)).collection
    assert collection is not None and not collection.complete
    assert collection.answered == tuple(row.answered for row in transcript.rounds)
    assert "(bins " in str(collection.statement) and ", mean " in str(collection.statement)


def test_a_clock_that_was_set_back_closes_no_round_before_it_opened(collector: Collector, clock: Clock) -> None:
    manifest = manifest_of(ADAPTIVE)
    collector.create(manifest)
    clock.now += 100
    for _ in range(2):
        held = collector.survey(manifest.digest, fresh=True)
        slots = held.question.slots
        answer(collector, manifest.digest, range(slots.first, slots.first + slots.count))
        assert manifest.enough_answers(slots.count) == slots.count
        (row,) = collector.tick()
        assert row.because == "quota"
        clock.now -= 50
    first, second = verified(collector, manifest.digest).rounds[:2]
    assert first.closed == second.closed


def test_below_the_minimum_a_deadline_ends_the_survey_and_nothing_is_shown(collector: Collector, clock: Clock) -> None:
    survey = begun(collector, ADAPTIVE, minimum=12, round_seconds=600)
    answer(collector, survey, range(11))
    with pytest.raises(Refused, match="at least 12 must"):
        collector.close(survey, 0)
    clock.now += 601
    assert [row.because for row in collector.tick()] == ["deadline"]
    transcript = verified(collector, survey)
    assert transcript.rounds[0].tally == "" and transcript.rounds[0].answered == 11
    assert "11 of" in str(transcript.why_ended) and not transcript.answer
    with pytest.raises(Refused) as refused:
        collector.estimate(survey)
    assert (refused.value.status, refused.value.code) == (410, "abandoned")


def test_a_group_from_which_nobody_answered_keeps_a_round_open_until_its_deadline(
    collector: Collector, clock: Clock
) -> None:
    settings = VectorMean(epsilon=2.0, users=40, dimension=4, low=-1.0, high=1.0, method="one-round", observations=5)
    survey = begun(collector, settings, quota=0.25, round_seconds=600)
    answer(collector, survey, range(0, 40, 4))  # all of them in one group
    assert collector.tick() == [] == collector.tick()
    clock.now += 601
    assert [row.because for row in collector.tick()] == ["deadline"]
    assert "have no report" in str(verified(collector, survey).why_ended)


def test_a_quota_that_could_not_be_decided_is_tried_again_when_a_hundredth_more_have_answered(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = VectorMean(epsilon=2.0, users=800, dimension=4, low=-1.0, high=1.0, method="one-round", observations=5)
    survey = begun(collector, settings, quota=0.5)
    tried: list[int] = []
    close = collector.store.close

    def counting(id: str, number: int, **more: Any) -> RoundRow:
        tried.append(collector.survey(id, fresh=True).answered)
        return close(id, number, **more)

    monkeypatch.setattr(collector.store, "close", counting)
    silent, others = list(range(0, 800, 4)), [slot for slot in range(800) if slot % 4]
    answer(collector, survey, others[:400])
    for slot in others[400:]:
        assert collector.tick() == []
        answer(collector, survey, [slot])
    assert tried[:4] == [400, 404, 408, 412] and len(tried) < 50
    answer(collector, survey, silent[:20])
    assert [row.because for row in collector.tick()] == ["quota"]


def test_once_everybody_has_answered_nothing_more_is_waited_for(collector: Collector) -> None:
    settings = VectorMean(epsilon=2.0, users=800, dimension=4, low=-1.0, high=1.0, method="one-round", observations=5)
    manifest = manifest_of(settings, quota=0.5)
    collector.create(manifest)
    answer(collector, manifest.digest, range(799))
    collector._in_vain[manifest.digest] = 0, 799
    assert collector.tick() == []
    answer(collector, manifest.digest, [799])
    assert [row.because for row in collector.tick()] == ["quota"], "a hundredth more cannot come"


def test_once_a_round_has_closed_nothing_tells_in_which_order_its_slots_were_dealt(
    collector: Collector, tmp_path: Path
) -> None:
    """Not the store, nor a backup of it: the order follows from a seed of the round, which is forgotten."""
    survey = begun(collector, ADAPTIVE, enrolment="on-arrival", access="open")
    first = collector.survey(survey)
    assert first.last.seed is not None and first.last.seed != first.row.secret
    slots = [collector.enrol(survey, f"token {number}").slot for number in range(12)]
    assert slots == list(order_on_arrival(first.question.slots, first.last.seed)[:12])
    others = set(range(first.question.slots.count)) - set(slots)
    answer(collector, survey, [*slots, *sorted(others)])
    collector.tick()
    collector.store.backup(tmp_path / "backup")
    assert not any(first.last.seed in file.read_bytes() for file in tmp_path.iterdir())
    second = collector.survey(survey, fresh=True)
    assert second.rounds[0].seed is None and second.last.seed not in (None, first.last.seed)


def test_slots_dealt_ahead_need_no_seed(collector: Collector) -> None:
    collector.create(manifest_of(ADAPTIVE))
    assert collector.survey(manifest_of(ADAPTIVE).digest).last.seed is None


def test_surveys_that_come_and_go_meanwhile_do_not_disturb_a_tick(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other threads read surveys while one ticks: as if one more came with each that is looked at."""
    for purpose in ("one", "two"):
        manifest = manifest_of(ADAPTIVE, purpose=purpose)
        collector.create(manifest)
        collector.survey(manifest.digest)

    def running(held: Survey) -> bool:
        collector._surveys[f"another {len(collector._surveys)}"] = held
        return held.row.state == "running"

    monkeypatch.setattr(Survey, "running", property(running))
    assert collector.tick() == []


def test_a_round_that_would_ask_fewer_than_must_answer_ends_the_survey(collector: Collector) -> None:
    manifest = manifest_of(ADAPTIVE, minimum=30)
    survey = manifest.digest
    first = Announced(manifest).decide(())
    assert isinstance(first, Question)
    if first.slots.count < 30:
        with pytest.raises(InvalidInput, match="lower the minimum"):
            collector.create(manifest)
        return
    collector.create(manifest)
    answer(collector, survey, range(first.slots.count))
    collector.tick()
    assert "would ask" in str(verified(collector, survey).why_ended)


def test_two_surveys_do_not_mix(collector: Collector) -> None:
    one, two = manifest_of(ADAPTIVE), manifest_of(ADAPTIVE, purpose="another")
    for manifest in (one, two):
        collector.create(manifest)
    answer(collector, one.digest, range(5))
    assert collector.survey(one.digest, fresh=True).answered == 5
    assert collector.survey(two.digest, fresh=True).answered == 0
    with pytest.raises(Refused, match="already"):
        collector.create(one)


def test_what_is_over_before_it_begins_is_refused(collector: Collector) -> None:
    late: Manifest = manifest_of(ADAPTIVE, opens=START - 100, closes=START)
    with pytest.raises(InvalidInput, match="over before it began"):
        collector.create(late)


def test_one_silent_user_does_not_end_a_survey(collector: Collector, clock: Clock) -> None:
    """Without a word about rounds each has its part of the time, so that there is some left for the next."""
    survey = begun(collector)
    while collector.survey(survey, fresh=True).running:
        answer_all(collector, survey, but=1)
        assert collector.tick() == []
        clock.now = collector.survey(survey, fresh=True).deadline
        assert [row.because for row in collector.tick()] == ["deadline"]
    assert not verified(collector, survey).ended_without_answer and collector.estimate(survey)


def test_whoever_closes_a_round_whose_time_is_over_closes_it_by_its_deadline(
    collector: Collector, clock: Clock
) -> None:
    """As after a night in which the collector was down: a transcript that said otherwise would not be believed."""
    survey = begun(collector, ADAPTIVE, round_seconds=600)
    clock.now += 60
    answer_all(collector, survey)
    assert collector.close(survey, 0, because="hand").because == "hand"
    answer_all(collector, survey)
    clock.now += 3600
    assert collector.close(survey, 1, because="hand").because == "deadline"
    clock.now -= 3000  # set back
    answer_all(collector, survey)
    assert [row.because for row in collector.tick()] == ["quota"]
    assert verified(collector, survey).answer


def test_without_time_for_the_next_round_the_survey_ends_and_says_so(collector: Collector, clock: Clock) -> None:
    survey = begun(collector)
    answer_all(collector, survey)
    clock.now = collector.survey(survey).manifest.closes
    collector.tick()
    assert "no time was left" in str(verified(collector, survey).why_ended)


def test_what_another_worker_ended_is_known_at_the_next_tick(
    tmp_path: Path, collector: Collector, clock: Clock
) -> None:
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        other = Collector(store, clock=clock)
        survey = begun(collector, SMALL)
        assert other.survey(survey).running
        answer(collector, survey, range(20))
        collector.tick()
        other.tick()
        assert other.known(survey) is None or not other.known(survey).running  # type: ignore[union-attr]


def test_one_survey_that_cannot_be_decided_holds_up_no_other(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = manifest_of(ADAPTIVE), manifest_of(ADAPTIVE, purpose="another")
    for manifest in (one, two):
        collector.create(manifest)
        answer_all(collector, manifest.digest)
    close = collector.close
    broken = collector.store.running()[0]

    def fails(survey: str, number: int, **more: str) -> object:
        if survey == broken:
            raise ZeroDivisionError
        return close(survey, number, **more)

    monkeypatch.setattr(collector, "close", fails)
    with pytest.raises(ZeroDivisionError):
        collector.tick()
    other = next(survey for survey in (one.digest, two.digest) if survey != broken)
    assert [len(collector.store.rounds(survey)) for survey in (broken, other)] == [1, 2]


def test_reports_are_gone_when_their_time_is_over_and_what_was_counted_stays(url: str, clock: Clock) -> None:
    manifest = manifest_of(ADAPTIVE, retention_days=3)
    running = manifest_of(ADAPTIVE, purpose="another, that runs all the while", closes=START + 40 * DAY)
    survey = manifest.digest
    with open_store(url) as store:
        collector = Collector(store, clock=clock)
        for made in (manifest, running):
            collector.create(made)
        answer(collector, running.digest, range(5))
        while collector.survey(survey, fresh=True).running:
            answer_all(collector, survey)
            collector.tick()
        published = collector.estimate(survey), collector.transcript(survey)
        keys = [row.key for row in store.rounds(survey)]
        answered = [row.answered for row in store.rounds(survey)]
        ended = clock.now
        for now, kept in ((ended + 3 * DAY, answered), (ended + 3 * DAY + 1, [0] * len(keys))):
            clock.now = now
            collector.tick()
            assert [store.count(key) for key in keys] == kept
        assert (collector.estimate(survey), collector.transcript(survey)) == published
        assert [row.answered for row in store.rounds(survey)] == answered
        assert store.count(store.rounds(running.digest)[0].key) == 5, "of a survey that runs, nothing goes"
    if url.startswith("sqlite:"):
        connection = sqlite3.connect(url[7:])
        left = [connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("report", "counted")]
        assert left == [(5,), (0,)]
        connection.close()


def test_a_token_of_a_survey_that_another_worker_ended_is_told_that_it_is_over(collector: Collector) -> None:
    survey = begun(collector, SMALL)
    (url,) = collector.invite(survey, count=1, base="http://127.0.0.1")
    assert collector.survey(survey).running
    other = Collector(collector.store, clock=collector.clock)
    answer(other, survey, range(20))
    other.tick()
    assert collector.survey(survey).running, "as this worker still has it"
    with pytest.raises(Refused) as refused:
        collector.enrol(survey, Invitation.read(url).token)
    assert refused.value.status == 410


# ---- a method that has changed meanwhile -----------------------------------------------------------------------------


MANIFEST = manifest_of(ADAPTIVE)
SURVEY = MANIFEST.digest


@pytest.fixture
def halfway(tmp_path: Path, clock: Clock) -> Iterator[Collector]:
    """All of the first round have answered."""
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        made = Collector(store, clock=clock)
        made.create(MANIFEST)
        answer_all(made, SURVEY)
        yield made


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(type(named("mean").method("adaptive")), "edition", MANIFEST.edition + 1)
    return monkeypatch


def stored(halfway: Collector) -> int:
    return halfway.survey(SURVEY, fresh=True).answered


def test_it_is_not_gone_on_with_and_nothing_is_lost(
    halfway: Collector, clock: Clock, changed: pytest.MonkeyPatch
) -> None:
    held = stored(halfway)
    assert [one.row.id for one in halfway.stalled()] == [SURVEY]
    with pytest.raises(Refused) as refused:
        halfway.close(SURVEY, 0)
    assert refused.value.code == "other-edition" and MANIFEST.software in refused.value.do
    with pytest.raises(Refused) as refused:
        halfway.enrol(SURVEY, "somebody")
    assert refused.value.code == "other-edition"
    for now in (clock.now, MANIFEST.closes + 1, MANIFEST.closes + DAY * MANIFEST.retention_days - 1):
        clock.now = now
        assert halfway.tick() == [] and halfway.survey(SURVEY, fresh=True).running
        assert stored(halfway) == held > 0


def test_the_release_that_announced_it_finishes_it(
    halfway: Collector, clock: Clock, changed: pytest.MonkeyPatch
) -> None:
    assert halfway.tick() == []
    changed.undo()
    assert [row.because for row in halfway.tick()] == ["quota"]
    assert not halfway.stalled() and asked(halfway.store, SURVEY).round == 1


def test_reports_go_when_they_must(halfway: Collector, clock: Clock, changed: pytest.MonkeyPatch) -> None:
    """As participants were promised: the survey then ends without an answer, whoever verifies it."""
    clock.now = MANIFEST.closes + DAY * MANIFEST.retention_days + 1
    (row,) = halfway.tick()
    assert row.because == "deadline" and halfway.survey(SURVEY, fresh=True).state(clock.now) == "abandoned"
    assert halfway.store.counted(row.key, after=-1) == []
    transcript = Transcript.from_bytes(halfway.transcript(SURVEY))
    assert transcript.ended == {"code": "ended-other-edition", "data": {"edition": MANIFEST.edition}}
    assert verify(transcript).kind == "not-replayed"
    changed.undo()
    assert verify(transcript).kind == "identical"


def test_the_log_names_the_release_when_a_collector_starts(halfway: Collector, changed: pytest.MonkeyPatch) -> None:
    """Once, and again where the store did not answer the first time."""
    answers: list[object] = [Refused(status=503, code="unavailable", message=""), halfway.stalled()]
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
        ("other edition", {"survey": SURVEY[:12], "edition": MANIFEST.edition, "finish_with": MANIFEST.software}),
    ]
