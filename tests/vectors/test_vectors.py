"""The golden file still says what the code does, and malformed messages stay malformed."""

from __future__ import annotations

import json

import pytest

from sottovoce.messages import Malformed, Question, Report, Tally
from tests.vectors.make import FILE, text

VECTORS = json.loads(FILE.read_text(encoding="utf-8"))


def test_golden_file_is_what_the_code_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("vector", VECTORS["questions"], ids=lambda vector: vector["name"])
def test_messages_read_back(vector: dict[str, object]) -> None:
    data = str(vector["bytes"]).encode()
    question = Question.from_bytes(data)
    assert question.to_bytes() == data
    assert question.digest == vector["digest"]
    for answer in vector["answers"]:  # type: ignore[attr-defined]
        report = Report.from_bytes(answer["report"].encode())
        assert report.to_bytes() == answer["report"].encode()
        assert len(report.payload) == 2 * int(str(vector["payload_bytes"]))
    tally = str(vector["tally of twenty of the last"]).encode()
    assert Tally.from_bytes(tally).to_bytes() == tally


@pytest.mark.parametrize("vector", VECTORS["malformed"], ids=lambda vector: vector["name"])
def test_malformed_questions(vector: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        Question.from_bytes(bytes.fromhex(vector["bytes"])).epsilon_bound()
