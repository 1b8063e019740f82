"""A problem is one folder and one line: everything else comes from the registry."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import audit, calls
from sottovoce.checks import check_problem
from sottovoce.cli import main
from sottovoce.cli.pages import ShownAnswer, answer_page
from sottovoce.planning import plan
from sottovoce.problems import named, read, registry
from sottovoce.rehearsal import Request, rehearse
from sottovoce.words import catalogue, entries
from tests import toy
from tests.support.said import result_of
from tests.toy import UP_TO

WORDS = Path(toy.__file__).with_name("words.ftl")
DECLARED = ["--threshold", "0.5", "--epsilon", "4"]
NUMBERS = ["--users", "500", "--observations", "10"]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line in the registry, and one file of words."""
    monkeypatch.setattr(registry, "PROBLEMS", (*registry.PROBLEMS, UP_TO))
    own = entries(WORDS.read_text(encoding="utf-8"))
    monkeypatch.setattr(catalogue(), "written", catalogue().written | own)


def data() -> np.ndarray:
    return np.random.default_rng(1).random((2000, 10))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return result_of(capsys.readouterr().out)


def test_it_gets_a_function_with_a_signature() -> None:
    parameters = inspect.signature(calls.up_to).parameters
    assert parameters["threshold"].annotation == "float" and parameters["threshold"].default is inspect.Parameter.empty
    assert parameters["observations"].annotation == "int | None" and parameters["observations"].default is None
    found = calls.up_to(data(), threshold=0.5, epsilon=4.0, seed=1)
    assert abs(found.value - 0.5) < 0.1
    assert rehearse(Request.of(named("up-to"), data(), threshold=0.5, epsilon=4.0, seed=1)).answer == found


def test_it_gets_an_estimate_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("who,x\n" + "\n".join(f"{i % 300},{v:.3f}" for i, v in enumerate(data().ravel()[:3000])))
    found = run(capsys, "estimate", "up-to", str(file), "--user", "who", "--value", "x", *DECLARED, "--seed", "3")
    assert found["kind"] == "up-to" and found["users_per_round"] == [300] and found["observations"] == 10


def test_it_gets_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(
        capsys, "plan", "up-to", "--threshold", "0.5", "--epsilon", "1", "--observations", "10", "--halfwidth", "0.1"
    )
    assert found["solved"] == "users" and found["predicted"]["halfwidth"] <= 0.1
    assert plan(problem="up-to", threshold=0.5, epsilon=1.0, observations=10, users=1000).method == "one-round"


def test_it_gets_a_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "simulate", "up-to", *DECLARED, *NUMBERS, "--repetitions", "5", "--method", "all")
    assert [row["method"] for row in found["methods"]] == ["auto", "one-round"]


def test_it_gets_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "compare", "up-to", *DECLARED, "8", *NUMBERS, "--repetitions", "3")
    assert [(row["method"], row["epsilon"]) for row in found["rows"]] == [
        (method, epsilon) for epsilon in (4, 8) for method in ("auto", "one-round")
    ]
    by_call = calls.compare(problem="up-to", epsilon=[4, 8], threshold=0.5, users=500, observations=10, repetitions=3)
    assert by_call.to_dict()["rows"] == found["rows"]


def test_it_gets_an_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "explain", "up-to", *DECLARED, *NUMBERS, "--collection", "0.2,0.9")
    assert found["question"]["encoder"]["statistic"]["kind"] == "share"
    assert found["device"]["computes"] == [0.5]


def test_it_is_audited(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"up-to-auto", "up-to-one-round"} <= {entry.name for entry in audit.catalogue()}
    targets = [one.target for one in audit.planned("up-to-one-round", (1.0,))]
    assert audit.audit(targets, samples=2000).certified


def test_it_keeps_the_contract() -> None:
    assert check_problem(UP_TO) == 6


def test_its_answer_has_words_a_page_a_picture_and_is_read_back() -> None:
    answer = sv.run(UP_TO.settings(threshold=0.5, epsilon=4.0, users=2000, observations=10), people())
    assert str(answer).startswith("On average ") and "are at most 0.5." in answer.summary(of="delay")
    assert "●" in answer.picture() and "<table>" in answer._repr_html_()
    assert read(answer.to_json()) == answer
    assert "Privacy" in answer_page([ShownAnswer(title="Up to", answer=answer, of="delay")])


def people() -> Any:
    return sv.simulate(sv.collections(data()), seed=1)
