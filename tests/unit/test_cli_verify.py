"""``sotto verify``: what it shows of a transcript, and what it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.messages import Transcript
from tests.support.said import result_of
from tests.support.transcripts import asking, complete, manifest_of, mean, transcript_of


@pytest.fixture(scope="module")
def done() -> Transcript:
    return complete()


def verified(
    transcript: Transcript, capsys: pytest.CaptureFixture[str], tmp_path: Path, *words: str
) -> tuple[int, str]:
    (tmp_path / "transcript.json").write_bytes(transcript.to_bytes())
    code = main(["verify", str(tmp_path / "transcript.json"), *words])
    return code, capsys.readouterr().out


def test_rounds_and_answer_for_programs(done: Transcript, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, printed = verified(done, capsys, tmp_path, "--json", "--survey", done.survey)
    found = result_of(printed)
    assert code == 0 and set(found) == {
        "ok", "kind", "step", "why", "state", "survey", "method", "edition", "release", "lines", "rounds", "answer",
    }  # fmt: skip
    assert found["answer"] == json.loads(done.answer) and found["kind"] == "identical"
    assert [one["number"] for one in found["rounds"]] == list(range(len(done.rounds)))
    assert found["rounds"][0] == {
        "number": 0, "role": json.loads(done.rounds[0].question)["role"],
        "asked": json.loads(done.rounds[0].question)["slots"]["count"], "answered": done.rounds[0].answered,
        "because": "quota", "by": "the collector", "closed": done.rounds[0].closed,
    }  # fmt: skip


def test_an_answer_that_may_not_follow_is_not_shown(
    done: Transcript, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    value = json.loads(done.answer)["value"]
    forged = replace(done, answer=done.answer.replace(json.dumps(value), json.dumps(3.14159)))
    for transcript, words in ((forged, []), (done, ["--survey", "0" * 64])):
        code, printed = verified(transcript, capsys, tmp_path, *words)
        assert code == 1 and "different at " in printed and "\nanswer " not in printed
        code, printed = verified(transcript, capsys, tmp_path, "--json", *words)
        assert code == 1 and result_of(printed)["answer"] is None
    broken = replace(done, rounds=(replace(done.rounds[0], question="{}"), *done.rounds[1:]))
    code, printed = verified(broken, capsys, tmp_path, "--json")
    assert code == 1 and result_of(printed)["rounds"][0]["role"] is None


def test_a_survey_that_runs_has_no_answer_yet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    settings = mean()
    transcript, _, _ = transcript_of(manifest_of(settings), asking(settings), rounds=1)
    code, printed = verified(transcript, capsys, tmp_path, "--json")
    found = result_of(printed)
    assert code == 0 and found["answer"] is None and len(found["rounds"]) == 1 and found["state"] == "running"


@pytest.mark.parametrize("survey", ["", "3f2a", "0" * 63, "0" * 65, "g" * 64])
def test_half_an_id_is_no_alarm(
    survey: str, done: Transcript, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "transcript.json").write_bytes(done.to_bytes())
    assert main(["verify", str(tmp_path / "transcript.json"), "--survey", survey]) == 2
    printed = capsys.readouterr()
    assert "64 hexadecimal digits" in printed.err and "different" not in printed.out


@pytest.mark.parametrize("indent, more", [(2, ""), (None, "\n")])
def test_a_transcript_that_was_written_anew(
    indent: int | None, more: str, done: Transcript, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = done.to_bytes().decode() if indent is None else json.dumps(json.loads(done.to_bytes()), indent=indent)
    (tmp_path / "transcript.json").write_text(text + more)
    assert main(["verify", str(tmp_path / "transcript.json")]) == 2
    assert "save it as it came: curl -o" in capsys.readouterr().err
