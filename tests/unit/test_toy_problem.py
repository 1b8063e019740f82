"""A problem is one folder and one line: everything else comes from the registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce import calls
from sottovoce.audit import audit, catalogue, planned
from sottovoce.calls import generate
from sottovoce.checks import check_problem
from sottovoce.cli import main
from sottovoce.planning import plan
from sottovoce.problems import registry
from sottovoce.rehearsal import Request, rehearse
from tests.support.said import result_of
from tests.toy import UP_TO

DECLARED = ["--threshold", "0.5", "--epsilon", "4"]
NUMBERS = ["--users", "500", "--observations", "10"]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PROBLEMS", (*registry.PROBLEMS, UP_TO))


def data() -> np.ndarray:
    return np.random.default_rng(1).random((2000, 10))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return result_of(capsys.readouterr().out)


def test_it_gets_a_function_with_a_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    text = generate.files()["up_to.py"]
    assert "threshold: float," in text and "observations: int | None = None" in text
    for name, made in generate.files().items():
        compile(made, name, "exec")
    space: dict[str, Any] = {}
    exec(compile(text, "up_to.py", "exec"), space)  # the file as it would stand in calls/
    found = space["up_to"](data(), threshold=0.5, epsilon=4.0, seed=1)
    assert abs(found.value - 0.5) < 0.1
    assert rehearse(Request.of("up-to", data(), threshold=0.5, epsilon=4.0, seed=1)).answer == found


def test_it_gets_an_estimate_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("who,x\n" + "\n".join(f"{i % 300},{v:.3f}" for i, v in enumerate(data().ravel()[:3000])))
    found = run(capsys, "estimate", "up-to", str(file), "--user", "who", "--value", "x", *DECLARED, "--seed", "3")
    assert found["kind"] == "number" and found["users_per_round"] == [300] and found["observations"] == 10


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
    assert {"up-to-auto", "up-to-one-round"} <= {entry.name for entry in catalogue()}
    targets = [one.target for one in planned("up-to-one-round", (1.0,))]
    assert audit(targets, samples=2000).certified


def test_it_keeps_the_contract() -> None:
    assert check_problem(UP_TO) == 6
