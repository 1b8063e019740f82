"""``sotto verify``: what it shows of a transcript, and what it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Transcript
from tests.support.said import result_of
from tests.support.transcripts import asking, complete, manifest_of, mean, transcript_of


@pytest.fixture(scope="module")
def done() -> Transcript:
    return complete()


@pytest.fixture
def verified(sotto: Any, tmp_path: Path) -> Any:
    def run(transcript: Transcript | str, *words: str, code: int = 0) -> str:
        text = transcript if isinstance(transcript, str) else transcript.to_bytes().decode()
        (tmp_path / "transcript.json").write_text(text)
        return sotto("verify", str(tmp_path / "transcript.json"), *words, code=code)

    return run


def test_rounds_and_answer_for_programs(done: Transcript, verified: Any) -> None:
    found = result_of(verified(done, "--json", "--survey", done.survey))
    assert set(found) == {
        "ok", "kind", "step", "why", "state", "survey", "method", "edition", "release", "lines", "rounds", "answer",
    }  # fmt: skip
    assert found["answer"] == json.loads(done.answer) and found["kind"] == "identical"
    assert [one["number"] for one in found["rounds"]] == list(range(len(done.rounds)))
    assert found["rounds"][0] == {
        "number": 0, "role": json.loads(done.rounds[0].question)["role"],
        "asked": json.loads(done.rounds[0].question)["slots"]["count"], "answered": done.rounds[0].answered,
        "because": "quota", "by": "the collector", "closed": done.rounds[0].closed,
    }  # fmt: skip


def test_an_answer_that_may_not_follow_is_not_shown(done: Transcript, verified: Any) -> None:
    value = json.loads(done.answer)["value"]
    forged = replace(done, answer=done.answer.replace(json.dumps(value), json.dumps(3.14159)))
    for transcript, words in ((forged, []), (done, ["--survey", "0" * 64])):
        printed = verified(transcript, *words, code=1)
        assert "different at " in printed and "\nanswer " not in printed
        assert result_of(verified(transcript, "--json", *words, code=1))["answer"] is None
    broken = replace(done, rounds=(replace(done.rounds[0], question="{}"), *done.rounds[1:]))
    assert result_of(verified(broken, "--json", code=1))["rounds"][0]["role"] is None


def test_a_survey_that_runs_has_no_answer_yet(verified: Any) -> None:
    settings = mean()
    transcript, _, _ = transcript_of(manifest_of(settings), asking(settings), rounds=1)
    found = result_of(verified(transcript, "--json"))
    assert found["answer"] is None and len(found["rounds"]) == 1 and found["state"] == "running"


@pytest.mark.parametrize("survey", ["", "3f2a", "0" * 63, "0" * 65, "g" * 64])
def test_half_an_id_is_no_alarm(survey: str, done: Transcript, verified: Any) -> None:
    assert "64 hexadecimal digits" in verified(done, "--survey", survey, code=2)


def test_a_transcript_that_was_written_anew(done: Transcript, verified: Any) -> None:
    text = done.to_bytes().decode()
    for anew in (json.dumps(json.loads(text), indent=2), text + "\n"):
        assert "save it as it came: curl -o" in verified(anew, code=2)
