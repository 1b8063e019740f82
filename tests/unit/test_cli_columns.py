"""Vectors in a file: one column, or a pattern of them, for each coordinate."""

from importlib import import_module

import pytest

from sottovoce.cli import main
from tests.support.said import result_of


@pytest.fixture
def sotto(capsys):
    def run(words, code=0):
        assert main(words) == code
        printed = capsys.readouterr()
        return printed.out if code == 0 else printed.err

    return run


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
