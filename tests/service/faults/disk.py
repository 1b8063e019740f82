"""What is on a disk after the power was cut, from what shim.c wrote down.

A file's bytes are on the disk once it was synced; a name, or its absence, once its folder was. Of what came later any
part may be there: none of it, all of it, or some writes and of those some sectors. After a failed sync the writes that
it was for are gone for good, as on Linux, where later syncs do not try them again.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
RECORD = struct.Struct("<qqqq")


@dataclass
class File:
    """Bytes on the disk, and changes that may or may not be."""

    synced: bytearray = field(default_factory=bytearray)
    later: list[tuple[int, bytes | None]] = field(default_factory=list)
    """Writes as (offset, bytes), truncations as (length, None)."""

    def sync(self) -> None:
        for offset, data in self.later:
            apply(self.synced, offset, data)
        self.later.clear()

    def after_a_cut(self, kept: float, draw: random.Random) -> bytes:
        found = bytearray(self.synced)
        for offset, data in self.later:
            if draw.random() >= kept:
                continue
            if data is None or kept == 1 or draw.random() < 0.7:
                apply(found, offset, data)
                continue
            for first in range(0, len(data), SECTOR):
                if draw.random() < 0.5:
                    apply(found, offset + first, data[first : first + SECTOR])
        return bytes(found)


def apply(data: bytearray, offset: int, new: bytes | None) -> None:
    length = offset if new is None else offset + len(new)
    data.extend(bytes(max(0, length - len(data))))
    if new is None:
        del data[offset:]
    else:
        data[offset:length] = new


def records(log: Path) -> Iterator[tuple[str, str, int, bytes]]:
    """What was done, as (op, path, offset, bytes)."""
    data, at = log.read_bytes(), 0
    while at < len(data):
        op, offset, path, length = RECORD.unpack_from(data, at)
        at += RECORD.size
        yield chr(op), data[at : at + path].decode(), offset, data[at + path : at + path + length]
        at += path + length


class Disk:
    """One folder, followed record by record."""

    def __init__(self, folder: Path, *, held: dict[str, bytes] | None = None) -> None:
        """Beginning with the files that it held, by name."""
        self.folder = str(folder)
        self.names: dict[str, File] = {}
        for name, data in (held or {}).items():
            self.names[str(folder / name)] = File(synced=bytearray(data))
        self.synced_names = dict(self.names)
        self.said: list[str] = []

    def follow(self, op: str, path: str, offset: int, data: bytes) -> None:
        if op == "A":
            self.said += data.decode().splitlines()
        elif path == self.folder:
            if op == "F":
                self.synced_names = dict(self.names)
        elif op == "C":
            self.names[path] = File()
        elif op == "U":
            del self.names[path]
        elif path in self.names:
            file = self.names[path]
            if op == "F":
                file.sync()
            elif op == "E":
                file.later.clear()
            elif op in "WT":
                file.later.append((offset, data if op == "W" else None))

    def cut(self, target: Path, *, kept: float, draw: random.Random) -> None:
        """The folder as it is found again; `kept` is the part of unsynced changes that happens to be there."""
        target.mkdir()
        for path in sorted({*self.names, *self.synced_names}):
            names = self.names if draw.random() < kept else self.synced_names
            if path in names and not path.endswith("-shm"):  # shared memory, made anew by whoever opens first
                (target / Path(path).name).write_bytes(names[path].after_a_cut(kept, draw))
