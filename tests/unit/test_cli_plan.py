"""``sotto plan``, and the commands that take its file."""

import numpy as np

from tests.support.said import result_of

SURVEY = ["--low", "1", "--high", "5"]
KEYS = {
    "problem", "protocol", "assumed", "solved", "target_halfwidth", "predicted", "efficiency", "methods",
    "users_per_round", "sensitivity", "ways", "poisoning", "regime", "users", "advice",
    "warnings", "beyond",}  # fmt: skip


def test_for_programs(sotto):
    words = ["plan", "mean", *SURVEY, "--epsilon", "1", "--users", "1e6", "--observations", "100", "--json"]
    found = result_of(sotto(*words))
    assert set(found) == KEYS
    assert "not allowed with" in sotto(*words[:-1], "--halfwidth", "0.1", "--error", "1", code=2)
    assert found["protocol"]["users"] == 1_000_000
    assert found["solved"] == "halfwidth"


def test_plan_save_simulate_estimate(sotto, tmp_path):
    plan, data = tmp_path / "plan.toml", tmp_path / "ratings.csv"
    given = ["--epsilon", "2", "--observations", "50", "--users", "800", "--within", "1.3"]
    shown = sotto("plan", "mean", *SURVEY, *given, "--save", str(plan))
    assert f"sotto simulate --plan {plan}" in shown
    seen = result_of(sotto("simulate", "--plan", str(plan), "--repetitions", "60", "--json"))
    assert seen["users"] == 800
    assert 0.7 < seen["ratio"] < 1.4  # 60 repetitions: standard error 9 %
    assert "predicted" in sotto("simulate", "--plan", str(plan), "--repetitions", "5")
    ratings = np.random.default_rng(1).integers(1, 6, size=(500, 50))
    rows = [f"{user},{rating}" for user, row in enumerate(ratings) for rating in row]
    data.write_text("student,rating\n" + "\n".join(rows) + "\n")
    columns = ["--user", "student", "--value", "rating", "--seed", "3"]
    found = result_of(sotto("estimate", "--plan", str(plan), str(data), *columns, "--json"))
    assert abs(found["value"] - 3) < 0.5
    assert found["privacy"]["users"] == 500
    assert found["privacy"]["epsilon"] == 2
    assert found["observations"] == 50
    assert "the file has 500" in sotto("estimate", f"--plan={plan}", str(data), *columns)


def test_plot(sotto, tmp_path):
    words = ["plan", "mean", *SURVEY, "--epsilon", "1", "--users", "3000", "--observations", "100"]
    sotto(*words, "--plot", str(tmp_path / "plan.png"))
    assert (tmp_path / "plan.png").stat().st_size > 5000


def test_a_plan_of_a_cover_on_a_file(sotto, tmp_path):
    plan, data, places = str(tmp_path / "plan.toml"), tmp_path / "steps.csv", tmp_path / "places.csv"
    places.write_text("name,x,y\nhome,0,0\nwork,0,1\nshop,1,0\n")
    start = ["plan", "cover", "--centres", str(places)]
    sotto(*start, "--users", "300", "--epsilon", "4", "--save", plan)
    data.write_text("who,x,y\n" + "".join(f"{user},0.1,0.8\n" for user in range(300)))
    words = ["estimate", "--plan", plan, str(data), "--user", "who", "--seed", "1"]
    assert result_of(sotto(*words, "--value", "x,y", "--json"))["index"] == 1
    assert "--value takes 2 columns; got 1" in sotto(*words, "--value", "x", code=2)
    assert "of users, epsilon and halfwidth (or error) leave out" in sotto(*start, "--halfwidth", "1", code=2)


def test_a_plan_of_vectors_takes_their_columns(sotto, tmp_path):
    plan, data = str(tmp_path / "plan.toml"), tmp_path / "walks.csv"
    given = ["--dimension", "2", "--radius", "2", "--epsilon", "4", "--observations", "4", "--users", "500"]
    sotto("plan", "vector", *given, "--save", plan)
    walks = np.random.default_rng(2).normal(0.5, 0.3, size=(600, 4, 2))
    rows = [f"{user},{x:.4f},{y:.4f}" for user, own in enumerate(walks) for x, y in own]
    data.write_text("phone,east,north\n" + "\n".join(rows) + "\n")
    words = ["estimate", "--plan", plan, str(data), "--user", "phone", "--seed", "1"]
    found = result_of(sotto(*words, "--value", "east,north", "--json"))
    assert found["names"] == ["east", "north"]
    assert found["privacy"]["users"] == 600
    assert "--value takes 2 columns; got 1" in sotto(*words, "--value", "east", code=2)
