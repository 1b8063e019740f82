"""``sotto estimate`` of a mean, vector, sparse mean, density, mixture and cover."""

from __future__ import annotations

import re
from importlib import import_module

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main
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


@pytest.fixture
def table(tmp_path):
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
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["who,x,y,z,toss,hour", *rows]) + "\n")
    return str(path)


@pytest.fixture
def places(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text("name,y,x\n" + "".join(f"p{i}{j},{j / 2 - 1},{i / 2 - 1}\n" for i in range(5) for j in range(5)))
    return str(path)


@pytest.fixture
def words(table, places):
    own = {
        "mean": ["--value", "hour", "--low", "0", "--high", "24"],
        "vector": ["--value", "x,y,z", "--ball", "l2", "--radius", "2"],
        "sparse": ["--value", "x,y", "--value", "z", "--sparsity", "2"],
        "density": ["--value", "hour", "--low", "0", "--high", "24", "--smoothness", "2"],
        "mixture": ["--value", "toss", "--components", "2", "--low", "0", "--high", "1", "--observations", "100"],
        "cover": ["--value", "x,y", "--centres", places, "--metric", "l2"],
    }
    return lambda what, *more: ["estimate", what, table, "--user", "who", *own[what], "--epsilon", "2", *more]


@pytest.fixture
def sotto(capsys):
    """Run a command; its output, after checks that hold for every command."""

    def run(words, code=0):
        assert main(words) == code
        printed = capsys.readouterr()
        for secret in SECRETS:
            assert secret.lstrip("-") not in printed.out + printed.err
        if code == 0:
            assert printed.err == ""
            return printed.out
        assert printed.out == ""
        lines = printed.err.splitlines()
        assert 1 <= len(lines) <= 2
        assert lines[0].startswith("sotto: ")
        return printed.err

    return run


@pytest.mark.parametrize("what", KEYS)
def test_for_programs(what, words, sotto):
    found = result_of(sotto(words(what, "--json", "--confidence", "0.9", "--seed", "3")))
    assert set(found) == KEYS[what] | COMMON
    assert (found["confidence"], found["seed"]) == (0.9, 3)
    assert sum(found["users_per_round"]) == found["privacy"]["users"] == 400
    assert found["privacy"]["epsilon"] == 2


@pytest.mark.thin(2)
@pytest.mark.parametrize("what", KEYS)
def test_a_seed_repeats_and_says_so(what, words, sotto):
    first = sotto(words(what, "--seed", "7"))
    assert sotto(words(what, "--seed", "7")) == first
    assert "seed 7" in first and "not private" in first
    assert "not private" not in sotto(words(what))


@pytest.mark.thin(2)
@pytest.mark.parametrize("what", KEYS)
def test_the_library_gives_the_same(what, words, sotto, table, places):
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
    found = result_of(sotto(words(what, "--seed", "7", "--json")))
    assert {name: found[name] for name in plain} == plain


@pytest.mark.parametrize("what", KEYS)
def test_help_names_every_key(what, capsys):
    main(["estimate", what, "--help"])
    text = re.sub(r"\s+", " ", capsys.readouterr().out.partition("--json prints")[2])
    for key in KEYS[what] | COMMON:
        assert re.search(rf"\b{key}\b", text), key
    assert "privacy (epsilon, protects, users, rounds)" in text
    assert ("observations, seed" in text) is ("observations" in KEYS[what])


def test_a_box(words, table, sotto):
    start = ["estimate", "vector", table, "--user", "who", "--value", "x,hour", "--epsilon", "2", "--json"]
    found = result_of(sotto([*start, "--low", "-1,0", "--high", "1,24"]))
    assert (found["low"], found["high"], found["names"]) == ([-1, 0], [1, 24], ["x", "hour"])
    found = result_of(sotto([*start, "--ball", "linf", "--centre", "0,12", "--radius", "12"]))
    assert (found["low"], found["high"]) == ([-12, 0], [12, 24])


def test_the_curve_of_a_density_is_one(words, sotto):
    found = result_of(sotto(words("density", "--json", "--seed", "1")))
    curve = {name: np.array(values) for name, values in found["curve"].items()}
    bands = {f"{name}_{end}" for name in ("band", "model", "whole", "model_whole") for end in ("low", "high")}
    assert set(curve) == {"points", "density", *bands}
    assert (curve["points"][0], curve["points"][-1]) == (0, 24)
    assert np.trapezoid(curve["density"], curve["points"]) == pytest.approx(1, abs=1e-3)
    assert np.all(curve["density"] >= 0)
    assert np.all((curve["band_low"] <= curve["density"]) & (curve["density"] <= curve["band_high"]))
    assert found["quartiles"] == sorted(found["quartiles"])


def test_centres_without_names(words, tmp_path, sotto):
    path = tmp_path / "bare.csv"
    path.write_text("\ufeff0.4,-0.3\n\n 0,0\n-1,1\n")
    assert result_of(sotto(words("cover", "--centres", str(path), "--json")))["size"] == 3


@pytest.mark.parametrize("what", KEYS)
def test_columns_that_are_not_there(what, words, sotto):
    own = words(what)
    own[own.index("--value") + 1] = "x,nix" if what in ("vector", "sparse", "cover") else "nix"
    if what == "vector":
        own += ["--value", "toss"]
    said = sotto(own, code=2)
    assert re.search(r"has no column 'nix'; its columns are '(who|name)', ", said)


@pytest.mark.parametrize("what", KEYS)
@pytest.mark.parametrize(
    "text, said",
    [
        ("who,x,y,z,toss,hour\n", "has no rows"),
        (f"who,x,y,z,toss,hour\na,1,1,1,1,1\nb,{SECRETS[0]},1\n", "line 3 of 'bad.csv' has 3 cells"),
        (f"who,x,y,z,toss,hour\na{',_' * 5}\nb{(',' + SECRETS[0]) * 5}\n", "line 2 of 'bad.csv'"),
        (f"who,x,y,z,toss,hour\n{(',' + SECRETS[0]) * 5}\n", "no user in column 'who'"),
    ],
    ids=["no rows", "ragged", "text", "no user"],
)
def test_files(what, text, said, words, tmp_path, sotto):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    own = words(what)
    own[2] = str(path)
    assert said in sotto(own, code=2)


@pytest.mark.parametrize(
    "what, more, said",
    [
        ("vector", ["--low", "0", "--high", "1"], "give one of the two"),
        ("vector", ["--centre", "0,0"], "centre has 2 entries; the data have 3 coordinates"),
        ("vector", ["--radius", "x"], "--radius: a number is wanted"),
        ("vector", ["--centre", "0,x"], "--centre: numbers are wanted"),
        ("vector", ["--ball", "l3"], "--ball"),
        ("vector", ["--value", "x"], "the same column twice"),
        ("vector", ["--value", "x,,y"], "names of columns are wanted"),
        ("mixture", ["--components", "9", "--method", "paper"], "9 components need 25 bins"),
        ("mixture", ["--components", "21"], "adaptive looks for at most 20 components, not 21"),
        ("cover", ["--metric", "l1"], "--metric"),
        ("cover", ["--method", "loud"], "--method"),
        ("cover", ["--centres", "nowhere.csv"], "No such file"),
        ("cover", ["--centres", "l2ball"], "spaces are linf-ball[:RADIUS], l2-ball[:RADIUS], sparse-vectors:S"),
        ("cover", ["--centres", "linf-ball", "--metric", "l2"], "metric: the cover brings its own"),
        ("cover", ["--centres", "l2-ball", "--radius", "0.5"], "radius: the cover brings its own"),
        ("cover", ["--value", "toss"], "has no column 'toss'; its columns are 'name', 'y', 'x'"),
    ],
)
def test_settings(what, more, said, words, sotto):
    assert said in sotto(words(what, *more), code=2)


@pytest.mark.parametrize("what", KEYS)
@pytest.mark.parametrize(
    "more, said",
    [
        (["--epsilon", "0"], "epsilon must lie between"),
        (["--epsilon", "nan"], "epsilon must lie between"),
        (["--confidence", "1"], "strictly between 0 and 1"),
        (["--seed", "-1"], "--seed"),
        (["--method", "magic"], "magic"),
        (["--observations", "0"], "observations"),
    ],
)
def test_common_settings_are_checked_before_the_file_is_read(what, more, said, words, sotto):
    own = words(what, *more)
    own[2] = "nowhere.csv"
    if what == "cover" and more[0] == "--observations":
        said = "has no option --observations"
    if more[0] == "--method":
        said = "--method"
    assert said in sotto(own, code=2)


def test_vectors_must_be_declared(table, sotto):
    start = ["estimate", "vector", table, "--user", "who", "--value", "x,y", "--epsilon", "1"]
    assert "declare where vectors lie" in sotto(start, code=2)
    assert "low and high come together" in sotto([*start, "--low", "0"], code=2)
    assert "declare where vectors lie" in sotto([*start, "--centre", "0,0"], code=2)


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
def test_centres(text, said, words, tmp_path, sotto):
    path = tmp_path / "odd.csv"
    path.write_text(text)
    assert said in sotto(words("cover", "--centres", str(path)), code=2)


def of_a_mean(file, *more):
    survey = "--user who --value what --low 0 --high 10 --epsilon 1"
    return ["estimate", "mean", file, *survey.split(), *more]


def test_anything_a_float_can_hold(tmp_path, capsys):
    path = tmp_path / "odd.csv"
    path.write_text("who,what\na,inf\na,-inf\nb,1e308\nb,1e308\nc,NA\nd,-0.0\ne,5e-324\nf,NaN\n")
    assert main(of_a_mean(str(path), "--json")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [6]


def test_parquet(tmp_path, capsys):
    polars = import_module("polars")
    path = tmp_path / "ratings.parquet"
    polars.DataFrame({"who": [1, 1, 2, 3], "what": [1.0, 2.0, 3.0, 4.0]}).write_parquet(path)
    assert main(of_a_mean(str(path), "--json", "--seed", "1")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [3]


def test_columns_by_pattern(tmp_path, sotto):
    path = tmp_path / "wide.csv"
    rows = [f"u{user}," + ",".join("1" if place == 7 else "0" for place in range(40)) for user in range(800)]
    path.write_text("tag_user," + ",".join(f"tag_{place}" for place in range(40)) + "\n" + "\n".join(rows) + "\n")
    start = ["estimate", "sparse", str(path), "--user", "tag_user", "--sparsity", "1", "--epsilon", "8", "--seed", "1"]
    found = result_of(sotto([*start, "--value", "tag_*", "--json"]))
    assert found["names"] == [f"tag_{place}" for place in range(40)]
    assert found["support"] == [7]
    shown = sotto([*start, "--value", "tag_3*", "--value", "tag_7"])
    assert "of 12 coordinates" in shown
    assert "has no column 'nothing*'" in sotto([*start, "--value", "nothing*"], code=2)


def test_columns_by_pattern_in_parquet(tmp_path, sotto):
    polars = import_module("polars")
    path = tmp_path / "wide.parquet"
    polars.DataFrame({"who": [1, 1, 2, 3], "x1": [1.0, 0, 1, 0], "x2": [0.0, 1, 0, 1]}).write_parquet(path)
    words = ["estimate", "vector", str(path), "--user", "who", "--value", "x?", "--radius", "2", "--epsilon", "1"]
    assert result_of(sotto([*words, "--json"]))["names"] == ["x1", "x2"]
