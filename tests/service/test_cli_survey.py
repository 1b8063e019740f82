"""A survey by commands alone, as the people who use it would: plan, create, invite, serve, answer, look, verify."""

from __future__ import annotations

import argparse
import shlex
import signal
import time
from pathlib import Path

import pytest

from sottovoce.cli import main, survey
from tests.service.commands import sotto, told
from tests.support.patience import HUNG_SECONDS
from tests.support.served import Served
from tests.support.transcripts import asking, manifest_of, mean, transcript_of

USERS = 24
CREATE = ["--collector", "a class", "--purpose", "how lectures are rated", "--closes", "1d"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:{tmp_path / 'surveys.db'}"
    monkeypatch.setenv("SOTTO_STORE", url)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return url


@pytest.fixture
def plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = str(tmp_path / "plan.toml")
    words = ["--low", "1", "--high", "5", "--epsilon", "2", "--observations", "3", "--users", str(USERS)]
    sotto(capsys, "plan", "mean", *words, "--save", path)
    return path


def invited(capsys: pytest.CaptureFixture[str], survey: str, url: str, folder: Path) -> list[str]:
    out = folder / "invitations.txt"
    sotto(capsys, "survey", "invite", survey[:8], "--count", str(USERS), "--base", url, "--out", str(out))
    assert out.stat().st_mode & 0o077 == 0
    invitations = out.read_text().split()
    assert len(set(invitations)) == USERS
    return invitations


def answer(capsys: pytest.CaptureFixture[str], invitations: list[str], number: int, folder: Path) -> None:
    ledger = str(folder / f"ledger{number}.db")
    words = ["--values", "3,4,5", "--ledger", ledger, "--yes", "--spread", "0"]
    outcome = told(capsys, "answer", invitations[number], *words)["outcome"]
    assert outcome["state"] == "answered", outcome


def test_a_survey_by_commands_alone(store: str, plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = told(capsys, "survey", "create", plan, *CREATE)
    survey = made["survey"]
    assert len(made["token"]) >= 22 and made["users"] == USERS
    assert survey[:12] in sotto(capsys, "survey", "list")
    with Served(store) as server:
        invitations = invited(capsys, survey, server.url, tmp_path)
        for number in range(USERS):
            answer(capsys, invitations, number, tmp_path)
        end = time.monotonic() + HUNG_SECONDS
        while told(capsys, "survey", "show", survey)["state"] != "done":
            assert time.monotonic() < end, "everybody has answered, and it is still open"
            time.sleep(0.1)
        page = sotto(capsys, "survey", "show", survey)
        assert "how lectures are rated" in page and "estimate" in page
        verdict = told(capsys, "verify", invitations[0], "--ledger", str(tmp_path / "ledger0.db"))
        assert verdict["kind"] == "identical" and verdict["survey"] == survey
        assert server.stop() in (0, -signal.SIGTERM), "after what was accepted is stored"
    kept = str(tmp_path / "backup.db")
    sotto(capsys, "survey", "backup", kept)
    restored = f"sqlite:{tmp_path / 'restored.db'}"
    assert told(capsys, "survey", "restore", kept, "--store", restored)["restored"] == 1
    assert told(capsys, "survey", "show", survey, "--store", restored)["rounds"][0]["answered"] == USERS
    assert told(capsys, "survey", "scrub", survey)["scrubbed"] == USERS
    assert told(capsys, "survey", "scrub", survey)["scrubbed"] == 0
    assert told(capsys, "survey", "show", survey)["state"] == "done"


def test_a_transcript_that_was_changed_is_told_and_fails(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = mean()
    transcript, _, _ = transcript_of(manifest_of(settings), asking(settings))
    path = tmp_path / "transcript.json"
    path.write_bytes(transcript.to_bytes())
    assert "identical" in sotto(capsys, "verify", str(path), "--survey", transcript.survey)
    assert main(["verify", str(path), "--survey", "0" * 64]) == 1
    assert "different" in capsys.readouterr().out


def test_a_round_is_closed_by_hand_with_a_reason(
    store: str, plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey = told(capsys, "survey", "create", plan, *CREATE)["survey"]
    with Served(store) as server:
        invitations = invited(capsys, survey, server.url, tmp_path)
        for number in range(USERS // 2):
            answer(capsys, invitations, number, tmp_path)
    assert told(capsys, "survey", "show", survey)["state"] == "open"
    sotto(capsys, "survey", "close", survey, "--reason", "term is over")
    shown = told(capsys, "survey", "show", survey)
    assert shown["state"] == "done" and shown["rounds"][0]["answered"] == USERS // 2
    assert "round 1 was closed by sotto survey close: term is over" in sotto(capsys, "survey", "show", survey)


def test_a_survey_that_too_few_answer_says_why_it_ended(
    store: str, plan: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    survey, later = told(capsys, "survey", "create", plan, *CREATE)["survey"], time.time() + 2 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    words = " ".join(sotto(capsys, "survey", "close", survey).split())
    assert (
        "state abandoned: round 1 (mean): 0 of 24 answered, and at least 10 must before anything is looked at" in words
    )
    assert told(capsys, "survey", "show", survey)["abandoned"]["code"] == "ended-too-few"


def test_the_commands_that_come_next_work_as_printed(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = f"sqlite:{tmp_path / 'a place' / 's.db'}"
    (tmp_path / "a place").mkdir()
    printed = sotto(capsys, "survey", "create", plan, *CREATE, "--opens", "1h", "--store", store)
    words = " ".join(printed.partition("next")[2].split())
    invite, _, serve = words.partition(" sotto serve")
    assert shlex.split(serve) == ["--store", store]
    command = shlex.split(invite.replace("https://…", "https://survey.example.org"))[1:]
    command[command.index("--out") + 1] = str(tmp_path / "invitations.txt")
    assert f"{USERS} invitations" in sotto(capsys, *command)
    shown = sotto(capsys, "survey", "show", "", "--store", store)
    row = shown.split()[shown.split().index("closed") + 1 :]
    assert row[0] == "1", "people count rounds from 1"
    assert "not open yet" in shown


def test_a_password_is_not_repeated() -> None:
    given = argparse.Namespace(store="postgresql://me:secret@host/surveys?sslmode=require")
    assert survey._store_words(given) == " --store 'postgresql://me@host/surveys?sslmode=require'"


def test_what_cannot_be_done_is_said(store: str, plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no store at" in sotto(capsys, "survey", "list", code=2)
    survey = told(capsys, "survey", "create", plan, *CREATE)["survey"]
    assert "no survey begins with xyz" in sotto(capsys, "survey", "show", "xyz", code=2)
    assert "https://survey.example.org" in sotto(capsys, "survey", "create", plan, *CREATE, "--origin", "x:y", code=2)
    assert len(told(capsys, "survey", "administrator")["token"]) >= 22
    assert "at least 10" in sotto(capsys, "survey", "close", survey, code=2)
    shared = told(capsys, "survey", "create", plan, *CREATE, "--open")["survey"]
    assert f"participate#{shared}" in sotto(capsys, "survey", "invite", shared, code=2), "what to share instead"
    assert "https only" in sotto(capsys, "survey", "invite", survey, "--base", "http://example.org", code=2)
    assert "TLS" in sotto(capsys, "serve", "--host", "0.0.0.0", code=2)
    assert "PostgreSQL" in sotto(capsys, "serve", "--workers", "2", code=2)
    assert "opens before it closes" in sotto(capsys, "survey", "create", plan, *CREATE[:-1], "2020-01-01", code=2)
