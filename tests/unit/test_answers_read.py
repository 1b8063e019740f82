"""Answers are strict JSON, read back equal, by the published schema; anything else is refused with a reason."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
import runpy
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import sottovoce as sv
from sottovoce import answers, problems
from sottovoce.answers import (
    Answer,
    Answers,
    Assumes,
    Chosen,
    ChosenBy,
    Collection,
    Estimate,
    Note,
    NoteCode,
    Severity,
    facts,
)
from sottovoce.messages import Fact, Malformed
from sottovoce.problems import read
from tests.support.answers import EXAMPLES, KINDS, many

kinds = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
OLD = Path(__file__).parents[1] / "compat" / "v1" / "answers.zip"


def strict(text: str) -> Any:
    """JSON as RFC 8259 has it: Python's own extensions are refused."""

    def refuse(literal: str) -> None:
        raise AssertionError(f"{literal} is no JSON")

    return json.loads(text, parse_constant=refuse)


def altered(plain: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """With these fields, without those that are None."""
    return {name: value for name, value in (plain | changes).items() if name not in changes or value is not None}


def changed(**changes: Any) -> dict[str, Any]:
    return altered(EXAMPLES[Estimate].to_dict(), changes)


@cache
def old(name: str) -> dict[str, Any]:
    """An answer in format 1, as it was written."""
    with ZipFile(OLD) as file:
        found: dict[str, Any] = json.loads(file.read(name))
    return found


def old_names() -> list[str]:
    with ZipFile(OLD) as file:
        return file.namelist()


def first_old(kind: str) -> dict[str, Any]:
    return next(plain for plain in map(old, old_names()) if plain["kind"] == kind)


def changed_old(**changes: Any) -> dict[str, Any]:
    return altered(first_old("number"), changes)


def old_several(**changes: Any) -> dict[str, Any]:
    return first_old("several") | changes


def test_every_kind_is_listed_and_has_an_example() -> None:
    """A new kind that `read` does not know, or that no test writes and reads, fails here."""
    rooms = (answers, problems)
    names = [one.name for room in rooms for one in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")]
    things = [thing for name in names for thing in vars(importlib.import_module(name)).values()]
    made = {thing for thing in things if isinstance(thing, type) and issubclass(thing, Answer)} - {Answer}
    assert made == set(KINDS) == set(EXAMPLES)
    assert len({cls.kind for cls in KINDS}) == len(KINDS)
    assert all(Answer.kinds[cls.kind] is cls for cls in KINDS)


@kinds
@given(data=st.data())
def test_what_is_written_is_read_back_equal(cls: type[Answer], data: st.DataObject) -> None:
    answer = data.draw(many(cls))
    text = answer.to_json()
    found = read(text)
    assert type(found) is cls and found == answer
    assert read(text.encode()) == read(answer.to_dict()) == read(answer.to_json(indent=2)) == answer
    assert strict(text) == answer.to_dict()
    assert found.to_json() == text
    assert of_kind(cls).is_valid(strict(text))


@kinds
def test_an_answer_says_its_kind_and_version(cls: type[Answer]) -> None:
    answer = EXAMPLES[cls]
    plain = answer.to_dict()
    assert list(plain)[:2] == ["kind", "version"] and (plain["kind"], plain["version"]) == (cls.kind, 2)
    assert plain["privacy"]["protects"] == {"code": "whole-collection", "data": {}}
    assert plain["chosen"]["by"] == "caller"
    assert not {"warnings", "reason"} & plain.keys(), "sentences"
    found = read(plain)
    assert found == answer and found.summary() == answer.summary()


def test_several_answers_are_read_back_equal_and_say_themselves_in_words() -> None:
    own = tuple(EXAMPLES[cls] for cls in KINDS)
    names = tuple(cls.kind for cls in KINDS)
    several = Answers(names=names, answers=own, split="users", chosen=Fact("split-asked-for"))
    found = read(several.to_json())
    assert found == several and found.summary() == several.summary()
    assert several.reason == "as asked for" and "split       users: as asked for" in several.summary()
    assert read(several.to_dict() | {"seed": 7}) == several, "what a command prints"
    assert str(own[0]) in str(several) and "Privacy(" not in f"{several!r}{several}"
    inside = {"answers": {"a": several.to_dict()}}
    for change in ({"split": 3}, {"answers": []}, inside, {"version": 3}, {"more": 1}, {"chosen": "users"}):
        with pytest.raises(Malformed):
            read(several.to_dict() | change)


def test_totals_are_written_and_ignored_on_reading() -> None:
    plain = changed()
    assert plain["standard_error"]["total"] == pytest.approx(math.hypot(0.01, 0.03, 0.002))
    plain["standard_error"] |= {"total": "anything"}
    plain["notes"][0] |= {"severity": "anything"}
    assert read(plain) == EXAMPLES[Estimate]


def test_numbers_that_are_not_finite_are_texts() -> None:
    """The texts that Python's ``float`` and JavaScript's ``Number`` read."""
    cover, mixture = EXAMPLES[sv.CoverEstimate].to_dict(), EXAMPLES[sv.MixtureEstimate].to_dict()
    assert cover["gap"] == mixture["share_errors"][1] == mixture["standard_errors"][1]["total"] == "Infinity"
    assert float(cover["gap"]) == math.inf
    lower = replace(EXAMPLES[Estimate], value=-math.inf)
    assert lower.to_dict()["value"] == "-Infinity" and read(lower.to_json()) == lower
    nothing = replace(EXAMPLES[Estimate], value=math.nan)
    found = read(nothing.to_json())
    assert (
        isinstance(found, Estimate)
        and math.isnan(found.value)
        and replace(found, value=1.0) == replace(nothing, value=1.0)
    )


def test_a_whole_number_is_a_number_and_a_later_field_may_be_missing() -> None:
    found = read(changed(low=1, high=5, collection=None, notes=None))
    assert found == replace(EXAMPLES[Estimate], notes=())


def test_the_collection_is_read_back() -> None:
    collection = Collection(asked=(500, 500), answered=(480, 470), set_aside=(("malformed", 3),))
    answer = replace(EXAMPLES[Estimate], collection=collection)
    found = read(answer.to_json())
    assert found == answer and found.collection == collection
    before = answer.to_dict()
    del before["collection"]["roles"]  # written before rounds told their roles
    assert read(before) == answer
    told = replace(answer, collection=replace(collection, roles=("bins", "mean")))
    assert read(told.to_json()) == told


def each(name: str, *values: Any) -> list[dict[str, Any]]:
    return [changed(**{name: value}) for value in values]


REFUSED: dict[str, list[Any]] = {
    "JSON document": ["", "{", b"\xff", "[" * 100_000],
    "JSON object": ["[]"],
    "has a kind, one of .*number, ": ["{}"],
    "an answer has a kind, one of ": each("kind", "picture", ["number"], None),
    "version 2 or 1": each("version", 3, True, 2.0, None),
    "field of format 2": [changed(version=1)],
    "unknown fields 'more'": [changed(more=1)],
    "unknown fields '7'": [changed() | {7: 1}],
    "missing fields 'value'": [changed(value=None)],
    r"Estimate\.value: a finite number": each("value", "3.2", "inf", True, math.inf, 10**400),
    r"Estimate\.interval: a list of 2": [changed(interval=[1.0]), changed(interval=[1.0, 2.0, 3.0])],
    r"Estimate\.interval: a list": [changed(interval={"low": 1})],
    r"users_per_round: a whole number": [changed(users_per_round=[1.5]), changed(users_per_round=[True])],
    r"Estimate\.method: a text": [changed(method=1)],
    "Privacy: an object": [changed(privacy=[])],
    "missing fields 'chosen'": [changed(chosen=None)],
    r"Chosen\.by: one of caller, caller-by-bins, auto, ": [changed(chosen={"by": "chance"})],
    "Compared: missing fields 'error'": [changed(chosen={"by": "auto", "compared": [{"method": "paper"}]})],
    r"Estimate\.assumes: one of nothing, ": [changed(assumes="that it rains")],
    "a fact has a code and data": [
        changed(chosen={"by": "auto", "details": ["as asked"]}),
        *each(
            "interval_kind", "normal approximation", {"code": "guarded"}, {"code": "guarded", "data": {}, "text": ""}
        ),
        *each(
            "interval_kind", {"code": "guarded", "data": {"x": {"code": "y"}}}, {"code": "guarded", "data": {"x": [{}]}}
        ),
        *each("notes", [{"code": "few-reports", "severity": "warning"}]),
    ],
    "code is a text": each("interval_kind", {"code": 7, "data": {}}),
    "data are an object": each("interval_kind", {"code": "guarded", "data": []}),
    "a note has one of the codes": [
        *each("notes", ["careful"], [{"code": "careful", "severity": "warning", "data": {}}]),
        *each("notes", [{"code": ["few-reports"], "data": {}}]),
    ],
    r"Estimate\.notes: a list": [changed(notes={"code": "few-reports", "data": {}})],
    r"Estimate\.written: a text": [changed(written=[["assumes", 7]])],
    "StandardError: missing fields 'privacy'": [changed(standard_error={"sampling": 1.0})],
    "Collection: .* between none and all": each("collection", {"asked": [5], "answered": [6]}),
    "Collection: asked has 1 rounds, answered 0": each("collection", {"asked": [5], "answered": []}),
    "a list of 2": each("collection", {"asked": [], "answered": [], "set_aside": [["late"]]}),
    "counted from 0": each("collection", {"asked": [], "answered": [], "set_aside": [["late", -1]]}),
    "each of 2 components": [EXAMPLES[sv.MixtureEstimate].to_dict() | {"shares": [0.5]}],
    "each of 1 coefficients": [EXAMPLES[sv.DensityEstimate].to_dict() | {"coefficients": [1.0]}],
    "each of 20 coordinates": [EXAMPLES[answers.VectorEstimate].to_dict() | {"names": ["x"]}],
    "counted from 0 to 29": [EXAMPLES[sv.SparseEstimate].to_dict() | {"support": [30]}],
}


@pytest.mark.parametrize("words, document", [(words, one) for words, own in REFUSED.items() for one in own])
def test_anything_else_is_refused_in_words(words: str, document: Any) -> None:
    with pytest.raises(Malformed, match=words):
        read(document)


def test_literals_and_repeated_fields_are_refused() -> None:
    text = EXAMPLES[Estimate].to_json()
    with pytest.raises(Malformed, match="NaN is no JSON"):
        read(text.replace('"value": 3.2', '"value": NaN'))
    with pytest.raises(Malformed, match="a finite number"):
        read(text.replace('"value": 3.2', '"value": 1e999'))
    with pytest.raises(Malformed, match="stands twice"):
        read(text.replace('"value": 3.2', '"value": 3.2, "value": 3.3'))


# Facts


@pytest.mark.parametrize("code", NoteCode)
def test_every_note_is_written_with_its_severity_and_read_back_equal(code: NoteCode) -> None:
    note = Note(code, share=0.25, names=("a", "b"), inside=Fact("level", q=0.5, median=True))
    plain = note.to_plain()
    assert list(plain) == ["code", "severity", "data"]
    assert (plain["code"], plain["severity"]) == (code.value, code.severity.value)
    answer = replace(EXAMPLES[Estimate], notes=(note,))
    found = read(answer.to_json())
    assert found == answer and isinstance(found, Answer)
    (again,) = found.notes
    assert type(again) is Note and again.severity == code.severity
    assert found.note_codes == {code} and found.range_misses is code.range_misses
    assert (found.noted(Severity.WARNING) == (again,)) is (code.severity == Severity.WARNING)


def test_a_note_has_a_code_of_the_closed_set() -> None:
    with pytest.raises(ValueError, match="careful"):
        Note("careful")


def test_facts_within_facts_are_read_back_as_they_were() -> None:
    inner = Fact("auto-refused", method="adaptive", why=Fact("adaptive-rounds", rounds=4))
    deep = Fact("chosen", method=None, parts=(inner, 0.5, 7, True, "a text", ("of", (inner,))))
    chosen = Chosen(by=ChosenBy.AUTO, method="one-round", spreads=None, details=(deep, inner))
    answer = replace(EXAMPLES[Estimate], chosen=chosen, instead=deep, notes=(Note(NoteCode.ASKED_AT_ONCE, why=inner),))
    found = read(answer.to_json())
    assert isinstance(found, Answer) and found == answer
    parts = found.chosen.details[0]["parts"]
    assert [type(part) for part in parts] == [Fact, float, int, bool, str, tuple] and parts[5][1][0] == inner
    assert found.chosen.details[0]["method"] is None
    assert isinstance(found.notes[0]["why"], Fact) and found.notes[0]["why"]["why"]["rounds"] == 4


def test_names_of_groups_are_texts_or_facts() -> None:
    groups = EXAMPLES[sv.GroupedEstimate]
    named = replace(groups, names=(Fact("level", q=0.5, median=True),))  # type: ignore[call-arg]
    assert read(named.to_json()) == named and read(groups.to_json()) == groups


def test_facts_that_are_too_deep_are_refused_as_anything_else_is() -> None:
    kind = EXAMPLES[Estimate].interval_kind.to_text()
    text = EXAMPLES[Estimate].to_json()
    deep = text.replace(kind, '{"code": "x", "data": {"x": ' * 400 + "1" + "}}" * 400)
    assert deep != text
    with pytest.raises(Malformed):
        read(deep)


# Format 1


@pytest.mark.thin(5)
@pytest.mark.parametrize("name", old_names())
def test_numbers_of_format_1_are_read_and_what_is_read_is_written_in_format_2(name: str) -> None:
    found = read(old(name))
    again = found.to_dict()
    assert again["version"] == 2 and read(again) == found == read(found.to_json())
    assert facts(again, again) == facts(old(name), again)


def sentences(plain: dict[str, Any]) -> set[str]:
    """Of an answer in format 1: what its summary said, as it was written."""
    names = ("reason", "interval_kind", "assumes", "model_assumes", "whole_assumes", "instead", "note", "left_out")
    own = {plain[name] for name in (*names, "estimand") if plain.get(name)}
    hidden = {plain.get("whole_assumes")} | ({plain.get("model_assumes")} if not _modelled(plain) else set())
    hidden |= {plain["interval_kind"]} if plain["kind"] == "range" and plain["low"] is None else set()
    return (own | set(plain["warnings"]) | {plain["privacy"]["statement"]}) - hidden


def _modelled(plain: dict[str, Any]) -> bool:
    return any(plain.get(name) for name in ("model_interval", "model_intervals", "model_band"))


@pytest.mark.thin(5)
@pytest.mark.parametrize("name", old_names())
def test_sentences_of_format_1_are_kept_as_they_were_written(name: str) -> None:
    plain = old(name)
    parts = plain["answers"] if plain["kind"] == "several" else {"": plain}
    found = read(plain)
    if isinstance(found, Answers):
        assert found.chosen == Fact("as-written", text=plain["reason"]) and found.reason == plain["reason"]
    for part, own in parts.items():
        answer = found[part] if isinstance(found, Answers) else found
        assert answer.warnings == tuple(own["warnings"]) and answer.reason == own["reason"]
        assert answer.chosen.by == ChosenBy.AS_WRITTEN and answer.note_codes <= {NoteCode.AS_WRITTEN}
        assert str(answer.privacy.statement) == own["privacy"]["statement"]
        if own.get("colluders"):
            told = own["colluders"]["statement"].replace("1e+02%", "100%")
            assert answer.colluders is not None and str(answer.colluders.words) == told
        summary = answer.summary()
        assert not {text for text in sentences(own) if text not in summary}


def test_what_format_1_assumed_is_known_where_it_is_nothing_and_else_as_it_was_written() -> None:
    nothing = read(changed_old(assumes="nothing: it holds whatever the users are"))
    assert isinstance(nothing, Estimate) and nothing.assumes == Assumes.NOTHING
    assert "1 in 20), whatever the users are." in str(nothing.words())
    rain = read(changed_old(assumes="that it rains"))
    assert isinstance(rain, Estimate) and rain.assumes == Assumes.AS_WRITTEN
    assert ("assumes", "that it rains") in rain.written and "\nassumes     that it rains\n" in rain.summary()
    assert read(rain.to_json()) == rain
    unsaid = read(changed_old(assumes=""))
    assert isinstance(unsaid, Estimate) and unsaid.assumes is None


PRIVACY = {"epsilon": 1.0, "users": 5, "rounds": 1}
REFUSED_OLD: dict[str, list[dict[str, Any]]] = {
    "an answer has a kind": [changed_old(kind="picture")],
    "version 2 or 1": [
        *(changed_old(version=one) for one in (True, 1.0)),
        old_several(answers={"a": changed_old(version=7)}),
    ],
    "unknown fields 'more'": [changed_old(more=1)],
    "missing fields 'value'": [changed_old(value=None)],
    r"Estimate\.value: a finite number": [changed_old(value="3.2")],
    "missing, or is no text": [changed_old(reason=None), changed_old(reason=7)],
    "missing fields 'interval_kind'": [changed_old(interval_kind=None)],
    "is no text": [
        changed_old(interval_kind={"code": "guarded", "data": {}}),
        changed_old(warnings=[7]),
        changed_old(privacy=PRIVACY | {"protects": 7}),
        changed_old(rehearsal={"users": 1, "observations": 1, "no_truth": 7}),
        old_several(reason=7),
    ],
    r"Estimate\.notes: a list": [changed_old(warnings="careful"), changed_old(warnings=7)],
    r"Estimate\.written: a text": [changed_old(assumes=["nothing"]), changed_old(instead=7)],
    "Privacy: an object": [changed_old(privacy=None)],
    "Privacy: missing fields 'protects'": [changed_old(privacy=PRIVACY)],
    "Colluders: an object": [changed_old(colluders=7)],
    "field of format 2": [changed_old(notes=[]), changed_old(chosen={"by": "caller"})],
    "an answer for each name": [old_several(answers={"a": 7})],
    "several answers itself": [old_several(answers={"a": old_several()})],
    "split, a text": [old_several(split=None)],
}


@pytest.mark.parametrize("words, document", [(words, one) for words, own in REFUSED_OLD.items() for one in own])
def test_what_is_no_answer_of_format_1_is_refused_in_words(words: str, document: Any) -> None:
    with pytest.raises(Malformed, match=words):
        read(document)


DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "schema" / "answer-2.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
SEVERAL = Answers(names=("a", "b"), answers=tuple(EXAMPLES.values())[:2], split="users", chosen=Fact("split-asked-for"))


def valid(document: Any) -> bool:
    return bool(VALIDATOR.is_valid(document))


def without(plain: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != name}


def schema_of(kind: str) -> dict[str, Any]:
    return next(one for one in SCHEMA["oneOf"] if one["properties"]["kind"]["const"] == kind)


def of_kind(cls: type[Answer]) -> Draft202012Validator:
    """Of that kind alone, which is quicker than to try all of them."""
    return VALIDATOR.evolve(schema=schema_of(cls.kind))


def test_the_file_is_what_the_script_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = runpy.run_path(str(DOCS / "make_schema.py"))
    monkeypatch.setattr(Answer, "kinds", {cls.kind: cls for cls in KINDS})  # without those of tests
    assert maker["FILE"].read_text(encoding="utf-8") == maker["text"]()
    Draft202012Validator.check_schema(SCHEMA)


def test_it_lists_every_kind_and_every_code() -> None:
    assert {one["properties"]["kind"]["const"] for one in SCHEMA["oneOf"]} == {*(cls.kind for cls in KINDS), "several"}
    noted = {
        one["properties"]["code"]["const"]: one["properties"]["severity"]["const"]
        for one in SCHEMA["$defs"]["note"]["oneOf"]
    }
    assert noted == {code.value: code.severity.value for code in NoteCode}
    assert SCHEMA["$defs"]["Chosen"]["properties"]["by"]["enum"] == [by.value for by in ChosenBy]
    assumed = schema_of("number")["properties"]["assumes"]["anyOf"][0]["enum"]
    assert assumed == [assumes.value for assumes in Assumes]


@kinds
def test_an_answer_of_every_kind_keeps_to_it(cls: type[Answer]) -> None:
    plain = json.loads(EXAMPLES[cls].to_json())
    assert valid(plain)
    assert valid(plain | {"seed": 7, "observations": 3})  # what a command prints beside it


def test_several_answers_keep_to_it() -> None:
    plain = json.loads(SEVERAL.to_json())
    VALIDATOR.validate(plain)
    assert not valid(plain | {"answers": {"a": {"kind": "number"}}})
    assert not valid(plain | {"chosen": "as asked for"})
    assert not any(valid(without(plain, name)) for name in ("kind", "version", "split", "chosen", "answers"))


@kinds
def test_a_missing_field_does_not(cls: type[Answer]) -> None:
    plain, valid = json.loads(EXAMPLES[cls].to_json()), of_kind(cls).is_valid
    needed = schema_of(cls.kind)["required"]
    assert {"kind", "version", "confidence", "interval_kind", "privacy", "method", "chosen"} <= set(needed)
    assert not any(valid(without(plain, name)) for name in needed)
    for name in plain.keys() - set(needed):
        assert valid(without(plain, name)), name
        read(without(plain, name))


WRONG: dict[str, list[Any]] = {
    "kind": ["picture"],
    "version": [1, 3],
    "more": [1],
    "warnings": [["careful"]],
    "reason": ["asked for"],
    "confidence": ["0.95"],
    "interval_kind": ["guarded", {"code": "guarded"}],
    "assumes": ["that it rains"],
    "chosen": [{"by": "chance"}, {"details": []}],
    "notes": [
        ["careful"],
        [{"code": "careful", "severity": "warning", "data": {}}],
        [{"code": "few-reports", "severity": "info", "data": {}}],
        [{"code": "few-reports", "data": {}}],
        [{"code": "few-reports", "severity": "warning"}],
        [{"code": "few-reports", "severity": "warning", "data": {}, "text": "careful"}],
    ],
}


@kinds
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_does_not(cls: type[Answer], name: str) -> None:
    """By the schema of its kind, and of one kind by the whole."""
    plain = json.loads(EXAMPLES[cls].to_json())
    validator = VALIDATOR if cls is Estimate else of_kind(cls)
    assert not [value for value in WRONG[name] if validator.is_valid(plain | {name: value})]


def test_a_part_that_lacks_something_does_not() -> None:
    plain = json.loads(next(iter(EXAMPLES.values())).to_json())
    for part, name in (("privacy", "protects"), ("standard_error", "privacy"), ("chosen", "by")):
        broken = deepcopy(plain)
        del broken[part][name]
        assert valid(plain) and not valid(broken), (part, name)
