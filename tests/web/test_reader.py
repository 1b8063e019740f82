"""The page's device reads and counts as Python's does: the same bytes are accepted, the same are refused, with the same
code; numbers, bounds on logarithms and canonical bytes are alike.
"""

from __future__ import annotations

import json
import math
import random
import struct
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.device import Collections, SystemEntropy, respond
from sottovoce.messages import (
    Average,
    Declined,
    Encoder,
    Grid,
    Malformed,
    Manifest,
    Question,
    Slots,
    Unary,
    canonical,
    limits,
)
from sottovoce.messages.exact_arithmetic import exact, exp_below, log_above, log_below
from sottovoce.messages.limits import Size
from sottovoce.messages.rules import _round_floats
from sottovoce.problems import announce, rule_builders
from tests.service import test_dishonest_questions as dishonest
from tests.service.scripted import first_question, mean_manifest
from tests.support.node import lines
from tests.support.transcripts import asking, transcript_of
from tests.unit import test_far_ranges as far
from tests.unit import test_rules as rules
from tests.unit.test_canonical import OTHER_FORMS
from tests.vectors.make import FILE

READER = Path(__file__).with_name("reader.mjs")
CLOSE = Fraction(1, 10**58)
"""So far apart are bounds on one logarithm at most."""


def ask(*tasks: Sequence[Any]) -> list[Any]:
    return lines(READER, tasks)


def sent(data: bytes) -> str:
    return b64encode(data).decode()


NUMBERS = [0, 1, 2, 3, 10, -1, 0.5, -0.5, 1.5, 1e-7, 5e-324, 1e21, 1e300, -1e300, 2**53, -(2**53), 2.0**53 + 2, 65537]
TEXTS = ["", "1", "0", "-1", "01", str(2**63), str(2**64), str(2**64 - 1), "l2", "linf", "a" * 64, "x\u200by", "\u00a0"]
OTHERS = [True, False, None, [], {}, [0], [1.0, 2.0], [[0.0]], *([word] for word in ("1", "bins", "average", "table"))]
OTHERS += [{"__proto__": 1}]
MEMBERS = [{"kind": "average"}, {"kind": "averages", "size": 2}, {"kind": "bins", "edges": []}, {"kind": "constructor"}]


def values(dice: random.Random) -> Any:
    return deepcopy(dice.choice([*NUMBERS, *TEXTS, *OTHERS, *MEMBERS, "\U0001f600" * 128, "\U0001f600" * 129]))


def containers(plain: Any) -> list[Any]:
    held = list(plain.values()) if isinstance(plain, dict) else plain if isinstance(plain, list) else None
    return [] if held is None else [plain, *(found for one in held for found in containers(one))]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Another document: one field changed, left out or added; or another letter."""
    if dice.random() < 0.3:
        place, cut = dice.randrange(len(data)), dice.randrange(3)
        letters = dice.choice(
            [b"", b"0", b"1", b"9", b"-", b".", b"e", b'"', b",", b"[", b"]", b"{", b" ", b"\\", b"\xc3", b"a"]
        )
        return data[:place] + letters + data[place + cut :]
    plain = json.loads(data)
    for _ in range(dice.choice([1, 1, 1, 2])):
        inside = dice.choice([one for one in containers(plain) if len(one)] or [plain])
        if not len(inside):
            continue
        key: Any = dice.choice(list(inside)) if isinstance(inside, dict) else dice.randrange(len(inside))
        number = inside[key]
        near = isinstance(number, (int, float)) and not isinstance(number, bool)
        what = dice.random()
        if what < 0.35 and near:
            changes = [number + 1, number - 1, -number, number * 2, number / 2, math.nextafter(number, 9.0)]
            changed = dice.choice(changes)
            inside[key] = changed if abs(changed) < 2**53 else float(changed)
        elif what < 0.8:
            inside[key] = values(dice)
        elif what < 0.9:
            del inside[key]
        elif isinstance(inside, dict):
            inside[dice.choice(["more", "kind", "column", "rows", "__proto__", "é"])] = values(dice)
        else:
            inside.insert(key, dice.choice([inside[key], values(dice)]))
    return canonical.dumps(plain)


# ---- questions and manifests -----------------------------------------------------------------------------------------


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


TIMES = pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.soak)])


@TIMES
def test_mutated_questions(times: int) -> None:
    dice = random.Random(5)
    chosen = [dice.choice(GOOD) for _ in range(2000 * times)]
    codes = same_verdicts(of(mutated(data, dice), Question.from_bytes(data).slots.first) for data in chosen)
    assert codes.count("malformed") > 700 and codes.count("") > 30 and codes.count("not-asked") > 0


def wrapped(question: Question, **changes: Any) -> Manifest:
    """A survey that announces just this question."""
    return replace(mean_manifest(), **({"rules": rule_builders.rules_of_question(question), "minimum": 1} | changes))


def named(question: Question, manifest: Manifest) -> bytes:
    return replace(question, survey=manifest.digest).to_bytes()


@cache
def surveys() -> list[tuple[Manifest, list[Question]]]:
    """Manifests of many problems, with the questions that they ask."""
    found = [
        (survey, [first_question(survey)])
        for survey in (mean_manifest(method=name, users=3000) for name in ("one-round", "adaptive"))
    ]
    for name in ["DENSITY", "COVER", "SPARSE", "BOX", "BALL", "MEAN", "HISTOGRAM"]:
        settings = getattr(dishonest, name)
        survey = announce(settings, purpose="p", collector="c", software="s", opens=0, closes=2**37)
        found.append((survey, list(transcript_of(survey, asking(settings))[1])))
    return found


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


@TIMES
def test_mutated_questions_against_their_manifest(times: int) -> None:
    dice = random.Random(6)
    cases: list[Asked] = []
    for survey, questions in surveys():
        for _ in range(100 * times):
            asked = dice.choice(questions)
            cases.append(of(mutated(asked.to_bytes(), dice), asked.slots.first, survey))
    codes = same_verdicts(cases)
    assert codes.count("not-announced") > 60 and codes.count("malformed") > 200 and codes.count("") > 8


@TIMES
def test_mutated_manifests(times: int) -> None:
    dice = random.Random(7)
    cases = [survey.to_bytes() for survey, _ in surveys()]
    cases += [survey.to_bytes() for survey in (replace(mean_manifest(), labels=("a", "b")), wrapped(rules.FIRST))]
    cases += [mutated(data, dice) for data in cases for _ in range(80 * times)]
    accepted = 0
    for data, (code, said) in zip(cases, ask(*(("manifest", sent(data)) for data in cases)), strict=True):
        try:
            ours = Manifest.from_bytes(data)
        except Malformed:
            assert code == "malformed", data[:300]
        else:
            assert (code, said) == ("", [ours.users, ours.epsilon]), (said, data[:300])
            accepted += 1
    assert 40 < accepted < len(cases) - 200


# ---- numbers ---------------------------------------------------------------------------------------------------------


ANY = Size(letters=2**21, marks=2**20)


def placed(channel: Unary) -> Encoder:
    """An average in as many bins as a channel has items."""
    return Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=channel.items))


VOTE = Unary(items=2, reach=0, threshold=3 * 2**62)
UNARY = Question(
    survey="s", round=0, role="r", slots=Slots(first=0, count=9), encoder=placed(VOTE), channel=VOTE, epsilon=100.0
)


def doubles(count: int, seed: int) -> list[float]:
    """Of all sizes, with few digits and with many, and halfway between two numbers of ten digits."""
    dice = random.Random(seed)
    found = [0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 1e-6, 1e-7, 2.0**53, 2.0**53 + 2, 0.1]
    found += [123456789.5 + place for place in range(4)] + [1234567890.5, 1234567891.5, 12345678901.5, 0.5, 1.5, 2.5]
    found += [(dice.randrange(10**9, 10**10) + 0.5) * 2.0 ** -dice.randrange(30) for _ in range(200)]
    found += [dice.randrange(1, 10**10) * 2.0 ** -dice.randrange(1, 40) for _ in range(200)]
    while len(found) < count:
        number = struct.unpack(">d", dice.randbytes(8))[0]
        found += [number] if math.isfinite(number) else []
        found += [
            round(dice.uniform(-1e3, 1e3), dice.randrange(12)),
            dice.gauss(0, 1) * 10.0 ** dice.randrange(-20, 20),
        ]
    return found + [-number for number in found]


def test_numbers_are_written_cut_and_round_floats_alike() -> None:
    numbers = doubles(3000, seed=1)
    answers = ask(*(("number", struct.pack(">d", number).hex()) for number in numbers))
    for number, (written, shortest, nearest, rounded) in zip(numbers, answers, strict=True):
        assert written == canonical.ecmascript_number(number)
        assert Fraction(shortest) == exact(number)
        assert not 1e-9 < abs(number) < 1e9 or struct.unpack(">d", bytes.fromhex(nearest))[0] == number
        assert struct.unpack(">d", bytes.fromhex(rounded))[0] == _round_floats(number), number


def ratios() -> list[Fraction]:
    dice = random.Random(2)
    bits = [1, 2, 8, 53, 64, 80, 128, 1000, 6000]
    found = [Fraction(2**64 - 1), Fraction(2**127 + 1, 2**127 - 1), Fraction(2**128 - 1), Fraction(3, 2), Fraction(1)]
    found += [Fraction(2**place) for place in range(1, 70)] + [1 + Fraction(1, 2**place) for place in range(1, 300, 7)]
    found += [
        Fraction(dice.randrange(1, 2 ** dice.choice(bits)), dice.randrange(1, 2 ** dice.choice(bits)))
        for _ in range(800)
    ]
    return found + [1 / ratio for ratio in found[:100]]


def test_logarithms_are_bounded_as_closely_as_in_python() -> None:
    tried = ratios()
    for ratio, (low, high) in zip(
        tried, ask(*(("log", str(r.numerator), str(r.denominator)) for r in tried)), strict=True
    ):
        below, above = Fraction(low), Fraction(high)
        assert below < above < below + CLOSE
        assert below < log_above(ratio) and above > log_below(ratio)  # else one of both is wrong
        assert abs(below - log_below(ratio)) < CLOSE and abs(above - log_above(ratio)) < CLOSE


def test_exponentials_are_bounded_as_closely_as_in_python() -> None:
    dice = random.Random(3)
    tried = [Fraction(0), Fraction(4096), Fraction(1, 2**200)]
    tried += [Fraction(dice.randrange(2**64), dice.randrange(1, 2**64)) % 4096 for _ in range(300)]
    for x, answer in zip(tried, ask(*(("exp", str(x.numerator), str(x.denominator)) for x in tried)), strict=True):
        theirs, ours = Fraction(answer), exp_below(x)
        assert abs(theirs / ours - 1) < CLOSE
        assert log_below(theirs) <= x, "at most the truth"


def test_fractions_add_up() -> None:
    dice = random.Random(4)
    some = [Fraction(dice.randrange(2**90), dice.randrange(1, 2 ** dice.choice((3, 64, 256)))) for _ in range(300)]
    pairs = [*pairwise(some)]
    text = [(f"{a.numerator}/{a.denominator}", f"{b.numerator}/{b.denominator}") for a, b in pairs]
    for (a, b), answer in zip(pairs, ask(*(("sums", one, other, 7) for one, other in text)), strict=True):
        total, seven, ordered, nearest = answer
        assert (Fraction(total), Fraction(seven), ordered) == (a + b, 7 * a, a <= b)
        assert total == f"{(a + b).numerator}/{(a + b).denominator}"
        assert struct.unpack(">d", bytes.fromhex(nearest))[0] == float(a)


# ---- bytes -----------------------------------------------------------------------------------------------------------


def readable(data: bytes, size: Size) -> bool:
    try:
        canonical.loads(data, size=size)
    except Malformed:
        return False
    return True


def same_reading(documents: Iterable[bytes], size: Size = ANY) -> list[bool]:
    given = list(documents)
    told = {"letters": size.letters, "marks": size.marks, "texts": size.texts}
    found = []
    for data, (code, again) in zip(given, ask(*(("canonical", sent(data), told) for data in given)), strict=True):
        assert (code == "") == readable(data, size), data[:200]
        assert code or b64decode(again) == data
        found.append(code == "")
    return found


FORMS = """
0|-1.5|1e-7|10000000000000000|1e+21|"a b"|{"a":"x y","b":["z z"]}|"\\u001f\\b\\n\\"\\\\"|[]|"\x7f\u2028"|"é😀"|
{"\ufb33":1,"😀":2}|{"😀":1,"\ufb33":2}|{"":0}|{"__proto__":1}|true|null|"\\ud800"|"\\udc00"|"\\ud83d\\ude00"|\ufeff1|
{"10":1,"9":2}|{"9":2,"10":1}|{"constructor":{"a":[]}}
"""


def test_documents_are_read_alike() -> None:
    documents = [text.encode() for forms in (FORMS, OTHER_FORMS) for text in forms.replace("\n", "").split("|")]
    documents += [b"\xed\xa0\x80", b'"\xff"', b"[" * 100_000, b"9" * 5000, b"-" + b"9" * 400, b"1e400"]
    documents += [b"[" * deep + b"]" * deep for deep in range(30, 36)]
    documents += [b'{"a":' * deep + b'{"rows":[["1"]]}' + b"}" * deep for deep in range(28, 36)]
    documents += [b'{"a":' * deep + b'{"rows":[["0"]]}' + b"}" * deep for deep in range(28, 36)]
    found = same_reading(documents)
    assert 15 < sum(found) < len(found) - 15


def test_marks_are_counted_alike() -> None:
    """In all bytes, those of rows that Python reads as a whole included."""
    last, most = str(2**64 - 1), str(2**64 - 2)
    cells = ['[["1","2"],["3","4"]]', f'[["1","{most}"]]', f'[["1","{last}"]]', '[["0"]]', '[["1"],["1","2"]]', "[[]]"]
    documents = [f'{{"rows":{held}}}' for held in cells] + [
        f'{{"a":{{"rows":{held}}},"rows":{held}}}' for held in cells
    ]
    documents += [f'{{"a":"\\n","rows":{held}}}' for held in cells] + ['{"a":"[[]]::","b":"\\"{\\\\"}', "[[],[],{}]"]
    for marks in range(4, 40, 3):
        same_reading((text.encode() for text in documents), Size(letters=100, marks=marks))


def test_limits_are_the_same() -> None:
    [told] = ask(("limits",))
    theirs = {name: value for name, value in told.items() if isinstance(value, (int, float))}
    theirs["MAX_TABLE_CELLS"] = theirs.pop("MAX_CELLS")
    assert set(theirs) == {"MAX_ITEMS", "MAX_REPORT_BYTES", "MAX_TABLE_CELLS", "MAX_TEXT", "MAX_USERS"}
    assert {name: getattr(limits, name) for name in theirs} == theirs
    assert theirs["MAX_ITEMS"] == limits.MAX_GROUPS
    for name in ("MAX_QUESTION", "MAX_MANIFEST"):
        size: Size = getattr(limits, name)
        assert told["MAX_DOCUMENT"] == {"letters": size.letters, "marks": size.marks} and not size.texts


def test_bits_that_differ_are_counted_as_python_counts_them() -> None:
    """Every reach, and every number of items up to where two windows no longer touch, and some beyond."""
    channels = [
        Unary(items=items, reach=reach, threshold=3 * 2**62)
        for reach in range(9)
        for items in (*range(1, 4 * reach + 6), 100, 1000)
    ]
    asked = [
        ("question", sent(replace(UNARY, encoder=placed(channel), channel=channel).to_bytes())) for channel in channels
    ]
    for channel, (code, told) in zip(channels, ask(*asked), strict=True):
        assert code == "" and abs(Fraction(told[0]) - channel.epsilon_bound()) < CLOSE, channel
