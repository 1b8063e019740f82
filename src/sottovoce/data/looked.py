"""What was seen when somebody looked: columns, users, odd cells by line, and commands to go on with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from sottovoce.data.columns import no_column
from sottovoce.data.dates import written
from sottovoce.data.reading import Odd, encoding_name, separator_name
from sottovoce.messages import Fact

if TYPE_CHECKING:
    from sottovoce.answers import Line

SHOWN = 100
"""Columns that a page shows."""
BEWARE = Fact("look-beware")


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
    hint: Fact | None
    empty: int | None
    infinite: int = 0
    """Cells that are read as infinite."""

    @property
    def holds(self) -> Fact | None:
        """A range, labels, or how many different texts."""
        if self.range is not None and self.kind != "yes/no":
            low, high = self.range
            if self.kind == "date":
                return Fact("look-range-of-dates", low=written(low), high=written(high))
            return Fact("look-range", low=low, high=high)
        if self.labels:
            return Fact("look-labels", labels=self.labels, more=self.distinct > len(self.labels))
        return Fact("look-different", count=self.distinct) if self.kind in ("text", "id", "user") else None


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
    def statement(self) -> Fact:
        """Who, and how many rows each."""
        rows = {"fewest": self.fewest, "most": self.most, "median": self.median, "most_have": self.most_have}
        said = {"column": self.column, "guessed": self.guessed, "users": self.count}
        return Fact("look-users", **said, **rows, alike=self.fewest == self.most)


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
    note: Fact | None = None
    """What else was met."""

    def column(self, name: str) -> ColumnSeen:
        """The column of that name."""
        for one in self.columns:
            if one.name == name:
                return one
        raise no_column(repr(self.name), [name])

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
        held = {"name": self.name, "cut": self.cut, "count": self.rows, "columns": len(self.columns)}
        return Fact("look-file", **held, **written, decimal_commas=commas)

    def summary(self) -> str:
        """A page for a terminal."""
        from sottovoce.answers import told
        from sottovoce.pictures import aligned

        rows = aligned(self.header(), self.table(), left=(0, 1, 4))
        first, *rest = (f"{name:<12}{text}" for name, text in told(self.lines()))
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
                    "hint": None if one.hint is None else one.hint.to_plain(),
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
            "left_out": [one.to_dict(what="reason") for one in self.left_out],
            "commands": list(self.commands),
            "beware": BEWARE.to_plain(),
        }

    def _repr_html_(self) -> str:
        from sottovoce.answers import told

        head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in self.header())
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.table())
        said = "".join(f"<p><b>{escape(name)}</b> {escape(text)}</p>" for name, text in told(self.lines()))
        code = "".join(f"<pre>{escape(command)}</pre>" for command in self.commands)
        return f"<table><tr>{head}</tr>{body}</table>{said}{code}"
