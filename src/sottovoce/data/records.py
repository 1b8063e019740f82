"""What a caller says of data: which columns hold users and values, and how a file is read."""

from __future__ import annotations

import codecs
import errno
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import wraps
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar, cast

from sottovoce.messages import InvalidInput

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "bar": "|", "space": " ", "blank": " "}
TEXT = (".csv", ".tsv", ".txt", ".tab")
ENDINGS = ".csv, .tsv, .txt (also .gz), .xlsx or .parquet"
_PACKED = (".zip", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".tgz", ".tar.gz")
_NO_TEXT = ("idna", "punycode")
"""Of names on the net, not of files."""
_ORDERS = ("ymd", "dmy", "mdy")


def _option(text: str, *, default: Any = None, **more: Any) -> Any:
    """An option of `read`, with what the option of commands says; `lowest` is the lowest whole number that it takes."""
    return field(default=default, metadata={"help": text} | more)


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """What is said of a file beforehand. None: look at it.

    `separator`: one character, or comma, semicolon, tab, pipe, space. `encoding`: as Python names them. `decimal`:
    ``.`` or ``,``. `dates`: the order of day and month where numbers leave it open, ``dmy`` or ``mdy``. `header`: the
    line that holds the names; 0 where none does, and the columns are called 1, 2, 3. `sheet`: of an Excel workbook.
    `skip_bad`: cells that cannot be read are missing, rows that cannot be read are left out, and both are counted.
    """

    separator: str | None = _option(
        "what separates cells: one character, or comma, semicolon, tab, pipe, space (default: looked up)", metavar="S"
    )
    encoding: str | None = _option("such as utf-8, utf-16 or cp1252 (default: looked up)", metavar="E")
    decimal: str | None = _option("the decimal sign (default: looked up)", metavar=".|,", choices=(".", ","))
    dates: str | None = _option(
        "what comes first in dates such as 03/04/2024 (default: looked up; 2024-04-03 needs none)",
        metavar="dmy|mdy",
        choices=_ORDERS,
    )
    header: int | None = _option(
        "the line that holds the names of the columns; 0: none, they are called 1, 2, 3 (default: the first)",
        metavar="LINE",
        lowest=0,
    )
    sheet: str | None = _option("of an Excel workbook (default: the first)", metavar="NAME")
    skip_bad: bool = _option(
        "count odd cells as missing and leave out rows that cannot be read; the answer says how many",
        default=False,
        action="store_true",
    )

    def __post_init__(self) -> None:
        if self.separator is not None:
            sign = _NAMED.get(self.separator.lower(), self.separator)
            if len(sign) != 1 or sign.isalnum() or sign in "\"'\r\n.+-_":
                raise InvalidInput(
                    rule="separator must be one character that no cell holds, or one of comma, semicolon, tab, pipe, "
                    "space"
                )
            object.__setattr__(self, "separator", sign)
        if self.encoding is not None:
            try:
                "a,1".encode(self.encoding)
                unknown = codecs.lookup(self.encoding).name in _NO_TEXT
            except (LookupError, ValueError):  # not one at all, or of something else than text
                unknown = True
            if unknown:  # outside the handler: errors of this room have no context
                raise InvalidInput("Python knows no encoding of text by that name", fix="try utf-8, utf-16 or cp1252")
        if self.decimal is not None and self.decimal not in (".", ","):
            raise InvalidInput(rule="decimal must be . or ,")
        if self.dates is not None and self.dates not in _ORDERS:
            raise InvalidInput(rule=f"dates must be one of {', '.join(_ORDERS)}")
        header: object = self.header
        if header is not None and (isinstance(header, bool) or not isinstance(header, int) or header < 0):
            raise InvalidInput(rule="header must be the number of the line that holds the names, or 0 where none does")
        if self.decimal is not None and self.decimal == self.separator:
            raise InvalidInput("separator and decimal are the same character")

    @property
    def of_a_file(self) -> tuple[str, ...]:
        """What is said that only a file has."""
        return tuple(name for name in ("separator", "encoding", "header", "sheet") if getattr(self, name) is not None)

    def check_in_memory(self, data: Any) -> None:
        """Refuse what only a file has of data that are none."""
        if self.of_a_file:
            raise InvalidInput(
                f"{self.of_a_file[0]}= says how a file is read", fix=f"a {type(data).__name__} is none: leave it out"
            )


AS_FOUND = ReadingOptions()
"""Nothing is said: all is found by looking."""
READING_OPTIONS = tuple(field.name for field in fields(ReadingOptions))
"""The parameters of `read` that say how to read."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Records:
    """Data that every call takes: a file or a frame, the column of its users, and how it is read. See `read`."""

    data: Any
    user: str | None = None
    options: ReadingOptions = AS_FOUND

    @classmethod
    def of(cls, data: Any, *, user: str | None = None) -> Records:
        """Data as they are given to a call, with the column of the users that it names, if it names one."""
        if not isinstance(data, Records):
            return cls(data=data, user=user)
        return data if user is None else replace(data, user=user)

    def __repr__(self) -> str:
        data = repr(fspath(self.data)) if is_file(self.data) else f"a {type(self.data).__name__}"
        stated = {"user": self.user} | {name: getattr(self.options, name) for name in READING_OPTIONS}
        stated = {name: one for name, one in stated.items() if one is not None and one is not False}  # header=0 is said
        return f"<Records of {', '.join([data, *(f'{name}={one!r}' for name, one in stated.items())])}>"


def is_file(data: Any) -> bool:
    """Whether data are named by a path."""
    return isinstance(data, (str, PathLike))


def existing_file(data: str | PathLike[str]) -> Path:
    """A file that is there, of a kind that is read."""
    path = Path(fspath(data)).expanduser()
    ending = path.name.lower()
    if path.is_dir():
        raise InvalidInput(f"{path.name or fspath(data)!r} is a folder", fix="name one file")
    if path.exists() and not path.is_file():
        raise InvalidInput(
            f"{fspath(data)!r} is a pipe, which can be read but once:",
            fix=f"hand it over as - < {shlex.quote(str(path))}",
        )
    if "://" in fspath(data):
        raise InvalidInput("an address is not read from here:", fix="fetch the file first, and name it")
    if ending.endswith((".xls", ".xlsb", ".ods", ".numbers")):
        raise InvalidInput(f"cannot read {path.name!r}:", fix="save it as .xlsx, or as .csv")
    if ending.endswith(_PACKED):
        raise InvalidInput(f"cannot read {path.name!r}:", fix="unpack it first")
    if not ending.removesuffix(".gz").endswith(TEXT) and not ending.endswith((".parquet", ".xlsx", ".xlsm")):
        raise InvalidInput(
            rule=f"cannot read {path.name!r}: the name must end in {ENDINGS}", wrong="- is standard input"
        )
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, f"there is no such file{_did_you_mean(path)}", str(path))
    return path


def _did_you_mean(path: Path) -> str:
    """A file beside it with a name like it."""
    try:
        names = [one.name for one in path.parent.iterdir() if one.is_file()]
    except OSError:
        return ""
    close = get_close_matches(path.name, names, n=1, cutoff=0.75)
    return f" (did you mean {close[0]!r}?)" if close else ""


def read(
    data: Any,
    *,
    user: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
) -> Records:
    """Say once how a file is read; every call takes the result in place of a path.

    Nothing but the name of the file is looked at here: its rows are read by the call that needs them, some at a time.

    Parameters
    ----------
    data
        the path of a ``.csv``, ``.tsv``, ``.txt`` (also ``.gz``), ``.xlsx`` or ``.parquet`` file, ``-`` for standard
        input, or a data frame
    user
        column that says whose observation a row is (left out: the call says it)
    separator
        what separates the cells: one character, or comma, semicolon, tab, pipe, space (left out: looked up)
    encoding
        of a file of text, as Python names them (left out: looked up)
    decimal
        decimal sign, ``.`` or ``,`` (left out: looked up)
    dates
        ``dmy`` or ``mdy``, for dates that leave it open (left out: looked up)
    header
        line that holds the names, 0 for none: columns are then called 1, 2, 3 (left out: the first)
    sheet
        of an Excel workbook (left out: the first)
    skip_bad
        count odd cells as missing and leave out rows that cannot be read; `reading_of` and answers say how many

    Privacy
    -------
    Reading is what a rehearsal does with data at hand; in a survey no file leaves a device.

    Raises
    ------
    InvalidInput
        When an option cannot be used, or the name is that of no file that can be read.

    Examples
    --------
    >>> import tempfile, pathlib, sottovoce as sv
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "ratings.csv"
    >>> rows = ["student;rating", "a;4,5", "a;3", "b;2,5"]
    >>> _ = file.write_text(chr(10).join(rows), encoding="utf-8")
    >>> ratings = sv.read(file, user="student", separator=";", decimal=",")
    >>> sv.collections(ratings, value="rating").users
    2
    """
    options = ReadingOptions(
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        dates=dates,
        header=header,
        sheet=sheet,
        skip_bad=skip_bad,
    )
    if not is_file(data):
        options.check_in_memory(data)
    elif fspath(data) != "-":
        existing_file(data)
    return Records(data=data, user=user, options=options)


def refusing_reading_options(function: _Function) -> _Function:
    """A function of data that shows the new call to whoever still gives it what `read` takes."""

    @wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        stated = [f"{name}={given[name]!r}" for name in READING_OPTIONS if name in given]
        if stated:
            data = args[0] if args else given.get("data")
            file = repr(fspath(data)) if isinstance(data, (str, PathLike)) else "data"
            name, option = function.__name__, stated[0].partition("=")[0]
            raise InvalidInput(
                f"{name} takes no {option}=; sv.read says how data are read:",
                fix=f"sv.{name}(sv.read({file}, {', '.join(stated)}), …)",
                code="unknown-setting",
                fields={"setting": option},
            )
        return function(*args, **given)

    return cast(_Function, call)


_LISTED = 20
NOBODY = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"))
"""What stands in a file where a user should, as programs write it: other spellings may be names."""


def value_names(*, user: str | None, value: str | Sequence[str] | None) -> tuple[str, list[str]]:
    """Check ``user=`` and ``value=`` themselves; several value columns make vectors."""
    if user is None or value is None:
        raise InvalidInput(
            rule="a data frame or a file needs user= and value=, the names of the columns that hold them (for a "
            "table with one row per user, pass its values as an array)"
        )
    given: Any = value  # anything may come from a caller without types
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    if not values:
        raise InvalidInput("value= names no column")
    if not all(isinstance(name, str) for name in (user, *values)):
        raise InvalidInput(rule="user= and value= must be names of columns, as text")
    if len({user, *values}) <= len(values):
        raise InvalidInput("user= and value= name the same column twice", fix="name two that differ")
    return user, values


def check_columns(*, wanted: Sequence[str], there: Sequence[str], place: str) -> None:
    """Refuse a name that is not there, or is there twice."""
    counts = Counter(there)  # thousands of columns are looked up
    absent = [name for name in wanted if name not in counts]
    if absent:
        more = f" and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
        names = ", ".join(map(repr, there[:_LISTED])) + more
        listed = f"its columns are {names or 'none'}"
        raise no_column_error(place, absent, f"; {listed}", fix=_similar_names(absent, there) or listed)
    twice = [name for name in wanted if counts[name] > 1]
    if twice:
        raise InvalidInput(f"{place} has {counts[twice[0]]} columns {twice[0]!r}", fix="rename all but one of them")


def no_column_error(place: str, names: Sequence[str], more: str = "", *, fix: str = "") -> InvalidInput:
    """The error for columns that are not there."""
    wrong = f"{place} has no column {' or '.join(map(repr, names))}{more}"
    return InvalidInput(wrong, fix=fix, code="unknown-column", fields={"columns": tuple(names)})


def _similar_names(absent: Sequence[str], there: Sequence[str]) -> str:
    """Names that are there and look like those that are not."""
    lower = {name.lower(): name for name in there}
    close_names = [lower[close[0]] for name in absent if (close := get_close_matches(name.lower(), lower, n=1))]
    return f"did you mean {' and '.join(map(repr, close_names))}?" if close_names else ""


def no_frame_error(data: Any, trouble: str) -> InvalidInput:
    """The error for what is nearly a frame."""
    why = "two of its columns have the same name: rename one" if trouble == "DuplicateError" else trouble
    return InvalidInput(f"this {type(data).__name__} cannot be read as a data frame ({why})")
