"""The shared vectors still say what the device does, and nothing that it can be asked is missing among them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any, get_args

import pytest

from sottovoce.messages import Categories, Channel, Direction, Malformed, Placement, Question, Statistic
from sottovoce.messages.ways import CHANNELS, PLACEMENTS, STATISTICS, kind_of
from tests.vectors import device, device_inputs
from tests.vectors.device import FILE, unwritten

VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
QUESTIONS = [text.encode() for text in VECTORS["questions"]]
ANSWERED = 1 + max(case[0] for case in VECTORS["answers"])
"""So many questions come first, and are the same on every machine; manifests may hold numbers that a solver found."""
MEANT = "python -m tests.vectors.device, if that was meant"


def test_outcomes_are_what_the_device_gives() -> None:
    for part, found in device.outcomes(VECTORS).items():
        told = [case[-len(outcome) :] for case, outcome in zip(VECTORS[part], found, strict=True)]
        wrong = [case for case, seen, outcome in zip(VECTORS[part], told, found, strict=True) if seen != [*outcome]]
        assert wrong == [], part


def test_the_generator_asks_them_again() -> None:
    made = device.asked()
    for part in ("scripts", "collections"):
        assert made[part] == VECTORS[part], MEANT
    assert [case[:-2] for case in VECTORS["answers"]] == made["answers"], MEANT
    assert VECTORS["questions"][:ANSWERED] == made["questions"][:ANSWERED], MEANT
    assert [case[0] for case in made["manifests read"]] == [case[0] for case in VECTORS["manifests read"]], MEANT
    assert [case[0] for case in made["examined"]] == [case[0] for case in VECTORS["examined"]], MEANT


def test_there_are_two_thousand_and_more_of_every_kind() -> None:
    codes = Counter(case[5] for case in VECTORS["examined"])
    with_manifest = Counter(case[5] for case in VECTORS["examined"] if case[4] is not None)
    assert len(VECTORS["answers"]) >= 2000
    assert len(VECTORS["examined"]) >= 2000
    assert {code for code, count in codes.items() if count >= 20} >= {
        "accepted", "malformed", "over-declared", "not-announced", "not-asked", "wrong-digest",
    }  # fmt: skip
    assert with_manifest["accepted"] >= 100 and with_manifest["not-announced"] >= 300
    assert len([case for case in VECTORS["examined"] if "ε near" in case[0]]) >= 300
    assert FILE.stat().st_size < 3_000_000


def test_epsilon_is_declared_to_the_last_bit_on_both_sides() -> None:
    near = [case for case in VECTORS["examined"] if "ε near" in case[0]]
    for name in {case[0] for case in near}:
        codes = {case[5] for case in near if case[0] == name}
        assert codes == {"accepted", "over-declared"}, name


def asked_for() -> Counter[tuple[str, str, str]]:
    """How many answers there are for each statistic, placement and channel."""
    made = [Question.from_bytes(QUESTIONS[number]) for number in range(len(QUESTIONS))]
    names = [(kind_of(one.encoder.statistic), one.encoder.placement.kind, one.channel.kind) for one in made]
    return Counter(names[case[0]] for case in VECTORS["answers"])


def test_whatever_may_be_asked_is_among_them() -> None:
    """The vocabulary itself says what there is; a question that can be made of three of its members must be there."""
    found, statistics = asked_for(), device_inputs.statistics()
    assert statistics.keys() == STATISTICS, "a statistic without a vector"
    for name, placed, sent in product(sorted(STATISTICS), sorted(PLACEMENTS), sorted(CHANNELS)):
        if possible(name, placed, sent):
            assert found[name, placed, sent] >= 9, f"{name}, {placed}, {sent}: no vector"
        else:
            assert found[name, placed, sent] == 0
    assert sum(possible(*three) for three in product(STATISTICS, PLACEMENTS, CHANNELS)) == 8 * 27 + 2 + 6


def possible(name: str, placed: str, sent: str) -> bool:
    """Whether any question goes this way: asked of the rules themselves, for a few sizes."""
    statistic, low, high = device_inputs.statistics()[name]
    rows = 2 * statistic.rows if isinstance(statistic, Direction) else 5
    for groups in sorted({1, statistic.parts}):
        try:
            device_inputs.asked(
                statistic,
                device_inputs.placement(placed, low, high, rows),
                device_inputs.channel(sent, placed, rows, 1, single=isinstance(statistic, Direction)),
                groups=groups,
            )
        except Malformed:
            continue
        return True
    return False


def test_every_member_of_the_vocabulary_is_there() -> None:
    found = asked_for()
    spoken = {part for name, _, _ in found for part in name.split(" of ")}
    assert {member.kind for member in get_args(Statistic)} <= spoken
    assert {member.kind for member in get_args(Placement)} == {placed for _, placed, _ in found}
    assert {member.kind for member in get_args(Channel)} == {sent for _, _, sent in found}


def test_every_collection_and_script_meets_every_statistic() -> None:
    made = [Question.from_bytes(data) for data in QUESTIONS]
    met: dict[str, set[Any]] = {}
    for number, place, _, script, _, _ in VECTORS["answers"]:
        met.setdefault(kind_of(made[number].encoder.statistic), set()).update(
            {("collection", place), ("script", script)}
        )
    every = len(VECTORS["collections"]) + len(VECTORS["scripts"])
    assert {name: len(seen) for name, seen in met.items() if len(seen) < every} == {}


def test_sizes_and_slots() -> None:
    made = [Question.from_bytes(QUESTIONS[case[0]]) for case in VECTORS["answers"]]
    for sent in ("subset", "unary"):
        assert {one.channel.cells for one in made if one.channel.kind == sent} >= {2, 64, 65, 129, 1000}
    assert max(case[2] for case in VECTORS["answers"]) == 2**40 - 1
    assert {one.uses for one in made} >= {1, 2, 3, 64, 66, 70} and max(one.groups for one in made) > 1000
    assert any(isinstance(getattr(one.encoder.statistic, "vector", None), Categories) for one in made)
    sizes = {one["rows"] for one in VECTORS["collections"]}
    assert sizes >= {0, 1, 8, 9, 11, 129, 130, 150, 1001}, "each way in which numpy adds up"


@pytest.mark.parametrize("put", ["é", {"hex": "ff00"}, {"runs": [["a", 3], ["bc", 2]]}])
def test_bytes_are_read_back(put: Any) -> None:
    told = {"é": "é".encode(), "hex": b"\xff\0", "runs": b"aaabcbc"}
    assert (
        unwritten([0, 1, 2, put], [b"12345"]) == b"1" + told[put if isinstance(put, str) else next(iter(put))] + b"45"
    )
