"""``sotto estimate mixture`` and ``sotto estimate cover``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sottovoce.cli import main

SURVEY = ["--low", "-1", "--high", "1", "--epsilon", "6"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    """300 users of two kinds with 50 observations each, and a second coordinate."""
    rng = np.random.default_rng(1)
    x = rng.normal(rng.choice([-0.6, 0.5], size=(300, 1)), 0.1, size=(300, 50))
    y = rng.normal(0.2, 0.1, size=x.shape)
    path = tmp_path / "data.parquet"
    pl.DataFrame({"who": np.repeat(np.arange(300), 50), "x": x.ravel(), "y": y.ravel()}).write_parquet(path)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["estimate", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "--json" in words or max(map(len, out.splitlines())) <= 100
    return out


def test_mixture(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mixture", file, "--user", "who", "--value", "x", "--components", "2", *SURVEY, "--seed", "3"]
    found = json.loads(printed(capsys, *words, "--json"))
    assert found["means"] == pytest.approx([-0.6, 0.5], abs=0.1) and found["shares"] == pytest.approx(
        [0.5, 0.5], abs=0.2
    )
    assert (found["observations"], found["seed"], found["users_per_round"]) == (50, 3, [100, 100, 100])
    text = printed(capsys, *words)
    assert "component 2" in text and "6-locally-private" in text and "seed 3" in text and text.count("●") == 2
    assert "as looked up in the file" in text
    assert "as looked up" not in printed(capsys, *words, "--observations", "40")


@pytest.mark.parametrize(
    ("space", "columns"),
    [
        (["--space", "l2", "--delta", "0.3"], ["x", "y"]),
        (["--space", "linf", "--delta", "0.3", "--radius", "1.5"], ["x", "y"]),
        (["--space", "sparse", "--delta", "0.2", "--sparsity", "1"], ["x", "y"]),
        (["--space", "sobolev", "--delta", "0.5", "--smoothness", "1", "--radius", "2"], ["x"]),
    ],
)
def test_cover(file: str, space: list[str], columns: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    values = [word for column in columns for word in ("--value", column)]
    words = ["cover", file, "--user", "who", *values, *space, "--epsilon", "6", "--seed", "1"]
    found = json.loads(printed(capsys, *words, "--json"))
    assert len(found["centre"]) >= len(columns) and 0 < found["share"] and found["error_bound"] > 0
    text = printed(capsys, *words)
    assert "chosen" in text and "radius" in text and "█" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mixture", "--value", "x", "--components", "0", *SURVEY], "components must be"),
        (["mixture", "--value", "x", "--components", "40", *SURVEY], "what would help"),
        (["mixture", "--value", "x", "--components", "two", *SURVEY], "a whole number is wanted"),
        (
            ["mixture", "--value", "x", "--components", "2", "--low", "0", "--high", "1", "--epsilon", "0"],
            "epsilon must",
        ),
        (["cover", "--value", "x", "--delta", "0", "--epsilon", "1"], "delta must be positive"),
        (["cover", "--value", "x", "--delta", "1e-9", "--epsilon", "1"], "about 1.53e-05 fits"),
        (["cover", "--value", "x", "--delta", "0.1", "--epsilon", "17"], "epsilon must"),
        (
            ["cover", "--value", "x", "--delta", "0.1", "--epsilon", "1", "--space", "sparse", "--sparsity", "3"],
            "sparsity",
        ),
        (["cover", "--value", "x", "--delta", "1.5", "--epsilon", "1"], "2 to 65,536 centres; got 1"),
    ],
)
def test_bad_words(file: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", words[0], file, "--user", "who", *words[1:]]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and len(err.splitlines()) <= 2
