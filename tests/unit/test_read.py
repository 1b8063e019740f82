"""``sv.read``: how a file is read is said once, and every call takes the result."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pandas
import pytest

import sottovoce as sv
from sottovoce.data import READING_OPTIONS, reading_of
from sottovoce.problems import problems

ROWS = [f"s{number % 40};{1 + number % 4},5;{'ab'[number % 2]}" for number in range(400)]
MEAN = {"value": "rating", "low": 1, "high": 5, "epsilon": 2.0, "seed": 3}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["student;rating;place", *ROWS]), encoding="utf-8")
    return path


def test_every_call_takes_what_is_read(file: Path) -> None:
    ratings = sv.read(file, user="student", separator=";", decimal=",")
    plain = sv.mean(file, user="student", **MEAN)  # a path is read as looking at it says
    assert sv.mean(ratings, **MEAN) == plain
    assert sv.mean(ratings, user="student", **MEAN) == plain
    assert sv.mean(ratings, by="place", **MEAN) == sv.mean(file, user="student", by="place", **MEAN)
    asks = {"first": sv.ask("mean", value="rating", low=1, high=5)}
    assert sv.several(ratings, asks, epsilon=2.0, seed=3) == sv.several(file, asks, user="student", epsilon=2.0, seed=3)
    compared = sv.compare(ratings, value="rating", low=1, high=5, methods=["one-round"], repetitions=2)
    assert str(file) in str(compared.to_dict())
    assert sv.collections(ratings, value="rating").users == sv.people(ratings, value="rating").users == 40
    assert sv.look(ratings) == sv.look(sv.read(file, separator=";", decimal=","), user="student")


def test_a_call_may_name_another_column_of_users(file: Path) -> None:
    assert sv.collections(sv.read(file, user="student"), user="place", value="rating").users == 2


def test_frames_may_be_read_too() -> None:
    frame = pandas.DataFrame({"who": ["a", "a", "b"], "v": ["1", "x", "3"]})
    held = sv.collections(sv.read(frame, user="who", skip_bad=True), value="v")
    reading = reading_of(held)
    assert reading is not None and (reading.odd_cells, held.users) == (1, 2)


def test_its_repr_says_what_was_said_and_nothing_of_the_rows(file: Path) -> None:
    shown = repr(sv.read(file, user="student", separator=";", header=1))
    assert shown == f"<Records of {str(file)!r}, user='student', separator=';', header=1>"
    assert "header=0" in repr(sv.read(file, header=0))
    assert repr(sv.read([[1.0]])) == "<Records of a list>"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"separator": ";;"}, "separator must be one character"),
        ({"decimal": ";"}, "decimal must be . or ,"),
        ({"dates": "ydm"}, "dates must be one of"),
        ({"header": -1}, "header must be the number of the line"),
        ({"encoding": "klingon"}, "Python knows no encoding"),
    ],
)
def test_options_are_checked_at_once(file: Path, given: dict[str, Any], said: str) -> None:
    with pytest.raises(sv.InvalidInput, match=re.escape(said)):
        sv.read(file, **given)


def test_a_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        sv.read(tmp_path / "nothing.csv")
    with pytest.raises(sv.InvalidInput, match="separator= says how a file is read; a list is none: leave it out"):
        sv.read([[1.0]], separator=";")


TAKEN = {"separator": ";", "encoding": "utf-8", "decimal": ",", "dates": "dmy", "header": 1, "sheet": "A"}


@pytest.mark.parametrize("name", [*(one.function for one in problems()), "several", "compare", "people", "look"])
def test_how_to_read_is_no_longer_said_to_calls(name: str) -> None:
    call = getattr(sv, name)
    assert not set(READING_OPTIONS) & set(inspect.signature(call).parameters)
    for option, given in (TAKEN | {"skip_bad": True}).items():
        with pytest.raises(sv.InvalidInput) as caught:
            call("ratings.csv", **{option: given})
        assert caught.value.fix == f"sv.{name}(sv.read('ratings.csv', {option}={given!r}), …)"
        assert caught.value.code == "unknown-setting" and f"{name} takes no {option}=" in str(caught.value)
    with pytest.raises(sv.InvalidInput, match=re.escape(f"sv.{name}(sv.read(data, decimal=',', skip_bad=True), …)")):
        call([[1.0]], skip_bad=True, decimal=",")
