"""Files as blocks of rows, read from the beginning as often as it takes; only a block is ever held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.categories import Coding
from sottovoce.data.columns import value_names
from sottovoce.data.ids import Ids
from sottovoce.data.progress import shown


class Source:
    """The named columns of one file. Users keep the numbers that they got when they first appeared."""

    def __init__(
        self, path: Path, *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None, parquet: bool
    ) -> None:
        self._path, self._parquet, self._coding = path, parquet, coding
        self._by, self._values = value_names(user=user, value=value)
        self._ids = Ids()

    @property
    def name(self) -> str:
        return self._path.name

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

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Numbers of users, and observations ``(m, dimension)``; on a terminal, with a bar."""
        wanted: dict[str, Any] = {"by": self._by, "values": self._values, "coding": self._coding, "ids": self._ids}
        if self._parquet:
            from sottovoce.data.frames import parquet_blocks, parquet_rows

            with shown(self.name, total=lambda: parquet_rows(self._path), unit=" rows") as bar:
                for users, values in parquet_blocks(self._path, **wanted, bar=bar):
                    yield users, values.reshape(len(users), -1)
            return
        from sottovoce.data.csvfile import csv_blocks

        with shown(self.name, total=lambda: self._path.stat().st_size, unit="B") as bar:
            for users, values in csv_blocks(self._path, **wanted, bar=bar):
                yield users, values.reshape(len(users), -1)
