"""What ``sotto answer`` says came of it, and when it does what."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.cli import answer as command
from sottovoce.cli import collection, ledger, main
from sottovoce.device import Ledger
from sottovoce.messages import Manifest
from sottovoce.problems import announce
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.vector import VectorMean
from tests.service.scripted import CAPABILITY, WAY, Collector, first_question, mean_manifest, refusal, running
from tests.support.said import result_of

MANIFEST = mean_manifest(closes=4_000_000_000)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running(Collector(MANIFEST, first_question(MANIFEST).to_bytes())) as one:
        yield one


def answer(collector: Collector, *words: str) -> int:
    return main(["answer", collector.url, "--values", "4,x", "--spread", "0", "--yes", "--wait", "0", *words])


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def announced(settings: Any, **more: Any) -> Manifest:
    words = {"purpose": "p", "collector": "c", "software": "s", "opens": 0, "closes": 4_000_000_000}
    return announce(settings, **(words | more))


COLOURS = announced(
    Histogram(epsilon=1.0, users=400, observations=5, categories=("red", "green"), other="green", method="one-round")
)
PAIRS = announced(VectorMean(epsilon=1.0, users=400, observations=5, low=0.0, high=1.0, dimension=2))


# ---- what is read, and when ------------------------------------------------------------------------------------


@pytest.mark.parametrize("manifest", [MANIFEST, COLOURS, PAIRS])
@pytest.mark.parametrize("text", ["id,stars,more\n1,4,2\n2,5,3\n", "id,stars,more\n", "id,stars,more\nx\n"])
def test_columns_are_not_guessed(manifest: Manifest, text: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "mine.csv").write_text(text)
    with running(Collector(manifest, first_question(manifest).to_bytes())) as collector:
        words = ["answer", collector.url, "--data", str(home / "mine.csv"), "--yes", "--spread", "0"]
        assert main(words) == 2
        assert "the file has columns id, stars, more; say which are yours with --column" in capsys.readouterr().err
        assert [path for _, path in collector.seen] == WAY[:1], "whatever the rows hold, and before it enrols"
        assert main([*words, "--column", "stars,more" if manifest is PAIRS else "stars"]) == 0


@pytest.mark.parametrize(
    "text, found", [("stars\n4\n5\n", [4, 5]), ("4\n5\n", [4, 5]), ("4,5\n3,2\n", [4, 5, 3, 2]), ("", [])]
)
def test_what_needs_no_names_still_does(text: str, found: list[float], home: Path) -> None:
    (home / "mine.csv").write_text(text)
    given = collection.read_given(Namespace(values=None, data=str(home / "mine.csv"), column=None))
    assert np.array_equal(given.seen_by(MANIFEST).values, found)


def test_how_much_is_read_shows_in_no_request(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What takes longer the more there is: before the first request, within the spread, or behind a person's pause."""
    when: list[tuple[str, int]] = []

    def noted(name: str, call: Any) -> Any:
        return lambda *words: (when.append((name, len(collector.seen))), call(*words))[1]

    monkeypatch.setattr(collection.Given, "__post_init__", noted("given", collection.Given.__post_init__))
    monkeypatch.setattr(collection.Given, "seen_by", noted("seen", collection.Given.seen_by))
    assert answer(collector) == 0
    assert when == [("given", 0), ("seen", 4)], "the question has come, the report has not gone"
    assert "entries 2, of which missing or not a number: 1" in said(capsys).partition("Answered")[2]

    collector.stored, when[:] = None, []
    collector.seen.clear()
    collector.script = lambda method, path, number: refusal(503, "busy") if path == "/enrol" else None
    assert answer(collector, "--json", "--ledger", ":memory:") == 0
    assert when == [("given", 0), ("seen", 2)], "nothing was answered: after the last request"
    found = result_of(capsys.readouterr().out)
    assert (found["entries"], found["missing"]) == (2, 1)

    collector.script, when[:] = (lambda method, path, number: None), []
    collector.seen.clear()
    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", stdin)
    monkeypatch.setattr(command, "_agreed", noted("agreed", lambda: True))
    assert main(["answer", collector.url, "--values", "4,x", "--spread", "0", "--ledger", ":memory:"]) == 0
    assert when == [("given", 0), ("seen", 1), ("agreed", 1)], "before a person thinks it over, and once"
    assert "entries 2, of which missing" in said(capsys).partition("Answered")[0]


# ---- what came of it -------------------------------------------------------------------------------------------


def used(collector: Collector) -> None:
    """Somebody else has answered with this invitation."""
    seat = {"survey": MANIFEST.digest, "slot": 3, "capability": CAPABILITY, "before": True}
    collector.stored = b"another report"
    collector.script = lambda method, path, number: (200, json.dumps(seat).encode(), {}) if path == "/enrol" else None


def test_a_report_that_is_not_taken_is_told_with_its_cost(
    collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    used(collector)
    assert answer(collector) == 3
    told = said(capsys).partition("Not answered")[2]
    for words in (
        "a report was made, and was sent, but not taken; it cost ε all the same",
        "cost ε = 1; 3 left",
        "this invitation was used before; if that was not you, tell the people who ask",
    ):
        assert words in told
    assert answer(collector, "--json") == 3
    outcome = result_of(capsys.readouterr().out)["outcome"]
    assert (outcome["state"], outcome["slot"], outcome["before"]) == ("refused", 3, True)
    assert outcome["epsilon"] == pytest.approx(1)


def test_a_report_that_waits_and_a_decline_after_it(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    collector.script = lambda method, path, number: refusal(503, "busy") if path == "/reports" else None
    assert answer(collector) == 0
    assert "a report was made, and was sent, and whether it arrived is not known" in said(capsys)
    collector.script = lambda method, path, number: refusal(403, "forbidden") if path == "/reports" else None
    assert answer(collector) == 3
    collector.script, collector.slot = (lambda method, path, number: None), 4  # another invitation to the same survey
    capsys.readouterr()
    assert answer(collector) == 3
    printed = capsys.readouterr()
    assert "already-answered" in printed.err and "was sent, but not taken" in " ".join(printed.out.split())


def test_when_to_come_back(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    collector.progress = {"round": {"first": 0, "count": 2, "closes": 3_000_000_000}}
    assert answer(collector) == 0
    told = said(capsys)
    assert "why round 1 is open, and asks others; this device is asked in a later one" in told
    assert "when that round has closed, 2065-01-24 05:20 UTC at the latest, with the same command" in told
    assert answer(collector, "--json") == 0
    outcome = result_of(capsys.readouterr().out)["outcome"]
    assert outcome["latest_at"] == 3_000_000_000 and outcome["again_at"] < 3_000_000_000


def test_a_collector_that_cannot_be_reached_is_one_to_come_back_to(
    collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in WAY:
        collector.script = lambda method, own, number, now=path: "drop" if own == now else None
        assert answer(collector, "--json", "--ledger", ":memory:") == 0, path
        found = result_of(capsys.readouterr().out)
        assert (found["outcome"]["state"], found["outcome"]["code"]) == ("waiting", "unreachable")
        assert found["outcome"]["again_at"] is not None and (found["manifest"] is None) == (path == "/manifest")
    collector.script = lambda method, path, number: "drop"
    assert answer(collector) == 0 and "Not yet" in said(capsys)
    collector.script = lambda method, path, number: refusal(404, "not-found")
    assert answer(collector) == 3 and "Not answered" in said(capsys)
    collector.script = lambda method, path, number: None
    assert answer(collector) == 0
    requests = len(collector.seen)
    collector.script = lambda method, path, number: "drop"
    capsys.readouterr()
    assert answer(collector) == 0 and "Answered before; nothing new was sent" in said(capsys)
    assert answer(collector, "--json") == 0 and len(collector.seen) == requests, "the ledger knows"
    found = result_of(capsys.readouterr().out)
    assert found["outcome"]["code"] == "before" and found["report"] and found["entries"] is None


# ---- the budget, and the ledger --------------------------------------------------------------------------------


def test_what_buys_nothing_is_nothing(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(collector, "--cap", "1") == 0
    assert "cost ε = 1; 0 left for 'my data'" in said(capsys)
    with Ledger(":memory:", cap=1e-6) as ledger_file:
        assert ledger.budget_left(ledger_file, "my data") == 1e-6, "the cheapest question there is"
    assert main(["ledger", "--cap", "1", "--json"]) == 0
    assert result_of(capsys.readouterr().out)["budgets"][0]["left"] == 0


def test_advice_names_options_that_there_are(
    collector: Collector, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(collector, "--cap", "0.5") == 3
    told = capsys.readouterr().err
    assert "--cap" in told and "--epsilon" not in told
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert answer(collector) == 2 and "name another file with --ledger" in capsys.readouterr().err
    assert answer(collector, "--ledger", str(home / "none" / "l.db")) == 3 and "--ledger" in capsys.readouterr().err
    assert answer(collector, "--ledger", ":memory:", "--spread", "3e9") == 3
    assert "too-late" in (told := capsys.readouterr().err) and "--spread" in told


def test_the_ledger_has_the_whole_name_of_a_survey(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(collector) == 0 and MANIFEST.digest in said(capsys)
    assert main(["ledger"]) == 0 and f"survey {MANIFEST.digest} at http" in said(capsys)
