"""``sotto answer`` and ``sotto ledger``: what they show and read, when they do what, and what came of it."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.cli import answer as command
from sottovoce.cli import collection, terminal
from sottovoce.cli import ledger as ledger_command
from sottovoce.cli.answer import consent_lines, manifest_doubts
from sottovoce.cli.ledger import local_time
from sottovoce.client import Outbox
from sottovoce.device import Ledger
from sottovoce.messages import Invitation, Manifest, Report
from sottovoce.problems import announce
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.vector import VectorMean
from tests.service.commands import Sotto
from tests.service.scripted import TOKEN, WAY, Collector, always, at, mean_manifest, refusal, scripted, told_seat
from tests.support.said import result_of
from tests.support.transcripts import asking, manifest_of, mean, transcript_of

MANIFEST = mean_manifest(columns=("rating",), closes=4_000_000_000)


pytestmark = pytest.mark.usefixtures("home")


@dataclass(frozen=True)
class Answering:
    """``sotto answer`` at once; without a word about data with two entries, of which one is no number."""

    collector: Collector
    sotto: Sotto

    def words(self, *words: str) -> list[str]:
        held = [] if {"--values", "--data"} & {*words} else ["--values", "4,x"]
        return ["answer", self.collector.url, "--spread", "0", "--yes", "--wait", "0", *held, *words]

    def __call__(self, *words: str, code: int = 0) -> str:
        return self.sotto.flat(*self.words(*words), code=code)

    def json(self, *words: str, code: int = 0) -> Any:
        return self.sotto.json(*self.words(*words), code=code)


@pytest.fixture
def answer(collector: Collector, sotto: Sotto) -> Answering:
    return Answering(collector, sotto)


def test_it_shows_who_asks_before_it_answers(answer: Answering, home: Path, collector: Collector) -> None:
    shown, _ = answer.sotto.both(*answer.words("--values", "4,5,3"))
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
        MANIFEST.digest,
    ):
        assert told in flat
    assert shown.index("Example University asks") < shown.index("Answered")
    assert Report.from_bytes(collector.posted[0]).payload in shown.partition("Answered")[2]
    assert TOKEN not in shown and max(map(len, shown.splitlines())) <= 100
    file = home / "share" / "sottovoce" / "ledger.db"
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    assert "Answered before" in answer("--values", "1") and len(collector.posted) == 1


def test_nobody_is_made_to_answer(collector: Collector, sotto: Sotto, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["answer", collector.url, "--values", "3", "--spread", "0"]
    assert "add --yes" in sotto(*words, code=2) and collector.seen == []
    stdin = io.StringIO("no\nyes\n")
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", stdin)
    assert "Nothing was sent" in sotto.flat(*words, code=3)
    assert [path for _, path in collector.seen] == ["/manifest"]
    assert sotto(*words) and len(collector.posted) == 1


@pytest.mark.parametrize(
    "name, text, more, counts",
    [
        ("mine.csv", "day,rating\n1,4\n2,\n3,lots\n", [], (3, 2)),
        ("mine.csv", "stars\n4\n", ["--column", "stars"], (1, 0)),
        ("mine.txt", "4 5\n3\n", [], (3, 0)),
        ("mine.txt", "4 five\n3,,\ufeff\n", [], (4, 2)),
        ("empty.txt", "", [], (0, 0)),
    ],
)
def test_observations_come_from_files(
    name: str, text: str, more: list[str], counts: tuple[int, int], answer: Answering, home: Path
) -> None:
    (home / name).write_text(text)
    found = answer.json("--data", str(home / name), *more)
    assert {*found} == {"survey", "manifest", "warnings", "entries", "missing", "outcome", "report", "budget"}
    assert (found["entries"], found["missing"], found["warnings"]) == (*counts, [])
    assert found["outcome"]["state"] == "answered" and found["budget"]["left"] == pytest.approx(3)
    assert found["report"] == Report.from_bytes(answer.collector.posted[0]).payload


@pytest.mark.parametrize(
    "words, told, requests",
    [
        (["--data", "nowhere.csv"], "No such file", 0),
        (["--data", "mine.csv", "--column", "day,stars"], "no column 'stars'", 0),
        (["--data", "odd.csv"], "not text with commas", 0),
        (["--data", "bytes.csv"], "not UTF-8", 0),
        (["--values", "3", "--column", "rating"], "--data", 0),
        (["--data", "other.csv"], "no column 'rating'", 1),
    ],
)
def test_wrong_usage_is_told_before_anything_is_sent(
    words: list[str], told: str, requests: int, answer: Answering, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    (home / "mine.csv").write_text("day,rating\n1,4\n")
    (home / "other.csv").write_text("day,stars\n1,4\n")
    (home / "odd.csv").write_text(f"rating\n{'4' * 200_000}\n")
    (home / "bytes.csv").write_bytes(b"rating\n\xff\n")
    assert told in answer(*words, code=2) and len(answer.collector.seen) == requests


def announced(settings: Any, **more: Any) -> Manifest:
    words = {"purpose": "p", "collector": "c", "software": "s", "opens": 0, "closes": 4_000_000_000}
    return announce(settings, **(words | more))


COLOURS = announced(
    Histogram(epsilon=1.0, users=400, observations=5, categories=("red", "light, blue", "green"), method="one-round"),
    columns=("colour",),
)
PAIRS = announced(VectorMean(epsilon=1.0, users=400, observations=5, low=0.0, high=1.0, dimension=2))
NONE = float("nan")


def seen(manifest: Manifest, *, values: str | None = None, data: str | None = None, column: Any = None) -> Any:
    found = collection.read_given(Namespace(values=values, data=data, column=column)).seen_by(manifest)
    flat = np.array(found.values, dtype=float).ravel()
    assert found.entries == flat.size and found.missing == np.isnan(flat).sum()
    return found.values


@pytest.mark.parametrize(
    "values, categories",
    [
        ("red, green", [0, 2]),
        ("red, cancer", [0, NONE]),
        ("purple", [NONE]),
        ("0, 2", [0, 2]),
        ("true, red, 7", [NONE, 0, NONE]),
        ("true", [NONE]),
        ("\x1b[2J, red, ', \x00", [NONE, 0, NONE, NONE]),
        ("", []),
    ],
)
def test_what_is_in_no_category_is_missing(values: str, categories: list[float]) -> None:
    assert np.array_equal(seen(COLOURS, values=values), categories, equal_nan=True)


@pytest.mark.parametrize(
    "text, column, categories",
    [
        ('day,colour\n1,red\n2,"light, blue"\n', None, [0, 1]),
        ("day,colour\n1,red\n2,\n3\n\n4,mauve,9\n", None, [0, NONE, NONE, NONE]),
        ("hue,colour\nred,green\n", ("hue",), [0]),
        ("hue,colour\nred,green\n", ("hue", "colour"), [0, 2]),
    ],
)
def test_categories_of_a_column(text: str, column: Any, categories: list[float], home: Path) -> None:
    (home / "mine.csv").write_text(text)
    found = seen(COLOURS, data=str(home / "mine.csv"), column=column)
    assert np.array_equal(found, categories, equal_nan=True)


@pytest.mark.parametrize(
    "values, rows",
    [
        ("1,2;3,4", [[1, 2], [3, 4]]),
        ("1,2;3;4,5,6", [[1, 2], [NONE, NONE], [NONE, NONE]]),
        ("1,x;y,2", [[1, NONE], [NONE, 2]]),
        ("x", [[NONE, NONE]]),
        ("", []),
    ],
)
def test_rows_of_another_length_are_missing(values: str, rows: list[list[float]]) -> None:
    assert np.array_equal(seen(PAIRS, values=values), rows, equal_nan=True)


def test_a_file_that_needs_no_names(home: Path) -> None:
    file = home / "mine.csv"
    file.write_text("x,y\n1,2\n3,no\n")
    assert np.array_equal(seen(PAIRS, data=str(file)), [[1, 2], [3, NONE]], equal_nan=True)
    file.write_text("1,2\n3,4\n")
    assert seen(PAIRS, data=str(file)) == [[1, 2], [3, 4]], "it has no header"
    file.write_text("colour\nred\n")
    assert seen(replace(COLOURS, columns=()), data=str(file)) == [0]


@pytest.mark.parametrize("manifest", [MANIFEST, COLOURS, PAIRS], ids=["mean", "colours", "pairs"])
def test_requests_do_not_depend_on_what_is_held(manifest: Manifest, home: Path, sotto: Sotto) -> None:
    shapes = set()
    for name, values in enumerate(("red,green", "0,1;1,0", "purple", "", "1;2,3", "\x00", "true,1e999,nan")):
        with scripted(manifest) as collector:
            found = Answering(collector, sotto).json("--values", values, "--ledger", str(home / f"{name}.db"))
            assert found["outcome"]["state"] == "answered"
            shapes.add((tuple(collector.seen), len(collector.posted[0])))
    assert len(shapes) == 1


def shown(manifest: Manifest, options: Namespace) -> str:
    given = collection.read_given(options)
    invitation = Invitation(base="https://example.org", survey=manifest.digest, token=TOKEN)
    warnings = manifest_doubts(manifest)
    with Ledger(":memory:", cap=4.0) as ledger:
        lines = consent_lines(
            manifest, invitation, columns=given.columns(manifest), observed=given.seen_by(manifest), ledger=ledger,
            source="my data", warnings=warnings,
        )  # fmt: skip
    return " ".join("\n".join(lines).split())


def test_it_shows_which_columns_and_categories(home: Path) -> None:
    (home / "mine.csv").write_text("hue,colour\nred,green\nmauve,red\n")
    file = Namespace(values=None, data=str(home / "mine.csv"), column=None)
    told = shown(COLOURS, file)
    assert "reads your file, column 'colour' entries 2 categories red, light, blue, green" in told
    assert "warning" not in told and f"survey {COLOURS.digest} " in told
    assert "about: the category of one of your observations, drawn at random reads" in told, "in words, without a range"
    file.column = ("hue",)
    told = shown(COLOURS, file)
    assert "column 'hue' (the survey calls it column 'colour') entries 2, of which missing or in no category: 1" in told
    told = shown(MANIFEST, Namespace(values="3,x", data=None, column=None))
    assert "what you give (the survey asks for column 'rating') entries 2, of which missing or not a number: 1" in told


@pytest.mark.parametrize(
    "change", [{"high": 4.0}, {"method": "x\x1b]0;y\x07\x1b[8m"}, {"method": None}, {"more": [[]]}]
)
def test_it_warns_where_the_rules_are_not_those_of_the_settings(change: dict[str, Any]) -> None:
    manifest = replace(MANIFEST, settings=MANIFEST.settings | change)
    told = shown(manifest, Namespace(values="3", data=None, column=None))
    assert "warning what this survey may ask is not what its own settings come to" in told and told.isprintable()
    assert "method" not in change or f"method {change['method']!r}, which this version does not know" in told


def test_nothing_that_a_collector_writes_moves_the_cursor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = "a\x1b[2J\x1b[2mb\u202ec\x9b1A\rd\ne"
    for coloured in (False, True):
        monkeypatch.setattr(terminal, "coloured", lambda now=coloured: now)
        terminal.show([terminal.labelled(evil, evil), terminal.bold(evil), *terminal.table((evil,), [("x",)])])
        terminal.show([f"\x1b[8m{evil}", terminal.labelled("own", terminal.bold("kept"))])
        printed = capsys.readouterr().out
        for colour in ("\x1b[0m", "\x1b[1m", "\x1b[2m") if coloured else ():
            assert colour in printed
            printed = printed.replace(colour, "")
        assert printed.replace("\n", "").isprintable() and "kept" in printed
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw := io.BytesIO(), encoding="utf-8"))
    terminal.show_json({"text": evil, "ε": "ä"})
    sys.stdout.flush()
    printed = raw.getvalue().decode()
    assert printed.replace("\n", "").isprintable() and result_of(printed) == {"text": evil, "ε": "ä"}
    assert "ä" in printed


def test_the_token_need_not_stand_on_the_command_line(
    collector: Collector, home: Path, sotto: Sotto, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "invitation.txt").write_text(f"\n{collector.url}\n")
    (home / "two.txt").write_text(f"{collector.url}\n{collector.url}\n")
    rest = ["--values", "3", "--spread", "0", "--yes", "--wait", "0", "--json"]
    assert "2 lines" in (told := sotto.flat("answer", f"@{home}/two.txt", *rest, code=2))
    assert TOKEN not in told and collector.seen == []
    sotto("answer", f"@{home}/invitation.txt", *rest)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{collector.url}\nmore\n"))
    sotto("answer", "-", *rest)
    assert "not both" in sotto("answer", "-", "--data", "-", "--yes", code=2)
    assert len(collector.posted) == 1


def test_a_decline_has_its_own_exit_code(answer: Answering, collector: Collector) -> None:
    told = answer("--cap", "0.5", code=3)
    assert "over-budget" in answer.sotto(*answer.words("--cap", "0.5"), code=3), "on the stream of errors"
    for words in ("over-budget", "nothing was sent", "which is too little for this survey", "--cap"):
        assert words in told
    assert "--epsilon" not in told, "advice names options that there are"
    assert answer.json("--cap", "0.5", code=3)["outcome"]["code"] == "over-budget"
    assert collector.posted == []


def test_later_and_too_late(answer: Answering, collector: Collector) -> None:
    collector.script = always("/progress", refusal(503, "busy"))
    assert "Not yet" in (shown := answer()) and "with the same command" in shown
    collector.script = always("/enrol", refusal(409, "full"))
    assert "every slot of the survey is taken" in answer(code=3)


def test_the_ledger_says_what_was_said(answer: Answering, sotto: Sotto, collector: Collector) -> None:
    assert "No answers" in sotto("ledger")
    collector.script = at("/reports", "lose")
    answer("--values", "4,5,3")
    assert "whether it arrived is not known; run sotto answer again" in sotto.flat("ledger")
    answer("--values", "4,5,3")
    shown = sotto.flat("ledger")
    asked = ("Example University asked", "the average of all your observations", f"survey {MANIFEST.digest} at http")
    for told in ("1 answer ", *asked, "and it arrived", "3 of 4"):
        assert told in shown
    found = sotto.json("ledger")
    (said,) = found["answers"]
    assert said["survey"] == MANIFEST.digest and said["report"] == Report.from_bytes(collector.posted[0]).payload
    assert said["sent"] <= said["acknowledged"] and said["purpose"] == "how good the lectures are"
    assert found["budgets"][0]["source"] == "my data" and found["budgets"][0]["answers"] == 1


def test_the_ledger_says_what_was_not_taken(answer: Answering, sotto: Sotto, collector: Collector, home: Path) -> None:
    collector.script = always("/reports", refusal(410, "expired"))
    answer(code=3)
    assert "but it was not taken" in sotto.flat("ledger")
    with Ledger(home / "share" / "sottovoce" / "ledger.db", cap=4.0) as ledger:
        assert [entry.capability for entry in Outbox(ledger).history()] == [""]


def test_a_ledger_to_verify_with_is_there_and_knows_the_survey(home: Path, answer: Answering, sotto: Sotto) -> None:
    settings = mean()
    transcript, _, _ = transcript_of(manifest_of(settings), asking(settings))
    (home / "transcript.json").write_bytes(transcript.to_bytes())
    words = ["verify", str(home / "transcript.json"), "--survey", transcript.survey, "--ledger"]
    assert "no ledger at" in sotto(*words, str(home / "typo.db"), code=2)
    assert not (home / "typo.db").exists()
    answer("--ledger", str(home / "other.db"))
    assert "holds no answer to this survey" in sotto(*words, str(home / "other.db"))
    assert sotto.json(*words, str(home / "other.db"))["lines"][-1]["code"] == "checked-no-answer-here"


def test_any_time_has_words() -> None:
    assert str(local_time(None)) == "never" and str(local_time(2.0**53)) == "in a far future"
    assert str(local_time(1e9)).startswith("2001-09-0")


# ---- what is read, and when ------------------------------------------------------------------------------------


@pytest.mark.parametrize("manifest", [replace(MANIFEST, columns=()), replace(COLOURS, columns=()), PAIRS])
@pytest.mark.parametrize("text", ["id,stars,more\n1,4,2\n2,5,3\n", "id,stars,more\n", "id,stars,more\nx\n"])
def test_columns_are_not_guessed(manifest: Manifest, text: str, home: Path, sotto: Sotto) -> None:
    (home / "mine.csv").write_text(text)
    with scripted(manifest) as collector:
        words = ["answer", collector.url, "--data", str(home / "mine.csv"), "--yes", "--spread", "0"]
        told = sotto(*words, code=2)
        assert "the file has columns id, stars, more; say which are yours with --column" in told
        assert [path for _, path in collector.seen] == WAY[:1], "whatever the rows hold, and before it enrols"
        sotto(*words, "--column", "stars,more" if manifest is PAIRS else "stars")


@pytest.mark.parametrize(
    "text, found", [("stars\n4\n5\n", [4, 5]), ("4\n5\n", [4, 5]), ("4,5\n3,2\n", [4, 5, 3, 2]), ("", [])]
)
def test_what_needs_no_names_still_does(text: str, found: list[float], home: Path) -> None:
    (home / "mine.csv").write_text(text)
    given = collection.read_given(Namespace(values=None, data=str(home / "mine.csv"), column=None))
    assert np.array_equal(given.seen_by(replace(MANIFEST, columns=())).values, found)


def test_how_much_is_read_shows_in_no_request(
    collector: Collector, answer: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes longer the more there is: before the first request, within the spread, or behind a person's pause."""
    when: list[tuple[str, int]] = []

    def noted(name: str, call: Any) -> Any:
        return lambda *words: (when.append((name, len(collector.seen))), call(*words))[1]

    def anew(script: Any) -> None:
        collector.script, collector.stored, when[:] = script, None, []
        collector.seen.clear()

    monkeypatch.setattr(collection.Given, "__post_init__", noted("given", collection.Given.__post_init__))
    monkeypatch.setattr(collection.Given, "seen_by", noted("seen", collection.Given.seen_by))
    assert "entries 2, of which missing or not a number: 1" in answer().partition("Answered")[2]
    assert when == [("given", 0), ("seen", 4)], "the question has come, the report has not gone"

    anew(always("/enrol", refusal(503, "busy")))
    found = answer.json("--ledger", ":memory:")
    assert (found["entries"], found["missing"]) == (2, 1)
    assert when == [("given", 0), ("seen", 2)], "nothing was answered: after the last request"

    anew(at(""))
    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", stdin)
    monkeypatch.setattr(command, "_agreed", noted("agreed", lambda: True))
    words = ["answer", collector.url, "--values", "4,x", "--spread", "0", "--ledger", ":memory:"]
    assert "entries 2, of which missing" in answer.sotto.flat(*words).partition("Answered")[0]
    assert when == [("given", 0), ("seen", 1), ("agreed", 1)], "before a person thinks it over, and once"


# ---- what came of it -------------------------------------------------------------------------------------------


def test_a_report_that_is_not_taken_is_told_with_its_cost(collector: Collector, answer: Answering) -> None:
    collector.stored = b"another report"  # somebody else has answered with this invitation
    collector.script = always("/enrol", told_seat(collector, before=True))
    told = answer(code=3).partition("Not answered")[2]
    for words in (
        "a report was made, and was sent, but not taken; it cost ε all the same",
        "cost ε = 1; 3 left",
        "this invitation was used before; if that was not you, tell the people who ask",
    ):
        assert words in told
    outcome = answer.json(code=3)["outcome"]
    assert (outcome["state"], outcome["slot"], outcome["before"]) == ("refused", 3, True)
    assert outcome["epsilon"] == pytest.approx(1)


def test_a_report_that_waits_and_a_decline_after_it(collector: Collector, answer: Answering) -> None:
    collector.script = always("/reports", refusal(503, "busy"))
    assert "a report was made, and was sent, and whether it arrived is not known" in answer()
    collector.script = always("/reports", refusal(403, "forbidden"))
    answer(code=3)
    collector.script, collector.slot = at(""), 4  # another invitation to the same survey
    told = answer(code=3)
    assert "already-answered" in told and "was sent, but not taken" in told


def test_when_to_come_back(collector: Collector, answer: Answering) -> None:
    collector.progress = {"round": {"first": 0, "count": 2, "closes": 3_000_000_000}}
    told = answer()
    assert "why round 1 is open, and asks others; this device is asked in a later one" in told
    assert "when that round has closed, 2065-01-24 05:20 UTC at the latest, with the same command" in told
    outcome = answer.json()["outcome"]
    assert outcome["latest_at"] == 3_000_000_000 and outcome["again_at"] < 3_000_000_000


def test_a_collector_that_cannot_be_reached_is_one_to_come_back_to(collector: Collector, answer: Answering) -> None:
    for path in WAY:
        collector.script = always(path, "drop")
        found = answer.json("--ledger", ":memory:")
        assert (found["outcome"]["state"], found["outcome"]["code"]) == ("waiting", "unreachable"), path
        assert found["outcome"]["again_at"] is not None and (found["manifest"] is None) == (path == "/manifest")
    collector.script = always("/manifest", "drop")
    assert "Not yet" in answer()
    collector.script = always("/manifest", refusal(404, "not-found"))
    assert "Not answered" in answer(code=3)
    collector.script = at("")
    answer()
    requests = len(collector.seen)
    assert "Answered before; nothing new was sent" in answer()
    found = answer.json()
    assert len(collector.seen) == requests, "the ledger knows"
    assert found["outcome"]["code"] == "before" and found["report"] and found["entries"] is None


# ---- the budget, and the ledger --------------------------------------------------------------------------------


def test_what_buys_nothing_is_nothing(answer: Answering, sotto: Sotto) -> None:
    assert "cost ε = 1; 0 left for 'my data'" in answer("--cap", "1")
    with Ledger(":memory:", cap=1e-6) as ledger_file:
        assert ledger_command.budget_left(ledger_file, "my data") == 1e-6, "the cheapest question there is"
    assert sotto.json("ledger", "--cap", "1")["budgets"][0]["left"] == 0


def test_advice_names_options_that_there_are(answer: Answering, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert "name another file with --ledger" in answer(code=2)
    assert "--ledger" in answer("--ledger", str(home / "none" / "l.db"), code=3)
    told = answer("--ledger", ":memory:", "--spread", "3e9", code=3)
    assert "too-late" in told and "--spread" in told
