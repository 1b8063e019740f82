"""A survey by commands alone, as the people who use it would: plan, create, invite, serve, answer, look, verify."""

from __future__ import annotations

import argparse
import shlex
import signal
import time
from pathlib import Path

import pytest

from sottovoce.cli import survey
from tests.service.commands import Sotto
from tests.support.patience import HUNG_SECONDS
from tests.support.served import Served

USERS = 24
CREATE = ["--collector", "a class", "--purpose", "how lectures are rated", "--closes", "1d"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:{tmp_path / 'surveys.db'}"
    monkeypatch.setenv("SOTTO_STORE", url)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return url


@pytest.fixture
def plan(tmp_path: Path, sotto: Sotto) -> str:
    path = str(tmp_path / "plan.toml")
    words = ["--low", "1", "--high", "5", "--epsilon", "2", "--observations", "3", "--users", str(USERS)]
    sotto("plan", "mean", *words, "--save", path)
    return path


def invited(sotto: Sotto, survey: str, url: str, folder: Path) -> list[str]:
    out = folder / "invitations.txt"
    sotto("survey", "invite", survey[:8], "--count", str(USERS), "--base", url, "--out", str(out))
    assert out.stat().st_mode & 0o077 == 0
    invitations = out.read_text().split()
    assert len(set(invitations)) == USERS
    return invitations


def answer(sotto: Sotto, invitations: list[str], number: int, folder: Path) -> None:
    ledger = str(folder / f"ledger{number}.db")
    words = ["--values", "3,4,5", "--ledger", ledger, "--yes", "--spread", "0"]
    outcome = sotto.json("answer", invitations[number], *words)["outcome"]
    assert outcome["state"] == "answered", outcome


def test_a_survey_by_commands_alone(store: str, plan: str, tmp_path: Path, sotto: Sotto) -> None:
    made = sotto.json("survey", "create", plan, *CREATE)
    survey = made["survey"]
    assert len(made["token"]) >= 22 and made["users"] == USERS
    assert survey[:12] in sotto("survey", "list")
    with Served(store) as server:
        invitations = invited(sotto, survey, server.url, tmp_path)
        for number in range(USERS):
            answer(sotto, invitations, number, tmp_path)
        end = time.monotonic() + HUNG_SECONDS
        while sotto.json("survey", "show", survey)["state"] != "done":
            assert time.monotonic() < end, "everybody has answered, and it is still open"
            time.sleep(0.1)
        page = sotto("survey", "show", survey)
        assert "how lectures are rated" in page and "estimate" in page
        verdict = sotto.json("verify", invitations[0], "--ledger", str(tmp_path / "ledger0.db"))
        assert verdict["kind"] == "identical" and verdict["survey"] == survey
        assert server.stop() in (0, -signal.SIGTERM), "after what was accepted is stored"
    kept = str(tmp_path / "backup.db")
    sotto("survey", "backup", kept)
    restored = f"sqlite:{tmp_path / 'restored.db'}"
    assert sotto.json("survey", "restore", kept, "--store", restored)["restored"] == 1
    assert sotto.json("survey", "show", survey, "--store", restored)["rounds"][0]["answered"] == USERS
    assert sotto.json("survey", "scrub", survey)["scrubbed"] == USERS
    assert sotto.json("survey", "scrub", survey)["scrubbed"] == 0
    assert sotto.json("survey", "show", survey)["state"] == "done"


def test_a_round_is_closed_by_hand_with_a_reason(store: str, plan: str, tmp_path: Path, sotto: Sotto) -> None:
    survey = sotto.json("survey", "create", plan, *CREATE)["survey"]
    with Served(store) as server:
        invitations = invited(sotto, survey, server.url, tmp_path)
        for number in range(USERS // 2):
            answer(sotto, invitations, number, tmp_path)
    assert sotto.json("survey", "show", survey)["state"] == "open"
    sotto("survey", "close", survey, "--reason", "term is over")
    shown = sotto.json("survey", "show", survey)
    assert shown["state"] == "done" and shown["rounds"][0]["answered"] == USERS // 2
    assert "round 1 was closed by sotto survey close: term is over" in sotto("survey", "show", survey)


def test_a_survey_that_too_few_answer_says_why_it_ended(
    store: str, plan: str, sotto: Sotto, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey, later = sotto.json("survey", "create", plan, *CREATE)["survey"], time.time() + 2 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    words = " ".join(sotto("survey", "close", survey).split())
    assert (
        "state abandoned: round 1 (mean): 0 of 24 answered, and at least 10 must before anything is looked at" in words
    )
    assert sotto.json("survey", "show", survey)["abandoned"]["code"] == "ended-too-few"


def test_the_commands_that_come_next_work_as_printed(plan: str, tmp_path: Path, sotto: Sotto) -> None:
    store = f"sqlite:{tmp_path / 'a place' / 's.db'}"
    (tmp_path / "a place").mkdir()
    printed = sotto("survey", "create", plan, *CREATE, "--opens", "1h", "--store", store)
    words = " ".join(printed.partition("next")[2].split())
    invite, _, serve = words.partition(" sotto serve")
    assert shlex.split(serve) == ["--store", store]
    command = shlex.split(invite.replace("https://…", "https://survey.example.org"))[1:]
    command[command.index("--out") + 1] = str(tmp_path / "invitations.txt")
    assert f"{USERS} invitations" in sotto(*command)
    shown = sotto("survey", "show", "", "--store", store)
    row = shown.split()[shown.split().index("closed") + 1 :]
    assert row[0] == "1", "people count rounds from 1"
    assert "not open yet" in shown


def test_a_password_is_not_repeated() -> None:
    given = argparse.Namespace(store="postgresql://me:secret@host/surveys?sslmode=require")
    assert survey._store_words(given) == " --store 'postgresql://me@host/surveys?sslmode=require'"


def test_what_cannot_be_done_is_said(store: str, plan: str, sotto: Sotto) -> None:
    assert "there is no store at" in sotto("survey", "list", code=2)
    survey = sotto.json("survey", "create", plan, *CREATE)["survey"]
    assert "no survey begins with xyz" in sotto("survey", "show", "xyz", code=2)
    assert "https://survey.example.org" in sotto("survey", "create", plan, *CREATE, "--origin", "x:y", code=2)
    assert len(sotto.json("survey", "administrator")["token"]) >= 22
    assert "at least 10" in sotto("survey", "close", survey, code=2)
    shared = sotto.json("survey", "create", plan, *CREATE, "--open")["survey"]
    assert f"participate#{shared}" in sotto("survey", "invite", shared, code=2), "what to share instead"
    assert "https only" in sotto("survey", "invite", survey, "--base", "http://example.org", code=2)
    assert "TLS" in sotto("serve", "--host", "0.0.0.0", code=2)
    assert "PostgreSQL" in sotto("serve", "--workers", "2", code=2)
    assert "opens before it closes" in sotto("survey", "create", plan, *CREATE[:-1], "2020-01-01", code=2)
