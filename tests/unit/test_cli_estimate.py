"""``sotto estimate mean``."""

from importlib import import_module

import pytest

from sottovoce.cli import main
from tests.support.said import result_of

SECRETS = ("7.654321", "-3.1415926", "8.7654321")
KEYS = {
    "kind", "version", "collection", "rehearsal",
    "value", "interval", "confidence", "interval_kind", "standard_error", "users_per_round", "privacy", "method",
    "chosen", "low", "high", "notes", "observations", "seed", "assumes", "model_interval", "model_assumes",
    "detection_limit", "hidden_shift", "colluders", "instead",
}  # fmt: skip


@pytest.fixture
def ratings(tmp_path):
    """60 users with 1 to 4 numbers each; some stick out."""
    rows = [f"u{user},{(user * 7 + place) % 10}" for user in range(60) for place in range(1 + user % 4)]
    rows += [f"u{place},{secret}" for place, secret in enumerate(SECRETS)]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["who,what", *rows]) + "\n")
    return str(path)


def words(file, *more):
    return [
        "estimate",
        "mean",
        file,
        "--user",
        "who",
        "--value",
        "what",
        "--low",
        "0",
        "--high",
        "10",
        "--epsilon",
        "1",
        *more,
    ]


def test_for_people(ratings, capsys):
    assert main(words(ratings)) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    labels = [line[:12].strip() for line in lines if line[:12].strip() and line[0].isalpha()]
    assert labels[:10] == [
        "answer", "truth", "estimate", "interval", "error", "assumes", "colluders", "data", "method", "users",
    ]  # fmt: skip
    assert "1-locally-private" in printed.out
    assert "a survey has to declare it" in printed.out
    (picture,) = (place for place, line in enumerate(lines) if line.startswith("0 ") and line.endswith(" 10"))
    assert "●" in lines[picture] and "▲ truth" in lines[picture + 1]
    assert picture < next(place for place, line in enumerate(lines) if line.startswith("estimate"))
    assert max(map(len, lines)) <= 100
    assert not any(secret in printed.out for secret in SECRETS)


def test_for_programs(ratings, capsys):
    assert main(words(ratings, "--json", "--confidence", "0.9", "--observations", "3")) == 0
    printed = capsys.readouterr()
    found = result_of(printed.out)
    assert printed.err == ""
    assert set(found) == KEYS | {"reading"}
    assert set(found["standard_error"]) == {"sampling", "privacy", "localisation", "clipping", "total"}
    assert set(found["privacy"]) == {"epsilon", "protects", "users", "rounds"}
    assert found["interval"][0] <= found["interval"][1]
    assert (found["confidence"], found["observations"], found["seed"]) == (0.9, 3, None)
    assert found["users_per_round"] == [60]


def test_a_seed_repeats_and_says_so(ratings, capsys):
    assert main(words(ratings, "--seed", "7")) == 0
    first = capsys.readouterr().out
    assert main(words(ratings, "--seed", "7")) == 0
    assert capsys.readouterr().out == first
    assert "seed 7" in first
    assert "not private" in first


def test_anything_a_float_can_hold(tmp_path, capsys):
    path = tmp_path / "odd.csv"
    path.write_text("who,what\na,inf\na,-inf\nb,1e308\nb,1e308\nc,NA\nd,-0.0\ne,5e-324\nf,NaN\n")
    assert main(words(str(path), "--json")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [6]


def test_parquet(tmp_path, capsys):
    polars = import_module("polars")
    path = tmp_path / "ratings.parquet"
    polars.DataFrame({"who": [1, 1, 2, 3], "what": [1.0, 2.0, 3.0, 4.0]}).write_parquet(path)
    assert main(words(str(path), "--json", "--seed", "1")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [3]
