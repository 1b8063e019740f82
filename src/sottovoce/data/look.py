"""``sv.look``: what a file or a frame holds, before anything is asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from sottovoce.data.columns import NOBODY, check_columns, squared
from sottovoce.data.looked import ColumnSeen, Look, UsersSeen
from sottovoce.data.reading import NO_USER, TOO_FEW, TOO_MANY, Seen
from sottovoce.data.shapes import is_frame, shaped
from sottovoce.data.stated import Stated
from sottovoce.data.suggest import suggested
from sottovoce.messages import Fact, InvalidInput, counted

if TYPE_CHECKING:
    from sottovoce.data.cells import Cells
    from sottovoce.data.tables import Table


def look(
    data: Any,
    *,
    user: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
) -> Look:
    """Look at data before a survey is rehearsed on them: columns, users, odd cells, and a command that works.

    Parameters
    ----------
    data
        a file, a data frame, a list of dicts: whatever has columns
    user
        the column that says whose observation a row is; left out, it is guessed, and the result says so
    separator, encoding, decimal, dates, header, sheet
        how a file is read, where looking at it is not to decide

    Privacy
    -------
    What is shown (ranges, labels, counts) is looked up in the data, and is not private. A survey would not see it.

    Examples
    --------
    >>> import pandas, sottovoce as sv
    >>> rides = pandas.DataFrame({"card": [1, 1, 2, 2, 3], "minutes": [5.0, 7.5, 12.0, None, 31.0]})
    >>> seen = sv.look(rides)
    >>> seen.users.column, seen.users.count, seen.column("minutes").missing
    ('card', 3, 1)
    """
    stated = Stated(separator=separator, encoding=encoding, decimal=decimal, dates=dates, header=header, sheet=sheet)
    if not isinstance(data, (str, PathLike)):
        if stated.of_a_file:
            raise InvalidInput(f"{stated.of_a_file[0]}= says how a file is read", fix="this is none: leave it out")
        data = _framed(data, user)
    from sottovoce.data.tables import table

    found = table(data, stated)
    where = fspath(data) if isinstance(data, (str, PathLike)) else None
    return _Looking(found, user).look(stated, where)


def _framed(data: Any, user: str | None) -> Any:
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], dict):
        names = list(dict.fromkeys(str(name) for row in data for name in row))
        data, _, _ = shaped(data, user=names[0], value=names[1:])
    if not is_frame(data):
        raise InvalidInput(
            f"look takes a file or a data frame, whose columns have names; a {type(data).__name__} can be given to "
            "sv.mean and its like as it is"
        )
    return data


class _Looking:
    """Two walks: what cells there are, then where the odd ones are and who holds what."""

    def __init__(self, table: Table, user: str | None) -> None:
        from sottovoce.data.tables import MOST

        self.table, self.width = table, len(table.names)
        if not table.names:
            raise InvalidInput(f"{table.name!r} is empty")
        if table.doubtful_names:
            raise InvalidInput(
                rule=f"the first line of {table.name!r} holds numbers, so it may lack a line of names: then say "
                "--header 0 (header=0), and the columns are called 1, 2, …; if they are names, say --header 1 "
                "(header=1)"
            )
        if user is not None:
            check_columns(wanted=[user], there=table.names, place=repr(table.name))
        self.seen = Seen(table.name, table.line)
        self.cells: list[Counter[str]] = [Counter() for _ in table.names]
        rows = islice(table.rows(), MOST)
        while block := list(islice(rows, 1024)):
            block = [(line, squared(row, table.names)) for line, row in block]
            even = [row for _, row in block if len(row) == self.width]
            for line, row in block if len(even) < len(block) else ():
                if len(row) != self.width:
                    self.seen.row(TOO_MANY if len(row) > self.width else TOO_FEW, [line])
            for counter, column in zip(self.cells, zip(*even, strict=True), strict=False):
                counter.update(column)
        self.rows = sum(self.cells[0].values())
        if not self.rows and self.seen.faults:
            odd = self.seen.reading().left_out[0]
            raise InvalidInput(
                f"{table.name!r} has no rows that can be read: its first {table.line} has "
                f"{counted(self.width, 'cell')}, all others {Fact(odd.what)} ({odd.where(table.line)})"
            )
        if not self.rows:
            raise InvalidInput(f"{table.name!r} has no rows")
        self.cut = self.rows + self.seen.faults >= MOST
        self.user = user

    def look(self, stated: Stated, where: str | None) -> Look:
        from sottovoce.data.faults import disguise
        from sottovoce.data.kinds import LABELS, guess_user, kind_of, outer

        readers = [self.table.reader(place) for place in range(self.width)]
        kinds = [kind_of(cells, reader) for cells, reader in zip(self.cells, readers, strict=True)]
        counts = {
            name: (kind, len(cells), sum(cells.values()))
            for name, (kind, _), cells in zip(self.table.names, kinds, self.cells, strict=True)
        }
        by = self.user if self.user is not None else guess_user(counts)
        place = None if by is None else self.table.names.index(by)
        holders = self._second(place, [frozenset() if at == place else odd for at, (_, odd) in enumerate(kinds)])
        reading = self.seen.reading()
        columns = []
        for at, name in enumerate(self.table.names):
            (kind, odd), cells, reader = kinds[at], self.cells[at], readers[at]
            kind = "user" if at == place else "other" if at in self.table.opaque else kind  # ids are not shown
            usual = [label.strip() for label, _ in cells.most_common(LABELS + 20) if not _is_missing(label)]
            hints = {reader.hint(cell) for cell in odd} - {None}
            if kind == "text":
                hints = {disguise(cell) for cell in cells if not _is_missing(cell)}
            columns.append(
                ColumnSeen(
                    name=name,
                    kind=kind,
                    missing=self.rows - cells.total()
                    if at == place
                    else sum(count for cell, count in cells.items() if _is_missing(cell)),
                    odd=next((one for one in reading.odd if one.what == name), None),
                    distinct=sum(at == place or not _is_missing(cell) for cell in cells),
                    range=outer(kind, cells, reader),
                    labels=tuple(sorted(dict.fromkeys(usual[:LABELS]))) if kind == "category" else (),
                    decimal="," if reader.decimal == "," else ".",
                    hint=_first(hints),
                    infinite=0 if at == place else _infinite(cells, reader),
                    empty=None if holders is None or at == place else len(self.cells[place or 0]) - holders[at],
                )
            )
        users = None if place is None else self._users(place)
        return suggested(
            Look(
                name=self.table.name,
                rows=self.rows,
                cut=self.cut,
                columns=tuple(columns),
                users=users,
                left_out=reading.left_out,
                separator=self.table.separator,
                encoding=self.table.encoding,
                line=self.table.line,
                note=self.table.note,
                commands=(),
            ),
            stated,
            where,
        )

    def _second(self, place: int | None, odd: Sequence[frozenset[str]]) -> list[int] | None:
        """Lines of odd cells and of rows without a user; and how many users hold something in each column."""
        from sottovoce.data.tables import MOST

        missing = [frozenset(cell for cell in cells if _is_missing(cell)) for cells in self.cells]
        holding: list[set[str]] = [set() for _ in self.table.names]
        for line, cells in islice(self.table.rows(), MOST):
            row = squared(cells, self.table.names)
            if len(row) != self.width:
                continue
            who = None if place is None else self._who(row[place])
            if who == "":
                self.seen.row(NO_USER, [line])
            for at, cell in enumerate(row):
                if cell in odd[at]:
                    self.seen.cell(self.table.names[at], [line])
                elif who and cell not in missing[at]:
                    holding[at].add(who)
        if place is not None:
            own, self.cells[place] = self.cells[place], Counter()
            for cell, rows in own.items():
                self.cells[place][self._who(cell)] += rows
            self.cells[place].pop("", None)
        return None if place is None else [len(who) for who in holding]

    def _who(self, cell: str) -> str:
        """The user that a cell names; empty for nobody. What a frame holds is taken as it is."""
        named = cell.strip(" ") if self.table.text else cell
        return "" if self.table.text and named in NOBODY else named

    def _users(self, place: int) -> UsersSeen:
        import numpy as np

        sizes = np.array(list(self.cells[place].values()) or [0])
        return UsersSeen(
            column=self.table.names[place],
            guessed=self.user is None,
            count=len(self.cells[place]),
            fewest=int(sizes.min()),
            median=float(np.median(sizes)),
            most_have=int(np.quantile(sizes, 0.9, method="higher")),
            most=int(sizes.max()),
        )


def _first(hints: set[Fact | None]) -> Fact | None:
    """One of several hints; none where some cells have none: text is a number only if all of it is in disguise."""
    found = () if None in hints else hints
    return min((hint for hint in found if hint), key=lambda hint: hint.code, default=None)


def _infinite(cells: Counter[str], reader: Cells) -> int:
    import math

    return sum(count for cell, count in cells.items() if math.isinf(reader.number(cell) or 0.0))


def _is_missing(cell: str) -> bool:
    from sottovoce.data.categories import MISSING

    return cell.strip().lower() in MISSING
