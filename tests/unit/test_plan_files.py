"""A plan is a file: written, read back, and strict about what it does not know."""

import tomllib

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.planning import load
from sottovoce.planning.planner import loads, predicted
from sottovoce.risk import Averages, Crowd

PLANS = [
    {"users": 5000, "observations": 400, "epsilon": 1.0},
    {"users": 5000, "observations": 400, "epsilon": 1, "low": 1, "high": 5, "spread": 1.0, "within": 0.5, "around": 2},
    {"users": 50, "observations": 4, "epsilon": 0.3, "method": "theory", "proof_constant": 20.0},
    {"observations": 100, "epsilon": 1.0, "halfwidth": 0.05},
    {"users": 5000, "observations": 400, "epsilon": 1.0, "spread": 0.0},
]


@pytest.mark.parametrize("given", PLANS)
def test_what_is_written_is_read_back(given, tmp_path):
    plan = sv.plan(**{"low": 1.0, "high": 5.0} | given)
    plan.save(tmp_path / "plan.toml")
    back = load(tmp_path / "plan.toml")
    assert back.protocol == plan.protocol
    assert back.crowd == plan.crowd
    assert back.halfwidth == pytest.approx(plan.halfwidth, rel=1e-12)
    assert back.to_toml() == plan.to_toml()
    assert tomllib.loads(plan.to_toml())["predicted_halfwidth"] == plan.halfwidth


TEXT = sv.plan(low=1.0, high=5.0, users=5000, observations=400, epsilon=1.0, spread=0.0).to_toml()


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("plan = 1", "plan = 2", "plan = 1, the version"),
        ("plan = 1\n", "", "plan = 1, the version"),
        ("plan = 1", "plan = true", "plan = 1, the version"),
        ('problem = "mean"', "problem = 3", "names its problem"),
        ('problem = "mean"', 'problem = "median"', "problem must be one of"),
        ("epsilon = 1.0", 'epsilon = "one"', "epsilon must be a number in a plan file; got str"),
        ("epsilon = 1.0", "epsilon = -1.0", "epsilon must lie between"),
        ("epsilon = 1.0", "epsilom = 1.0", "has no epsilom"),
        ("users = 5000\n", "", "lacks a setting"),
        ("users = 5000", "users = 50.5", "users must be of type int"),
        ("users = 5000", "users = true", "users must be of type int"),
        ("users = 5000", "users = ", "not a plan file"),
        ("assumed_spread = 0.0", "assumed_spread = -1", "spread is a standard deviation"),
        ('survey = "rehearsal"', "survey = 3", "survey must be of type str"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(old, new, words):
    assert old in TEXT
    with pytest.raises(sv.InvalidInput) as caught:
        loads(TEXT.replace(old, new))
    assert words in str(caught.value)


def test_whole_numbers_are_numbers():
    assert loads(TEXT.replace("low = 1.0", "low = 1")).to_toml() == TEXT


def test_not_text(tmp_path):
    (tmp_path / "plan.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(sv.InvalidInput, match="UTF-8"):
        load(tmp_path / "plan.toml")


def test_a_given_law_has_no_file_form():
    crowd = Crowd(law=Averages.of(np.array([2.0, 3.0])))
    plan = predicted(sv.Mean(epsilon=1.0, low=1.0, high=5.0, users=100, observations=3), crowd)
    with pytest.raises(sv.InvalidInput, match="has no file form"):
        plan.to_toml()
