"""Every problem and method asks and answers what it did when ``behaviour.json.xz`` was written.

Questions are compared to the byte, numbers to nine digits, refusals by class and message. A change that is meant is
listed here with its cause; a setting that is listed and did not change fails too: the list says exactly what changed.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from sottovoce.baselines import baselines
from sottovoce.problems import problems
from tests.frozen.make import LOOSE, MAKERS, differences, read, run
from tests.frozen.settings import CASES

ACCEPTED: dict[str, str] = {}
"""Settings that may differ: id to cause."""
SIZE = 40
PARTS = [list(CASES)[first : first + SIZE] for first in range(0, len(CASES), SIZE)]


@pytest.mark.parametrize("names", PARTS, ids=[names[0] for names in PARTS])
def test_behaviour_is_the_frozen_one(names: list[str]) -> None:
    frozen = read()
    changed = {
        name: found for name in names if (found := differences(name, run(CASES[name]).record, frozen[name]["record"]))
    }
    surprising = {name: found for name, found in changed.items() if name not in ACCEPTED}
    assert not surprising, json.dumps(surprising, indent=1, ensure_ascii=False)
    unchanged = [name for name in names if name in ACCEPTED and name not in changed]
    assert not unchanged, f"listed as changed, and did not change: {', '.join(unchanged)}"


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
    assert set(ACCEPTED) | LOOSE <= set(CASES)


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
