"""``sotto answer`` and ``sotto ledger``: what they show and read, when they do what, and what came of it."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.cli import answer as command
from sottovoce.cli import collection, main, terminal
from sottovoce.cli import ledger as ledger_command
from sottovoce.cli.answer import consent_lines, manifest_doubts
from sottovoce.cli.ledger import local_time
from sottovoce.client import Outbox
from sottovoce.device import Ledger
from sottovoce.messages import Invitation, Manifest, Report
from sottovoce.problems import announce
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.vector import VectorMean
from tests.service.scripted import (
    TOKEN,
    WAY,
    Collector,
    first_question,
    mean_manifest,
    refusal,
    running,
    told_seat,
)
from tests.support.said import result_of
from tests.support.transcripts import asking, manifest_of, mean, transcript_of

MANIFEST = mean_manifest(columns=("rating",), closes=4_000_000_000)


pytestmark = pytest.mark.usefixtures("home")


def answer(collector: Collector, *words: str) -> int:
    return main(["answer", collector.url, "--spread", "0", "--yes", "--wait", "0", *words])


def answer_odd(collector: Collector, *words: str) -> int:
    """With two entries, of which one is no number."""
    return answer(collector, "--values", "4,x", *words)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


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
    name: str,
    text: str,
    more: list[str],
    counts: tuple[int, int],
    collector: Collector,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (home / name).write_text(text)
    assert answer(collector, "--data", str(home / name), "--json", *more) == 0
    found = result_of(capsys.readouterr().out)
    assert set(found) == {
        "survey", "manifest", "warnings", "entries", "missing", "outcome", "report", "budget",
    }  # fmt: skip
    assert (found["entries"], found["missing"], found["warnings"]) == (*counts, [])
    assert found["outcome"]["state"] == "answered" and found["budget"]["left"] == pytest.approx(3)
    assert found["report"] == Report.from_bytes(collector.posted[0]).payload


def test_a_file_without_the_column_is_said_so(
    collector: Collector, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "mine.csv").write_text("day,stars\n1,4\n")
    assert answer(collector, "--data", str(home / "mine.csv")) == 2
    assert "no column 'rating'" in capsys.readouterr().err and collector.posted == []


@pytest.mark.parametrize(
    "words, told",
    [
        (["--data", "nowhere.csv"], "No such file"),
        (["--data", "mine.csv", "--column", "day,stars"], "no column 'stars'"),
        (["--data", "odd.csv"], "not text with commas"),
        (["--data", "bytes.csv"], "not UTF-8"),
        (["--values", "3", "--column", "rating"], "--data"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_asked(
    words: list[str], told: str, collector: Collector, home: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(home)
    (home / "mine.csv").write_text("day,rating\n1,4\n")
    (home / "odd.csv").write_text(f"rating\n{'4' * 200_000}\n")
    (home / "bytes.csv").write_bytes(b"rating\n\xff\n")
    assert answer(collector, *words) == 2 and told in capsys.readouterr().err
    assert collector.seen == []


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


def test_requests_do_not_depend_on_what_is_held(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, manifest in enumerate((MANIFEST, COLOURS, PAIRS)):
        shapes = set()
        for name, values in enumerate(("red,green", "0,1;1,0", "purple", "", "1;2,3", "\x00", "true,1e999,nan")):
            with running(Collector(manifest, first_question(manifest).to_bytes())) as collector:
                ledger = str(home / f"{number}-{name}.db")
                assert answer(collector, "--values", values, "--json", "--ledger", ledger) == 0
                assert result_of(capsys.readouterr().out)["outcome"]["state"] == "answered"
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
    collector: Collector, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "invitation.txt").write_text(f"\n{collector.url}\n")
    (home / "two.txt").write_text(f"{collector.url}\n{collector.url}\n")
    rest = ["--values", "3", "--spread", "0", "--yes", "--wait", "0", "--json"]
    assert main(["answer", f"@{home}/two.txt", *rest]) == 2 and "2 lines" in (told := capsys.readouterr().out)
    assert TOKEN not in told and collector.seen == []
    assert main(["answer", f"@{home}/invitation.txt", *rest]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{collector.url}\nmore\n"))
    assert main(["answer", "-", *rest]) == 0
    assert main(["answer", "-", "--data", "-", "--yes"]) == 2 and "not both" in capsys.readouterr().err
    assert len(collector.posted) == 1


def test_a_decline_has_its_own_exit_code(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(collector, "--values", "3", "--cap", "0.5") == 3
    printed = capsys.readouterr()
    assert "over-budget" in printed.err and "nothing was sent" in printed.err
    assert "which is too little for this survey" in " ".join(printed.out.split())
    assert answer(collector, "--values", "3", "--cap", "0.5", "--json") == 3
    assert result_of(capsys.readouterr().out)["outcome"]["code"] == "over-budget"
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
    found = result_of(capsys.readouterr().out)
    (said,) = found["answers"]
    assert said["survey"] == MANIFEST.digest and said["report"] == Report.from_bytes(collector.posted[0]).payload
    assert said["sent"] <= said["acknowledged"] and said["purpose"] == "how good the lectures are"
    assert found["budgets"][0]["source"] == "my data" and found["budgets"][0]["answers"] == 1


def test_the_ledger_says_what_was_not_taken(
    collector: Collector, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    collector.script = lambda method, path, number: refusal(410, "expired") if path == "/reports" else None
    assert answer(collector, "--values", "4") == 3
    capsys.readouterr()
    assert main(["ledger"]) == 0
    assert "but it was not taken" in " ".join(capsys.readouterr().out.split())
    with Ledger(home / "share" / "sottovoce" / "ledger.db", cap=4.0) as ledger:
        assert [entry.capability for entry in Outbox(ledger).history()] == [""]


def test_a_ledger_to_verify_with_is_there_and_knows_the_survey(
    home: Path, capsys: pytest.CaptureFixture[str], collector: Collector
) -> None:
    settings = mean()
    transcript, _, _ = transcript_of(manifest_of(settings), asking(settings))
    (home / "transcript.json").write_bytes(transcript.to_bytes())
    words = ["verify", str(home / "transcript.json"), "--survey", transcript.survey, "--ledger"]
    assert main([*words, str(home / "typo.db")]) == 2 and "no ledger at" in capsys.readouterr().err
    assert not (home / "typo.db").exists()
    assert answer(collector, "--values", "4", "--ledger", str(home / "other.db")) == 0
    capsys.readouterr()
    assert main([*words, str(home / "other.db")]) == 0
    assert "holds no answer to this survey" in capsys.readouterr().out
    assert main([*words, str(home / "other.db"), "--json"]) == 0
    assert result_of(capsys.readouterr().out)["lines"][-1]["code"] == "checked-no-answer-here"


def test_any_time_has_words() -> None:
    assert str(local_time(None)) == "never" and str(local_time(2.0**53)) == "in a far future"
    assert str(local_time(1e9)).startswith("2001-09-0")


# ---- what is read, and when ------------------------------------------------------------------------------------


@pytest.mark.parametrize("manifest", [replace(MANIFEST, columns=()), replace(COLOURS, columns=()), PAIRS])
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
    assert np.array_equal(given.seen_by(replace(MANIFEST, columns=())).values, found)


def test_how_much_is_read_shows_in_no_request(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What takes longer the more there is: before the first request, within the spread, or behind a person's pause."""
    when: list[tuple[str, int]] = []

    def noted(name: str, call: Any) -> Any:
        return lambda *words: (when.append((name, len(collector.seen))), call(*words))[1]

    monkeypatch.setattr(collection.Given, "__post_init__", noted("given", collection.Given.__post_init__))
    monkeypatch.setattr(collection.Given, "seen_by", noted("seen", collection.Given.seen_by))
    assert answer_odd(collector) == 0
    assert when == [("given", 0), ("seen", 4)], "the question has come, the report has not gone"
    assert "entries 2, of which missing or not a number: 1" in said(capsys).partition("Answered")[2]

    collector.stored, when[:] = None, []
    collector.seen.clear()
    collector.script = lambda method, path, number: refusal(503, "busy") if path == "/enrol" else None
    assert answer_odd(collector, "--json", "--ledger", ":memory:") == 0
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
    collector.stored = b"another report"
    collector.script = lambda method, path, number: told_seat(collector, before=True) if path == "/enrol" else None


def test_a_report_that_is_not_taken_is_told_with_its_cost(
    collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    used(collector)
    assert answer_odd(collector) == 3
    told = said(capsys).partition("Not answered")[2]
    for words in (
        "a report was made, and was sent, but not taken; it cost ε all the same",
        "cost ε = 1; 3 left",
        "this invitation was used before; if that was not you, tell the people who ask",
    ):
        assert words in told
    assert answer_odd(collector, "--json") == 3
    outcome = result_of(capsys.readouterr().out)["outcome"]
    assert (outcome["state"], outcome["slot"], outcome["before"]) == ("refused", 3, True)
    assert outcome["epsilon"] == pytest.approx(1)


def test_a_report_that_waits_and_a_decline_after_it(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    collector.script = lambda method, path, number: refusal(503, "busy") if path == "/reports" else None
    assert answer_odd(collector) == 0
    assert "a report was made, and was sent, and whether it arrived is not known" in said(capsys)
    collector.script = lambda method, path, number: refusal(403, "forbidden") if path == "/reports" else None
    assert answer_odd(collector) == 3
    collector.script, collector.slot = (lambda method, path, number: None), 4  # another invitation to the same survey
    capsys.readouterr()
    assert answer_odd(collector) == 3
    printed = capsys.readouterr()
    assert "already-answered" in printed.err and "was sent, but not taken" in " ".join(printed.out.split())


def test_when_to_come_back(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    collector.progress = {"round": {"first": 0, "count": 2, "closes": 3_000_000_000}}
    assert answer_odd(collector) == 0
    told = said(capsys)
    assert "why round 1 is open, and asks others; this device is asked in a later one" in told
    assert "when that round has closed, 2065-01-24 05:20 UTC at the latest, with the same command" in told
    assert answer_odd(collector, "--json") == 0
    outcome = result_of(capsys.readouterr().out)["outcome"]
    assert outcome["latest_at"] == 3_000_000_000 and outcome["again_at"] < 3_000_000_000


def test_a_collector_that_cannot_be_reached_is_one_to_come_back_to(
    collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in WAY:
        collector.script = lambda method, own, number, now=path: "drop" if own == now else None
        assert answer_odd(collector, "--json", "--ledger", ":memory:") == 0, path
        found = result_of(capsys.readouterr().out)
        assert (found["outcome"]["state"], found["outcome"]["code"]) == ("waiting", "unreachable")
        assert found["outcome"]["again_at"] is not None and (found["manifest"] is None) == (path == "/manifest")
    collector.script = lambda method, path, number: "drop"
    assert answer_odd(collector) == 0 and "Not yet" in said(capsys)
    collector.script = lambda method, path, number: refusal(404, "not-found")
    assert answer_odd(collector) == 3 and "Not answered" in said(capsys)
    collector.script = lambda method, path, number: None
    assert answer_odd(collector) == 0
    requests = len(collector.seen)
    collector.script = lambda method, path, number: "drop"
    capsys.readouterr()
    assert answer_odd(collector) == 0 and "Answered before; nothing new was sent" in said(capsys)
    assert answer_odd(collector, "--json") == 0 and len(collector.seen) == requests, "the ledger knows"
    found = result_of(capsys.readouterr().out)
    assert found["outcome"]["code"] == "before" and found["report"] and found["entries"] is None


# ---- the budget, and the ledger --------------------------------------------------------------------------------


def test_what_buys_nothing_is_nothing(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_odd(collector, "--cap", "1") == 0
    assert "cost ε = 1; 0 left for 'my data'" in said(capsys)
    with Ledger(":memory:", cap=1e-6) as ledger_file:
        assert ledger_command.budget_left(ledger_file, "my data") == 1e-6, "the cheapest question there is"
    assert main(["ledger", "--cap", "1", "--json"]) == 0
    assert result_of(capsys.readouterr().out)["budgets"][0]["left"] == 0


def test_advice_names_options_that_there_are(
    collector: Collector, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer_odd(collector, "--cap", "0.5") == 3
    told = capsys.readouterr().err
    assert "--cap" in told and "--epsilon" not in told
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert answer_odd(collector) == 2 and "name another file with --ledger" in capsys.readouterr().err
    assert answer_odd(collector, "--ledger", str(home / "none" / "l.db")) == 3 and "--ledger" in capsys.readouterr().err
    assert answer_odd(collector, "--ledger", ":memory:", "--spread", "3e9") == 3
    assert "too-late" in (told := capsys.readouterr().err) and "--spread" in told


def test_the_ledger_has_the_whole_name_of_a_survey(collector: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_odd(collector) == 0 and MANIFEST.digest in said(capsys)
    assert main(["ledger"]) == 0 and f"survey {MANIFEST.digest} at http" in said(capsys)
