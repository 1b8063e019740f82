"""``sv.compare`` and ``sotto compare``: paired ratios, rows, tables, files."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from functools import partial

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems import named
from sottovoce.trials import Ratio, every_method, paired_ratio
from tests.support.said import result_of

PEOPLE = {"low": -1, "high": 1, "users": 400, "observations": 20}
METHODS = ("one-round", "semi-user", "full-item")


@pytest.fixture(scope="module")
def found():
    return sv.compare(**PEOPLE, methods=METHODS, epsilon=(1, 4), repetitions=60, seed=3)


def errors_with_something_in_common(seed, repetitions=400):
    """Squared errors of two methods that meet the same users, and so err together; the true ratio is 2.6."""
    rng = np.random.default_rng(seed)
    users, one, other = rng.standard_normal((3, repetitions))
    return (users + 1.5 * one) ** 2 * 0.8, (users + 0.0 * other) ** 2


def test_the_standard_error_of_a_ratio_is_that_of_a_bootstrap_of_pairs():
    """Fixed data. The delta method and 4,000 resamples agree within 10%, of which the bootstrap's own noise is 1%."""
    squares, reference = errors_with_something_in_common(seed=5)
    ratio = paired_ratio(squares.tolist(), reference.tolist())
    picked = np.random.default_rng(6).integers(0, len(squares), size=(4000, len(squares)))
    resampled = squares[picked].mean(axis=1) / reference[picked].mean(axis=1)
    assert ratio.value == pytest.approx(squares.mean() / reference.mean())
    assert ratio.standard_error == pytest.approx(resampled.std(), rel=0.1)
    unpaired = ratio.value * math.hypot(
        *(errors.std() / errors.mean() / math.sqrt(len(errors)) for errors in (squares, reference))
    )
    assert ratio.standard_error < 0.9 * unpaired, "what both have in common cancels"


def test_standard_errors_hold_over_repeated_experiments():
    """Fixed seeds: z-scores of 300 ratios around the true one have a standard deviation near 1."""
    scores = []
    for seed in range(300):
        ratio = paired_ratio(*(errors.tolist() for errors in errors_with_something_in_common(seed)))
        scores.append((ratio.value - 2.6) / ratio.standard_error)
    assert np.std(scores) == pytest.approx(1, abs=0.15)


def test_ratios_at_the_ends():
    assert paired_ratio([1.0, 4.0], [1.0, 4.0]) == Ratio(value=1.0, standard_error=0.0)
    assert paired_ratio([2.0, 8.0], [1.0, 4.0]) == Ratio(value=2.0, standard_error=0.0)
    assert paired_ratio([1.0], [4.0]) == Ratio(value=0.25, standard_error=None)
    assert paired_ratio([1.0, 1.0], [0.0, 0.0]) is None


@pytest.mark.parametrize(
    "value, error, words",
    [
        (1 / 12.3, 0.8 / 12.3**2, "12.3 ± 0.8 × lower"),
        (469, 34, "469 ± 34 × higher"),
        (1.9, 0.021, "1.900 ± 0.021 × higher"),
        (12345.6, 700, "12,346 ± 700 × higher"),
        (2.345, None, "2.35 × higher"),
        (0.5, 0.0, "2 × lower"),
        (1.0, 0.0, "the same"),
        (1.0, 0.05, "1.00 ± 0.05 × higher"),
        (0.0, 0.0, "no error"),
        (3e9, 4e8, "3e+09 ± 4e+08 × higher"),
    ],
)
def test_ratios_in_words(value, error, words):
    assert str(Ratio(value=value, standard_error=error).words) == words


def test_rows_are_what_a_simulation_of_each_gives(found):
    alone = sv.compare(**PEOPLE, methods=["semi-user"], epsilon=4, repetitions=60, seed=3)
    assert alone.row("semi-user", 4) == found.row("semi-user", 4)
    assert [(row.epsilon, row.method) for row in found.rows] == [(e, m) for e in (1, 4) for m in METHODS]
    assert found.reference == "one-round"


def test_ratios_are_between_the_rows(found):
    row, reference = found.row("semi-user", 4), found.row("one-round", 4)
    ratio, cost = found.against_reference(row), found.cost(found.row("semi-user", 1))
    assert ratio.value == pytest.approx(row.performance.mse / reference.performance.mse)
    assert found.against_reference(reference) == Ratio(value=1.0, standard_error=0.0)
    assert cost.value == pytest.approx(found.row("semi-user", 1).performance.mse / row.performance.mse)
    assert cost.value == pytest.approx(16, rel=0.1), "Laplace noise of the same seed goes with 1/ε"


def test_csv_reads_back(found, tmp_path):
    text = found.to_csv(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(float(row["epsilon"]), row["method"]) for row in rows] == [(e, m) for e in (1, 4) for m in METHODS]
    for row, own in zip(rows, found.rows, strict=True):
        seen, ratio = own.performance, found.against_reference(own)
        assert (float(row["mse"]), float(row["coverage_se"])) == (seen.mse, seen.coverage_se)
        assert (float(row["halfwidth"]), float(row["bias_se"])) == (seen.figures["halfwidth"], seen.figures_se["bias"])
        assert (float(row["mse_ratio"]), float(row["mse_ratio_se"])) == (ratio.value, ratio.standard_error)
        assert (row["reference"], row["repetitions"], row["seed"]) == ("one-round", "60", "3")


def test_a_plot_has_a_line_for_each_method(found):
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = found.plot(figure.subplots())
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["one-round", "semi-user", "full-item (one item)"]
    drawn = axes.containers[1].lines[0]
    assert drawn.get_ydata().tolist() == [found.row("semi-user", epsilon).performance.rmse for epsilon in (1, 4)]


def test_data_at_hand_are_asked_again_and_again():
    ratings = np.random.default_rng(1).integers(1, 6, size=(300, 10))
    found = sv.compare(ratings, low=1, high=5, epsilon=2, repetitions=5)
    assert found.methods == every_method(named("mean")) and found.reference == "auto"
    assert found.truth == pytest.approx(ratings.mean())
    assert str(found.users).startswith("300 users of the data, about 10 observations each")
    assert found.settings["users"] == 300
    ran = found.row("auto", 2).ran
    assert found.against_reference(found.row(ran, 2)) is not None


def test_a_method_that_cannot_run_says_why():
    found = sv.compare(low=0, high=1, users=3, observations=17_000, epsilon=1, repetitions=1)
    assert found.row("full-item", 1).performance is None
    assert found.against_reference(found.row("full-item", 1)) is None
    assert "full-item cannot run: a device sends at most" in str(found)
    assert "impossible" in found.to_csv().splitlines()[0]


@pytest.mark.parametrize(
    "data, more, said",
    [
        (None, {"methods": ["paper", "magic"]}, "method must be one of auto, .*one-item; got 'magic'"),
        (None, {"methods": []}, "needs a method"),
        (None, {"epsilon": []}, "epsilon must be a number, or a list"),
        (None, {"epsilon": "much"}, "epsilon must be a number"),
        (None, {"epsilon": [1, -1]}, "epsilon must lie between"),
        (None, {"repetitions": 0}, "repetitions must be a whole number, at least 1"),
        (None, {"repetitions": 2.5}, "must be a whole number"),
        *((None, {"seed": seed}, "must be a whole number") for seed in (-1, 1.5)),
        (None, {"users": None}, "made-up users needs users"),
        (None, {"sparsity": 3}, "a comparison of a mean has no sparsity; its settings are users, "),
        (None, {"problem": "median"}, "problem must be one of mean"),
        (np.zeros((5, 2)), {}, r"made-up users \(users\) and data at once"),
        (np.zeros((5, 2)), {"users": None, "spread": 0.1}, r"made-up users \(spread\) and data at once"),
    ],
)
def test_errors(data, more, said):
    with pytest.raises(sv.InvalidInput, match=said):
        sv.compare(data, **{"epsilon": 1.0, "repetitions": 2} | PEOPLE | more)


def test_one_method_may_be_a_text() -> None:
    found = sv.compare(low=0, high=1, users=20, observations=2, methods="one-round", repetitions=2)
    assert [row.method for row in found.rows] == ["one-round"]


SURVEY = ["--low", "-1", "--high", "1", "--users", "300", "--observations", "20", "--repetitions", "4"]
KEYS = {
    "problem", "users", "truth", "notes", "settings", "epsilons", "reference", "repetitions", "seed", "rows",
}  # fmt: skip
ROW = {
    "method", "epsilon", "ran", "reason", "protects", "warnings", "collection_epsilon", "mse", "mse_se", "rmse",
    "rmse_se", "mse_ratio", "mse_ratio_se", "cost", "cost_se", "coverage", "coverage_se", "figures", "figures_se",
}  # fmt: skip


@pytest.fixture
def compare(sotto):
    return partial(sotto, "compare", "mean")


def test_for_programs_it_is_what_the_call_gives(compare):
    document = result_of(compare(*SURVEY, "--epsilon", "1", "4", "--spread", "0.1", "--json"))
    assert set(document) == KEYS
    assert all(set(row) == ROW for row in document["rows"])
    found = sv.compare(low=-1, high=1, users=300, observations=20, repetitions=4, epsilon=(1, 4), spread=0.1)
    assert document["rows"] == found.to_dict()["rows"] == json.loads(found.to_json())["rows"]
    assert document["reference"] == "auto" and document["epsilons"] == [1, 4]
    assert "epsilon" not in document["settings"] and document["settings"]["users"] == 300
    assert [row["cost"] == 1 for row in document["rows"]] == [row["epsilon"] == 4 for row in document["rows"]]


def test_the_first_method_is_the_reference(compare):
    found = result_of(compare(*SURVEY, "--epsilon", "2", "--methods", "paper, one-item", "--json"))
    rows = [(row["method"], row["mse_ratio"] == 1) for row in found["rows"]]
    assert found["reference"] == "paper" and rows == [("paper", True), ("one-item", False)]


def test_table_and_picture_in_files(compare, tmp_path):
    pytest.importorskip("matplotlib")
    table, picture = tmp_path / "table.csv", tmp_path / "table.png"
    compare(*SURVEY, "--epsilon", "1", "2", "--csv", str(table), "--plot", str(picture))
    assert picture.read_bytes()[:4] == b"\x89PNG"
    with table.open(encoding="utf-8", newline="") as lines:
        assert [row["method"] for row in csv.DictReader(lines)] == [*every_method(named("mean"))] * 2


def test_a_known_error_is_reproduced(compare):
    """Laplace noise on the averages of Rademacher users: 2·2²/ε² for privacy and 1/T for sampling, over n.

    Fixed seed. The MSE of 200 repetitions lies within 4 of its standard errors, which fails for 1 seed in 10,000.
    """
    words = ["--low", "-1", "--high", "1", "--users", "300", "--observations", "100", "--epsilon", "1"]
    words += ["--distribution", "rademacher", "--methods", "semi-user", "--repetitions", "200", "--json"]
    (row,) = result_of(compare(*words))["rows"]
    assert abs(row["mse"] - (8 + 1 / 100) / 300) < 4 * row["mse_se"]


def test_what_a_method_warned_of_stands_below_the_table(compare):
    few = ["--low", "0", "--high", "4e7", "--users", "1000", "--observations", "3", "--repetitions", "3"]
    shown = compare(*few, "--epsilon", "1", "--methods", "one-round,homogeneous")
    assert re.search(r"^homogeneous, in the last repetition: too few users or observations", shown, re.MULTILINE)
    assert "e+" not in shown.partition("method ")[2], "numbers are written out"
