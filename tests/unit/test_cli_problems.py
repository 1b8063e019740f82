"""``sotto estimate`` of a mean, vector, sparse mean, density, mixture and cover."""

from __future__ import annotations

import re
from importlib import import_module

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems import named
from tests.support.said import result_of

SECRETS = ("7.654321", "-3.1415926", "0.0717273", "0.81828182")
COMMON = {
    "kind", "version", "confidence", "interval_kind", "users_per_round", "privacy", "method", "chosen", "notes",
    "collection", "rehearsal", "seed", "reading",
    "assumes", "model_assumes", "detection_limit", "hidden_shift", "colluders", "instead",
}  # fmt: skip
VECTOR = {
    "value", "intervals", "simultaneous", "standard_error", "low", "high", "names", "outside_set", "observations",
    "model_intervals", "model_simultaneous",
}  # fmt: skip
KEYS = {
    "mean": {"value", "interval", "standard_error", "low", "high", "observations", "model_interval"},
    "vector": VECTOR,
    "sparse": VECTOR | {"support", "left_out", "would_be_seen"},
    "density": {
        "coefficients", "coefficient_intervals", "coefficient_errors", "low", "high", "smoothness", "shift", "curve",
        "mean", "quartiles", "observations", "basis", "measured", "whole_assumes", "ends",
    },
    "mixture": {
        "means", "intervals", "standard_errors", "shares", "share_errors", "centres", "low", "high", "observations",
        "share_intervals", "least_share",
    },
    "cover": {
        "index", "centre", "size", "share", "share_interval", "gap", "top", "radius", "error_bound", "contenders",
        "contender_count",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """400 users with 1 to 40 vectors each; a few stick out."""
    stream = np.random.default_rng(5)
    rows = []
    for user in range(400):
        kind = 0.2 + 0.6 * (user % 2)
        for _ in range(1 + (user * 7) % 40):
            toss = int(stream.random() < kind)
            x, y, z = stream.normal([0.4, -0.3, 0.0], 0.2)
            rows.append(f"u{user},{x:.5f},{y:.5f},{z:.5f},{toss},{24 * stream.beta(4, 4):.4f}")
    rows += [f"u{place},{secret},{secret},{secret},{secret},{secret}" for place, secret in enumerate(SECRETS)]
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("\n".join(["who,x,y,z,toss,hour", *rows]) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    path = tmp_path_factory.mktemp("places") / "places.csv"
    path.write_text("name,y,x\n" + "".join(f"p{i}{j},{j / 2 - 1},{i / 2 - 1}\n" for i in range(5) for j in range(5)))
    return str(path)


@pytest.fixture(scope="module")
def words(table, places):
    own = {
        "mean": "--value hour --low 0 --high 24",
        "vector": "--value x,y,z --ball l2 --radius 2",
        "sparse": "--value x,y --value z --sparsity 2",
        "density": "--value hour --low 0 --high 24 --smoothness 2",
        "mixture": "--value toss --components 2 --low 0 --high 1 --observations 100",
        "cover": f"--value x,y --centres {places} --metric l2",
    }

    def made(what, *more, file=table):
        return [*f"estimate {what} {file} --user who {own[what]} --epsilon 2".split(), *more]

    return made


@pytest.fixture
def estimate(sotto):
    """Run a command; its output, after checks that hold for every command."""

    def run(words, code=0):
        said = sotto(*words, code=code)
        assert not any(secret.lstrip("-") in said for secret in SECRETS)
        assert code == 0 or (len(said.splitlines()) <= 2 and said.startswith("sotto: "))
        return said

    return run


@pytest.mark.parametrize("what", KEYS)
def test_for_programs(what, words, estimate):
    found = result_of(estimate(words(what, "--json", "--confidence", "0.9", "--seed", "3")))
    assert set(found) == KEYS[what] | COMMON
    assert (found["confidence"], found["seed"]) == (0.9, 3)
    assert sum(found["users_per_round"]) == found["privacy"]["users"] == 400
    assert found["privacy"]["epsilon"] == 2


@pytest.mark.thin(2)
@pytest.mark.parametrize("what", KEYS)
def test_a_seed_repeats_and_says_so(what, words, estimate):
    first = estimate(words(what, "--seed", "7"))
    assert estimate(words(what, "--seed", "7")) == first
    assert "seed 7" in first and "not private" in first
    assert "not private" not in estimate(words(what))


@pytest.mark.thin(2)
@pytest.mark.parametrize("what", KEYS)
def test_the_library_gives_the_same(what, words, estimate, table, places):
    function = getattr(sv, named(what).function)
    own = {
        "mean": {"value": "hour", "low": 0, "high": 24},
        "vector": {"value": ["x", "y", "z"], "ball": "l2", "radius": 2.0},
        "sparse": {"value": ["x", "y", "z"], "sparsity": 2},
        "density": {"value": "hour", "low": 0, "high": 24, "smoothness": 2.0},
        "mixture": {"value": "toss", "components": 2, "low": 0, "high": 1, "observations": 100},
        "cover": {"value": ["x", "y"], "centres": [(i / 2 - 1, j / 2 - 1) for i in range(5) for j in range(5)]},
    }[what]
    plain = function(table, user="who", **own, epsilon=2.0, seed=7).to_dict()
    found = result_of(estimate(words(what, "--seed", "7", "--json")))
    assert {name: found[name] for name in plain} == plain


@pytest.mark.parametrize("what", KEYS)
def test_help_names_every_key(what, estimate):
    text = re.sub(r"\s+", " ", estimate(["estimate", what, "--help"]).partition("--json prints")[2])
    assert not {key for key in KEYS[what] | COMMON if not re.search(rf"\b{key}\b", text)}
    assert "privacy (epsilon, protects, users, rounds)" in text
    assert ("observations, seed" in text) is ("observations" in KEYS[what])


def test_a_box(words, table, estimate):
    start = ["estimate", "vector", table, "--user", "who", "--value", "x,hour", "--epsilon", "2", "--json"]
    found = result_of(estimate([*start, "--low", "-1,0", "--high", "1,24"]))
    assert (found["low"], found["high"], found["names"]) == ([-1, 0], [1, 24], ["x", "hour"])
    found = result_of(estimate([*start, "--ball", "linf", "--centre", "0,12", "--radius", "12"]))
    assert (found["low"], found["high"]) == ([-12, 0], [12, 24])


def test_the_curve_of_a_density_is_one(words, estimate):
    found = result_of(estimate(words("density", "--json", "--seed", "1")))
    curve = {name: np.array(values) for name, values in found["curve"].items()}
    bands = {f"{name}_{end}" for name in ("band", "model", "whole", "model_whole") for end in ("low", "high")}
    assert set(curve) == {"points", "density", *bands}
    assert (curve["points"][0], curve["points"][-1]) == (0, 24)
    assert np.trapezoid(curve["density"], curve["points"]) == pytest.approx(1, abs=1e-3)
    assert np.all(curve["density"] >= 0)
    assert np.all((curve["band_low"] <= curve["density"]) & (curve["density"] <= curve["band_high"]))
    assert found["quartiles"] == sorted(found["quartiles"])


def test_centres_without_names(words, tmp_path, estimate):
    path = tmp_path / "bare.csv"
    path.write_text("\ufeff0.4,-0.3\n\n 0,0\n-1,1\n")
    assert result_of(estimate(words("cover", "--centres", str(path), "--json")))["size"] == 3


HEAD = "who,x,y,z,toss,hour"
BAD = {
    "": "has no column '.*; its columns are '(who|name)', ",
    f"{HEAD}\n": "has no rows",
    f"{HEAD}\na,1,1,1,1,1\nb,{SECRETS[0]},1\n": "line 3 of 'bad.csv' has 3 cells",
    f"{HEAD}\na{',_' * 5}\nb{(',' + SECRETS[0]) * 5}\n": "line 2 of 'bad.csv'",
    f"{HEAD}\n{(',' + SECRETS[0]) * 5}\n": "no user in column 'who'",
}


@pytest.mark.parametrize("what", KEYS)
def test_files_that_cannot_be_read(what, words, tmp_path, estimate):
    path = tmp_path / "bad.csv"
    for text, said in BAD.items():
        path.write_text(text or f"who,nothing\na,{SECRETS[0]}\n")
        assert re.search(said, estimate(words(what, file=path), code=2)), said


@pytest.mark.parametrize(
    "what, more, said",
    [
        ("vector", ["--low", "0", "--high", "1"], "give one of the two"),
        ("vector", ["--centre", "0,0"], "centre has 2 entries; the data have 3 coordinates"),
        ("vector", ["--radius", "x"], "--radius: a number is wanted"),
        ("vector", ["--centre", "0,x"], "--centre: numbers are wanted"),
        ("vector", ["--value", "x"], "the same column twice"),
        ("vector", ["--value", "x,,y"], "names of columns are wanted"),
        ("mixture", ["--components", "9", "--method", "paper"], "9 components need 25 bins"),
        ("mixture", ["--components", "21"], "adaptive looks for at most 20 components, not 21"),
        ("cover", ["--centres", "nowhere.csv"], "No such file"),
        ("cover", ["--centres", "l2ball"], "spaces are linf-ball[:RADIUS], l2-ball[:RADIUS], sparse-vectors:S"),
        ("cover", ["--centres", "linf-ball", "--metric", "l2"], "metric: the cover brings its own"),
        ("cover", ["--centres", "l2-ball", "--radius", "0.5"], "radius: the cover brings its own"),
        ("cover", ["--value", "toss"], "has no column 'toss'; its columns are 'name', 'y', 'x'"),
    ],
)
def test_settings(what, more, said, words, estimate):
    assert said in estimate(words(what, *more), code=2)


WRONG = {
    "--epsilon 0": "epsilon must lie between",
    "--epsilon nan": "epsilon must lie between",
    "--confidence 1": "strictly between 0 and 1",
    "--seed -1": "--seed",
    "--method magic": "--method",
    "--observations 0": "observations",
}


@pytest.mark.parametrize("what", KEYS)
def test_common_settings_are_checked_before_the_file_is_read(what, words, estimate):
    for more, said in WRONG.items():
        assert said in estimate(words(what, *more.split(), file="nowhere.csv"), code=2), more


def test_vectors_must_be_declared(table, estimate):
    start = ["estimate", "vector", table, "--user", "who", "--value", "x,y", "--epsilon", "1"]
    assert "declare where vectors lie" in estimate(start, code=2)
    assert "low and high come together" in estimate([*start, "--low", "0"], code=2)
    assert "declare where vectors lie" in estimate([*start, "--centre", "0,0"], code=2)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "is empty"),
        ("x,y\n", "a cover has 2 to"),
        ("1,2\n", "a cover has 2 to"),
        ("1,2,3\n4,5,6\n", "has 3 columns and --value names 2"),
        ("1,2\n3\n", "line 2 of 'odd.csv' has 1 cells"),
        ("1,2\n3,four\n", "line 2 of 'odd.csv' must hold numbers only"),
        ("x,y\n1,2\n3,inf\n", "finite"),
        ('x,y\n1,"2\n', "a quote that is never closed"),
    ],
)
def test_centres(text, said, words, tmp_path, estimate):
    path = tmp_path / "odd.csv"
    path.write_text(text)
    assert said in estimate(words("cover", "--centres", str(path)), code=2)


def test_anything_a_float_can_hold_and_parquet(tmp_path, estimate):
    odd = {"who": [*"aabbcdef"], "what": [np.inf, -np.inf, 1e308, 1e308, None, -0.0, 5e-324, np.nan]}
    frame = import_module("polars").DataFrame(odd)
    frame.write_csv(tmp_path / "odd.csv")
    frame.write_parquet(tmp_path / "odd.parquet")
    survey = ["--user", "who", "--value", "what", "--low", "0", "--high", "10", "--epsilon", "1", "--json"]
    found = [estimate(["estimate", "mean", str(tmp_path / f"odd.{kind}"), *survey]) for kind in ("csv", "parquet")]
    assert [result_of(one)["users_per_round"] for one in found] == [[6], [6]]


def test_columns_by_pattern(tmp_path, estimate):
    path = tmp_path / "wide.csv"
    rows = [f"u{user}," + ",".join("1" if place == 7 else "0" for place in range(40)) for user in range(800)]
    path.write_text("tag_user," + ",".join(f"tag_{place}" for place in range(40)) + "\n" + "\n".join(rows) + "\n")
    start = ["estimate", "sparse", str(path), "--user", "tag_user", "--sparsity", "1", "--epsilon", "8", "--seed", "1"]
    found = result_of(estimate([*start, "--value", "tag_*", "--json"]))
    assert found["names"] == [f"tag_{place}" for place in range(40)]
    assert found["support"] == [7]
    shown = estimate([*start, "--value", "tag_3*", "--value", "tag_7"])
    assert "of 12 coordinates" in shown
    assert "has no column 'nothing*'" in estimate([*start, "--value", "nothing*"], code=2)


def test_columns_by_pattern_in_parquet(tmp_path, estimate):
    polars = import_module("polars")
    path = tmp_path / "wide.parquet"
    polars.DataFrame({"who": [1, 1, 2, 3], "x1": [1.0, 0, 1, 0], "x2": [0.0, 1, 0, 1]}).write_parquet(path)
    words = ["estimate", "vector", str(path), "--user", "who", "--value", "x?", "--radius", "2", "--epsilon", "1"]
    assert result_of(estimate([*words, "--json"]))["names"] == ["x1", "x2"]
