"""The scripts of ``examples/`` do what they say, with fewer users."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from sottovoce.messages import Question, Table

EXAMPLES = Path(__file__).parents[2] / "examples"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_telemetry_survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real noise, no seed: false alarm below 1e-6.

    By Bernstein's inequality: the 54 reports lie within 265 minutes, deviate by 19 each, and the average that they aim
    at is 5.4 from that of all 60 devices; 2 exp(−54 · 54.6² / (2 · (19² + 265 · 54.6 / 3))) < 4e-7.
    """
    example = script("telemetry_survey", monkeypatch)
    answer, verdict = example.survey(devices=60, epsilon=6.0, folder=tmp_path)
    assert str(verdict) == "identical"
    assert sum(answer.users_per_round) == 54, "one in ten is switched off"
    truth = np.mean([np.mean(minutes) for minutes in example.telemetry(60)])
    assert abs(answer.value - truth) < 60
    assert answer.privacy.epsilon == 6


def test_compare_two_estimators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded: the verdicts of the docstring, less of the error and then none of the intervals."""
    example = script("compare_two_estimators", monkeypatch)
    right, wrong = (example.compared(one, repetitions=40) for one in example.DISTRIBUTIONS.values())
    lower = right.against_reference(right.row("middle-half", 1.0)).value
    assert 0.5 < lower < 1, lower
    assert right.row("middle-half", 1.0).performance.coverage > 0.85
    assert wrong.row("middle-half", 1.0).performance.coverage == 0
    assert wrong.against_reference(wrong.row("middle-half", 1.0)).value > 10


def test_a_method_of_ones_own_leaves_the_shipped_problem_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    example = script("compare_two_estimators", monkeypatch)
    assert "middle-half" in example.OURS.method_names
    assert "middle-half" not in example.shipped.method_names
    assert example.sv.Mean.problem is example.shipped


def test_the_question_of_the_page_is_the_one_its_script_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the integers of its table: those are solved for, and another processor may end at other ones."""
    example = script("embed_question", monkeypatch)
    stored, made = (Question.from_bytes(one) for one in (example.FILE.read_bytes(), example.question()))
    assert stored.to_bytes() == example.FILE.read_bytes()
    assert isinstance(stored.channel, Table) and isinstance(made.channel, Table)
    assert replace(made, channel=stored.channel) == stored
    assert made.channel.decode == pytest.approx(stored.channel.decode, rel=1e-9)
    assert stored.epsilon_bound() <= 1 and made.epsilon_bound() <= 1
