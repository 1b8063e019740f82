"""What people see in a browser: an answer is never shown without its warnings, nor without how many answered."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.answers import Answer, lines_in_words
from sottovoce.problems import Settings, read
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, open_store, pages
from sottovoce.service.store import ReportRow
from tests.service.web import Clock, manifest_of, payload_of
from tests.words.nonsense import WORD, nonsense

LABELS = tuple(f"way {number}" for number in range(20))
WAYS = Histogram(epsilon=4.0, categories=LABELS, users=200, observations=10, method="one-round")
ADAPTIVE = Mean(epsilon=2.0, low=1, high=5, users=120, observations=20, method="adaptive")


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    with open_store(f"sqlite:{tmp_path / 'store.db'}") as store:
        yield Collector(store, clock=Clock())


def begun(collector: Collector, settings: Settings, **more: object) -> str:
    manifest = manifest_of(settings, **more)
    collector.create(manifest)
    return manifest.digest


def finished(collector: Collector, survey: str) -> Answer:
    """Half of those asked answer, in every round."""
    while (held := collector.survey(survey, fresh=True)).running:
        payload = bytes.fromhex(payload_of(held.question))
        slots = range(held.question.slots.first, held.question.slots.first + held.question.slots.count)
        collector.store.put([ReportRow(held.last.key, slot, payload) for slot in slots[::2]])
        collector.close(survey, held.last.number)
    found = read(collector.survey(survey, fresh=True).row.answer)
    assert isinstance(found, Answer)
    return found


def page(collector: Collector, survey: str) -> str:
    return pages.survey_page(collector.survey(survey, fresh=True), now=collector.clock()).decode()


def test_an_answer_is_shown_with_all_that_it_says(collector: Collector) -> None:
    survey = begun(collector, WAYS, access="open", enrolment="on-arrival")
    found, shown = finished(collector, survey), page(collector, survey)
    assert found.warnings and found.collection is not None and not found.collection.complete
    for text in (*found.warnings, found.collection.statement, found.privacy.statement):
        assert str(text) in shown
    read_as = html.unescape(shown)
    for name, text in lines_in_words(found.lines()):
        assert name in read_as and text.strip() in read_as, "nothing is cut off in silence"
    assert '<dd class="rows">' in shown, "a table keeps its columns"
    assert "Nobody is asked any more" in shown and "sotto answer" not in shown


def test_the_front_page_links_to_answers_and_shows_none(collector: Collector) -> None:
    survey = begun(collector, WAYS)
    finished(collector, survey)
    front = pages.front_page([collector.survey(survey)], now=collector.clock()).decode()
    assert f"/surveys/{survey}/participate" in front and "is over" in front and "way 3" not in front


def test_whoever_is_asked_later_is_told_to_come_back_and_when_a_round_closes(collector: Collector) -> None:
    ahead, arrival = begun(collector, ADAPTIVE), begun(collector, ADAPTIVE, enrolment="on-arrival")
    assert "Round 1: 0 of" in page(collector, ahead) and "at the latest" in page(collector, ahead)
    assert "come back: with the same command" in page(collector, ahead)
    assert "come back: with the same command" not in page(collector, arrival)


@pytest.mark.parametrize("days, words", [(0, "until the end;"), (1, "until 1 day after the end;")])
def test_how_long_reports_are_kept(collector: Collector, days: int, words: str) -> None:
    assert words in page(collector, begun(collector, ADAPTIVE, retention_days=days))


def test_all_that_pages_say_is_in_the_catalogue(collector: Collector) -> None:
    survey = begun(collector, WAYS)
    assert WORD not in page(collector, survey)
    with nonsense():
        running = page(collector, survey) + pages.front_page([collector.survey(survey)], now=collector.clock()).decode()
        finished(collector, survey)
        over = page(collector, survey) + pages.front_page(None, now=collector.clock()).decode()
    for shown in (running, over):
        text = re.sub(r"(?s)<head>.*?</head>|<h[12]>.*?</h[12]>|<pre>.*?</pre>|<[^>]*>", " ", shown)
        assert set(re.findall(r"[^\W\d_]+", text)) == {WORD}


def test_moments_are_in_universal_time(collector: Collector) -> None:
    assert "15 January 2027, 08:00 UTC to 15 January 2027, 10:46 UTC" in page(collector, begun(collector, ADAPTIVE))
