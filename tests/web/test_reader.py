"""The page's device reads as Python's does: the same bytes are accepted, the same are refused, with the same code."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from sottovoce.device import Collections, SystemEntropy, respond
from sottovoce.messages import Declined, Malformed, Manifest, Question, canonical
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.problems import announce, survey_rules
from tests.service import test_dishonest_questions as dishonest
from tests.service.scripted import first_question, mean_manifest
from tests.support.transcripts import asking, transcript_of
from tests.unit import test_far_ranges as far
from tests.unit import test_rules as rules
from tests.unit.test_hostile_questions import MALFORMED
from tests.unit.test_hostile_vectors import ABOUT_VECTORS
from tests.vectors.make import FILE
from tests.web.reading import CLOSE, ask, mutated, sent

VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
GOOD = [str(vector["bytes"]).encode() for vector in VECTORS["questions"]]
OWN = Collections.of_one([0.5])
Asked = tuple[bytes, int, str, Manifest | None]


class Paid:
    """In the place of a ledger: the device has come so far, and this is the cost."""

    def answer(self, *, epsilon: Fraction, **_: Any) -> bytes:
        return str(epsilon).encode()


def examined(data: bytes, slot: int, digest: str, manifest: Manifest | None) -> tuple[str, str]:
    """The code with which the Python device declines, or none and the cost."""
    try:
        paid = respond(
            data, OWN, slot=slot, digest=digest, collector="c", source="s",
            ledger=Paid(), entropy=SystemEntropy(), manifest=manifest,  # type: ignore[arg-type]  # all that is asked of it
        )  # fmt: skip
    except Declined as refused:
        return refused.code, ""
    return "", paid.decode()


def same_verdicts(asked: Iterable[Asked]) -> list[str]:
    """Both devices say the same of all of these, and to the same cost; their codes."""
    given, seen, tasks = list(asked), set[str](), []
    for data, slot, digest, manifest in given:
        known = manifest is None or manifest.digest in seen
        tasks.append(("examine", sent(data), slot, digest, *(("", "") if manifest is None else
                      ("known" if known else sent(manifest.to_bytes()), manifest.digest))))  # fmt: skip
        seen |= set() if manifest is None else {manifest.digest}
    codes = []
    for (data, slot, digest, manifest), (code, said) in zip(given, ask(*tasks), strict=True):
        ours, cost = examined(data, slot, digest, manifest)
        assert code == ours, (data[:300], said)
        assert code or abs(Fraction(said) - Fraction(cost)) < 10**8 * CLOSE
        codes.append(code)
    return codes


def of(data: bytes, slot: int = 0, manifest: Manifest | None = None) -> Asked:
    return data, slot, canonical.digest(data), manifest


def test_questions_of_the_golden_file() -> None:
    for vector, (code, said) in zip(
        VECTORS["questions"], ask(*(("question", sent(data)) for data in GOOD)), strict=True
    ):
        question = Question.from_bytes(vector["bytes"].encode())
        cost, payload, groups = said
        last = question.slots.first + question.slots.count - 1
        assert code == "" and payload == question.payload_bytes == vector["payload_bytes"]
        assert abs(Fraction(cost) - question.epsilon_bound()) < 10**8 * CLOSE
        assert groups == question.group_of(np.array([last]))[0].tolist()
    assert set(same_verdicts(of(data, Question.from_bytes(data).slots.first) for data in GOOD)) == {""}


def test_questions_that_are_none() -> None:
    broken = [bytes.fromhex(vector["bytes"]) for vector in VECTORS["malformed"]]
    edits = [edit(first_question(mean_manifest()).to_bytes()) for edit in dishonest.MALFORMED.values()]
    assert set(same_verdicts(map(of, [*broken, *MALFORMED.values(), *ABOUT_VECTORS.values(), *edits]))) == {"malformed"}


def test_the_order_of_refusals() -> None:
    good = next(data for data in GOOD if b'"unary"' in data)
    question = Question.from_bytes(good)
    slots = question.slots
    dear = replace(question, epsilon=question.epsilon / 2).to_bytes()
    cases = [
        (good, slots.first, "0" * 64, None),
        (b"[", 0, "0" * 64, None),
        of(good, slots.first - 1),
        of(good, slots.first),
    ]
    cases += [of(dear, slots.first + slots.count), of(dear, slots.first), of(dear, slots.first + slots.count - 1)]
    codes = ["wrong-digest", "wrong-digest", "not-asked", "", "not-asked", "over-declared", "over-declared"]
    assert same_verdicts(cases) == codes


def test_what_is_declared_to_the_last_digit() -> None:
    """Declared ε next to the cost, on both sides: many within 1e-15 of it."""
    cases, near = [], 0
    for data in GOOD:
        question = Question.from_bytes(data)
        cost = question.epsilon_bound()
        declared = float(cost)
        for toward in (0.0, math.inf):
            step = declared
            for _ in range(4):
                near += abs(exact(step) - cost) < Fraction(1, 10**15)
                cases.append(of(replace(question, epsilon=step).to_bytes(), question.slots.first))
                step = math.nextafter(step, toward)
    codes = same_verdicts(cases)
    assert near > 100 and codes.count("over-declared") > 80 and codes.count("") > 80


def test_mutated_questions() -> None:
    dice = random.Random(5)
    chosen = [dice.choice(GOOD) for _ in range(6000)]
    codes = same_verdicts(of(mutated(data, dice), Question.from_bytes(data).slots.first) for data in chosen)
    assert codes.count("malformed") > 2000 and codes.count("") > 100 and codes.count("not-asked") > 10


def wrapped(question: Question, **changes: Any) -> Manifest:
    """A survey that announces just this question."""
    return replace(mean_manifest(), **({"rules": survey_rules.rules_of_question(question), "minimum": 1} | changes))


def named(question: Question, manifest: Manifest) -> bytes:
    return replace(question, survey=manifest.digest).to_bytes()


@cache
def surveys() -> list[tuple[Manifest, list[Question]]]:
    """Manifests of many problems, with the questions that they ask."""
    found = [
        (survey, [first_question(survey)])
        for survey in (mean_manifest(method=name, users=3000) for name in ("one-round", "adaptive"))
    ]
    for settings in (
        dishonest.DENSITY,
        dishonest.COVER,
        dishonest.SPARSE,
        dishonest.BOX,
        dishonest.BALL,
        dishonest.MEAN,
        dishonest.HISTOGRAM,
    ):
        survey = announce(settings, purpose="p", collector="c", software="s", opens=0, closes=2**37)
        found.append((survey, list(transcript_of(survey, asking(settings))[1])))
    return found


def test_what_was_announced_is_answered() -> None:
    cases = [of(asked.to_bytes(), asked.slots.first, survey) for survey, questions in surveys() for asked in questions]
    assert set(same_verdicts(cases)) == {""} and len(cases) > 10


def test_what_was_not_announced_is_declined() -> None:
    cases: list[Asked] = []
    for method, changes in (("one-round", dishonest.ONE_ROUND), ("adaptive", dishonest.ADAPTIVE)):
        survey = mean_manifest(method=method, users=3000)
        cases += [of(change(first_question(survey)).to_bytes(), 0, survey) for change in changes.values()]
    known = {survey.to_bytes(): (survey, questions) for survey, questions in surveys()}
    for settings, number, change in [
        *((one, 0, other) for one, other in dishonest.OTHERS.values()),
        *dishonest.LATER.values(),
    ]:
        told = announce(settings, purpose="p", collector="c", software="s", opens=0, closes=2**37)
        survey, questions = known.get(told.to_bytes(), (told, []))
        changed = change(questions[number] if questions else first_question(survey))
        cases.append(of(changed.to_bytes(), changed.slots.first, survey))
    assert set(same_verdicts(cases)) == {"not-announced"}


def test_rules() -> None:
    survey = replace(mean_manifest(), rules=rules.RULES, minimum=1)
    encoder = rules.where(placement=rules.Position(low=(-0.1,), high=(0.9,)))
    changes: list[dict[str, Any]] = [{}, {"epsilon": 0.5}, {"epsilon": 1.25}, {"role": "spy"}, {"round": 2}]
    changes += [
        {"slots": rules.Slots(first=first, count=count)} for first in (0, 10, 30) for count in (10, 20, 30, 70, 90, 100)
    ]
    asked = [replace(one, **change) for one in (rules.ASKED, rules.FIRST) for change in changes]
    asked.append(replace(rules.FIRST, round=1, slots=rules.Slots(first=10, count=20)))
    asked.append(replace(rules.ASKED, encoder=encoder))
    codes = same_verdicts(of(named(one, survey), one.slots.first, survey) for one in asked)
    assert codes.count("") > 4 and codes.count("not-announced") > 20


def test_far_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[Asked] = []
    with monkeypatch.context() as patch:
        patch.setattr(far.message_rules, "closeness_error", lambda plain: None)
        for encoder in (*far.TOO_CLOSE.values(), *far.FINE.values()):
            question = far.asked(encoder)
            survey = wrapped(question)
            cases.append(of(named(question, survey), 0, survey))
    codes = same_verdicts(cases)
    assert codes == ["not-announced"] * len(far.TOO_CLOSE) + [""] * len(far.FINE)


def test_mutated_questions_against_their_manifest() -> None:
    dice = random.Random(6)
    cases: list[Asked] = []
    for survey, questions in surveys():
        for _ in range(250):
            asked = dice.choice(questions)
            cases.append(of(mutated(asked.to_bytes(), dice), asked.slots.first, survey))
    codes = same_verdicts(cases)
    assert codes.count("not-announced") > 150 and codes.count("malformed") > 500 and codes.count("") > 20


def test_mutated_manifests() -> None:
    dice = random.Random(7)
    cases = [survey.to_bytes() for survey, _ in surveys()]
    cases += [survey.to_bytes() for survey in (replace(mean_manifest(), labels=("a", "b")), wrapped(rules.FIRST))]
    cases += [mutated(data, dice) for data in cases for _ in range(200)]
    accepted = 0
    for data, (code, said) in zip(cases, ask(*(("manifest", sent(data)) for data in cases)), strict=True):
        try:
            ours = Manifest.from_bytes(data)
        except Malformed:
            assert code == "malformed", data[:300]
        else:
            assert (code, said) == ("", [ours.users, ours.epsilon]), (said, data[:300])
            accepted += 1
    assert 100 < accepted < len(cases) - 500
