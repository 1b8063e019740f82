"""``sotto simulate vector``, ``sparse``, ``density`` and ``mixture``."""

import json

import numpy as np
import pytest
from sottovoce.cli.distributions import distribution
from sottovoce.cli.experiment import Score, summed_up
from sottovoce.cli.simulate_density import _heights

from sottovoce.cli import main, simulate

WORDS = {
    "vector": ["--users", "600", "--observations", "20", "--dimension", "3", "--radius", "1", "--epsilon", "4"],
    "sparse": [
        "--users", "800", "--observations", "50", "--dimension", "12", "--sparsity", "2", "--strength", "1",
        "--epsilon", "6",
    ],
    "density": ["--users", "1000", "--observations", "20", "--low", "0", "--high", "24", "--epsilon", "4"],
    "mixture": [
        "--users", "1500", "--observations", "200", "--components", "2", "--low", "0", "--high", "1", "--epsilon", "4",
    ],
}  # fmt: skip
KEYS = {
    "quantity", "users", "truth", "settings", "repetitions", "seed", "mse", "mse_se", "rmse", "rmse_se", "coverage",
    "coverage_se", "figures", "method", "reason", "protects", "warnings",
}  # fmt: skip
FIGURES = {"vector": {"halfwidth"}, "sparse": {"found"}, "density": {"uniform_error"}, "mixture": {"share_error"}}


@pytest.fixture
def sotto(capsys):
    def run(what, *more, code=0):
        assert main(["simulate", what, *WORDS[what], *more]) == code
        printed = capsys.readouterr()
        assert (printed.err == "") is (code == 0)
        return printed.out if code == 0 else printed.err

    return run


def test_there_is_one_for_each():
    assert [one.of.name for one in simulate.EXPERIMENTS] == list(WORDS)


@pytest.mark.parametrize("what", WORDS)
def test_for_people(what, sotto):
    shown = sotto(what, "--repetitions", "3")
    labels = [line[:12].strip() for line in shown.splitlines() if line[:12].strip()]
    assert labels[:4] == ["users", "survey", "RMSE", "coverage"]
    assert "3 repetitions, seed 1" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert sotto(what, "--repetitions", "3") == shown


@pytest.mark.parametrize("what", WORDS)
def test_for_programs(what, sotto):
    """Seeded. Coverage below 80% in 25 repetitions: 1.2 in 1,000 for one interval a repetition, at 95% each."""
    found = json.loads(sotto(what, "--repetitions", "25", "--json"))
    assert set(found) == KEYS
    assert set(found["figures"]) == FIGURES[what]
    assert found["rmse"] == pytest.approx(found["mse"] ** 0.5)
    assert found["coverage"] >= 0.8
    assert found["rmse"] < {"vector": 0.3, "sparse": 0.5, "density": 0.4, "mixture": 0.1}[what]


def test_one_repetition_has_no_standard_error(sotto):
    found = json.loads(sotto("vector", "--repetitions", "1", "--json"))
    assert found["rmse_se"] is None


def test_figures_are_sums_over_repetitions():
    scores = [Score(squared_error=1.0, covered=1.0), Score(squared_error=3.0, covered=0.5)]
    seen = summed_up(scores)
    assert (seen["mse"], seen["coverage"]) == (2.0, 0.75)
    assert seen["mse_se"] == pytest.approx(1.0)  # deviation √2, over √2
    assert seen["rmse_se"] == pytest.approx(1 / (2 * 2**0.5))
    assert seen["coverage_se"] == pytest.approx(0.25)
    always = summed_up([Score(squared_error=1.0, covered=1.0)] * 5)
    assert always["coverage"] == 1
    assert always["coverage_se"] > 0.05


@pytest.mark.parametrize("law", ["uniform", "beta:2,5", "beta:1,1", "beta:1,3"])
def test_true_densities_integrate_to_one_with_the_right_mean(law):
    points = (np.arange(4000) + 0.5) / 4000
    heights = _heights(distribution(law), points)
    assert heights.mean() == pytest.approx(1, abs=1e-4)
    assert (points * heights).mean() == pytest.approx(distribution(law).mean, abs=1e-4)


def test_a_denser_survey_of_vectors_is_more_accurate(sotto):
    few = json.loads(sotto("vector", "--repetitions", "20", "--json"))
    many = json.loads(sotto("vector", "--users", "9600", "--repetitions", "20", "--json"))
    assert many["rmse"] < few["rmse"] / 2  # 4 times lower is expected


@pytest.mark.parametrize(
    "what, more, said",
    [
        ("vector", ["--dimension", "0"], "dimension must be a whole number"),
        ("vector", ["--users", "0"], "users must be a whole number, at least 1"),
        ("vector", ["--users", "1e7", "--observations", "1000"], "too many to make up"),
        ("vector", ["--epsilon", "0"], "epsilon must lie between"),
        ("vector", ["--low", "0", "--high", "1"], "give one of the two"),
        ("sparse", ["--sparsity", "13"], "sparsity must be a whole number from 1 to 12"),
        ("sparse", ["--true-sparsity", "13"], "--true-sparsity must lie between 0 and --dimension 12"),
        ("sparse", ["--strength", "2"], "--strength must lie above 0"),
        ("density", ["--distribution", "rademacher"], "must have a bounded density"),
        ("density", ["--distribution", "beta:0.5,2"], "must have a bounded density"),
        ("mixture", ["--means", "0.1,0.5,0.9"], "--means has 3 entries, --shares 2; --components says 2"),
        ("mixture", ["--means", "0.1,2"], "--means must lie between"),
        ("mixture", ["--shares", "0.5,0.6"], "they add up to 1.1"),
        ("mixture", ["--components", "30"], "30 components need 88 bins"),
        ("mixture", ["--repetitions", "0"], "--repetitions"),
    ],
)
def test_errors(what, more, said, sotto):
    assert said in sotto(what, *more, code=2)
