"""The pages of a SQLite file, as its format describes them: where rows lie, which a query does not tell."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

LEAF = 13


class Pages:
    """A file that nobody writes to while it is looked at."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.size = struct.unpack(">H", self.data[16:18])[0]
        with closing(sqlite3.connect(path)) as connection:
            self.roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"))

    def lying(self, table: str) -> Iterator[list[int]]:
        """For each leaf of a table the keys in the order in which they were written: from the end of the page on."""
        for page in self._leaves(self.roots[table]):
            places = [self._two(page, 8 + 2 * number) for number in range(self._two(page, 3))]
            yield [self._key(page, place) for place in sorted(places, reverse=True)]

    def free(self) -> list[int]:
        """The numbers of free pages, as they are listed."""
        found, trunk = [], struct.unpack(">I", self.data[32:36])[0]
        while trunk:
            page = self._page(trunk)
            trunk, count = struct.unpack(">II", page[:8])
            found += struct.unpack(f">{count}I", page[8 : 8 + 4 * count])
        return found

    def _page(self, number: int) -> bytes:
        return self.data[(number - 1) * self.size : number * self.size]

    def _leaves(self, number: int) -> Iterator[bytes]:
        page = self._page(number)
        if page[0] == LEAF:
            yield page
            return
        for place in (self._two(page, 12 + 2 * child) for child in range(self._two(page, 3))):
            yield from self._leaves(struct.unpack(">I", page[place : place + 4])[0])
        yield from self._leaves(struct.unpack(">I", page[8:12])[0])

    @staticmethod
    def _two(page: bytes, place: int) -> int:
        return int.from_bytes(page[place : place + 2], "big")

    @staticmethod
    def _key(page: bytes, place: int) -> int:
        _, place = _number(page, place)  # the row's size
        return _number(page, place)[0]


def _number(page: bytes, place: int) -> tuple[int, int]:
    value = 0
    for byte in page[place : place + 8]:
        place += 1
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place
    return value << 8 | page[place], place + 1
