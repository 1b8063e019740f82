"""What was seen when somebody looked: columns, users, odd cells by line, and commands to go on with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from sottovoce.data.columns import no_column
from sottovoce.data.dates import written
from sottovoce.data.reading import Odd, encoding_words, sign_words
from sottovoce.messages import counted

SHOWN = 100
"""Columns that a page shows."""
BEWARE = (
    "ranges, labels and counts are looked up in the data, rounded outwards; a survey would not see them, and has to "
    "declare a range before anybody is asked"
)


@dataclass(frozen=True, kw_only=True)
class ColumnSeen:
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
    hint: str
    empty: int | None
    infinite: int = 0
    """Cells that are read as infinite."""

    @property
    def holds(self) -> str:
        """A range or labels, in words."""
        if self.range is not None and self.kind != "yes/no":
            low, high = self.range
            if self.kind == "date":
                return f"{written(low)} … {written(high)}"
            return f"{low:.12g} … {high:.12g}"
        if self.labels:
            more = ", …" if self.distinct > len(self.labels) else ""
            return f"{', '.join(self.labels)}{more}"
        return f"{self.distinct:,} different" if self.kind in ("text", "id", "user") else ""


@dataclass(frozen=True, kw_only=True)
class UsersSeen:
    """Who the rows belong to, and how many rows they have: `most_have` is what nine of ten do not exceed."""

    column: str
    guessed: bool
    count: int
    fewest: int
    median: float
    most_have: int
    most: int

    @property
    def statement(self) -> str:
        """One sentence."""
        guess = ", which is a guess: --user (user=) names another" if self.guessed else ""
        each = f"{self.fewest:,}" if self.fewest == self.most else f"{self.fewest:,} to {self.most:,}"
        rows = "row" if self.most == 1 else "rows"
        spread = (
            ""
            if self.fewest == self.most
            else f", half of them at most {self.median:g}, 90% at most {self.most_have:,}"
        )
        return f"{counted(self.count, 'user')} by column {self.column!r}{guess}; {each} {rows} each{spread}"


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a file or a frame holds. Lines are named, odd cells are never shown."""

    kind: ClassVar[str] = "look"
    version: ClassVar[int] = 1

    name: str
    rows: int
    cut: bool
    """Whether there are more rows than were looked at."""
    columns: tuple[ColumnSeen, ...]
    users: UsersSeen | None
    left_out: tuple[Odd, ...]
    separator: str | None
    encoding: str | None
    line: str
    commands: tuple[str, ...]
    note: str = ""
    """What else was met, a sentence."""

    def column(self, name: str) -> ColumnSeen:
        """The column of that name."""
        for one in self.columns:
            if one.name == name:
                return one
        raise no_column(repr(self.name), [name])

    def header(self) -> tuple[str, ...]:
        """What the table of columns shows."""
        return ("column", "kind", "missing", "odd", "holds")

    def table(self) -> list[tuple[str, ...]]:
        """A row for each column, of the first of them."""
        rows: list[tuple[str, ...]] = [
            (one.name, one.kind, f"{one.missing:,}", f"{one.odd.count if one.odd else 0:,}", one.holds)
            for one in self.columns[:SHOWN]
        ]
        more = len(self.columns) - len(rows)
        return [*rows, ("…", f"{more:,} more", "", "", "")] if more else rows

    def lines(self) -> list[tuple[str, str]]:
        """All that is said but the table and the commands: a name and a text each."""
        first = "the first " if self.cut else ""
        found = f"{self.name}: {first}{counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"
        if self.separator is not None:
            found += f"; {sign_words(self.separator)} between cells, {encoding_words(self.encoding)}"
            found += ", decimal commas" if any(one.decimal == "," for one in self.columns) else ""
        said = [("file", found)] + ([("note", self.note)] if self.note else [])
        named = Counter(one.name for one in self.columns if one.name)
        said += [
            ("twice", f"{counts} columns are called {name!r}: no command can tell them apart; rename all but one")
            for name, counts in named.items()
            if counts > 1
        ]
        if self.users is not None:
            said.append(("users", self.users.statement))
        else:
            said.append(("users", "no column looks like one that says whose a row is: --user (user=) names it"))
        said += [
            ("nothing", f"{counted(one.empty, 'user')} {'has' if one.empty == 1 else 'have'} nothing in {one.name!r}")
            for one in self.columns
            if one.empty and one.kind not in ("text", "id", "empty", "unclear")
        ]
        said += [
            (
                "infinite",
                f"{counted(one.infinite, 'cell')} of {one.name!r}, which "
                f"{'counts' if one.infinite == 1 else 'count'} as an end of the range",
            )
            for one in self.columns
            if one.infinite
        ]
        said += [("text", f"{one.name!r}: {one.hint}") for one in self.columns if one.kind == "text" and one.hint]
        for one in self.columns:
            if one.odd is not None:
                fix = f"; say {one.hint}" if one.hint else ""
                said.append(
                    ("odd", f"{counted(one.odd.count, 'cell')} of {one.name!r}, {one.odd.where(self.line)}{fix}")
                )
        said += [
            ("left out", f"{counted(one.count, 'row')}, {one.what}, {one.where(self.line)}") for one in self.left_out
        ]
        return [*said, ("beware", BEWARE)]

    def summary(self) -> str:
        """A page for a terminal."""
        from sottovoce.pictures import aligned

        rows = aligned(self.header(), self.table(), left=(0, 1, 4))
        first, *rest = (f"{name:<12}{text}" for name, text in self.lines())
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
            "columns": [
                {
                    "name": one.name,
                    "kind": one.kind,
                    "missing": one.missing,
                    "odd": one.odd.count if one.odd else 0,
                    "lines": list(one.odd.lines) if one.odd else [],
                    "distinct": one.distinct,
                    "range": None if one.range is None else list(one.range),
                    "labels": list(one.labels),
                    "decimal": one.decimal,
                    "empty": one.empty,
                    "hint": one.hint,
                }
                for one in self.columns
            ],
            "users": None
            if self.users is None
            else {
                "column": self.users.column,
                "guessed": self.users.guessed,
                "count": self.users.count,
                "rows": {
                    "fewest": self.users.fewest,
                    "median": self.users.median,
                    "90%": self.users.most_have,
                    "most": self.users.most,
                },
            },
            "left_out": [{"reason": one.what, "count": one.count, "lines": list(one.lines)} for one in self.left_out],
            "commands": list(self.commands),
            "beware": BEWARE,
        }

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in self.header())
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.table())
        said = "".join(f"<p><b>{escape(name)}</b> {escape(text)}</p>" for name, text in self.lines())
        code = "".join(f"<pre>{escape(command)}</pre>" for command in self.commands)
        return f"<table><tr>{head}</tr>{body}</table>{said}{code}"
