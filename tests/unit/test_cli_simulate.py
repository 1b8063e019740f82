"""``sotto simulate mean``."""

import math
from dataclasses import replace

import pytest

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Estimate, Privacy, StandardError
from sottovoce.cli import main
from sottovoce.messages import Fact
from sottovoce.problems import named, with_error
from sottovoce.problems.mean import Mean
from sottovoce.problems.mean.world import MeanWorld
from sottovoce.trials import MadeUp, every_method, performance
from tests.support.said import result_of

SURVEY = ["--low", "-1", "--high", "1", "--epsilon", "2"]
PEOPLE = ["--users", "300", "--observations", "20"]
KEYS = {"problem", "users", "truth", "settings", "repetitions", "seed", "notes", "methods"}
FIGURES = {
    "method", "epsilon", "ran", "reason", "protects", "warnings", "collection_epsilon", "mse", "mse_se", "rmse",
    "rmse_se", "coverage", "coverage_se", "figures", "figures_se",
}  # fmt: skip
OWN = {"bias", "halfwidth", "model_halfwidth", "model_coverage"}
EVERY_METHOD = every_method(named("mean"))


@pytest.fixture
def simulate(capsys, monkeypatch):
    monkeypatch.setattr("sottovoce.cli.terminal.FIRST_SECONDS", math.inf)  # a slow machine is told how far it is

    def run(*words):
        assert main(["simulate", "mean", *words]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


def test_for_programs(simulate):
    found = result_of(simulate(*PEOPLE, *SURVEY, "--repetitions", "30", "--json"))
    assert set(found) == KEYS
    (row,) = found["methods"]
    assert set(row) == FIGURES
    assert found["truth"] == 0
    assert row["rmse"] < 0.3
    assert set(row["figures"]) == set(row["figures_se"]) == OWN
    assert abs(row["figures"]["bias"]) < 5 * row["figures_se"]["bias"]
    assert row["coverage"] > 0.7
    assert row["rmse"] == pytest.approx(row["mse"] ** 0.5)


def test_all_methods_side_by_side(simulate):
    words = [*PEOPLE, *SURVEY, "--repetitions", "3", "--method", "all"]
    found = result_of(simulate(*words, "--json"))["methods"]
    assert [row["method"] for row in found] == list(EVERY_METHOD)
    assert {row["method"]: row["collection_epsilon"] for row in found if row["collection_epsilon"] != 2} == {
        "full-item": 40
    }
    shown = simulate(*words)
    lines = shown.splitlines()
    assert [line.split()[0] for line in lines[-1 - len(EVERY_METHOD) : -1]] == list(EVERY_METHOD)
    assert [line.split()[0] for line in lines if " * " in line] == ["full-item"]
    assert lines[-1] == "* full-item protects single observations only, the whole collection at ε = 40"
    assert max(map(len, lines)) <= 100


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


def estimate(value, low, high):
    return Estimate(
        value=value,
        interval=(low, high),
        confidence=0.95,
        interval_kind=Fact("guarded"),
        standard_error=StandardError(sampling=0, privacy=0),
        users_per_round=(1,),
        privacy=Privacy(epsilon=1, protects=WHOLE_COLLECTION, users=1, rounds=1),
        method="test",
        chosen=Chosen(by=ChosenBy.TEST),
        low=-10,
        high=10,
    )


def test_figures_by_hand():
    answers = [estimate(1, 0, 2), estimate(-1, -2, -0.5), estimate(2, -1, 5), estimate(0, 0, 0)]
    found = performance([MeanWorld.score(answer, 0.0) for answer in answers])
    assert found.figures["bias"] == 0.5
    assert found.rmse == pytest.approx(math.sqrt(1.5))
    squares, centre = [1, 1, 4, 0], 1.5
    deviation = math.sqrt(sum((value - centre) ** 2 for value in squares) / 3)
    assert found.rmse_se == pytest.approx(deviation / 2 / (2 * math.sqrt(1.5)))
    assert found.figures_se["bias"] == pytest.approx(math.sqrt((0.25 + 2.25 + 2.25 + 0.25) / 3) / 2)
    assert found.coverage == 0.75
    assert found.figures["halfwidth"] == pytest.approx((1 + 0.75 + 3 + 0) / 4)


def test_a_model_interval_has_figures_of_its_own():
    """Averaged over the answers that have one."""
    answers = [estimate(1, -3, 3), *(replace(estimate(1, -3, 3), model_interval=ends) for ends in ((0, 2), (0.5, 1.5)))]
    found = performance([MeanWorld.score(answer, 0.0) for answer in answers])
    assert (found.coverage, found.figures["halfwidth"]) == (1, 3)
    assert (found.figures["model_coverage"], found.figures["model_halfwidth"]) == (0.5, 0.75)


def test_one_repetition_has_no_standard_error(simulate):
    row = result_of(simulate(*PEOPLE, *SURVEY, "--repetitions", "1", "--json"))["methods"][0]
    assert row["rmse_se"] is None
    assert row["figures_se"] == dict.fromkeys(OWN)
    assert 0 < row["coverage_se"] < 0.3


@pytest.mark.parametrize("high, spread", [("1e-9", "0"), ("1e12", "0"), ("1e100", "3"), ("5", "100")])
def test_figures_of_any_size_stay_readable(high, spread, simulate):
    shown = simulate(*PEOPLE, "--low", "0", "--high", high, "--epsilon", "2", "--repetitions", "3", "--spread", spread)
    assert max(map(len, shown.splitlines())) <= 100


def test_what_an_error_is_give_or_take_has_no_powers_of_ten() -> None:
    assert str(with_error(Fact("figure-number", value=2246.0), 402.0)) == "2246 ± 400"
    assert str(with_error(Fact("figure-number", value=0.5), 0.0312)) == "0.5 ± 0.031"
    assert str(with_error(Fact("figure-number", value=1.0), None)) == "1"
