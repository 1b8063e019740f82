"""Answers are written as strict JSON and read back equal; anything else is refused with a reason."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce import answers
from sottovoce.answers import KINDS, Answer, Answers, Collection, CoverEstimate, Estimate, MixtureEstimate, read
from sottovoce.messages import Malformed
from tests.support.answers import EXAMPLES, many

kinds = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)


def strict(text: str) -> Any:
    """JSON as RFC 8259 has it: Python's own extensions are refused."""

    def refuse(literal: str) -> None:
        raise AssertionError(f"{literal} is no JSON")

    return json.loads(text, parse_constant=refuse)


def changed(**changes: Any) -> dict[str, Any]:
    """The example of a number as plain data, with some fields changed; None takes one away."""
    plain = EXAMPLES[Estimate].to_dict() | changes
    return {name: value for name, value in plain.items() if name not in changes or value is not None}


def test_every_kind_is_listed_and_has_an_example() -> None:
    """A new kind that `read` does not know, or that no test writes and reads, fails here."""
    names = [f"{answers.__name__}.{one.name}" for one in pkgutil.iter_modules(answers.__path__)]
    things = [thing for name in names for thing in vars(importlib.import_module(name)).values()]
    made = {thing for thing in things if isinstance(thing, type) and issubclass(thing, Answer)} - {Answer}
    assert made == set(KINDS) == set(EXAMPLES)
    assert len({cls.kind for cls in KINDS}) == len(KINDS)


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


@kinds
def test_an_answer_says_its_kind_and_version(cls: type[Answer]) -> None:
    answer = EXAMPLES[cls]
    plain = answer.to_dict()
    assert list(plain)[:2] == ["kind", "version"] and (plain["kind"], plain["version"]) == (cls.kind, 1)
    assert plain["privacy"]["statement"] == answer.privacy.statement
    found = read(plain)
    assert found == answer and found.summary() == answer.summary()


def test_several_answers_are_read_back_equal_and_say_themselves_in_words() -> None:
    own = tuple(EXAMPLES[cls] for cls in KINDS)
    several = Answers(names=tuple(cls.kind for cls in KINDS), answers=own, split="users", reason="as asked for")
    found = read(several.to_json())
    assert found == several and found.summary() == several.summary()
    assert read(several.to_dict() | {"seed": 7}) == several, "what a command prints"
    assert str(own[0]) in str(several) and "Privacy(" not in f"{several!r}{several}"
    for change in ({"split": 3}, {"answers": []}, {"answers": {"a": several.to_dict()}}, {"version": 2}, {"more": 1}):
        with pytest.raises(Malformed):
            read(several.to_dict() | change)


def test_totals_are_written_and_ignored_on_reading() -> None:
    plain = changed()
    assert plain["standard_error"]["total"] == pytest.approx(math.hypot(0.01, 0.03, 0.002))
    plain["standard_error"] |= {"total": "anything"}
    plain["privacy"] |= {"statement": None}
    assert read(plain) == EXAMPLES[Estimate]


def test_numbers_that_are_not_finite_are_texts() -> None:
    """The texts that Python's ``float`` and JavaScript's ``Number`` read."""
    cover, mixture = EXAMPLES[CoverEstimate].to_dict(), EXAMPLES[MixtureEstimate].to_dict()
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
    found = read(changed(low=1, high=5, collection=None, warnings=None))
    assert found == replace(EXAMPLES[Estimate], warnings=())


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


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("", "JSON document"),
        ("{", "JSON document"),
        (b"\xff", "JSON document"),
        ("[" * 100_000, "JSON document"),
        ("[]", "JSON object"),
        ("{}", "one of number, vector, sparse, density, mixture, cover, histogram"),
        (changed(kind="picture"), "one of number"),
        (changed(kind=["number"]), "one of number"),
        (changed(kind=None), "one of number"),
        (changed(version=2), "version 1"),
        (changed(version=True), "version 1"),
        (changed(version=1.0), "version 1"),
        (changed(version=None), "version 1"),
        (changed(more=1), "unknown fields 'more'"),
        (changed() | {7: 1}, "unknown fields '7'"),
        (changed(value=None), "missing fields 'value'"),
        (changed(value="3.2"), r"Estimate\.value: a finite number"),
        (changed(value="inf"), r"Estimate\.value: a finite number"),
        (changed(value=True), r"Estimate\.value: a finite number"),
        (changed(value=math.inf), r"Estimate\.value: a finite number"),
        (changed(value=10**400), r"Estimate\.value: a finite number"),
        (changed(interval=[1.0]), r"Estimate\.interval: a list of 2"),
        (changed(interval=[1.0, 2.0, 3.0]), r"Estimate\.interval: a list of 2"),
        (changed(interval={"low": 1}), r"Estimate\.interval: a list"),
        (changed(users_per_round=[1.5]), r"users_per_round: a whole number"),
        (changed(users_per_round=[True]), r"users_per_round: a whole number"),
        (changed(method=1), r"Estimate\.method: a text"),
        (changed(privacy=[]), "Privacy: an object"),
        (changed(standard_error={"sampling": 1.0}), "StandardError: missing fields 'privacy'"),
        (changed(collection={"asked": [5], "answered": [6]}), "Collection: .* between none and all"),
        (changed(collection={"asked": [5], "answered": []}), "Collection: asked has 1 rounds, answered 0"),
        (changed(collection={"asked": [], "answered": [], "set_aside": [["late"]]}), "a list of 2"),
        (changed(collection={"asked": [], "answered": [], "set_aside": [["late", -1]]}), "counted from 0"),
        (EXAMPLES[MixtureEstimate].to_dict() | {"shares": [0.5]}, "each of 2 components"),
        (EXAMPLES[answers.DensityEstimate].to_dict() | {"coefficients": [1.0]}, "each of 1 coefficients"),
        (EXAMPLES[answers.VectorEstimate].to_dict() | {"names": ["x"]}, "each of 20 coordinates"),
        (EXAMPLES[answers.SparseEstimate].to_dict() | {"support": [30]}, "counted from 0 to 29"),
    ],
)
def test_anything_else_is_refused_in_words(document: Any, words: str) -> None:
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


def test_what_a_command_prints_beside_an_answer_is_passed_over() -> None:
    data = np.linspace(0, 1, 600).reshape(200, 3)
    for answer in (
        sv.mean(data, low=0, high=1, epsilon=2.0, seed=1),
        sv.density(data, low=0, high=1, epsilon=2.0, seed=1),
    ):
        printed = answer.to_dict() | answer.details() | {"observations": 3, "seed": 1}
        assert read(json.dumps(printed)) == answer
