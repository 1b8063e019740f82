"""From the collector's store to columns, to tallies, to the answer: the same bits as the collector's own."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.answers import Note
from sottovoce.checks import made_up
from sottovoce.cli import main
from sottovoce.device import SystemEntropy, respond_many
from sottovoce.engines import ColumnEngine, verify
from sottovoce.messages import Question, Tally, Transcript, columns
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, open_store
from sottovoce.service.store import ReportRow
from tests.service.commands import Sotto
from tests.service.web import START, Clock, manifest_of

pytest.importorskip("pyarrow")
ADAPTIVE = Mean(epsilon=2.0, low=1, high=5, users=150, observations=20, method="adaptive")
BINS = Histogram(epsilon=2.0, low=0, high=4, bins=4, users=90, observations=10)


def answer_round(collector: Collector, survey: str, settings: Any) -> None:
    """Most of those asked answer, in an order of their own; then the round is closed."""
    held = collector.survey(survey, fresh=True)
    slots = np.arange(held.question.slots.first, held.question.slots.first + held.question.slots.count)[:-2]
    (batch,) = respond_many(held.question, made_up(settings).take(slots), slots, SystemEntropy())
    order = np.random.default_rng(1).permutation(len(slots))
    rows = [ReportRow(held.last.key, int(batch.slots[row]), batch.payloads[row].tobytes()) for row in order]
    assert set(collector.store.put(rows)) == {"stored"}
    collector.close(survey, held.last.number)


def surveyed(url: str, settings: Any) -> str:
    with open_store(url) as store:
        collector = Collector(store, clock=Clock())
        manifest = manifest_of(settings)
        collector.create(manifest)
        while collector.survey(manifest.digest, fresh=True).running:
            answer_round(collector, manifest.digest, settings)
        return manifest.digest


@pytest.mark.parametrize("settings", [ADAPTIVE, BINS], ids=["adaptive mean", "histogram"])
def test_export_tally_estimate_give_the_published_answer(url: str, settings: Any, tmp_path: Path, sotto: Sotto) -> None:
    survey, out = surveyed(url, settings), tmp_path / "out"
    with open_store(url) as store:
        collector = Collector(store, clock=Clock(START + 10**6))
        transcript = Transcript.from_bytes(collector.transcript(survey))
        rounds = store.rounds(survey)
    assert verify(transcript, survey=survey).kind == "identical"

    made = sotto.json("survey", "export", survey[:8], "--out", str(out), "--store", url)
    assert [one["reports"] for one in made["rounds"]] == [row.answered for row in rounds]
    assert out.stat().st_mode & 0o077 == 0 and not list(out.glob(".*"))
    assert (out / "manifest.json").read_text() == transcript.manifest
    for row in rounds:
        (place,) = (out / f"round-{row.number + 1}").glob("*.parquet")
        slots = np.concatenate([block.slots for block in columns.blocks(place)])
        assert (np.diff(slots.astype(np.int64)) > 0).all()

    counted = sotto.json("tally", str(out))
    assert [one["counted"] for one in counted["rounds"]] == [row.answered for row in rounds]
    for row in rounds:
        assert (out / f"round-{row.number + 1}" / "tally.json").read_bytes() == row.tally

    found = sotto.json("estimate", "--from-tally", str(out))
    published = json.loads(transcript.answer)
    assert {name: found[name] for name in published} == published
    assert "answered" in sotto("estimate", "--from-tally", str(out))


def test_what_cannot_be_exported_says_why(tmp_path: Path, sotto: Sotto) -> None:
    url, out = f"sqlite:{tmp_path / 'store.db'}", tmp_path / "out"
    words = ("--out", str(out), "--store", url)
    with open_store(url) as store:
        collector = Collector(store, clock=Clock())
        survey = manifest_of(ADAPTIVE).digest
        collector.create(manifest_of(ADAPTIVE))
        assert "no round that was closed" in sotto("survey", "export", survey, *words, code=2)
        answer_round(collector, survey, ADAPTIVE)
        assert "round 2 is open" in sotto("survey", "export", survey, *words, "--round", "2", code=2)
        assert "there is no round 3" in sotto("survey", "export", survey, *words, "--round", "3", code=2)
        assert not out.exists()
        assert "round 1" in sotto("survey", "export", survey, *words)
        inode = (out / "round-1").stat().st_ino
        answer_round(collector, survey, ADAPTIVE)
        said = " ".join(sotto("survey", "export", survey, *words).split())
        assert re.search(r"^round 1 .*; it was there already round 2 ", said) and said.count("already") == 1
        assert (out / "round-1").stat().st_ino == inode
        (out / "round-1" / "part-00000.parquet").unlink()
        assert "not as it was exported: remove it" in sotto("survey", "export", survey, *words, code=2)
        (out / "manifest.json").write_text("{}")
        assert "holds another survey" in sotto("survey", "export", survey, *words, code=2)
        store.scrub(survey, now=START + 100)
    shutil.rmtree(out)
    assert "were scrubbed" in sotto("survey", "export", survey, *words, code=2)
    assert not out.exists()


def test_reports_that_are_no_longer_kept(tmp_path: Path, sotto: Sotto) -> None:
    url, out = f"sqlite:{tmp_path / 'store.db'}", tmp_path / "out"
    survey = surveyed(url, BINS)
    with open_store(url) as store:
        assert store.expire(now=START + 10**9) > 0
    error = sotto("survey", "export", survey, "--out", str(out), "--store", url, code=2)
    assert "of which 0 are kept" in error
    assert [path.name for path in out.iterdir()] == ["manifest.json"]


@pytest.fixture(scope="module")
def exported_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    url = f"sqlite:{folder / 'store.db'}"
    assert main(["survey", "export", surveyed(url, ADAPTIVE), "--out", str(folder / "out"), "--store", url]) == 0
    return folder / "out"


@pytest.fixture
def exported(exported_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported_once, tmp_path / "out"))


def test_a_tally_names_what_it_sets_aside_and_the_estimate_says_so(exported: Path, sotto: Sotto) -> None:
    first = exported / "round-1"
    (first / "part-00001.parquet").write_bytes((first / "part-00000.parquet").read_bytes())
    (first / "part-00002.parquet").write_bytes((first / "part-00000.parquet").read_bytes()[:-9])
    (first / "part-00003.parquet").write_bytes((exported / "round-2" / "part-00000.parquet").read_bytes())
    before = sotto.json("tally", str(exported / "round-2"))
    assert [one["number"] for one in before["rounds"]] == [1]
    assert "round 1 has no tally yet: run sotto tally" in sotto("estimate", "--from-tally", str(exported), code=2)
    (one, *_) = sotto.json("tally", str(exported))["rounds"]
    copies = one["set_aside"]["copy-of-counted"]
    assert copies["count"] == one["counted"] and copies["places"][0] == "part-00001.parquet row 1"
    assert one["set_aside"]["other-question"]["places"] == ["part-00003.parquet"]
    lines = sotto("tally", str(exported))
    assert "part-00002.parquet" in lines and "not whole" in lines
    found = sotto.json("estimate", "--from-tally", str(exported))
    assert dict(found["collection"]["set_aside"])["copy-of-counted"] == one["counted"]


def test_an_estimate_needs_every_round_and_tallies_that_fit(exported: Path, sotto: Sotto) -> None:
    sotto("tally", str(exported))
    ask = ("estimate", "--from-tally", str(exported))
    last = max(path.name for path in exported.glob("round-*"))
    moved = exported / last
    moved.rename(exported / "kept")
    assert f"round {last[6:]} " in (error := sotto(*ask, code=2)) and "is missing" in error
    (exported / "kept").rename(moved)
    tally = exported / "round-2" / "tally.json"
    right = tally.read_bytes()
    tally.write_bytes((exported / "round-1" / "tally.json").read_bytes())
    error = sotto(*ask, code=2)
    assert "round 2: its tally.json does not fit its question" in error and "round 1" not in error
    tally.write_bytes(right)
    question = exported / "round-2" / "question.json"
    asked = question.read_bytes()
    question.write_bytes(asked[:-1])
    assert "is not a question as it was asked" in sotto(*ask, code=2)
    question.write_bytes(asked)
    (exported / "round-1").rename(exported / "kept")
    assert "round 1 is missing" in sotto(*ask, code=2)
    (exported / "kept").rename(exported / "round-1")
    sotto(*ask)
    (exported / "manifest.json").unlink()
    assert "there is no manifest.json" in sotto(*ask, code=2)


def test_the_engine_spark_is_called_with_the_round_and_the_master(
    exported: Path, sotto: Sotto, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def spark(path: Path, *, master: str | None) -> ColumnEngine:
        calls.append((path.name, master))
        return ColumnEngine([path])

    monkeypatch.setattr("sottovoce.engines.spark.spark", spark)
    here = sotto.json("tally", str(exported))
    own = {path: path.read_bytes() for path in exported.rglob("tally.json")}
    there = sotto.json("tally", str(exported), "--engine", "spark", "--master", "local[2]")
    assert calls == [(one["folder"], "local[2]") for one in here["rounds"]]
    assert {path: path.read_bytes() for path in own} == own and there["engine"] == "spark"
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    assert 'pip install "sottovoce[spark]"' in sotto("tally", str(exported), "--engine", "spark", code=4)
    assert "add --engine spark" in sotto("tally", str(exported), "--master", "local[2]", code=2)
    assert "there is no folder" in sotto("tally", str(exported / "round-9"), code=2)


def lose(place: Path, rows: int) -> None:
    """The first rows of a round's only file are gone; the file itself is whole."""
    (path,) = place.glob("*.parquet")
    (block,) = columns.blocks(path)
    question = Question.from_bytes(columns.header(path).question)
    path.unlink()
    with columns.Writer(place, question) as writer:
        writer.write(block.slots[rows:], block.payloads[rows:])


def test_reports_that_are_lost_are_noticed(tmp_path: Path, sotto: Sotto) -> None:
    url, out = f"sqlite:{tmp_path / 'store.db'}", tmp_path / "out"
    sotto("survey", "export", surveyed(url, BINS), "--out", str(out), "--store", url)
    lose(out / "round-1", 30)
    (one,) = sotto.json("tally", str(out))["rounds"]
    assert (one["counted"], one["exported"]) == (58, 88)
    assert one["set_aside"] == {"export-not-there": {"count": 30, "places": []}}
    lines = " ".join(sotto("tally", str(out)).split())
    assert "warning round-1: 30 of 88 reports are missing; to export the round again, remove" in lines
    assert f"next: sotto estimate --from-tally {out}" in lines
    for _ in range(2):
        found = sotto.json("estimate", "--from-tally", str(out))
        assert found["collection"]["set_aside"] == [["export-not-there", 30]]
        assert "30 of 88 reports are missing" in " ".join(sotto("estimate", "--from-tally", str(out)).split())
        (out / "round-1" / "set-aside.json").unlink(missing_ok=True)
    (out / "round-1" / "part-00000.parquet").rename(out / "round-1" / "other.parquet")
    (one,) = sotto.json("tally", str(out))["rounds"]
    assert str(Note.from_plain(one["note"])).startswith("round-1: 30 of 88 reports are missing (part-00000.parquet); ")
    (out / "round-1" / "round.json").unlink()
    (one,) = sotto.json("tally", str(out))["rounds"]
    assert (one["counted"], one["exported"], one["note"], one["set_aside"]) == (58, None, None, {})


def test_a_lost_round_before_the_last_is_said_where_the_next_does_not_follow(exported: Path, sotto: Sotto) -> None:
    lose(exported / "round-1", 3)
    sotto("tally", str(exported))
    error = sotto("estimate", "--from-tally", str(exported), code=2)
    assert "does not follow from the tallies before; round-1: 3 of " in error


def test_a_tally_of_other_counts_is_refused(exported: Path, sotto: Sotto) -> None:
    sotto("tally", str(exported))
    place = max(exported.glob("round-*"))
    tally = Tally.from_bytes((place / "tally.json").read_bytes())
    cells = tally.counts()
    cells[0] = np.roll(cells[0], 1)
    (place / "tally.json").write_bytes(
        Tally(question=tally.question, reports=tally.reports, cells=cells.tolist()).to_bytes()
    )
    error = sotto("estimate", "--from-tally", str(exported), code=2)
    assert f"{place.name}: its tally is not the one that the collector published" in error


def test_no_old_tally_stands_beside_files_that_cannot_be_counted(exported: Path, sotto: Sotto) -> None:
    sotto("tally", str(exported))
    place = exported / "round-2"
    path = place / "part-00000.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    error = sotto("tally", str(exported), code=2)
    assert f"{place}: survey " in error and "… round 2 (" in error.replace("'", "") and "1 file set aside" in error
    assert f"remove {place} and run sotto survey export " in error
    assert not (place / "tally.json").exists() and not (place / "set-aside.json").exists()
    assert "round 2 has no tally yet" in sotto("estimate", "--from-tally", str(exported), code=2)


def test_files_beside_a_tally_that_are_broken_say_what_to_do(exported: Path, sotto: Sotto) -> None:
    sotto("tally", str(exported))
    aside = exported / "round-1" / "set-aside.json"
    for text in ("{", "[]", '{"counts": {"x": "many"}, "files": 0}', '{"counts": {"x": -1}, "files": 0}'):
        aside.write_text(text)
        assert "run sotto tally" in sotto("estimate", "--from-tally", str(exported), code=2)
    aside.unlink()
    (exported / "round-1" / "round.json").write_text("{}")
    assert "is not what sotto survey export wrote" in sotto("tally", str(exported), code=2)


def test_without_pyarrow_an_export_leaves_nothing(
    tmp_path: Path, sotto: Sotto, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, out = f"sqlite:{tmp_path / 'store.db'}", tmp_path / "out"
    survey = surveyed(url, BINS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    sotto("survey", "export", survey, "--out", str(out), "--store", url, code=4)
    assert not out.exists()
