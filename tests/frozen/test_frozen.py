"""Every problem and method asks and answers what it did when ``behaviour.json`` was written, to the last bit.

A change that is meant is listed here with its cause; a setting that is listed and did not change fails too, so the
lists say exactly what changed.
"""

from __future__ import annotations

import json

import pytest

from tests.frozen.make import differences, read
from tests.frozen.settings import CASES

UNCLAMPED = "OneItem returns its unclamped, unbiased value, and warns when it lies outside the range"
EXPECTED: dict[str, str] = {
    "one-item-001": UNCLAMPED,
    "one-item-003": UNCLAMPED,
    "one-item-004": UNCLAMPED,
    "one-item-008": UNCLAMPED,
    "mixture-one-round-055": "the list of methods has auto in it, as everywhere",
}
"""Settings whose method was asked for, and why they may differ: id to cause."""
ONE_CHOOSER = "the one chooser chooses, and says why in its own words"
EXPECTED_AUTO: dict[str, str] = {f"density-auto-{number:03d}": ONE_CHOOSER for number in range(48, 64)}
"""The same for ``method="auto"``, whose choices may become better."""

FROZEN = read()
PARTS = sorted({(case["problem"], case.get("auto", False)) for case in FROZEN["cases"].values()})


@pytest.mark.parametrize("problem, auto", PARTS, ids=[f"{name}{'-auto' * auto}" for name, auto in PARTS])
def test_behaviour_is_the_frozen_one(problem: str, auto: bool) -> None:
    mine = {
        name: case
        for name, case in FROZEN["cases"].items()
        if case["problem"] == problem and case.get("auto", False) is auto
    }
    expected = EXPECTED_AUTO if auto else EXPECTED
    changed = {name: found for name, case in mine.items() if (found := differences(FROZEN, case))}
    surprising = {name: found for name, found in changed.items() if name not in expected}
    assert not surprising, json.dumps(surprising, indent=1, ensure_ascii=False)
    unchanged = [name for name in mine if name in expected and name not in changed]
    assert not unchanged, f"listed as changed, and did not change: {', '.join(unchanged)}"


def test_enough_is_frozen() -> None:
    auto = [name for name, case in FROZEN["cases"].items() if case.get("auto")]
    assert len(FROZEN["cases"]) - len(auto) >= 400
    assert len(auto) >= 60


def test_file_holds_the_settings_of_the_script() -> None:
    held = {
        name: {key: part for key, part in case.items() if key != "record"} for name, case in FROZEN["cases"].items()
    }
    assert held == json.loads(json.dumps(CASES))


def test_lists_name_settings_of_the_file() -> None:
    cases = FROZEN["cases"]
    assert all(name in cases and not cases[name].get("auto") for name in EXPECTED)
    assert all(name in cases and cases[name].get("auto") for name in EXPECTED_AUTO)
