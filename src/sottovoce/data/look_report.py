"""What was seen when somebody looked: columns, users, odd cells by line, and commands to go on with."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from sottovoce.data.cells import date_text
from sottovoce.data.reading_report import Odd, encoding_name, separator_name
from sottovoce.data.records import READING_OPTIONS, ReadingOptions, no_column_error
from sottovoce.messages import Fact, InvalidInput

if TYPE_CHECKING:
    from sottovoce.answers import Line

SHOWN = 100
"""Columns that a page shows."""
BEWARE = Fact("look-beware")
_ORDER = ("number", "whole number", "yes/no", "date", "category")
_PARTS = 4
"""Columns that are suggested together at most."""
_WORDS = {"\t": "tab", " ": "space"}


@dataclass(frozen=True, kw_only=True)
class ColumnLook:
    """One column. `range` are round bounds outside of all its numbers, of dates in days since 1970-01-01.

    `empty` counts the users who hold nothing in it; `hint` is what to say so that odd cells are none, or what to do
    to a file whose text says numbers or dates.
    """

    name: str
    kind: str
    missing: int
    odd: Odd | None
    distinct: int
    range: tuple[float, float] | None
    labels: tuple[str, ...]
    decimal: str
    hint: Fact | None
    empty: int | None
    infinite: int = 0
    """Cells that are read as infinite."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        odd = self.odd or Odd(what=self.name)
        return {
            "name": self.name,
            "kind": self.kind,
            "missing": self.missing,
            "odd": odd.count,
            "lines": list(odd.lines),
            "distinct": self.distinct,
            "range": self.range and list(self.range),
            "labels": list(self.labels),
            "decimal": self.decimal,
            "empty": self.empty,
            "hint": self.hint and self.hint.to_plain(),
        }

    @property
    def holds(self) -> Fact | None:
        """A range, labels, or how many different texts."""
        if self.range is not None and self.kind != "yes/no":
            low, high = self.range
            if self.kind == "date":
                return Fact("look-range-of-dates", low=date_text(low), high=date_text(high))
            return Fact("look-range", low=low, high=high)
        if self.labels:
            return Fact("look-labels", labels=self.labels, more=self.distinct > len(self.labels))
        return Fact("look-different", count=self.distinct) if self.kind in ("text", "id", "user") else None


@dataclass(frozen=True, kw_only=True)
class UsersLook:
    """Who the rows belong to, and how many rows they have: `most_have` is what nine of ten do not exceed."""

    column: str
    guessed: bool
    count: int
    fewest: int
    median: float
    most_have: int
    most: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        rows = {"fewest": self.fewest, "median": self.median, "90%": self.most_have, "most": self.most}
        return {"column": self.column, "guessed": self.guessed, "count": self.count, "rows": rows}

    @property
    def statement(self) -> Fact:
        """Who, and how many rows each."""
        rows = {"fewest": self.fewest, "most": self.most, "median": self.median, "most_have": self.most_have}
        users = {"column": self.column, "guessed": self.guessed, "users": self.count}
        return Fact("look-users", **users, **rows, alike=self.fewest == self.most)


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a file or a frame holds. Lines are named, odd cells are never shown."""

    kind: ClassVar[str] = "look"
    version: ClassVar[int] = 1

    name: str
    rows: int
    cut: bool
    """Whether there are more rows than were looked at."""
    columns: tuple[ColumnLook, ...]
    users: UsersLook | None
    left_out: tuple[Odd, ...]
    separator: str | None
    encoding: str | None
    line: str
    commands: tuple[str, ...]
    note: Fact | None = None
    """What else was met."""

    def column(self, name: str) -> ColumnLook:
        """The column of that name."""
        for one in self.columns:
            if one.name == name:
                return one
        raise no_column_error(repr(self.name), [name])

    def header(self) -> tuple[str, ...]:
        """What the table of columns shows."""
        return tuple(str(Fact(f"label-{name}")) for name in ("column", "kind", "missing", "odd", "holds"))

    def table(self) -> list[tuple[str, ...]]:
        """A row for each column, of the first of them."""
        rows: list[tuple[str, ...]] = [
            (one.name, one.kind, f"{one.missing:,}", f"{one.odd.count if one.odd else 0:,}", str(one.holds or ""))
            for one in self.columns[:SHOWN]
        ]
        more = len(self.columns) - len(rows)
        return [*rows, ("…", str(Fact("look-more-columns", count=more)), "", "", "")] if more else rows

    def lines(self) -> list[Line]:
        """All that is said but the table and the commands."""
        from sottovoce.answers import line

        named = Counter(one.name for one in self.columns if one.name)
        nobody = Fact("look-no-users")
        return [
            line("file", self._file()),
            *([] if self.note is None else [line("note", self.note)]),
            *(
                line("twice", Fact("look-columns-alike", column=name, count=count))
                for name, count in named.items()
                if count > 1
            ),
            line("users", nobody if self.users is None else self.users.statement),
            *(
                line("nothing", Fact("look-users-with-nothing", column=one.name, users=one.empty))
                for one in self.columns
                if one.empty and one.kind not in ("text", "id", "empty", "unclear")
            ),
            *(
                line("infinite", Fact("look-infinite", column=one.name, count=one.infinite))
                for one in self.columns
                if one.infinite
            ),
            *(
                line("text", Fact("look-text", column=one.name, hint=one.hint))
                for one in self.columns
                if one.kind == "text" and one.hint is not None
            ),
            *(
                line("odd", Fact("look-odd", column=one.name, hint=one.hint, **one.odd.places(self.line)))
                for one in self.columns
                if one.odd is not None
            ),
            *(
                line("left-out", Fact("look-left-out", reason=Fact(one.what), **one.places(self.line)))
                for one in self.left_out
            ),
            line("beware", BEWARE),
        ]

    def _file(self) -> Fact:
        written = {"sign": None if self.separator is None else separator_name(self.separator)}
        written |= {"encoding": encoding_name(self.encoding)}
        commas = any(one.decimal == "," for one in self.columns)
        size = {"name": self.name, "cut": self.cut, "count": self.rows, "columns": len(self.columns)}
        return Fact("look-file", **size, **written, decimal_commas=commas)

    def summary(self) -> str:
        """A page for a terminal."""
        from sottovoce.answers import lines_in_words
        from sottovoce.pictures import aligned

        rows = aligned(self.header(), self.table(), left=(0, 1, 4))
        first, *rest = (f"{name:<12}{text}" for name, text in lines_in_words(self.lines()))
        return "\n".join([first, *rows, *rest, *(f"{'try':<12}{command}" for command in self.commands)])

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "kind": self.kind,
            "version": self.version,
            "name": self.name,
            "rows": self.rows,
            "cut": self.cut,
            "separator": self.separator,
            "encoding": self.encoding,
            "columns": [one.to_dict() for one in self.columns],
            "users": None if self.users is None else self.users.to_dict(),
            "left_out": [one.to_dict(what="reason") for one in self.left_out],
            "commands": list(self.commands),
            "beware": BEWARE.to_plain(),
        }

    def _repr_html_(self) -> str:
        from sottovoce.answers import lines_in_words

        head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in self.header())
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.table())
        facts = "".join(f"<p><b>{escape(name)}</b> {escape(text)}</p>" for name, text in lines_in_words(self.lines()))
        code = "".join(f"<pre>{escape(command)}</pre>" for command in self.commands)
        return f"<table><tr>{head}</tr>{body}</table>{facts}{code}"


class _Commands:
    """Commands that work when typed as they are, for what was seen in a file."""

    def __init__(self, look: Look, users: UsersLook, options: ReadingOptions, file: str) -> None:
        self._look, self._options, self._file = look, options, file
        self._user = _option_words("--user", users.column)

    def estimate(self, what: str, column: ColumnLook, *declared: str) -> str:
        """What estimates one column."""
        words = ["sotto", "estimate", what, self._file, *self._user, *_option_words("--value", column.name), *declared]
        return shlex.join([*words, "--epsilon", "1", *self._reading([column])])

    def several(self, columns: list[ColumnLook]) -> str:
        """What estimates the means of several columns at once."""
        words = ["sotto", "estimate", "several", self._file, *self._user, "--epsilon", "4"]
        for column in columns:
            low, high = _range_words(column)
            value = shlex.quote(column.name)
            if value != column.name and not set('"\\$`') & set(column.name):
                value = f'"{column.name}"'  # easier to read within quotes of a shell
            words += ["--ask", f"{column.name.replace(':', ' ')}: mean value={value} low={low} high={high}"]
        return shlex.join([*words, *self._reading(columns)])

    def shares(self, column: ColumnLook) -> str:
        """What estimates the shares of categories; those that are not shown are others."""
        import csv
        import io

        from sottovoce.problems import taking

        labels, other = list(column.labels), []
        if column.distinct > len(labels):
            rest = next(name for name in ("other", "others", "all others") if name not in labels)
            labels, other = [*labels, rest], ["--other", rest]
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(labels)
        return self.estimate(taking("categories").name, column, *_option_words("--categories", out.getvalue()), *other)

    def _reading(self, columns: list[ColumnLook]) -> list[str]:
        """What was said of the file, again; and that some of it cannot be read."""
        bad = bool(self._look.left_out) or any(one.odd for one in columns)
        return [*_reading_words(self._options), *(["--skip-bad"] if bad else ())]


def with_commands(look: Look, options: ReadingOptions, file: str | None) -> Look:
    """The same with commands for the first column that is worth one, for several at once, and for categories."""
    file, users = "FILE" if file is None else file, look.users
    hints = [one.hint for one in look.columns if one.kind == "unclear"][:1]
    hinted = [[hint["option"], hint["value"]] if hint else [] for hint in hints]
    again = [shlex.join(["sotto", "look", file, *words, *_reading_words(options)]) for words in hinted]
    named = Counter(one.name for one in look.columns)
    if users is None or named[users.column] > 1:
        return replace(look, commands=tuple(again))
    able = [one for one in look.columns if one.kind in _ORDER and one.name and one.name != users.column]
    able = [one for one in able if named[one.name] == 1 and one.empty is not None and one.empty < users.count]
    able.sort(key=lambda one: _ORDER.index(one.kind) // 2)  # numbers first, each in the order of the file
    numbers = [one for one in able if one.kind != "category" and _has_declarable_range(one)]
    labels = [one for one in able if one.kind == "category" and one.distinct > 1]
    make, commands = _Commands(look, users, options, file), []
    if numbers:
        low, high = _range_words(numbers[0])
        commands.append(make.estimate("mean", numbers[0], *_option_words("--low", low), *_option_words("--high", high)))
    if min(len(numbers), users.count) > 1:
        commands.append(make.several(numbers[: min(_PARTS, users.count)]))
    if labels:
        commands.append(make.shares(labels[0]))
    return replace(look, commands=(*commands, *again))


def _has_declarable_range(column: ColumnLook) -> bool:
    """Whether a survey takes the range of a column."""
    from sottovoce.methods import check_declared

    if column.range is None:
        return False
    try:
        check_declared(*column.range)
    except InvalidInput:
        return False
    return True


def _range_words(column: ColumnLook) -> tuple[str, str]:
    assert column.range is not None
    low, high = column.range
    return (date_text(low), date_text(high)) if column.kind == "date" else (f"{low:.12g}", f"{high:.12g}")


def _option_words(name: str, value: str) -> list[str]:
    """A word that looks like an option is written beside its own."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _reading_words(options: ReadingOptions) -> list[str]:
    """What was said of a file, as words of a command."""
    stated = {name: getattr(options, name) for name in READING_OPTIONS if name != "skip_bad"}
    words = [(f"--{name}", _WORDS.get(str(one), str(one))) for name, one in stated.items() if one is not None]
    return [word for pair in words for word in pair]
