"""``sotto compare``."""

import csv
import math
import re

import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.problems import named
from sottovoce.trials import every_method
from tests.support.said import result_of

SURVEY = ["--low", "-1", "--high", "1", "--users", "300", "--observations", "20", "--repetitions", "4"]
KEYS = {
    "problem", "users", "truth", "notes", "settings", "epsilons", "reference", "repetitions", "seed", "rows",
}  # fmt: skip
ROW = {
    "method", "epsilon", "ran", "reason", "protects", "warnings", "collection_epsilon", "mse", "mse_se", "rmse",
    "rmse_se", "mse_ratio", "mse_ratio_se", "cost", "cost_se", "coverage", "coverage_se", "figures", "figures_se",
}  # fmt: skip


@pytest.fixture
def sotto(capsys, monkeypatch):
    monkeypatch.setattr("sottovoce.cli.terminal.FIRST_SECONDS", math.inf)  # a slow machine is told how far it is

    def run(*words, code=0):
        assert main(["compare", *words]) == code
        printed = capsys.readouterr()
        assert (printed.err == "") is (code == 0)
        return printed.out if code == 0 else printed.err

    return run


def test_for_programs_it_is_what_the_call_gives(sotto):
    document = result_of(sotto("mean", *SURVEY, "--epsilon", "1", "4", "--spread", "0.1", "--json"))
    assert set(document) == KEYS
    assert all(set(row) == ROW for row in document["rows"])
    found = sv.compare(low=-1, high=1, users=300, observations=20, repetitions=4, epsilon=(1, 4), spread=0.1)
    assert document["rows"] == found.to_dict()["rows"]
    assert document["reference"] == "auto"


def test_the_first_method_is_the_reference(sotto):
    found = result_of(sotto("mean", *SURVEY, "--epsilon", "2", "--methods", "paper, one-item", "--json"))
    assert found["reference"] == "paper"
    assert [row["method"] for row in found["rows"]] == ["paper", "one-item"]
    assert [row["mse_ratio"] == 1 for row in found["rows"]] == [True, False]


def test_table_and_picture_in_files(sotto, tmp_path):
    pytest.importorskip("matplotlib")
    table, picture = tmp_path / "table.csv", tmp_path / "table.png"
    sotto("mean", *SURVEY, "--epsilon", "1", "2", "--csv", str(table), "--plot", str(picture))
    assert picture.read_bytes()[:4] == b"\x89PNG"
    with table.open(encoding="utf-8", newline="") as lines:
        assert [row["method"] for row in csv.DictReader(lines)] == [*every_method(named("mean"))] * 2


def test_users_of_a_file(sotto, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("who,what\n" + "".join(f"{user},{user % 5}\n{user},NA\n" for user in range(100)))
    words = ["mean", str(path), "--user", "who", "--value", "what", "--low", "0", "--high", "3", "--repetitions", "3"]
    found = result_of(sotto(*words, "--epsilon", "2", "4", "--json"))
    assert found["truth"] == 2 and found["settings"]["users"] == 100
    assert found["notes"] == [{"code": "observed-users-outside", "data": {"share": 0.2}}]
    assert "made-up users (--spread) and a FILE at once" in sotto(*words, "--epsilon", "2", "--spread", "1", code=2)


@pytest.mark.parametrize(
    "more, said",
    [
        (["--methods", "paper,magic"], "method must be one of auto, one-round"),
        (["--epsilon", "0"], "epsilon must lie between"),
        (["--epsilon", "x"], "numbers are wanted"),
        (["--users", "1e9"], "too many to make up"),
        (["--repetitions", "0"], "--repetitions"),
    ],
)
def test_errors(more, said, sotto):
    assert said in sotto("mean", *SURVEY, "--epsilon", "1", *more, code=2)


def test_a_known_error_is_reproduced(sotto):
    """Laplace noise on the averages of Rademacher users: 2·2²/ε² for privacy and 1/T for sampling, over n.

    Fixed seed. The MSE of 200 repetitions lies within 4 of its standard errors, which fails for 1 seed in 10,000.
    """
    words = ["mean", "--low", "-1", "--high", "1", "--users", "300", "--observations", "100", "--epsilon", "1"]
    words += ["--distribution", "rademacher", "--methods", "semi-user", "--repetitions", "200", "--json"]
    (row,) = result_of(sotto(*words))["rows"]
    assert abs(row["mse"] - (8 + 1 / 100) / 300) < 4 * row["mse_se"]


def test_what_a_method_warned_of_stands_below_the_table(sotto):
    few = ["--low", "0", "--high", "4e7", "--users", "1000", "--observations", "3", "--repetitions", "3"]
    shown = sotto("mean", *few, "--epsilon", "1", "--methods", "one-round,homogeneous")
    assert re.search(r"^homogeneous, in the last repetition: too few users or observations", shown, re.MULTILINE)
    assert "e+" not in shown.partition("method ")[2], "numbers are written out"
