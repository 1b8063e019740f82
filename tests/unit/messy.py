"""Files as people have them, each as bytes: what is said of them, and what then works."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

SECRET = "7339"
"""Begins an observation in every file; no message may hold it."""
NUMBERS = [[7339.5, 3.0], [2.25]]


@dataclass(frozen=True, kw_only=True)
class Messy:
    """One file. `says` is what an estimate says of it, an error unless `reads`; `fixed` are the users' numbers then."""

    content: bytes
    says: str
    fixed: list[list[float]] = field(default_factory=lambda: NUMBERS)
    reads: bool = False
    name: str = "rows.csv"
    given: list[str] = field(default_factory=list)
    columns: tuple[str, str] = ("user", "rating")
    other_columns: tuple[str, str] | None = None
    """As they are called once the fix is made."""
    edit: Callable[[Path], Path] | None = None
    """What the message says to do to the file itself."""
    looks: bool = True
    """Whether sotto look reads the file as it is."""


def text(*lines: str, end: str = "\n") -> bytes:
    return end.join((*lines, "")).encode()


def workbook(*rows: tuple[object, ...], sheet: str = "Ratings") -> bytes:
    book = import_module("openpyxl").Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _renamed(path: Path) -> Path:
    return path.rename(path.with_suffix(".xlsx"))


def _whole(path: Path) -> Path:
    path.write_bytes(gzip.compress(text("user,rating", "a,7339", "b,2")))
    return path


def _unquoted(path: Path) -> Path:
    lines = path.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace('"', "")  # line 3, as the message says
    path.write_text("".join(lines))
    return path


def _replaced(*pairs: tuple[str, str]) -> Callable[[Path], Path]:
    def edit(path: Path) -> Path:
        held = path.read_text()
        for old, new in pairs:
            held = held.replace(old, new, 1)
        path.write_text(held)
        return path

    return edit


def _unpacked(path: Path) -> Path:
    with zipfile.ZipFile(path) as archive:
        held = archive.read("inside.csv")
    path.write_bytes(held)
    return path


def _saved(path: Path) -> Path:
    path.write_bytes(text("user,rating", "a,7339.5", "b,2.25", "a,3"))
    return path


def archive(held: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("inside.csv", held)
    return out.getvalue()


MESSY = {
    "semicolons and decimal commas": Messy(
        content=text("user;rating", "a;7339,5", "b;2,25", "a;3"),
        reads=True,
        says="semicolons between cells, decimal commas",
    ),
    "points for thousands, decimal commas": Messy(
        content=text("user;rating", "a;7.339,5", "b;2,25", "a;1.234"),
        reads=True,
        says="decimal commas",
        fixed=[[7339.5, 1234.0], [2.25]],
    ),
    "tabs": Messy(content=text("user\trating", "a\t7339.5", "b\t2.25", "a\t3"), reads=True, says="tabs between"),
    "bars in a .txt": Messy(
        content=text("user|rating", "a|7339.5", "b|2.25", "a|3"), name="rows.txt", reads=True, says="bars between cells"
    ),
    "what Excel says of the separator": Messy(
        content=text("sep=;", "user;rating", "a;7339.5", "b;2.25", "a;3", end="\r\n"),
        reads=True,
        says="semicolons between cells",
    ),
    "UTF-16": Messy(
        content="user\trating\r\na\t7339.5\r\nb\t2.25\r\na\t3\r\n".encode("utf-16"),
        reads=True,
        says="tabs between cells, UTF-16",
    ),
    "UTF-16 without a mark": Messy(
        content="user,rating\na,7339.5\nb,2.25\na,3\n".encode("utf-16-be"), reads=True, says="UTF-16"
    ),
    "Windows letters": Messy(
        content="Schüler;rating\nJörg;7339,5\nZoë;2,25\nJörg;3\n".encode("cp1252"),
        reads=True,
        columns=("Schüler", "rating"),
        says="Windows-1252",
    ),
    "a mark, Windows lines, blank lines, quotes": Messy(
        content='\ufeff\r\nuser,rating,note\r\n\r\na,7339.5,"two\r\nlines"\r\nb,2.25,\r\na,3,x\r\n\r\n\r\n'.encode(),
        reads=True,
        says="estimate",
    ),
    "a late letter of Windows": Messy(
        content=text("user,rating,note", *["a,7339.5,fine"] * 30_000) + "b,2.25,schön\n".encode("cp1252"),
        says=r"is not UTF-8 text: line 30002 .* --encoding cp1252",
        fixed=[[7339.5] * 30_000, [2.25]],
        looks=False,
    ),
    "a title": Messy(
        content=text("Ratings of last year", "", "user,rating", "a,7339.5", "b,2.25", "a,3"),
        says="line 1 of 'rows.csv' is a title or a comment .* say --header 3",
        looks=False,
    ),
    "comments": Messy(
        content=text(
            "# exported, by hand", "# twice, or so, or more", "user;rating;n", "a;7339.5;1", "b;2.25;1", "a;3;1"
        ),
        says="begins with a comment; .* --header 3",
        looks=False,
    ),
    "no names": Messy(
        content=text("a,7339.5", "b,2.25", "a,3"),
        says="may lack a line of names: then say --header 0",
        other_columns=("1", "2"),
        looks=False,
    ),
    "words among numbers": Messy(
        content=text("user,rating", "a,7339.5", "b,2.25", "a,3", "b,x7339", "a,n.a.", "b,none"),
        says=r"column 'rating', line 5 of 'rows.csv': the cell must hold a number, not text \(2 of them in all\); "
        "--skip-bad",
        fixed=[[7339.5, 3.0, float("nan")], [2.25, float("nan"), float("nan")]],
    ),
    "too many and too few cells": Messy(
        content=text("user,rating", "a,7339.5", "b", "a,2,7339", "b,2.25", "a,3"),
        says="line 3 of 'rows.csv' has 1 cell, its first line has 2; --skip-bad",
    ),
    "rows of nobody": Messy(
        content=text("user,rating", "a,7339.5", ",7339", "b,2.25", "a,3", ",4"),
        says=r"2 rows have no user in column 'user' \(line 3 the first\); .* --skip-bad",
    ),
    "a comma that could be either": Messy(
        content=text("user;rating", "a;7,339", "b;2,250", "a;3"),
        says=r"column 'rating', line 2 .* --decimal \. .* if the comma separates thousands",
        fixed=[[7339.0, 3.0], [2250.0]],
    ),
    "points and commas": Messy(
        content=text("user;rating", "a;7339.5", "b;2.25", "a;3", "b;4,5"),
        says="column 'rating', line 5 .*; --skip-bad",
        fixed=[[7339.5, 3.0], [2.25, float("nan")]],
    ),
    "dates that could be either": Messy(
        content=text("user,rating", "a,03/04/7339", "b,05/06/2024", "a,01/02/2024"),
        says="the cell must hold a date .* say --dates dmy",
        given=["--low", "2024-01-01", "--high", "2025-01-01"],
        fixed=[[1961079.0, 19754.0], [19879.0]],
    ),
    "dates with points, and times": Messy(
        content=text("user,rating", "a,03.04.7339", "b,2024-06-05T12:00:00+02:00", "a,1.2.2024 06:00"),
        reads=True,
        given=["--low", "2024-01-01", "--high", "2025-01-01"],
        says="days since 1970-01-01",
        fixed=[[1961079.0, 19754.25], [19879 + 10 / 24]],
    ),
    "yes and no": Messy(
        content=text("user,rating,n", "a,yes,7339", "b,N,1", "a,no,1", "b,Y,1", "b,,1"),
        reads=True,
        says="estimate",
        fixed=[[1.0, 0.0], [0.0, 1.0, float("nan")]],
    ),
    "blanks": Messy(
        content=text("user  rating", "a  7339.5", "b  2.25", "a  3"),
        name="rows.txt",
        says="commas separate nothing in its first line, blanks would; say --separator space",
        looks=False,
    ),
    "a separator that is not there": Messy(
        content=text("user;rating", "a;7339.5", "b;2.25", "a;3"),
        given=["--separator", "tab"],
        says="tabs separate nothing in its first line, semicolons would; leave --separator out",
        edit=lambda path: path,
        looks=False,
    ),
    "an open quote": Messy(
        content=text("user,rating", "a,7339.5", '"b,2.25', "a,3"),
        says="a quote that is never closed, or another fault of that kind, from line 3 on; close or remove it",
        edit=_unquoted,
        looks=False,
    ),
    "half a gzip file": Messy(
        content=gzip.compress(text("user,rating", *["a,7339.5"] * 99))[:-12],
        name="rows.csv.gz",
        says="not a complete gzip file; fetch or pack it again",
        edit=_whole,
        fixed=[[7339.0], [2.0]],
        looks=False,
    ),
    "a workbook": Messy(
        content=workbook(
            ("user", "rating", None), ("a", 7339.5, None), (None, None, None), ("b", 2.25, None), ("a", 3)
        ),
        name="rows.xlsx",
        reads=True,
        says="estimate",
    ),
    "a workbook with a title": Messy(
        content=workbook(("All ratings",), (), ("user", "rating"), ("a", 7339.5), ("b", 2.25), ("a", 3)),
        name="rows.xlsx",
        says="row 1 of 'rows.xlsx' is a title or a comment .* --header 3",
        looks=False,
    ),
    "a sheet that is called otherwise": Messy(
        content=workbook(("user", "rating"), ("a", 7339.5), ("b", 2.25), ("a", 3)),
        name="rows.xlsx",
        given=["--sheet", "ratngs"],
        says=r"has no sheet 'ratngs'; did you mean 'Ratings'\?",
        looks=False,
    ),
    "a workbook called .csv": Messy(
        content=workbook(("user", "rating"), ("a", 7339.5), ("b", 2.25), ("a", 3)),
        says="is an Excel workbook in spite of its name; give it a name that ends in .xlsx",
        edit=_renamed,
        looks=False,
    ),
    "a column that is called otherwise": Messy(
        content=text("user,Rating ,n", "a,7339.5,1", "b,2.25,1", "a,3,1"),
        columns=("usr", "rating"),
        says=r"has no column 'usr' or 'rating'; its columns are .*; did you mean 'user' and 'Rating'\?",
        other_columns=("user", "Rating"),
    ),
    "UTF-32": Messy(content="user,rating\na,7339.5\nb,2.25\na,3\n".encode("utf-32"), reads=True, says="UTF-32"),
    "separators at the end of every row": Messy(
        content=text("user,rating", "a,7339.5,", "b,2.25,,", "a,3,"), reads=True, says="estimate"
    ),
    "a separator at the end of the names": Messy(
        content=text("user,rating,", "a,7339.5", "b,2.25", "a,3,"), reads=True, says="estimate"
    ),
    "blanks around users": Messy(
        content=text("user , rating", " a , 7339.5", "b,2.25 ", "a ,3"), reads=True, says="2 users"
    ),
    "a minus as it is set": Messy(
        content=text("user;rating", "a;\u22127339,5", "b;\u22122,25", "a;3"),
        reads=True,
        says="decimal commas",
        fixed=[[-7339.5, 3.0], [-2.25]],
    ),
    "a cell as long as a book": Messy(
        content=text("user,rating,note", f"a,7339.5,{'long ' * 40_000}", "b,2.25,", "a,3,short"),
        reads=True,
        says="estimate",
    ),
    "a name of two lines": Messy(
        content=text('user,"rating\nof lectures"', "a,7339.5", "b,2.25", "a,3"),
        columns=("user", "rating of lectures"),
        reads=True,
        says="estimate",
    ),
    "users that are not there": Messy(
        content=text("user,rating", "a,7339.5", "NA,7339", "null,4", "b,2.25", "a,3", "<NA>,5"),
        says=r"3 rows have no user in column 'user' \(line 3 the first\); .* --skip-bad",
    ),
    "colons": Messy(
        content=text("user:rating", "a:7339.5", "b:2.25", "a:3"),
        says="commas separate nothing in its first line; if ':' does, say --separator :",
        looks=False,
    ),
    "two columns of one name": Messy(
        content=text("user,rating,rating,n", "a,7339.5,1,1", "b,2.25,1,1", "a,3,1,1"),
        says="has 2 columns 'rating'; rename all but one of them",
        edit=_replaced(("rating,n", "other,n")),
    ),
    "currencies": Messy(
        content=text("user,rating,n", "a,$7339.5,1", "b,$2.25,1", "a,$3,1"),
        says="numbers stand without a currency, a percent sign or a unit beside them: take those away in the file",
        edit=_replaced(*[("$", "")] * 3),
    ),
    "currencies, though odd cells are skipped": Messy(
        content=text("user,rating,n", "a,$7339.5,1", "b,$2.25,1", "a,$3,1"),
        given=["--skip-bad"],
        says="holds nothing that can be read: 3 odd cells .*; numbers stand without a currency, a percent sign",
        edit=_replaced(*[("$", "")] * 3),
    ),
    "one row of nobody": Messy(
        content=text("user,rating", "a,7339.5", ",7339", "b,2.25", "a,3"),
        says=r"1 row has no user in column 'user' \(line 3\); drop or repair it, or --skip-bad .* leaves it out",
    ),
    "merged cells": Messy(
        content=workbook(("user", "rating"), ("a", 7339.5), (None, 4), ("b", 2.25), ("a", 3)),
        name="rows.xlsx",
        says=r"1 row has no user in column 'user' \(row 3\); of merged cells only the first .* --skip-bad",
    ),
    "years of two digits": Messy(
        content=text("user,rating,n", "a,03.04.39,7339", "b,05.06.24,1", "a,01.02.24,1"),
        given=["--low", "2024-01-01", "--high", "2025-01-01"],
        says="dates are read as .* with all digits of the year: write them so in the file",
        edit=_replaced((".39,", ".7339,"), (".24,", ".2024,"), (".24,", ".2024,")),
        fixed=[[1961079.0, 19754.0], [19879.0]],
    ),
    "an archive called .csv": Messy(
        content=archive(text("user,rating", "a,7339.5", "b,2.25", "a,3")),
        says="is a zip archive in spite of its name; unpack it first",
        edit=_unpacked,
        looks=False,
    ),
    "a picture called .csv": Messy(
        content=b"\x89PNG\r\n\x1a\n7339" + bytes(range(256)) * 9,
        says="holds no text, whatever its name says; save the table as .csv or .xlsx",
        edit=_saved,
        looks=False,
    ),
    "JSON called .csv": Messy(
        content=b'[{"user": "a", "rating": 7339.5}, {"user": "b", "rating": 2.25}]\n',
        says="seems to hold JSON, which is not read; save it as .csv",
        edit=_saved,
        looks=False,
    ),
}
