"""Every problem and method asks and answers what it did when ``behaviour.json`` was written.

Questions are compared to the byte, texts to the letter, numbers to nine digits (``python -m tests.frozen.make`` does it
to the bit, which holds on one machine). A change that is meant is listed here with its cause; a setting that is listed
and did not change fails too, so the lists say exactly what changed.

What ``auto`` says of its reasons comes from the one chooser since there is one, so its texts are not compared.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.frozen.make import differences, read
from tests.frozen.settings import CASES

UNCLAMPED = "OneItem returns its unclamped, unbiased value, and warns when it lies outside the range"
FLOYD = "simulated subsets are drawn by Floyd's sampling, the same on every processor; same law, other draws"
DESIGNED = "one round asks through the designed table, and its interval is the guarded one"
ONE_ROUND = (*range(36), 156, 157, 176)
COSINES = "one round of a density asks for waves of the cosine basis, and its bands hold everywhere at once"
VECTOR_ONE_ROUND = "one round of a vector has guarded intervals, also of few users, and says what they assume"
INSIDE = "the value of a mean stays inside its range, and so inside its interval"
WIDENED = "the votes show users far from the winner: the answer warns, and its interval is widened"
LARGEST = "the share of a chosen centre has an interval corrected for being the largest, and the answer names rivals"
RECIPE = "C_α between the paper's values follows its recipe: .5 at ε = 1.5, where it was .375"
SIXTEEN = "a budget above 16 is refused with the reason"
CUTS = "cut is of selection: threshold refuses it, and where procedure is left to the rule it selects"
STRAY = "a number outside its own interval is told in a warning"
TOUCHED = "the interval touches an end of the range and reaches not far from it, which a warning tells"
UNASKED = "why joint cannot run is not told where there is nothing to join"
EXPECTED: dict[str, str] = {
    **{f"groups-{number:03}": UNASKED for number in range(3)},
    "range-002": "a range that is not found names a fix that works",
    **dict.fromkeys(
        (
            "vector-paper-l2-025",
            "vector-paper-linf-026",
            "vector-paper-l2-028",
            "vector-paper-l2-031",
            "vector-paper-linf-035",
            "vector-paper-linf-047",
            "vector-paper-linf-050",
            "vector-theory-l2-053",
            "vector-theory-l2-056",
            "vector-theory-l2-059",
            "vector-theory-linf-063",
            "vector-theory-linf-066",
            "vector-theory-linf-073",
            "vector-theory-linf-075",
            "vector-theory-linf-079",
            "vector-theory-l2-080",
            "vector-theory-l2-083",
            "sparse-paper-selection-010",
            "sparse-paper-selection-022",
            "sparse-theory-040",
            "sparse-theory-selection-041",
            "sparse-theory-050",
            "density-paper-018",
            "density-paper-023",
            "density-paper-024",
            "density-paper-027",
            "density-theory-034",
            "density-theory-038",
            "density-theory-039",
            "density-theory-040",
            "density-theory-043",
            "mixture-paper-025",
            "semi-user-004",
            "semi-user-008",
            "split-user-001",
            "split-user-004",
            "one-category-001",
            "one-category-002",
            "one-category-003",
            "one-category-004",
            "one-category-006",
            "one-category-008",
        ),
        STRAY,
    ),
    "mean-theory-124": TOUCHED,
    **{f"sparse-paper-threshold-{number:03}": CUTS for number in (1, 8, 11, 13, 16, 26, 28, 31)},
    **{f"sparse-theory-threshold-{number:03}": CUTS for number in (37, 44, 47, 49, 52, 59, 62, 64, 67)},
    **dict.fromkeys(("sparse-paper-019", "sparse-paper-029", "sparse-theory-055", "sparse-theory-065"), CUTS),
    **dict.fromkeys(
        (
            "mean-paper-041",
            "mean-paper-059",
            "mean-paper-068",
            "vector-paper-linf-029",
            "vector-paper-linf-039",
            "vector-paper-l2-049",
            "sparse-paper-selection-005",
            "sparse-paper-014",
            "sparse-paper-threshold-023",
            "sparse-paper-selection-032",
            "density-paper-019",
            "mixture-paper-005",
            "mixture-paper-023",
        ),
        RECIPE,
    ),
    **dict.fromkeys(("mean-164", "vector-paper-114"), SIXTEEN),
    **{f"cover-unary-{number:03}": LARGEST for number in range(0, 24, 2)},
    **dict.fromkeys(("cover-subset-003", "cover-subset-017"), LARGEST),
    **{f"cover-of-{what}-unary-{number:03}": LARGEST for what in ("box", "ball") for number in (0, 2)},
    "cover-of-ball-subset-001": FLOYD,
    "cover-of-box-subset-001": FLOYD,
    "cover-subset-001": FLOYD,
    "cover-subset-005": FLOYD,
    "cover-subset-007": FLOYD,
    "cover-subset-009": FLOYD,
    "cover-subset-011": FLOYD,
    "cover-subset-013": FLOYD,
    "cover-subset-015": FLOYD,
    "cover-subset-019": FLOYD,
    "cover-subset-021": FLOYD,
    "cover-subset-023": FLOYD,
    "one-item-001": UNCLAMPED,
    "one-item-003": UNCLAMPED,
    "one-item-004": UNCLAMPED,
    "one-item-008": UNCLAMPED,
    "mixture-052": "components may be left out, and the refusal says so",
    "mixture-one-round-055": "every problem has auto, so a refusal lists it among the methods",
    "sparse-one-round-091": "the sparse mean has the method adaptive, and a refusal lists it",
    "mean-best-172": "the mean has the methods adaptive and homogeneous, and a refusal lists them",
    **{f"mean-one-round-{number:03}": DESIGNED for number in ONE_ROUND},
    **{f"density-one-round-{number:03}": COSINES for number in (*range(14), 72)},
    "density-best-068": "the density has the method adaptive, and a refusal lists it",
    "vector-best-106": "the vector mean has the method adaptive, and a refusal lists it",
    **{f"vector-one-round-{'l2' if number % 3 == 1 else 'linf'}-{number:03}": VECTOR_ONE_ROUND for number in range(24)},
    **dict.fromkeys(
        (
            "mean-paper-040",
            "mean-paper-044",
            "mean-paper-053",
            "mean-paper-055",
            "mean-paper-072",
            "mean-paper-073",
            "mean-paper-077",
            "mean-theory-099",
            "mean-theory-102",
            "mean-theory-108",
            "mean-theory-111",
            "mean-theory-120",
            "mean-theory-121",
            "mean-theory-125",
        ),
        INSIDE,
    ),
    **dict.fromkeys(
        (
            "mean-paper-060",
            "mean-theory-104",
            "mean-paper-162",
        ),
        WIDENED,
    ),
}
"""Settings whose method was asked for, and why they may differ: id to cause."""
ADAPTS = "auto takes adaptive or one round, not the paper's method; designed table and guarded interval"
ZOOMS = "auto takes adaptive or one round of a vector, not the paper's method; guarded intervals"
SELECTS = "auto takes adaptive, which votes by directions, not the paper's method; guarded intervals"
DECODED = "a table decodes by exact sums of its integers, the same on every processor; numbers differ by rounding"
CHOSEN = "the one chooser looks at more bins, coefficients and procedures, and at the planner's predictions"
WAVES = "auto takes adaptive or one round, both in the cosine basis, not the paper's method"
EXPECTED_AUTO = (
    {f"density-auto-{number:03}": WAVES for number in range(48, 64)}
    | dict.fromkeys(
        (
            "sparse-auto-selection-070",
            "sparse-auto-selection-073",
            "sparse-auto-selection-078",
            "sparse-auto-selection-085",
        ),
        CHOSEN,
    )
    | {f"mean-auto-{number}": ADAPTS for number in range(128, 156) if number not in (129, 132, 141, 147)}
)
EXPECTED_AUTO |= {"sparse-auto-077": SELECTS}
EXPECTED_AUTO |= dict.fromkeys(("sparse-auto-082", "vector-auto-l2-100"), DECODED)
EXPECTED_AUTO |= {f"sparse-auto-threshold-{number:03}": CUTS for number in (69, 76, 79, 81, 84)}
EXPECTED_AUTO |= {
    f"vector-auto-{'l2' if number % 3 == 1 else 'linf'}-{number:03}": ZOOMS
    for number in range(84, 104)
    if number not in (95, 98, 100)
}
"""The same for ``method="auto"``, whose choices may become better."""

FROZEN = read()
PARTS = sorted({(case["problem"], case.get("auto", False)) for case in FROZEN["cases"].values()})


def _changes(case: dict[str, Any], *, auto: bool) -> dict[str, str]:
    found = differences(FROZEN, case, to_the_bit=False)
    return {kind: words for kind, words in found.items() if not (auto and kind == "texts")}


@pytest.mark.parametrize("problem, auto", PARTS, ids=[f"{name}{'-auto' * auto}" for name, auto in PARTS])
def test_behaviour_is_the_frozen_one(problem: str, auto: bool) -> None:
    mine = {
        name: case
        for name, case in FROZEN["cases"].items()
        if case["problem"] == problem and case.get("auto", False) is auto
    }
    expected = EXPECTED_AUTO if auto else EXPECTED
    changed = {name: found for name, case in mine.items() if (found := _changes(case, auto=auto))}
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
