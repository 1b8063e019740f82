"""The shared vectors still say what the device does, and nothing that it can be asked is missing among them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any, get_args

import pytest

from sottovoce.messages import (
    EMPTY,
    Categories,
    Channel,
    Direction,
    Knots,
    Malformed,
    Placement,
    Question,
    Statistic,
    Table,
)
from sottovoce.messages.rules import CHANNELS, PLACEMENTS, STATISTICS, statistic_name
from tests.service import test_dishonest_questions as questions
from tests.unit.test_hostile_questions import ABOUT_VECTORS, MALFORMED, ON_KNOTS
from tests.vectors import device, device_groups, device_inputs, device_knots
from tests.vectors.device import FILE, unwritten

VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
QUESTIONS = [text.encode() for text in VECTORS["questions"]]
ASKED = [Question.from_bytes(data) for data in QUESTIONS]
ANSWERED = sorted({case[0] for case in VECTORS["answers"]})
"""These questions are the same on every machine; manifests may hold numbers that a solver found."""
LONE = ("average", "item", "share", "basis", "joint", "category", "entry", "coefficient")
"""What may be asked within a group, where it has one part."""
pytestmark = pytest.mark.slow
MEANT = "python -m tests.vectors.device, if that was meant"


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_outcomes_are_what_the_device_gives(every: int) -> None:
    """Every question is examined; of the answers, every third is made in ``make test``, some for each question."""
    asked = VECTORS | {"answers": VECTORS["answers"][::every]}
    assert {case[0] for case in asked["answers"]} == set(ANSWERED)
    for part, found in device.outcomes(asked).items():
        told = [case[-len(outcome) :] for case, outcome in zip(asked[part], found, strict=True)]
        wrong = [case for case, seen, outcome in zip(asked[part], told, found, strict=True) if seen != [*outcome]]
        assert wrong == [], part


def test_the_generator_asks_them_again() -> None:
    made = device.asked()
    for part in ("scripts", "collections"):
        assert made[part] == VECTORS[part], MEANT
    assert [case[:-2] for case in VECTORS["answers"]] == made["answers"], MEANT
    assert [VECTORS["questions"][at] for at in ANSWERED] == [made["questions"][at] for at in ANSWERED], MEANT
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
    names = [(statistic_name(one.encoder.statistic), one.encoder.placement.kind, one.channel.kind) for one in ASKED]
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
    assert sum(possible(*three) for three in product(STATISTICS, PLACEMENTS, CHANNELS)) == 9 * 27 + 2 + 6


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
    met: dict[str, set[Any]] = {}
    for number, place, _, script, _, _ in VECTORS["answers"]:
        encoder = ASKED[number].encoder
        name = (
            statistic_name(encoder.statistic)
            if encoder.within is None
            else f"within: {statistic_name(encoder.statistic)}"
        )
        met.setdefault(name, set()).update({("collection", place), ("script", script)})
    plain = len(device_inputs.collections())
    every = plain + len(device_groups.collections())
    for name, seen in met.items():
        places = range(plain, every) if name.startswith("within") else range(plain)
        assert seen >= {("collection", place) for place in places}, name
        assert seen >= {("script", script) for script in range(len(VECTORS["scripts"]))}, name


def test_wherever_nothing_falls_and_whatever_group_is_asked_for_is_among_them() -> None:
    """By every statistic that can be asked so, the vocabulary itself says which, and by every placement and channel."""
    made = [ASKED[number] for number in ANSWERED]
    ways = {(one.encoder.statistic, one.encoder.placement, one.channel.kind, one.encoder) for one in made}
    silent = {name for name, (statistic, *_) in device_inputs.statistics().items() if statistic.silent}
    lone = {name for name in STATISTICS if name.split(" of ")[0] in LONE} & silent
    assert lone - {f"{of} of {vector}" for of in LONE for vector in ("averages", "inside")} == set(device_groups.lone())
    places = {("position", "random"), *product(("grid", "bins"), EMPTY)}
    for empty in EMPTY:
        asked = [way for way in ways if way[3].empty == empty]
        assert empty == "middle" or {statistic_name(way[0]) for way in asked} >= silent, empty
        expected = {pair for pair in device_inputs.PAIRS if empty != "last" or pair[0] != "position"}
        assert {(way[1].kind, way[2]) for way in asked} >= expected, empty
    for drawn in (False, True):
        asked = [way for way in ways if way[3].within is not None and way[3].within.is_drawn == drawn]
        assert {statistic_name(way[0]) for way in asked} >= set(device_groups.lone()), drawn
        expected = {pair for pair in device_inputs.PAIRS if not drawn or pair[0] != "position"}
        assert {(way[1].kind, way[2]) for way in asked} >= expected, drawn
        fallen = {(way[1].kind, way[3].empty) for way in asked}
        assert fallen >= {one for one in places if not drawn or one[0] != "position"}, drawn
        assert {way[3].within.labels is None for way in asked} == {True, False}
    assert max(one.uses for one in made if one.encoder.within is not None) == 3


def test_hostile_groups_are_refused() -> None:
    refused = set(device_groups.refused())
    told = {case[0]: case[5] for case in VECTORS["examined"] if case[0] in refused or "at its default" in case[0]}
    assert set(told.values()) == {"malformed"} and len(told) == len(refused) + 6
    announced = {case[0]: case[5] for case in VECTORS["examined"] if case[4] is not None}
    for name in ("other names", "another order", "no names", "another survey", "nobody's: a group", "dealt: no group",
                 "dealt: other names", "dealt: another column", "drawn: another stride", "drawn: nothing falls middle",
                 "no names: names of it", "dealt: later, reach 0.05", "nobody's: nothing falls random"):  # fmt: skip
        assert announced[name] == "not-announced", name
    assert announced["dealt: later, reach 0.25"] == "accepted"


def test_hostile_knots_are_refused() -> None:
    told: dict[str, set[str]] = {}
    for case in VECTORS["examined"]:
        told.setdefault(case[0], set()).add(case[5])
    assert {code for name in ON_KNOTS for code in told[name]} == {"malformed"}
    for name in ("7 groups, later: other knots", "7 groups, later: another place for nothing",
                 "7 groups, later: as many knots as there can be", "7 groups, first: no decodings",
                 "1 groups, first: a decode", "1 groups, later: one group",
                 "7 groups, later: seven groups"):  # fmt: skip
        assert told[name] == {"accepted"}, name
    for name in ("7 groups, first: other knots", "7 groups, first: another place for nothing",
                 "1 groups, later: no knots", "7 groups, later: a higher end", "7 groups, later: a higher beginning",
                 "7 groups, later: another table", "1 groups, later: seven groups", "7 groups, later: one group",
                 "7 groups, later: eight groups"):  # fmt: skip
        assert told[name] == {"not-announced"}, name
    read = {name: outcome for name, *_, outcome in VECTORS["manifests read"]}
    groups = {count: read[f"{count} groups of a way"] for count in (1, 0, 2, 65536, 65537, None, "7")}
    assert {count for count, outcome in groups.items() if outcome == "accepted"} == {2, 65536}


def test_every_knot_is_met() -> None:
    """By numbers on knots, beside them and between them, decoded in several ways and in none."""
    rows = len(device_inputs.collections()) + len(device_groups.collections())
    met = {case[1] for case in VECTORS["answers"] if ASKED[case[0]].encoder.placement.kind == "knots"}
    assert met >= set(range(rows, len(VECTORS["collections"])))
    tables = {
        (len(one.channel.rows), one.channel.decodings is None)
        for one in ASKED
        if isinstance(one.encoder.placement, Knots) and isinstance(one.channel, Table)
    }
    assert tables >= set(product(device_knots.COUNTS, (True, False)))


def test_what_was_not_announced_is_declined_and_what_is_no_question_is_malformed() -> None:
    """As said here: the file says what a device said when it was made."""
    told: dict[str, set[str]] = {}
    for case in VECTORS["examined"]:
        told.setdefault(case[0], set()).add(case[5])
    dishonest = [*questions.ONE_ROUND, *questions.ADAPTIVE, *questions.OTHERS, *questions.LATER]
    assert {name: told[name] for name in dishonest if told[name] != {"not-announced"}} == {}
    none = [*MALFORMED, *ABOUT_VECTORS, *questions.MALFORMED]
    assert [name for name in none if "malformed" not in told[name]] == []


def test_sizes_and_slots() -> None:
    made = [ASKED[case[0]] for case in VECTORS["answers"]]
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
