"""Every problem and method asks, answers and says what it did when the files beside this one were made.

Questions are compared to the byte, numbers to nine digits, refusals by class and message, texts to the letter. A
change that is meant is listed here with its cause; a setting that is listed and did not change fails too, so the list
says exactly what changed.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from sottovoce.baselines import baselines
from sottovoce.problems import problems
from tests.frozen import commands, texts
from tests.frozen.make import LOOSE, MAKERS, differences, read, run
from tests.frozen.settings import CASES

ACCEPTED: dict[str, str] = {}
"""Settings that may differ: id to cause."""
SIZE = 40
PARTS = [list(CASES)[first : first + SIZE] for first in range(0, len(CASES), SIZE)]


WHOLE = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["", "whole"])
"""In ``make test`` without views that say the same in another form, and with a part of the commands and pages."""


@WHOLE
@pytest.mark.parametrize("names", PARTS, ids=[names[0] for names in PARTS])
def test_behaviour_is_the_frozen_one(names: list[str], whole: bool) -> None:
    changed = {}
    for name in names:
        now = run(CASES[name])
        found = differences(name, now.record, read()[name]["record"])
        if name not in texts.LAST_DIGITS:
            found += texts.differences(texts.answer_texts(now, whole=whole), texts.read()["answers"][name], whole=whole)
        changed |= {name: found} if found else {}
    surprising = {name: found for name, found in changed.items() if name not in ACCEPTED}
    assert not surprising, "\n".join(f"{name}: {line}" for name, found in surprising.items() for line in found)
    unchanged = [name for name in names if name in ACCEPTED and name not in changed]
    assert not unchanged, f"listed as changed, and did not change: {', '.join(unchanged)}"


EVERY = {"plans": 2, "sotto plan": 2, "sotto estimate": 2, "pages": 4, "sotto explain": 2}
"""Of the groups that take long, every so many-th in ``make test``, and the first of every command and quantity."""
FIRST = {
    group: {*{tuple(name.split()[:2]): name for name in reversed(names)}.values()}
    for group, (names, _) in texts.GROUPS.items()
    if group in EVERY and group != "plans"
}
SAID = [
    (group, names[first : first + SIZE])
    for group, (names, _) in texts.GROUPS.items()
    for first in range(0, len(names), SIZE)
]


@WHOLE
@pytest.mark.parametrize("group, names", SAID, ids=[f"{group}, {names[0]}" for group, names in SAID])
def test_texts_are_the_frozen_ones(group: str, names: list[str], whole: bool) -> None:
    """Of plans, comparisons, commands and pages; what is printed with ``--json`` is not compared."""
    frozen = texts.read()[group]
    some = {*names[:: EVERY.get(group, 1)], *FIRST.get(group, ())}
    names = names if whole else [name for name in names if name in some]
    found = [
        f"{name}: {line}" for name, own in texts.texts_of(group, names) for line in texts.differences(own, frozen[name])
    ]
    assert not found, "\n".join(found)


def test_file_holds_the_texts_of_the_script() -> None:
    held = texts.read()
    assert set(held) == {"answers", "json", *texts.GROUPS}
    assert set(held["answers"]) == set(CASES)
    assert all(list(held[group]) == names for group, (names, _) in texts.GROUPS.items())
    assert len(held["plans"]) >= 60
    assert sum(len(held[f"sotto {what}"]) for what in commands.LINES) >= 120


def test_enough_is_frozen() -> None:
    records = [case["record"] for case in read().values()]
    assert len(records) >= 1000
    assert sum("error" in record for record in records) >= 100


def test_every_problem_method_and_baseline_is_frozen() -> None:
    cases = list(read().values())
    asked = {(case["problem"], case["settings"].get("method", "auto")) for case in cases if "type" in case["record"]}
    assert {(problem.name, method) for problem in problems() for method in problem.method_names} <= asked
    assert {baseline.name for baseline in baselines()} <= set(MAKERS)
    assert set(MAKERS) <= {problem for problem, _ in asked}
    found = Counter(case["settings"]["problem"] for case in cases if case["problem"] == "ranged")
    assert {problem.name for problem in problems() if problem.finds_range} <= set(found)


def test_file_holds_the_settings_of_the_script() -> None:
    held = {name: {key: part for key, part in case.items() if key != "record"} for name, case in read().items()}
    assert held == json.loads(json.dumps(CASES))


def test_lists_name_settings_of_the_file() -> None:
    assert set(ACCEPTED) | LOOSE | texts.LAST_DIGITS <= set(CASES)


@pytest.mark.parametrize(
    "now, found",
    [
        ({"a": [1.0 + 1e-12, 2e-16], "new": [3.0]}, []),
        ({"a": [1.0 + 1e-8, 0.0]}, ["a: 1.0 is now 1.00000001, and 0 more"]),
        ({"a": [1.0]}, ["a: 2 numbers are now 1"]),
        ({}, ["a is gone"]),
    ],
)
def test_numbers_are_compared_by_the_names_that_they_had(now: dict[str, list[float]], found: list[str]) -> None:
    assert differences("", {"numbers": now}, {"numbers": {"a": [1.0, 0.0]}}) == found
