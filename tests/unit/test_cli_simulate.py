"""``sotto simulate`` of every problem, and the figures that it shows."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from sottovoce.answers import Estimate
from sottovoce.messages import Fact
from sottovoce.problems import Distribution, Score, named, problems, with_error
from sottovoce.problems.density.world import _heights
from sottovoce.problems.mean import Mean
from sottovoce.problems.mean.world import MeanWorld
from sottovoce.trials import MadeUp, every_method, performance
from tests.support.answers import EXAMPLES
from tests.support.said import error_of, result_of

SURVEY = ["--low", "-1", "--high", "1", "--epsilon", "2"]
PEOPLE = ["--users", "300", "--observations", "20"]


@pytest.fixture
def simulate(sotto):
    return partial(sotto, "simulate", "mean")


def test_the_same_seed_gives_the_same_figures(simulate):
    words = [*PEOPLE, *SURVEY, "--repetitions", "3", "--json"]
    assert simulate(*words, "--seed", "5") == simulate(*words, "--seed", "5") != simulate(*words, "--seed", "6")


def test_users_of_a_file(simulate, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("who,what\n" + "".join(f"{user},{user % 5}\n{user},NA\n" for user in range(100)))
    words = [str(path), "--user", "who", "--value", "what", "--low", "0", "--high", "3", "--epsilon", "4"]
    found = result_of(simulate(*words, "--repetitions", "20", "--json"))
    assert found["truth"] == 2
    told = Fact.from_plain(found["users"])
    assert told == Fact("observed-users", name=str(path), users=100, observations=2)
    assert str(told).startswith(f"100 users of {path}, about 2 observations each")
    assert (found["settings"]["users"], found["settings"]["observations"]) == (100, 2)
    assert found["notes"] == [{"code": "observed-users-outside", "data": {"share": 0.2}}]
    assert found["methods"][0]["figures"]["bias"] == pytest.approx(-0.2, abs=0.2)
    assert "note        20.0%" in simulate(*words, "--repetitions", "2")


def world(*, users, observations, **options):
    settings = Mean(epsilon=1.0, low=10.0, high=20.0, users=users, observations=observations)
    return MeanWorld(settings=settings, **options)


@pytest.mark.parametrize(
    "given, mean",
    [("uniform", 0.5), ("rademacher", 0.5), ("beta:2,6", 0.25), ("bernoulli:0.1", 0.1), ("Beta:1,1", 0.5)],
)
def test_distributions_have_the_mean_they_claim(given, mean):
    people = MadeUp(world=world(distribution=given, spread=0.5, users=400, observations=100))
    assert people.truth == pytest.approx(10 + 10 * mean)
    values = people.draw(seed=1, repetition=0).values
    assert values.shape == (40_000, 1)
    assert float(values.mean()) == pytest.approx(people.truth, abs=0.2)
    means = values.reshape(400, 100).mean(axis=1)
    assert float(means.std()) == pytest.approx(math.hypot(0.5, 0.3), abs=0.3)


def test_repetitions_draw_afresh():
    people = MadeUp(world=world(users=3, observations=2))
    first, again, other = (people.draw(seed=1, repetition=place).values.tolist() for place in (0, 0, 1))
    assert first == again != other


def estimate(value, low, high, model=None):
    return replace(EXAMPLES[Estimate], value=value, interval=(low, high), model_interval=model)


def test_figures_by_hand():
    answers = [estimate(1, 0, 2), estimate(-1, -2, -0.5), estimate(2, -1, 5), estimate(0, 0, 0)]
    found = performance([MeanWorld.score(answer, 0.0) for answer in answers])
    assert found.figures["bias"] == 0.5
    assert found.rmse == pytest.approx(math.sqrt(1.5))
    squares, centre = [1, 1, 4, 0], 1.5
    deviation = math.sqrt(sum((value - centre) ** 2 for value in squares) / 3)
    assert found.mse_se == pytest.approx(deviation / 2)
    assert found.rmse_se == pytest.approx(found.mse_se / (2 * math.sqrt(1.5)))
    assert found.figures_se["bias"] == pytest.approx(math.sqrt((0.25 + 2.25 + 2.25 + 0.25) / 3) / 2)
    assert found.coverage == 0.75
    assert found.figures["halfwidth"] == pytest.approx((1 + 0.75 + 3 + 0) / 4)


def test_a_model_interval_has_figures_of_its_own():
    """Averaged over the answers that have one."""
    answers = [estimate(1, -3, 3, model) for model in (None, (0, 2), (0.5, 1.5))]
    found = performance([MeanWorld.score(answer, 0.0) for answer in answers])
    assert (found.coverage, found.figures["halfwidth"]) == (1, 3)
    assert (found.figures["model_coverage"], found.figures["model_halfwidth"]) == (0.5, 0.75)


def test_one_repetition_has_no_standard_error(simulate):
    row = result_of(simulate(*PEOPLE, *SURVEY, "--repetitions", "1", "--json"))["methods"][0]
    assert row["rmse_se"] is None
    assert row["figures_se"] == dict.fromkeys(row["figures"])
    assert 0 < row["coverage_se"] < 0.3


@pytest.mark.parametrize("high, spread", [("1e-9", "0"), ("1e12", "0"), ("1e100", "3"), ("5", "100")])
def test_figures_of_any_size_stay_readable(high, spread, simulate):
    shown = simulate(*PEOPLE, "--low", "0", "--high", high, "--epsilon", "2", "--repetitions", "3", "--spread", spread)
    assert max(map(len, shown.splitlines())) <= 100


def test_what_an_error_is_give_or_take_has_no_powers_of_ten() -> None:
    assert str(with_error(Fact("figure-number", value=2246.0), 402.0)) == "2246 ± 400"
    assert str(with_error(Fact("figure-number", value=0.5), 0.0312)) == "0.5 ± 0.031"
    assert str(with_error(Fact("figure-number", value=1.0), None)) == "1"


WORDS = {
    "mean": "--users 300 --observations 20 --low -1 --high 1 --epsilon 2",
    "histogram": "--users 600 --observations 20 --categories a,b,c --epsilon 4",
    "quantiles": "--users 600 --observations 20 --low 0 --high 1 --epsilon 4",
    "cdf": "--users 600 --observations 20 --low 0 --high 1 --epsilon 4 --count 5",
    "vector": "--users 600 --observations 20 --dimension 3 --radius 1 --epsilon 4",
    "sparse": "--users 800 --observations 50 --dimension 12 --sparsity 2 --strength 1 --epsilon 6",
    "density": "--users 1000 --observations 20 --low 0 --high 24 --epsilon 4",
    "mixture": "--users 1500 --observations 200 --components 2 --low 0 --high 1 --epsilon 4",
    "cover": "--users 800 --spread 0.2 --around 0.4,-0.1 --epsilon 4",
    "range": "--users 1000 --epsilon 4",
    "groups": "--users 1000 --observations 10 --groups a,b --memberships 1 --low 1 --high 5 --epsilon 4",
}
KEYS = {"problem", "users", "truth", "settings", "repetitions", "seed", "notes", "methods"}
MODEL = {"halfwidth", "model_halfwidth", "model_coverage"}
FIGURES = {  # and the largest root mean squared error
    "mean": ({"bias"} | MODEL, 0.3),
    "histogram": ({"simultaneous_coverage"} | MODEL, 0.05),
    "quantiles": (MODEL, 0.2),
    "cdf": ({"halfwidth"}, 0.1),
    "vector": ({"together"} | MODEL, 0.3),
    "sparse": ({"found"}, 0.5),
    "density": ({"uniform_error"} | MODEL, 0.4),
    "mixture": ({"share_error", "share_coverage", "right_number"}, 0.1),
    "cover": ({"right", "lead"}, 0.2),
    "range": ({"found", "doublings", "outside"}, 0.1),
    "groups": ({"halfwidth", "least_coverage", "unknown"}, 0.1),
}
ITEM_LEVEL = {"full-item", "duchi", "item-sparse", "item-density"}


@pytest.fixture
def simulated(sotto, tmp_path):
    places = tmp_path / "places.csv"
    places.write_text("name,x,y\n" + "".join(f"p{i}{j},{i / 2 - 1},{j / 2 - 1}\n" for i in range(5) for j in range(5)))

    def run(what, *more, code=0):
        own = [*WORDS[what].split(), *(["--centres", str(places)] if what == "cover" else [])]
        return sotto("simulate", what, *own, *more, code=code)

    return run


def test_there_is_one_for_each():
    assert [one.name for one in problems()] == list(WORDS)


OF_A_MODEL = {"model_coverage", "model_halfwidth"}
"""Only where a survey among the repetitions has an interval of a model."""


@pytest.mark.thin(2)
@pytest.mark.parametrize("what", WORDS)
def test_for_programs(what, simulated):
    """Seeded. Coverage below 80% in 25 repetitions: 1.2 in 1,000 for one interval a repetition, at 95% each."""
    document = result_of(simulated(what, "--repetitions", "25", "--json"))
    assert set(document) == KEYS
    (found,) = document["methods"]
    figures, most = FIGURES[what]
    assert figures - OF_A_MODEL <= set(found["figures"]) <= figures
    assert found["rmse"] == pytest.approx(found["mse"] ** 0.5) and found["rmse"] < most
    assert found["coverage"] >= 0.8 and found["figures"].get("right", 1.0) >= 0.8


@pytest.mark.parametrize("what", WORDS)
def test_all_methods_side_by_side(what, simulated):
    words = ["--repetitions", "2", "--method", "all"]
    found = result_of(simulated(what, *words, "--json"))["methods"]
    assert [row["method"] for row in found] == list(every_method(named(what)))
    ran = [row["method"] for row in found if "rmse" in row]
    assert len(ran) >= min(2, len(found))
    assert set(ran) & ITEM_LEVEL == set(every_method(named(what))) & ITEM_LEVEL
    shown = simulated(what, *words)
    assert max(map(len, shown.splitlines())) <= 100
    assert shown.count("protects single observations only") == len(set(ran) & ITEM_LEVEL)
    assert shown.count("cannot run: ") == len(found) - len(ran)


def test_a_box_in_other_units_is_a_cube_elsewhere(sotto):
    own = ["--users", "2000", "--observations", "5", "--dimension", "2", "--epsilon", "4", "--repetitions", "20"]
    found = {}
    for scale in (1, 10):
        words = ["simulate", "vector", *own, "--low", str(3 * scale), "--high", str(5 * scale), "--method", "duchi"]
        (row,) = result_of(sotto(*words, "--json"))["methods"]
        found[scale] = row["rmse"]
        assert row["coverage"] > 0.7
    assert found[10] == pytest.approx(10 * found[1])


def test_vectors_of_a_file(tmp_path, sotto):
    path = tmp_path / "steps.csv"
    path.write_text("who,x,y\n" + "".join(f"{user},{0.5},{-0.1 * (user % 3)}\n" for user in range(900)))
    words = ["simulate", "vector", str(path), "--user", "who", "--value", "x,y", "--epsilon", "4", "--json"]
    found = result_of(sotto(*words, "--low", "0,-1", "--high", "1,0", "--repetitions", "5"))
    assert found["truth"] == pytest.approx([0.5, -0.1])
    assert found["notes"] == []
    assert (found["settings"]["users"], found["settings"]["dimension"]) == (900, 2)
    assert found["methods"][0]["rmse"] < 0.2
    (note,) = result_of(sotto(*words, "--low", "0,-0.05", "--high", "1,0", "--repetitions", "2"))["notes"]
    assert "66.7% of the users' means lie outside" in str(Fact.from_plain(note))
    error = error_of(sotto(*words, "--low", "0", "--high", "1", "--users", "10", code=2))
    assert "made-up users (--users) and a FILE at once" in error["message"]


@pytest.mark.parametrize("what", ["density", "mixture", "cover"])
def test_a_file_is_taken_only_where_it_tells_the_truth(what, simulated):
    assert "1 word too many" in simulated(what, "file.csv", code=2)


def test_coverage_has_an_error_even_where_it_is_always_so():
    assert performance([Score(squared_error=1.0, covered=c) for c in (1.0, 0.5)]).coverage_se == pytest.approx(0.25)
    always = performance([Score(squared_error=1.0, covered=1.0)] * 5)
    assert always.coverage == 1 and always.coverage_se > 0.05


@pytest.mark.parametrize("law", ["uniform", "beta:2,5", "beta:1,1", "beta:1,3"])
def test_true_densities_integrate_to_one_with_the_right_mean(law):
    points = (np.arange(4000) + 0.5) / 4000
    heights = _heights(Distribution.read(law), points)
    assert heights.mean() == pytest.approx(1, abs=1e-4)
    assert (points * heights).mean() == pytest.approx(Distribution.read(law).mean, abs=1e-4)


@pytest.mark.parametrize(
    "what, more, said",
    [
        ("vector", ["--users", "1e7", "--observations", "1000"], "too many to make up"),
        ("sparse", ["--true-sparsity", "13"], "true_sparsity must lie between 0 and dimension=12"),
        ("sparse", ["--strength", "2"], "strength must lie above 0"),
        ("density", ["--distribution", "rademacher"], "must have a bounded density"),
        ("density", ["--distribution", "beta:0.5,2"], "must have a bounded density"),
        ("mixture", ["--means", "0.1,0.5,0.9"], "means has 3 entries, shares 2; components says 2"),
        ("mixture", ["--means", "0.1,2"], "means must lie between"),
        ("mixture", ["--shares", "0.5,0.6"], "they add up to 1.1"),
        ("cover", ["--spread", "-1"], "spread must be 0 or more"),
        ("cover", ["--around", "1,2,3"], "around has 3 entries"),
    ],
)
def test_errors(what, more, said, simulated):
    assert said in simulated(what, *more, code=2)
