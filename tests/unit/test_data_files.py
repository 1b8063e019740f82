"""Files: what CSV may look like, and what is said when it does not."""

from __future__ import annotations

import gzip
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sottovoce.data import collections, csv_reader
from sottovoce.messages.errors import InvalidInput, MissingExtra

SECRET = "73391.0625"


def csv(folder: Path, text: str | bytes) -> Path:
    path = folder / "rows.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "u,v\na,1\nb,2\na,3\n",
        "u,v\r\na,1\r\nb,2\r\na,3",
        "\ufeffu,v\na,1\nb,2\na,3\n",
        "\nu , v\na, 1\n\nb, 2 \na,3e0\n\n",
        'w,"v","u"\n"x\ny",1,"a"\n"a ""quote""",2,b\n,"3",a\n',
    ],
    ids=["plain", "windows", "byte order mark", "spaces and blank lines", "quotes"],
)
def test_csv_in_its_many_forms(text: str, tmp_path: Path) -> None:
    held = collections(csv(tmp_path, text), user="u", value="v")
    assert held.values[:, 0].tolist() == [1, 3, 2]
    assert held.offsets.tolist() == [0, 2, 3]


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


def test_line_numbers_count_lines_not_rows(tmp_path: Path) -> None:
    path = csv(tmp_path, f'u,v\n\n"two\nlines",1\na,x{SECRET}\n')
    with pytest.raises(InvalidInput, match=r"column 'v', line 5 of 'rows.csv': the cell must hold a number"):
        collections(path, user="u", value="v")


BAD: dict[str, tuple[str | bytes, str]] = {
    "text": (f"u,v\na,1\nb,x{SECRET}\n", "column 'v', line 3 of 'rows.csv': the cell must hold a number"),
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


def test_unknown_endings_and_folders(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"'rows.sav': the name must end in .csv, .tsv, .txt"):
        collections("rows.sav", user="u", value="v")
    with pytest.raises(InvalidInput, match=r"'rows.xls': save it as .xlsx"):
        collections("rows.xls", user="u", value="v")
    (tmp_path / "some.csv").mkdir()
    with pytest.raises(InvalidInput, match=r"'some.csv' is a folder"):
        collections(tmp_path / "some.csv", user="u", value="v")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file") as caught:
        collections(tmp_path / "none.csv", user="u", value="v")
    assert caught.value.filename.endswith("none.csv")


def test_parquet_without_polars_is_read_by_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    from sottovoce.data import frames

    parquet.write_table(pyarrow.table({"u": ["b", "a", "b"], "v": [1, None, 3]}), tmp_path / "rows.parquet")
    monkeypatch.setattr(frames, "find_spec", lambda name: None if name == "polars" else name)
    held = collections(tmp_path / "rows.parquet", user="u", value="v")
    np.testing.assert_array_equal(held.values[:, 0], [1, 3, np.nan])


def test_parquet_without_a_reader_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sottovoce.data import frames

    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[frames\]"'):
        collections(tmp_path / "rows.parquet", user="u", value="v")


@pytest.mark.parametrize("hidden", ["polars", "none"])
def test_a_file_that_is_not_parquet(hidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("pyarrow" if hidden == "polars" else "polars")
    from sottovoce.data import frames

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
