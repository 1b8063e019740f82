"""The JSON schema of answers: it is as the classes have it, every kind keeps to it, and nothing else does."""

from __future__ import annotations

import importlib.util
import json
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sottovoce.answers import Answer, Answers, Assumes, ChosenBy, NoteCode
from sottovoce.messages import Fact
from sottovoce.problems import read
from tests.support.answers import EXAMPLES, KINDS, many

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "schema" / "answer-2.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
SEVERAL = Answers(names=("a", "b"), answers=tuple(EXAMPLES.values())[:2], split="users", chosen=Fact("split-asked-for"))
kinds = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)


@pytest.fixture
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_schema", DOCS / "make_schema.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def valid(document: Any) -> bool:
    return bool(VALIDATOR.is_valid(document))


def without(plain: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != name}


def own(kind: str) -> dict[str, Any]:
    """The part of the schema that is about one kind."""
    found: dict[str, Any]
    (found,) = (one for one in SCHEMA["oneOf"] if one["properties"]["kind"]["const"] == kind)
    return found


def test_the_file_is_what_the_script_makes(maker: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answer, "kinds", {cls.kind: cls for cls in KINDS})  # without those of tests
    assert maker.FILE.read_text(encoding="utf-8") == maker.text()
    Draft202012Validator.check_schema(SCHEMA)


def test_it_lists_every_kind_and_every_code() -> None:
    assert {one["properties"]["kind"]["const"] for one in SCHEMA["oneOf"]} == {*(cls.kind for cls in KINDS), "several"}
    noted = {
        one["properties"]["code"]["const"]: one["properties"]["severity"]["const"]
        for one in SCHEMA["$defs"]["note"]["oneOf"]
    }
    assert noted == {code.value: code.severity.value for code in NoteCode}
    assert SCHEMA["$defs"]["Chosen"]["properties"]["by"]["enum"] == [by.value for by in ChosenBy]
    assumed = own("number")["properties"]["assumes"]["anyOf"][0]["enum"]
    assert assumed == [assumes.value for assumes in Assumes]


@kinds
def test_an_answer_of_every_kind_keeps_to_it(cls: type[Answer]) -> None:
    plain = json.loads(EXAMPLES[cls].to_json())
    assert valid(plain)
    assert valid(plain | {"seed": 7, "observations": 3})  # what a command prints beside it


@kinds
@settings(max_examples=15)
@given(data=st.data())
def test_whatever_is_in_it(cls: type[Answer], data: st.DataObject) -> None:
    assert valid(json.loads(data.draw(many(cls)).to_json()))


def test_several_answers_keep_to_it() -> None:
    plain = json.loads(SEVERAL.to_json())
    VALIDATOR.validate(plain)
    assert not valid(plain | {"answers": {"a": {"kind": "number"}}})
    assert not valid(plain | {"chosen": "as asked for"})
    assert not any(valid(without(plain, name)) for name in ("kind", "version", "split", "chosen", "answers"))


@kinds
def test_a_missing_field_does_not(cls: type[Answer]) -> None:
    """What has a default may be missing, as `read` has it."""
    plain = json.loads(EXAMPLES[cls].to_json())
    needed = own(cls.kind)["required"]
    assert {"kind", "version", "confidence", "interval_kind", "privacy", "method", "chosen"} <= set(needed)
    assert not any(valid(without(plain, name)) for name in needed)
    for name in plain.keys() - set(needed):
        assert valid(without(plain, name)), name
        read(without(plain, name))


@kinds
@pytest.mark.parametrize(
    "change",
    [
        {"kind": "picture"},
        {"version": 1},
        {"version": 3},
        {"more": 1},
        {"warnings": ["careful"]},
        {"reason": "asked for"},
        {"confidence": "0.95"},
        {"interval_kind": "guarded"},
        {"interval_kind": {"code": "guarded"}},
        {"assumes": "that it rains"},
        {"chosen": {"by": "chance"}},
        {"chosen": {"details": []}},
        {"notes": ["careful"]},
        {"notes": [{"code": "careful", "severity": "warning", "data": {}}]},
        {"notes": [{"code": "few-reports", "severity": "info", "data": {}}]},
        {"notes": [{"code": "few-reports", "data": {}}]},
        {"notes": [{"code": "few-reports", "severity": "warning"}]},
        {"notes": [{"code": "few-reports", "severity": "warning", "data": {}, "text": "careful"}]},
    ],
    ids=str,
)
def test_what_is_wrong_does_not(cls: type[Answer], change: dict[str, Any]) -> None:
    assert not valid(json.loads(EXAMPLES[cls].to_json()) | change)


def test_a_part_that_lacks_something_does_not() -> None:
    plain = json.loads(next(iter(EXAMPLES.values())).to_json())
    for part, name in (("privacy", "protects"), ("standard_error", "privacy"), ("chosen", "by")):
        broken = deepcopy(plain)
        del broken[part][name]
        assert valid(plain) and not valid(broken), (part, name)
