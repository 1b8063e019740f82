"""Files as people have them, each as bytes: what is said of them, and what then works."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from importlib import import_module
from pathlib import Path

SECRET = "7339"
"""Begins an observation in every file; no message may hold it."""
ROWS, NUMBERS = ("a,7339.5", "b,2.25", "a,3"), [[7339.5, 3.0], [2.25]]
MISSING = float("nan")
DAYS, DATED = ["--low", "2024-01-01", "--high", "2025-01-01"], [[1961079.0, 19754.0], [19879.0]]


@dataclass(frozen=True)
class Messy:
    """One file. `says` is what an estimate says of it, an error unless `reads`; `fixed` are the users' numbers then."""

    content: bytes
    says: str = "estimate"
    fixed: list[list[float]] = field(default_factory=lambda: NUMBERS)
    _: KW_ONLY
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


def text(*lines: str, end: str = "\n", code: str = "utf-8") -> bytes:
    return end.join((*lines, "")).encode(code)


def plain(separator: str = ",", *, names: str = "user,rating", **more: str) -> bytes:
    return text(*(line.replace(",", separator) for line in (names, *ROWS)), **more)


def workbook(*rows: tuple[object, ...]) -> bytes:
    book, out = import_module("openpyxl").Workbook(), io.BytesIO()
    book.active.title = "Ratings"
    for row in rows or BOOK:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def archive(held: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("inside.csv", held)
    return out.getvalue()


def _renamed(path: Path) -> Path:
    return path.rename(path.with_suffix(".xlsx"))


def _saved(content: bytes) -> Callable[[Path], Path]:
    """Another file under the same name."""
    return lambda path: (path.write_bytes(content), path)[1]


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


BOOK: list[tuple[object, ...]] = [("user", "rating"), ("a", 7339.5), ("b", 2.25), ("a", 3)]
PRICES, WITHOUT = text("user,rating,n", "a,$7339.5,1", "b,$2.25,1", "a,$3,1"), _replaced(*[("$", "")] * 3)
LONG = f"a,7339.5,{'long ' * 40_000}"
READ = {
    "semicolons and decimal commas": Messy(
        text("user;rating", "a;7339,5", "b;2,25", "a;3"), "semicolons between cells, decimal commas"
    ),
    "points for thousands, decimal commas": Messy(
        text("user;rating", "a;7.339,5", "b;2,25", "a;1.234"), "decimal commas", [[7339.5, 1234.0], [2.25]]
    ),
    "tabs": Messy(plain("\t"), "tabs between"),
    "bars in a .txt": Messy(plain("|"), "bars between cells", name="rows.txt"),
    "what Excel says of the separator": Messy(b"sep=;\r\n" + plain(";", end="\r\n"), "semicolons between cells"),
    "UTF-16": Messy(plain("\t", end="\r\n", code="utf-16"), "tabs between cells, UTF-16"),
    "UTF-16 without a mark": Messy(plain(code="utf-16-be"), "UTF-16"),
    "UTF-32": Messy(plain(code="utf-32"), "UTF-32"),
    "Windows letters": Messy(
        text("Schüler;rating", "Jörg;7339,5", "Zoë;2,25", "Jörg;3", code="cp1252"),
        "Windows-1252",
        columns=("Schüler", "rating"),
    ),
    "a mark, Windows lines, blank lines, quotes": Messy(
        '\ufeff\r\nuser,rating,note\r\n\r\na,7339.5,"two\r\nlines"\r\nb,2.25,\r\na,3,x\r\n\r\n\r\n'.encode()
    ),
    "dates with points, and times": Messy(
        text("user,rating", "a,03.04.7339", "b,2024-06-05T12:00:00+02:00", "a,1.2.2024 06:00"),
        "days since 1970-01-01",
        [[1961079.0, 19754.25], [19879 + 10 / 24]],
        given=DAYS,
    ),
    "yes and no": Messy(
        text("user,rating,n", "a,yes,7339", "b,N,1", "a,no,1", "b,Y,1", "b,,1"),
        fixed=[[1.0, 0.0], [0.0, 1.0, MISSING]],
    ),
    "a workbook": Messy(
        workbook(("user", "rating", None), ("a", 7339.5, None), (None, None, None), ("b", 2.25, None), ("a", 3)),
        name="rows.xlsx",
    ),
    "separators at the end of every row": Messy(text("user,rating", "a,7339.5,", "b,2.25,,", "a,3,")),
    "a separator at the end of the names": Messy(text("user,rating,", "a,7339.5", "b,2.25", "a,3,")),
    "blanks around users": Messy(text("user , rating", " a , 7339.5", "b,2.25 ", "a ,3"), "2 users"),
    "a minus as it is set": Messy(
        text("user;rating", "a;\u22127339,5", "b;\u22122,25", "a;3"), "decimal commas", [[-7339.5, 3.0], [-2.25]]
    ),
    "a cell as long as a book": Messy(text("user,rating,note", LONG, "b,2.25,", "a,3,short")),
    "a name of two lines": Messy(plain(names='user,"rating\nof lectures"'), columns=("user", "rating of lectures")),
}
REFUSED = {
    "a late letter of Windows": Messy(
        text("user,rating,note", *["a,7339.5,fine"] * 30_000) + "b,2.25,schön\n".encode("cp1252"),
        r"is not UTF-8 text: line 30002 .* --encoding cp1252",
        [[7339.5] * 30_000, [2.25]],
        looks=False,
    ),
    "a title": Messy(
        b"Ratings of last year\n\n" + plain(),
        "line 1 of 'rows.csv' is a title or a comment .* say --header 3",
        looks=False,
    ),
    "comments": Messy(
        b"# exported, by hand\n# twice, or so, or more\n" + text("user;rating;n", "a;7339.5;1", "b;2.25;1", "a;3;1"),
        "begins with a comment; .* --header 3",
        looks=False,
    ),
    "no names": Messy(
        text(*ROWS), "may lack a line of names: then say --header 0", other_columns=("1", "2"), looks=False
    ),
    "words among numbers": Messy(
        plain() + text("b,x7339", "a,n.a.", "b,none"),
        r"column 'rating', line 5 of 'rows.csv': the cell must hold a number, not text \(2 of them in all\); "
        "--skip-bad",
        [[7339.5, 3.0, MISSING], [2.25, MISSING, MISSING]],
    ),
    "too many and too few cells": Messy(
        text("user,rating", "a,7339.5", "b", "a,2,7339", "b,2.25", "a,3"),
        "line 3 of 'rows.csv' has 1 cell, its first line has 2; --skip-bad",
    ),
    "rows of nobody": Messy(
        text("user,rating", "a,7339.5", ",7339", "b,2.25", "a,3", ",4"),
        r"2 rows have no user in column 'user' \(line 3 the first\); .* --skip-bad",
    ),
    "a comma that could be either": Messy(
        text("user;rating", "a;7,339", "b;2,250", "a;3"),
        r"column 'rating', line 2 .* --decimal \. .* if the comma separates thousands",
        [[7339.0, 3.0], [2250.0]],
    ),
    "points and commas": Messy(
        plain(";") + b"b;4,5\n", "column 'rating', line 5 .*; --skip-bad", [[7339.5, 3.0], [2.25, MISSING]]
    ),
    "dates that could be either": Messy(
        text("user,rating", "a,03/04/7339", "b,05/06/2024", "a,01/02/2024"),
        "the cell must hold a date .* say --dates dmy",
        DATED,
        given=DAYS,
    ),
    "blanks": Messy(
        plain("  "),
        "commas separate nothing in its first line, blanks would; say --separator space",
        name="rows.txt",
        looks=False,
    ),
    "a separator that is not there": Messy(
        plain(";"),
        "tabs separate nothing in its first line, semicolons would; leave --separator out",
        given=["--separator", "tab"],
        edit=lambda path: path,
        looks=False,
    ),
    "an open quote": Messy(
        text("user,rating", "a,7339.5", '"b,2.25', "a,3"),
        "a quote that is never closed, or another fault of that kind, from line 3 on; close or remove it",
        edit=_unquoted,
        looks=False,
    ),
    "half a gzip file": Messy(
        gzip.compress(text("user,rating", *["a,7339.5"] * 99))[:-12],
        "not a complete gzip file; fetch or pack it again",
        edit=_saved(gzip.compress(plain())),
        name="rows.csv.gz",
        looks=False,
    ),
    "a workbook with a title": Messy(
        workbook(("All ratings",), (), *BOOK),
        "row 1 of 'rows.xlsx' is a title or a comment .* --header 3",
        name="rows.xlsx",
        looks=False,
    ),
    "a sheet that is called otherwise": Messy(
        workbook(),
        r"has no sheet 'ratngs'; did you mean 'Ratings'\?",
        name="rows.xlsx",
        given=["--sheet", "ratngs"],
        looks=False,
    ),
    "a workbook called .csv": Messy(
        workbook(),
        "is an Excel workbook in spite of its name; give it a name that ends in .xlsx",
        edit=_renamed,
        looks=False,
    ),
    "a column that is called otherwise": Messy(
        text("user,Rating ,n", "a,7339.5,1", "b,2.25,1", "a,3,1"),
        r"has no column 'usr' or 'rating'; its columns are .*; did you mean 'user' and 'Rating'\?",
        columns=("usr", "rating"),
        other_columns=("user", "Rating"),
    ),
    "users that are not there": Messy(
        text("user,rating", "a,7339.5", "NA,7339", "null,4", "b,2.25", "a,3", "<NA>,5"),
        r"3 rows have no user in column 'user' \(line 3 the first\); .* --skip-bad",
    ),
    "colons": Messy(
        plain(":"), "commas separate nothing in its first line; if ':' does, say --separator :", looks=False
    ),
    "two columns of one name": Messy(
        text("user,rating,rating,n", "a,7339.5,1,1", "b,2.25,1,1", "a,3,1,1"),
        "has 2 columns 'rating'; rename all but one of them",
        edit=_replaced(("rating,n", "other,n")),
    ),
    "currencies": Messy(
        PRICES,
        "numbers stand without a currency, a percent sign or a unit beside them: take those away in the file",
        edit=WITHOUT,
    ),
    "currencies, though odd cells are skipped": Messy(
        PRICES,
        "holds nothing that can be read: 3 odd cells .*; numbers stand without a currency, a percent sign",
        given=["--skip-bad"],
        edit=WITHOUT,
    ),
    "one row of nobody": Messy(
        text("user,rating", "a,7339.5", ",7339", "b,2.25", "a,3"),
        r"1 row has no user in column 'user' \(line 3\); drop or repair it, or --skip-bad .* leaves it out",
    ),
    "merged cells": Messy(
        workbook(("user", "rating"), ("a", 7339.5), (None, 4), ("b", 2.25), ("a", 3)),
        r"1 row has no user in column 'user' \(row 3\); of merged cells only the first .* --skip-bad",
        name="rows.xlsx",
    ),
    "years of two digits": Messy(
        text("user,rating,n", "a,03.04.39,7339", "b,05.06.24,1", "a,01.02.24,1"),
        "dates are read as .* with all digits of the year: write them so in the file",
        DATED,
        given=DAYS,
        edit=_replaced((".39,", ".7339,"), (".24,", ".2024,"), (".24,", ".2024,")),
    ),
    "an archive called .csv": Messy(
        archive(plain()), "is a zip archive in spite of its name; unpack it first", edit=_saved(plain()), looks=False
    ),
    "a picture called .csv": Messy(
        b"\x89PNG\r\n\x1a\n7339" + bytes(range(256)) * 9,
        "holds no text, whatever its name says; save the table as .csv or .xlsx",
        edit=_saved(plain()),
        looks=False,
    ),
    "JSON called .csv": Messy(
        b'[{"user": "a", "rating": 7339.5}, {"user": "b", "rating": 2.25}]\n',
        "seems to hold JSON, which is not read; save it as .csv",
        edit=_saved(plain()),
        looks=False,
    ),
}
MESSY = {name: replace(one, reads=True) for name, one in READ.items()} | REFUSED
