"""``sotto audit``: choice of mechanisms, table, JSON, page, exit codes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from laboratory.mutants import MUTANTS
from sottovoce.audit import (
    EPSILONS,
    SAMPLES,
    Audit,
    PlannedTarget,
    Source,
    Subject,
    catalogue,
    channel_names,
    names,
    planned,
)
from sottovoce.baselines import baselines
from sottovoce.cli.audit_output import audit_table
from sottovoce.problems import problems
from tests.support.said import result_of

QUICK = ["--epsilon", "1", "--samples", "2000"]


def test_a_table_with_level_and_verdict(sotto: Any) -> None:
    text = sotto("audit", "mean-one-round", "full-item", *QUICK)
    assert re.search(r"mean-one-round +1 +\d\.\de-\d+ +1/1 +0\.\d\d of 1 +certified", text)
    assert "item level: ε for one observation, 4·ε for a collection of 4" in text
    assert "6 statistical tests at 1.7e-05 each" in text
    assert "all certified" in text


def test_the_beginning_of_a_name_and_a_line_for_each_epsilon(sotto: Any) -> None:
    lines = sotto("audit", "cover", "--epsilon", "0.5,2", "--samples", "1000", "--each").splitlines()
    assert [line.split()[:2] for line in lines[1:7]] == [
        [name, epsilon] for name in ("cover-auto", "cover-unary", "cover-subset") for epsilon in ("0.5", "2")
    ]


def test_a_mechanism_that_is_audited_with_and_without_an_epsilon() -> None:
    asked = Subject(name="both, ε = 2", epsilon=2.0, questions=())
    plan = [
        PlannedTarget(mechanism="both", epsilon=2.0, target=asked),
        PlannedTarget(mechanism="both", epsilon=2.0, target=replace(asked, name="both, again, ε = 2")),
        PlannedTarget(mechanism="both", epsilon=None, target=Source(name="both")),
    ]
    lines = audit_table(plan, Audit(findings=(), level=1.0, tests=1, seconds=0.0), [], each=True)
    assert [line.split()[:2] for line in lines[1:3]] == [["both", "2"], ["both", "-"]] and "both" not in lines[3]


def test_kinds_of_channels_by_name(sotto: Any) -> None:
    shown = [line.split()[0] for line in sotto("audit", "one-bit", "unary", *QUICK).splitlines()[1:3]]
    assert shown == ["one-bit", "unary"], "the exact name wins over longer ones"
    assert set(channel_names()).isdisjoint(names())


def test_json(sotto: Any) -> None:
    document = result_of(sotto("audit", "one-item", *QUICK, "--json"))
    assert document["certified"] is True and document["unavailable"] == []
    assert document["false_alarms_at_most"] == pytest.approx(1e-4)
    assert {row["layer"] for row in document["findings"]} == {"exact", "tree", "sampler", "statistical"}
    assert all(row["mechanism"] == "one-item" and row["epsilon"] == 1.0 for row in document["findings"])


def test_what_is_not_certified_is_exit_code_1(sotto: Any) -> None:
    text = sotto("audit", "numpy-laplace", "multi-freq-ldpy-grr", "--epsilon", "1", code=1)
    assert re.search(r"failed +numpy-laplace, statistical layer, support: ε at least [4-9]\.", text)
    assert re.search(r"multi-freq-ldpy-grr +.*(unavailable|certified)", text), "reported either way"


def test_the_page_stands_on_its_own(tmp_path: Any, sotto: Any) -> None:
    file = tmp_path / "audit.html"
    words = ["audit", "semi-user", *QUICK, "--html", str(file)]
    sotto(*words[:2], "numpy-laplace", *words[2:], "--samples", "3000", code=1, progress=True)
    page = file.read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("</svg>") == page.count("<title>") - 1 == page.count("<desc>") == 6
    assert "findings failed" in page and "What failed" in page and "semi-user" in page
    assert not re.search(r"<script|<link|@import|src=|href=|url\(", page), "nothing is loaded from anywhere"
    assert set(re.findall(r"https?://[^\"]+", page)) == {"http://www.w3.org/2000/svg"}
    sotto(*words, progress=True)
    assert "All certified" in file.read_text(encoding="utf-8")


def test_mutants(sotto: Any, monkeypatch: Any) -> None:
    few = tuple(mutant for mutant in MUTANTS if mutant.name in ("2 % overspend", "≤ for <"))
    monkeypatch.setattr("laboratory.mutants.MUTANTS", few)
    words = ["audit", "--mutants", "--samples", "1000"]
    text = sotto(*words)
    assert re.search(r"2 % overspend +ε · 1\.02 spent +1 +exact, tree", text) and "2 of 2 caught" in text
    assert result_of(sotto(*words, "--json"))["all_caught"] is True
    monkeypatch.setattr("sottovoce.audit.caught_by", lambda findings: ())
    assert "NOT CAUGHT" in sotto(*words, code=1)


def test_mutants_where_the_package_is_installed(sotto: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(
        "sottovoce.repository_clone.__file__", "/usr/lib/python3/site-packages/sottovoce/repository_clone.py"
    )
    said = sotto("audit", "--mutants", code=2)
    assert "sotto: mutants run from a clone of the repository" in said and "clone it and run" in said


@pytest.mark.parametrize(
    "words", [["nonsense"], ["--mutants", "mean"], ["--epsilon", "99"], ["--epsilon", "x"], ["--samples", "10"]]
)
def test_wrong_usage(words: list[str], sotto: Any) -> None:
    assert "see sotto audit --help" in sotto("audit", *words, code=2)


def test_every_method_and_baseline_is_in_the_catalogue() -> None:
    """A method without an entry cannot be shipped; ``auto`` of every problem is one of them."""
    held = {entry.name for entry in catalogue()}
    for problem in problems():
        for method in problem.method_names:
            assert any(f"{name}-".startswith(f"{problem.name}-{method}-") for name in held)
    assert {one.name for one in baselines() if not one.simulation_only} <= held
    assert (0.1, 0.5, 1.0, 2.0, 4.0, 8.0) == EPSILONS and SAMPLES == 20_000


def test_the_catalogue_asks_every_kind_of_question() -> None:
    wanted = {"vote", "refine", "mean", "share", "residual"}
    for entry in reversed(catalogue()):  # residuals are asked for late in it
        targets = [one.target for one in planned(entry.name, (2.0,)) if isinstance(one.target, Subject)]
        wanted -= {question.role for target in targets for question in target.questions}
        if not wanted:
            return
    pytest.fail(f"nobody is asked in the role of {wanted}")
