"""``sotto answer`` and ``sotto ledger``."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.cli.own import held, moment
from sottovoce.messages import Report
from sottovoce.problems import Histogram
from tests.service.scripted import TOKEN, Collector, first_question, mean_manifest, refusal, running
from tests.support.transcripts import manifest_of

MANIFEST = mean_manifest(columns=("rating",), closes=1_800_000_000)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running(Collector(MANIFEST, first_question(MANIFEST).to_bytes())) as one:
        yield one


def answer(collector: Collector, *words: str) -> int:
    return main(["answer", collector.url, "--spread", "0", "--yes", "--wait", "0", *words])


def test_it_shows_who_asks_before_it_answers(
    collector: Collector, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(collector, "--values", "4,5,3") == 0
    shown = capsys.readouterr().out
    flat = " ".join(shown.split())
    for told in (
        "Example University asks",
        "what for how good the lectures are",
        "ε = 1 for all you hold together",
        "no report would become more than e^1 = 2.72 times as likely",
        "one-round, which asks everybody once on the full range",
        "fewer than 10 of 400 users",
        "deleted 30 days after the survey ends",
        "budget ε = 4 of 4 left for 'my data'",
        "cost ε = 1; 3 left for 'my data'",
    ):
        assert told in flat
    assert shown.index("Example University asks") < shown.index("Answered")
    assert Report.from_bytes(collector.posted[0]).payload in shown.partition("Answered")[2]
    assert TOKEN not in shown and max(map(len, shown.splitlines())) <= 100
    file = home / "share" / "sottovoce" / "ledger.db"
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    assert answer(collector, "--values", "1") == 0 and "Answered before" in capsys.readouterr().out
    assert len(collector.posted) == 1


def test_nobody_is_made_to_answer(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["answer", collector.url, "--values", "3", "--spread", "0"]
    assert main(words) == 2 and "add --yes" in capsys.readouterr().err and collector.seen == []
    stdin = io.StringIO("no\nyes\n")
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(words) == 3 and "Nothing was sent" in capsys.readouterr().out
    assert [path for _, path in collector.seen] == ["/manifest"]
    assert main(words) == 0 and len(collector.posted) == 1


@pytest.mark.parametrize(
    "name, text, more",
    [
        ("mine.csv", "day,rating\n1,4\n2,\n3,lots\n", []),
        ("mine.csv", "stars\n4\n", ["--column", "stars"]),
        ("mine.txt", "4 5\n3\n", []),
        ("empty.txt", "", []),
    ],
)
def test_observations_come_from_files(
    name: str, text: str, more: list[str], collector: Collector, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / name).write_text(text)
    assert answer(collector, "--data", str(home / name), "--json", *more) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"survey", "manifest", "outcome", "report", "budget"}
    assert found["outcome"]["state"] == "answered" and found["budget"]["left"] == pytest.approx(3)
    assert found["report"] == Report.from_bytes(collector.posted[0]).payload


def test_a_file_without_the_column_is_said_so(
    collector: Collector, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "mine.csv").write_text("day,stars\n1,4\n")
    assert answer(collector, "--data", str(home / "mine.csv")) == 2
    assert "no column 'rating'" in capsys.readouterr().err and collector.posted == []


def test_categories_are_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    colours = Histogram(epsilon=1.0, users=400, observations=2, categories=("red", "green", "blue"), method="one-round")
    manifest = manifest_of(colours, columns=("colour",), opens=0, closes=2**40)
    (home / "mine.csv").write_text("day,colour\n1,red\n2,blue\n")
    for values, data in (("red, blue", None), (None, str(home / "mine.csv"))):
        assert held(Namespace(values=values, data=data, column=None), manifest) == [0.0, 2.0]
    with running(Collector(manifest, first_question(manifest).to_bytes())) as collector:
        assert answer(collector, "--values", "red, blue", "--json") == 0
        assert json.loads(capsys.readouterr().out)["outcome"]["state"] == "answered"


def test_a_decline_has_its_own_exit_code(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(collector, "--values", "3", "--cap", "0.5") == 3
    printed = capsys.readouterr()
    assert "over-budget" in printed.err and "nothing was sent" in printed.err
    assert "which is too little for this survey" in " ".join(printed.out.split())
    assert answer(collector, "--values", "3", "--cap", "0.5", "--json") == 3
    assert json.loads(capsys.readouterr().out)["outcome"]["code"] == "over-budget"
    assert collector.posted == []


def test_later_and_too_late(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    collector.script = lambda method, path, number: refusal(503, "busy") if path == "/progress" else None
    assert answer(collector, "--values", "3") == 0
    assert "Not yet" in (shown := capsys.readouterr().out) and "with the same command" in shown
    collector.script = lambda method, path, number: refusal(409, "full") if path == "/enrol" else None
    assert answer(collector, "--values", "3") == 3
    assert "every slot of the survey is taken" in capsys.readouterr().out


def test_the_ledger_says_what_was_said(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger"]) == 0 and "No answers" in capsys.readouterr().out
    collector.script = lambda method, path, number: "lose" if path == "/reports" and number == 1 else None
    assert answer(collector, "--values", "4,5,3") == 0
    capsys.readouterr()
    assert main(["ledger"]) == 0
    assert "whether it arrived is not known; run sotto answer again" in " ".join(capsys.readouterr().out.split())
    assert answer(collector, "--values", "4,5,3") == 0
    capsys.readouterr()
    assert main(["ledger"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for told in (
        "1 answer ",
        "Example University asked",
        "the average of all your observations",
        "and it arrived",
        "3 of 4",
    ):
        assert told in shown
    assert main(["ledger", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (said,) = found["answers"]
    assert said["survey"] == MANIFEST.digest and said["report"] == Report.from_bytes(collector.posted[0]).payload
    assert said["sent"] <= said["acknowledged"] and said["purpose"] == "how good the lectures are"
    assert found["budgets"][0]["source"] == "my data" and found["budgets"][0]["answers"] == 1


def test_any_time_has_words() -> None:
    assert moment(None) == "never" and moment(2.0**53) == "in a far future" and moment(1e9).startswith("2001-09-0")
