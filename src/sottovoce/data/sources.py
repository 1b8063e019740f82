"""Files as blocks of rows, read from the beginning as often as it takes; only a block is ever held."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from sottovoce.data.categories import Coding
from sottovoce.data.columns import value_names
from sottovoce.data.grouping import Block
from sottovoce.data.ids import Ids
from sottovoce.data.origin import found, is_parquet, origin
from sottovoce.data.progress import shown
from sottovoce.data.reading import Reading, Seen
from sottovoce.data.shapes import Value
from sottovoce.data.stated import Stated
from sottovoce.messages import InvalidInput


class Source:
    """The named columns of one file. Users keep the numbers that they got when they first appeared."""

    def __init__(
        self,
        data: str | PathLike[str],
        *,
        user: str | None,
        value: Value,
        coding: Coding | None,
        stated: Stated,
    ) -> None:
        self._by, self._values = value_names(user=user, value=value)
        self._coding, self._stated, self._ids = coding, stated, Ids()
        self._path = found(data) if is_parquet(data) else None
        self._origin = origin(data, stated) if self._path is None else None
        if self._path is not None and stated.of_a_file:
            raise InvalidInput(f"a Parquet file has no {stated.of_a_file[0]}", fix="leave it out")
        self._seen = self._unseen()

    def _unseen(self) -> Seen:
        return Seen(self.name, "row" if self._origin is None else self._origin.line)

    @property
    def name(self) -> str:
        if self._path is not None:
            return self._path.name
        assert self._origin is not None
        return self._origin.name

    @property
    def users(self) -> int:
        """How many were seen so far."""
        return self._ids.users

    @property
    def dimension(self) -> int:
        return len(self._values)

    @property
    def coding(self) -> Coding | None:
        """Whether observations are labels of categories, whose numbers are known when all of them were seen."""
        return self._coding

    @property
    def reading(self) -> Reading:
        """What was met on the last walk."""
        return self._seen.reading()

    def blocks(self) -> Iterator[Block]:
        """Numbers of users, and observations ``(m, dimension)``; on a terminal, with a bar."""
        self._seen = self._unseen()
        wanted: dict[str, Any] = {"by": self._by, "values": self._values, "coding": self._coding, "ids": self._ids}
        wanted["seen"] = self._seen
        for users, values in self._rows(wanted):
            yield users, values.reshape(len(users), -1)

    def _rows(self, wanted: dict[str, Any]) -> Iterator[Block]:
        if self._origin is None:
            from sottovoce.data.frames import parquet_blocks, parquet_rows

            path = self._path
            assert path is not None
            with shown(self.name, total=lambda: parquet_rows(path), unit=" rows") as bar:
                yield from parquet_blocks(path, **wanted, stated=self._stated, bar=bar)
            return
        from sottovoce.data.csvfile import csv_blocks
        from sottovoce.data.layout import layout

        with shown(self.name, total=self._origin.size, unit="B") as bar:
            yield from csv_blocks(layout(self._origin, self._stated), **wanted, bar=bar)
