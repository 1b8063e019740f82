"""``sotto simulate vector``, ``sparse``, ``density``, ``mixture`` and ``cover``."""

import math

import numpy as np
import pytest

from sottovoce.cli import main
from sottovoce.messages import Fact
from sottovoce.problems import Distribution, Score, named, problems
from sottovoce.problems.density.world import _heights
from sottovoce.trials import every_method, performance
from tests.support.said import error_of, result_of

WORDS = {
    "histogram": ["--users", "600", "--observations", "20", "--categories", "a,b,c", "--epsilon", "4"],
    "quantiles": ["--users", "600", "--observations", "20", "--low", "0", "--high", "1", "--epsilon", "4"],
    "cdf": ["--users", "600", "--observations", "20", "--low", "0", "--high", "1", "--epsilon", "4", "--count", "5"],
    "vector": ["--users", "600", "--observations", "20", "--dimension", "3", "--radius", "1", "--epsilon", "4"],
    "sparse": [
        "--users", "800", "--observations", "50", "--dimension", "12", "--sparsity", "2", "--strength", "1",
        "--epsilon", "6",
    ],
    "density": ["--users", "1000", "--observations", "20", "--low", "0", "--high", "24", "--epsilon", "4"],
    "mixture": [
        "--users", "1500", "--observations", "200", "--components", "2", "--low", "0", "--high", "1", "--epsilon", "4",
    ],
    "cover": ["--users", "800", "--spread", "0.2", "--around", "0.4,-0.1", "--epsilon", "4"],
    "range": ["--users", "1000", "--epsilon", "4"],
    "groups": [
        "--users", "1000", "--observations", "10", "--groups", "a,b", "--memberships", "1", "--low", "1", "--high", "5",
        "--epsilon", "4",
    ],
}  # fmt: skip
KEYS = {"problem", "users", "truth", "settings", "repetitions", "seed", "notes", "methods"}
FIGURES = {
    "histogram": {"halfwidth", "simultaneous_coverage", "model_halfwidth", "model_coverage"},
    "quantiles": {"halfwidth", "model_halfwidth", "model_coverage"},
    "cdf": {"halfwidth"},
    "vector": {"halfwidth", "together", "model_halfwidth", "model_coverage"},
    "sparse": {"found"},
    "density": {"uniform_error", "halfwidth", "model_halfwidth", "model_coverage"},
    "mixture": {"share_error", "share_coverage", "right_number"},
    "cover": {"right", "lead"},
    "range": {"found", "doublings", "outside"},
    "groups": {"halfwidth", "least_coverage", "unknown"},
}
ITEM_LEVEL = {"duchi", "item-sparse", "item-density"}


@pytest.fixture
def sotto(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sottovoce.cli.terminal.FIRST_SECONDS", math.inf)  # a slow machine is told how far it is
    places = tmp_path / "places.csv"
    places.write_text("name,x,y\n" + "".join(f"p{i}{j},{i / 2 - 1},{j / 2 - 1}\n" for i in range(5) for j in range(5)))

    def run(what, *more, code=0):
        own = [*WORDS[what], *(["--centres", str(places)] if what == "cover" else [])]
        assert main(["simulate", what, *own, *more]) == code
        printed = capsys.readouterr()
        assert (printed.err == "") is (code == 0)
        return printed.out if code == 0 else printed.err

    return run


def test_there_is_one_for_each():
    assert [one.name for one in problems()] == ["mean", *WORDS]


@pytest.mark.parametrize("what", WORDS)
def test_for_programs(what, sotto):
    """Seeded. Coverage below 80% in 25 repetitions: 1.2 in 1,000 for one interval a repetition, at 95% each."""
    document = result_of(sotto(what, "--repetitions", "25", "--json"))
    assert set(document) == KEYS
    (found,) = document["methods"]
    assert set(found["figures"]) == FIGURES[what]
    assert found["rmse"] == pytest.approx(found["mse"] ** 0.5)
    assert found["coverage"] >= 0.8
    if what == "cover":
        assert found["figures"]["right"] >= 0.8
    most = {
        "histogram": 0.05,
        "quantiles": 0.2,
        "cdf": 0.1,
        "vector": 0.3,
        "sparse": 0.5,
        "density": 0.4,
        "mixture": 0.1,
        "cover": 0.2,
        "range": 0.1,
        "groups": 0.1,
    }
    assert found["rmse"] < most[what]


@pytest.mark.parametrize("what", WORDS)
def test_all_methods_side_by_side(what, sotto):
    words = ["--repetitions", "2", "--method", "all"]
    found = result_of(sotto(what, *words, "--json"))["methods"]
    assert [row["method"] for row in found] == list(every_method(named(what)))
    ran = [row["method"] for row in found if "rmse" in row]
    assert len(ran) >= min(2, len(found))
    assert set(ran) & ITEM_LEVEL == set(every_method(named(what))) & ITEM_LEVEL
    shown = sotto(what, *words)
    assert max(map(len, shown.splitlines())) <= 100
    assert shown.count("protects single observations only") == len(set(ran) & ITEM_LEVEL)
    assert shown.count("cannot run: ") == len(found) - len(ran)


def test_a_box_in_other_units_is_a_cube_elsewhere(capsys):
    own = ["--users", "2000", "--observations", "5", "--dimension", "2", "--epsilon", "4", "--repetitions", "20"]
    found = {}
    for scale in (1, 10):
        words = ["simulate", "vector", *own, "--low", str(3 * scale), "--high", str(5 * scale), "--method", "duchi"]
        assert main([*words, "--json"]) == 0
        document = result_of(capsys.readouterr().out)
        found[scale] = document["methods"][0]["rmse"]
        assert document["methods"][0]["coverage"] > 0.7
    assert found[10] == pytest.approx(10 * found[1])


def test_users_of_a_file(tmp_path, capsys):
    path = tmp_path / "steps.csv"
    path.write_text("who,x,y\n" + "".join(f"{user},{0.5},{-0.1 * (user % 3)}\n" for user in range(900)))
    words = ["simulate", "vector", str(path), "--user", "who", "--value", "x,y", "--epsilon", "4", "--json"]
    assert main([*words, "--low", "0,-1", "--high", "1,0", "--repetitions", "5"]) == 0
    found = result_of(capsys.readouterr().out)
    assert found["truth"] == pytest.approx([0.5, -0.1])
    assert found["notes"] == []
    assert (found["settings"]["users"], found["settings"]["dimension"]) == (900, 2)
    assert found["methods"][0]["rmse"] < 0.2
    assert main([*words, "--low", "0,-0.05", "--high", "1,0", "--repetitions", "2"]) == 0
    (note,) = result_of(capsys.readouterr().out)["notes"]
    assert "66.7% of the users' means lie outside" in str(Fact.from_plain(note))
    assert main([*words, "--low", "0", "--high", "1", "--users", "10"]) == 2
    assert "made-up users (--users) and a FILE at once" in error_of(capsys.readouterr().out)["message"]


@pytest.mark.parametrize("what", ["density", "mixture", "cover"])
def test_a_file_is_taken_only_where_it_tells_the_truth(what, sotto):
    assert "1 word too many" in sotto(what, "file.csv", code=2)


def test_figures_are_sums_over_repetitions():
    scores = [Score(squared_error=1.0, covered=1.0), Score(squared_error=3.0, covered=0.5)]
    seen = performance(scores)
    assert (seen.mse, seen.coverage) == (2.0, 0.75)
    assert seen.mse_se == pytest.approx(1.0)  # deviation √2, over √2
    assert seen.rmse_se == pytest.approx(1 / (2 * 2**0.5))
    assert seen.coverage_se == pytest.approx(0.25)
    always = performance([Score(squared_error=1.0, covered=1.0)] * 5)
    assert always.coverage == 1
    assert always.coverage_se > 0.05


@pytest.mark.parametrize("law", ["uniform", "beta:2,5", "beta:1,1", "beta:1,3"])
def test_true_densities_integrate_to_one_with_the_right_mean(law):
    points = (np.arange(4000) + 0.5) / 4000
    heights = _heights(Distribution.read(law), points)
    assert heights.mean() == pytest.approx(1, abs=1e-4)
    assert (points * heights).mean() == pytest.approx(Distribution.read(law).mean, abs=1e-4)


@pytest.mark.parametrize(
    "what, more, said",
    [
        ("vector", ["--dimension", "0"], "dimension must be a whole number"),
        ("vector", ["--users", "0"], "users must be a whole number, at least 1"),
        ("vector", ["--users", "1e7", "--observations", "1000"], "too many to make up"),
        ("vector", ["--epsilon", "0"], "epsilon must lie between"),
        ("vector", ["--low", "0", "--high", "1"], "give one of the two"),
        ("sparse", ["--sparsity", "13"], "sparsity must be a whole number from 1 to 12"),
        ("sparse", ["--true-sparsity", "13"], "true_sparsity must lie between 0 and dimension=12"),
        ("sparse", ["--strength", "2"], "strength must lie above 0"),
        ("density", ["--distribution", "rademacher"], "must have a bounded density"),
        ("density", ["--distribution", "beta:0.5,2"], "must have a bounded density"),
        ("mixture", ["--means", "0.1,0.5,0.9"], "means has 3 entries, shares 2; components says 2"),
        ("mixture", ["--means", "0.1,2"], "means must lie between"),
        ("mixture", ["--shares", "0.5,0.6"], "they add up to 1.1"),
        ("mixture", ["--components", "30"], "30 components need 88 bins"),
        ("mixture", ["--repetitions", "0"], "--repetitions"),
        ("mixture", ["--method", "one-round"], "--method"),
        ("cover", ["--spread", "-1"], "spread must be 0 or more"),
        ("cover", ["--around", "1,2,3"], "around has 3 entries"),
    ],
)
def test_errors(what, more, said, sotto):
    assert said in sotto(what, *more, code=2)
