"""``sotto look`` and ``sv.look``: kinds, users, guesses, what is suggested; standard input; bars."""

from __future__ import annotations

import csv
import io
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.data import collections, input_bytes
from sottovoce.messages import InvalidInput, MissingExtra


def rows(count: int = 200) -> str:
    random = np.random.default_rng(4)
    lines = ["row,student,age,score,passed,day,way,remark"]
    for row in range(count):
        cells = [
            str(row + 1),
            f"s{random.integers(0, 30)}",
            str(random.integers(18, 41)),
            f"{random.uniform(0, 9.9):.3f}",
            str(random.choice(["yes", "no"])),
            f"2024-0{random.integers(1, 7)}-1{random.integers(0, 9)}",
            str(random.choice(["bus", "tram", "on foot"])),
            f"remark {random.integers(10**9)}",
        ]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "rows.csv"
    found.write_text(rows())
    return found


def test_kinds_and_round_bounds(path: Path) -> None:
    seen = sv.look(path)
    assert [one.name for one in seen.columns] == ["row", "student", "age", "score", "passed", "day", "way", "remark"]
    kinds = [one.kind for one in seen.columns]
    assert kinds == ["id", "user", "whole number", "number", "yes/no", "date", "category", "id"]
    assert seen.column("age").range == (10, 40) and seen.column("score").range == (0, 10)
    assert str(seen.column("day").holds) == "2024-01-01 … 2024-07-01"
    assert seen.column("way").labels == ("bus", "on foot", "tram")
    assert "s17" not in seen.summary(), "the ids of users are not shown"
    assert any(command.startswith("sotto estimate several ") for command in seen.commands)


def test_users_are_guessed_and_counted(path: Path) -> None:
    users = sv.look(path).users
    assert users is not None and (users.column, users.guessed, users.count) == ("student", True, 30)
    assert users.fewest <= users.median <= users.most_have <= users.most
    assert "a guess" in str(users.statement)
    named = sv.look(path, user="way").users
    assert named is not None and (named.count, named.guessed) == (3, False)
    with pytest.raises(InvalidInput, match=r"no column 'studnt'; .*; did you mean 'student'\?"):
        sv.look(path, user="studnt")


def looked(tmp_path: Path, text: str) -> sv.Look:
    (tmp_path / "rows.csv").write_text(text)
    return sv.look(tmp_path / "rows.csv")


def test_users_with_nothing(tmp_path: Path) -> None:
    seen = looked(tmp_path, "user,v\na,1\nb,\nc,x\na,2.5\nb,NA\n")
    assert seen.column("v").empty == 2
    assert "2 users have nothing in 'v'" in seen.summary()


def test_the_same_of_a_frame(path: Path) -> None:
    frame = import_module("pandas").read_csv(path)
    seen, expected = sv.look(frame), sv.look(path)
    assert [one.kind for one in seen.columns] == [one.kind for one in expected.columns]
    assert seen.users == expected.users
    frame.to_parquet(path.with_suffix(".parquet"))
    assert [one.kind for one in sv.look(path.with_suffix(".parquet")).columns] == [one.kind for one in seen.columns]
    assert "FILE" in seen.commands[0]


def test_for_programs_and_notebooks(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["result"]
    assert found == json.loads(json.dumps(sv.look(path).to_dict()))
    assert found["users"]["column"] == "student" and found["beware"] == {"code": "look-beware", "data": {}}
    assert "<td>score</td>" in sv.look(path)._repr_html_()


def piped(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(
    packed: bool, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = import_module("gzip").compress(path.read_bytes()) if packed else path.read_bytes()
    piped(monkeypatch, content)
    words = ["--user", "student", "--value", "score", "--low", "0", "--high", "10", "--epsilon", "1", "--seed", "3"]
    assert main(["estimate", "mean", "-", *words]) == 0
    piped(monkeypatch, content)
    assert main(["look", "-"]) == 0
    assert "sotto estimate mean - --user student" in capsys.readouterr().out
    piped(monkeypatch, content)
    assert sv.collections("-", user="student", value="score").users == 30
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    with pytest.raises(InvalidInput, match="nothing comes in"):
        sv.look("-")


def test_a_workbook_that_is_none_and_one_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows.xlsx").write_bytes(b"PK\x03\x04 73391")
    with pytest.raises(InvalidInput, match=r"no Excel workbook that can be read \(BadZipFile\)") as caught:
        sv.look(tmp_path / "rows.xlsx")
    assert caught.value.__context__ is None
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[excel\]"'):
        sv.look(tmp_path / "rows.xlsx")


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "xlsx", "parquet", "-"])
@pytest.mark.parametrize("seen", [True, False], ids=["a terminal", "a pipe"])
def test_bars_on_terminals_only(
    ending: str, seen: bool, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame: Any = import_module("pandas").read_csv(path)
    file: Any = tmp_path / f"many.{ending}"
    if ending == "-":
        piped(monkeypatch, path.read_bytes())
        file = "-"
    elif ending == "xlsx":
        frame.to_excel(file, index=False)
    elif ending == "parquet":
        frame.to_parquet(file)
    else:
        frame.to_csv(file, index=False)
    made: list[str] = []
    tqdm = import_module("tqdm").tqdm

    def bar(**given: Any) -> Any:
        made.append(given["desc"])
        return tqdm(**given)

    monkeypatch.setattr("tqdm.tqdm", bar)
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: seen)
    monkeypatch.setattr(input_bytes.sys, "stderr", stream)
    assert sv.people(file, user="student", value="score").users == 30
    assert bool(made) == seen
    assert seen or stream.getvalue() == ""


def test_infinite_cells_are_counted_and_suggest_no_range_nor_do_lists(tmp_path: Path) -> None:
    lists = {"user": ["a", "b", "a"], "v": [[1, 2], [3], [4]], "w": [1.0, 2.0, 3.0]}
    found = sv.look(import_module("polars").DataFrame(lists))
    assert found.column("v").kind == "other" and all("--value w" in command for command in found.commands)
    found = looked(tmp_path, "user,v,w\na,inf,1\nb,1e400,2\na,-inf,3\n")
    assert found.column("v").infinite == 3 and found.column("v").range is None
    assert "3 cells of 'v', which count as an end of the range" in found.summary()
    assert all("--value w" in command for command in found.commands)


def test_columns_of_one_name_are_told_and_not_suggested(tmp_path: Path) -> None:
    found = looked(tmp_path, "user,v,v,w\na,1,2,3\nb,1,2,4\na,1,2,5\n")
    assert "2 columns are called 'v'" in found.summary()
    assert found.commands and all("value=v" not in one and "--value v" not in one for one in found.commands)
    assert looked(tmp_path, "user,user,v\na,b,3\nb,c,4\na,b,5\n").commands == ()


def test_users_are_counted_as_an_estimate_counts_them(tmp_path: Path) -> None:
    found = looked(tmp_path, "user,v\na,1\na ,2\n a,3\nNA,4\nb,5\n")
    assert found.users is not None and found.users.count == 2
    assert [(one.what, one.count) for one in found.left_out] == [("no-user", 1)]
    held = collections(sv.read(tmp_path / "rows.csv", skip_bad=True), user="user", value="v")
    assert held.sizes.tolist() == [3, 1]


def test_the_column_of_users_counts_as_users_do(tmp_path: Path) -> None:
    """Null and none may be names there; NA and None are not."""
    cells = ["", "NA", "None", "a", "b", "a", "b", "Null", "none"]
    seen = looked(tmp_path, "user,v\n" + "".join(f"{cell},{row}.5\n" for row, cell in enumerate(cells)))
    assert seen.users is not None and seen.users.count == 4
    column = seen.column("user")
    assert (column.missing, column.distinct, str(column.holds)) == (3, 4, "4 different")
    assert [(one.what, one.count) for one in seen.left_out] == [("no-user", 3)]
    frame = sv.look(import_module("pandas").DataFrame({"user": [None, "NA", "a", "a"], "v": [1.5, 2.5, 3.5, 4.5]}))
    assert (frame.column("user").missing, frame.column("user").distinct) == (1, 2)


def test_numbers_in_disguise_are_no_labels_and_say_what_to_do(tmp_path: Path) -> None:
    found = looked(tmp_path, "user,price,grade\na,$3,Q1\nb,$4,Q2\na,$3,Q1\n")
    assert (found.column("price").kind, found.column("price").labels) == ("text", ())
    assert found.column("grade").labels == ("Q1", "Q2")
    seen = looked(tmp_path, "user,price,when\na,$3.1,3 May 2024\nb,$4.2,4 May 2024\na,$3.2,5 May 2024\nb,,\n")
    assert "'price': numbers stand without a currency" in seen.summary()
    assert "'when': dates are read as" in seen.summary()
    assert looked(tmp_path, "user,remark\na,$3.1\nb,well\na,$4\nb,so so\n").column("remark").hint is None


@pytest.mark.parametrize("large", ["1e300", "1e151", "3e130"])
def test_no_range_is_suggested_that_is_refused(large: str, tmp_path: Path) -> None:
    seen = looked(tmp_path, f"user,v,w\na,{large},1\nb,2,2\na,3.5,3\n")
    assert seen.column("v").range is not None
    assert seen.commands and all("--value w" in command for command in seen.commands)


def test_the_limit_of_the_standard_library_stays_as_it_was(path: Path) -> None:
    before = csv.field_size_limit()
    sv.look(path)
    assert csv.field_size_limit() == before
    sv.mean(path, user="student", value="score", low=0, high=10, epsilon=1.0, seed=1)
    assert csv.field_size_limit() == before


def test_other_sheets_and_rare_separators_are_mentioned(tmp_path: Path) -> None:
    book = import_module("openpyxl").Workbook()
    for row in (["user", "v"], ["a", 1]):
        book.active.append(row)
    book.create_sheet("Later")
    book.save(tmp_path / "rows.xlsx")
    assert "the first of 2 sheets; --sheet (sheet=) names another: 'Later'" in sv.look(tmp_path / "rows.xlsx").summary()
    assert "say --separator '^' (separator='^')" in looked(tmp_path, "user^v\na^1\nb^2\n").summary()


def test_a_page_shows_some_of_many_columns(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(2000)]
    found = looked(tmp_path, f"user,{','.join(names)}\na{',1' * 2000}\nb{',2' * 2000}\n")
    assert len(found.columns) == 2001 and len(found.table()) == 101
    assert found.table()[-1][:2] == ("…", "1,901 more")
