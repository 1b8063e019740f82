"""What earlier versions wrote is read today: transcripts verify; stores, ledgers, answers and plan files open."""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from sottovoce.answers import Answer, Answers
from sottovoce.client import Outbox
from sottovoce.device import Ledger
from sottovoce.engines import verify
from sottovoce.messages import Declined, Transcript, canonical
from sottovoce.planning import Plan, loads
from sottovoce.problems import problems, read
from sottovoce.service import Collector, Store, open_store
from sottovoce.service.errors import Refused
from tests.compat.make import (
    ANSWERS,
    LEDGER,
    LENGTH,
    PLANS_FILE,
    POSTGRES,
    SCHEMA,
    SQLITE,
    START,
    TRANSCRIPTS,
    Clock,
)
from tests.support.answers import KINDS
from tests.support.postgres import Postgres

HERE = Path(__file__).parent
FOLDERS = sorted(path for path in HERE.iterdir() if path.is_dir() and (path / TRANSCRIPTS).is_file())
MOST_BYTES = 2_000_000
pytestmark = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def members(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


def sqlite_url(folder: Path, place: Path) -> str:
    (place / "store.db").write_bytes(lzma.decompress((folder / SQLITE).read_bytes()))
    return f"sqlite:{place / 'store.db'}"


def postgres_url(folder: Path, server: Postgres) -> str:
    """The SQL text, read into a schema of its own."""
    import psycopg

    url = server.database()
    schema = url.rpartition("%3D")[2]
    text = lzma.decompress((folder / POSTGRES).read_bytes()).decode()
    text = text.replace(f"CREATE SCHEMA {SCHEMA};", "").replace(SCHEMA, schema)
    with psycopg.connect(url.partition("&options")[0], autocommit=True) as connection:
        connection.execute(text.encode())
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(folder, tmp_path)
    return postgres_url(folder, request.getfixturevalue("postgres"))


NOT_HELD = {("mean", "adaptive", 1)}
"""Methods by editions of that time that are no longer replayed; CHANGELOG.md says of each what came instead."""


def method_and_edition(transcript: bytes) -> tuple[str, str, int]:
    """By what a survey ran."""
    manifest = json.loads(json.loads(transcript)["manifest"])
    return manifest["problem"], manifest["settings"]["method"], manifest.get("edition", 1)


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_transcripts_verify(folder: Path, every: int) -> None:
    """Those of a collector, and every so many-th of the others."""
    held = members(folder / TRANSCRIPTS)
    assert len(held) >= 150
    chosen = {*[*held][::every], *(name for name in held if name.startswith("collector"))}
    found = {name: verify(Transcript.from_bytes(held[name])) for name in chosen}
    different = {name: str(verdict) for name, verdict in found.items() if not verdict.ok}
    assert not different
    others = {name for name, verdict in found.items() if verdict.kind not in ("identical", "rounding")}
    assert {found[name].kind for name in others} <= {"not-replayed"}
    assert {method_and_edition(held[name]) for name in others} <= NOT_HELD
    assert {verdict.state for verdict in found.values()} == {"done", "running", "abandoned"}
    assert sum(verdict.state == "abandoned" for verdict in found.values()) >= 5


@pytest.mark.parametrize(
    "change, code",
    [
        (lambda plain: plain | {"names": plain["names"][::-1]}, "differs-does-not-follow"),
        (lambda plain: plain | {"low": 0.25}, "differs-does-not-follow"),
        (lambda plain: plain | {"warnings": 5}, "differs-message"),
        (lambda plain: plain | {"more": 1}, "differs-message"),
    ],
)
def test_all_but_sentences_of_an_answer_is_compared(folder: Path, change: Any, code: str) -> None:
    """Also what categories are called: the asker wrote that. What cannot be read is no answer."""
    plain = json.loads(members(folder / TRANSCRIPTS)["groups joint-histogram at 4.json"])
    plain["answer"] = json.dumps(change(json.loads(plain["answer"])))
    verdict = verify(Transcript.from_bytes(canonical.dumps(plain)))
    assert verdict.kind == "different" and verdict.why is not None and verdict.why.code == code


def test_every_problem_of_that_time_is_among_the_transcripts(folder: Path) -> None:
    asked = {json.loads(json.loads(data)["manifest"])["problem"] for data in members(folder / TRANSCRIPTS).values()}
    assert asked <= {problem.name for problem in problems()} and len(asked) >= 11


def test_answers_are_read(folder: Path) -> None:
    found = {name: read(data) for name, data in members(folder / ANSWERS).items()}
    assert {type(answer) for answer in found.values()} >= {Answers, *KINDS}
    assert all(answer.summary() and str(answer) for answer in found.values())
    assert any(isinstance(answer, Answer) and answer.rehearsal is not None for answer in found.values())
    assert len(found) >= 100


def test_plans_are_read(folder: Path) -> None:
    found = {name: loads(data.decode()) for name, data in members(folder / PLANS_FILE).items()}
    assert all(isinstance(plan, Plan) for plan in found.values())
    assert len(found) >= 60


def test_stores_open_and_their_surveys_are_as_they_were(folder: Path, url: str) -> None:
    fates: dict[str, str] = json.loads((folder / "surveys.json").read_text(encoding="utf-8"))
    with open_store(url) as store:
        store.check()
        rows = {row.id: row for row in store.surveys()}
        assert set(rows) == set(fates.values())
        assert store.admin() == bytes(range(32))
        collector = Collector(store, clock=Clock(START + 20))
        for fate, survey in fates.items():
            held = collector.survey(survey)
            assert rows[survey].state == {"created": "running"}.get(fate, fate.partition(",")[0].split()[0])
            if fate not in ("created", "running, round 1"):
                verdict = verify(Transcript.from_bytes(collector.transcript(survey)), survey=survey)
                assert verdict.ok and verdict.state == rows[survey].state, str(verdict)
            if rows[survey].state == "done":
                assert read(collector.estimate(survey)).summary()
            assert collector.progress(survey) is not None and held.manifest.digest == survey
        assert [store.refused(fates["running, round 2"]), store.refused(fates["done"])] == [{"malformed": 2}, {}]
        assert kept(store, fates["done"]) and not kept(store, fates["done, scrubbed"])


def kept(store: Store, survey: str) -> bool:
    """Whether the reports of its first round are there, with what they say."""
    return all(payload is not None for _, payload in store.counted(store.rounds(survey)[0].key, after=-1))


def test_a_survey_that_was_running_waits_for_the_release_that_goes_on(folder: Path, url: str) -> None:
    """It runs by an edition of its method that is no longer held: reports are kept, and nothing is decided."""
    fates: dict[str, str] = json.loads((folder / "surveys.json").read_text(encoding="utf-8"))
    survey = fates["running, round 2"]
    with open_store(url) as store:
        collector = Collector(store, clock=Clock(START + 5_500))
        held = collector.survey(survey)
        assert method_and_edition(collector.transcript(survey)) in NOT_HELD
        assert 0 < held.answered < held.question.slots.count
        with pytest.raises(Refused, match="edition") as refused:
            collector.close(survey, held.last.number)
        assert refused.value.code == "other-edition"
        assert collector.survey(survey, fresh=True).answered == held.answered, "what came is kept"
        late = Collector(store, clock=Clock(START + LENGTH + 10**8))
        late.tick()
        assert store.running() == []


def test_ledgers_remember(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(lzma.decompress((folder / LEDGER).read_bytes()))
    with Ledger(path, cap=4) as ledger:
        entries = Outbox(ledger).history()
        assert len(entries) == len(ledger.surveys()) == 4
        spent = {source: ledger.spent(source) for source in ("ratings", "steps")}
        assert spent == {
            source: sum((entry.epsilon for entry in entries if entry.source == source), Fraction(0)) for source in spent
        }
        assert np.allclose([float(cost) for cost in spent.values()], [1.5, 3.5], atol=1e-6)
        assert sorted((entry.sent is None, entry.acknowledged is None) for entry in entries) == [
            (False, False),
            (False, True),
            (False, True),
            (True, True),
        ]
        first = entries[0]
        told = {"collector": first.survey, "survey": first.survey, "source": first.source, "slot": first.slot}
        again = ledger.answer(**told, question=first.digest, epsilon=Fraction(1), make=lambda: b"another")
        assert again == first.report, "an answer is given once"
        with pytest.raises(Declined, match="cap is 4"):
            ledger.answer(
                collector="x", survey="x", source="steps", question="x", epsilon=Fraction(1), make=lambda: b"new"
            )


def test_files_are_small_and_whole(folder: Path, tmp_path: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) < MOST_BYTES
    connection = sqlite3.connect(sqlite_url(folder, tmp_path).removeprefix("sqlite:"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
