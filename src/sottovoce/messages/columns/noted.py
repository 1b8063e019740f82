"""What was exported of a round, beside its files: by ``round.json`` whoever counts sees that something is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sottovoce.messages import canonical
from sottovoce.messages.codec import from_plain, to_plain
from sottovoce.messages.limits import Size, check

_SIZE = Size(letters=2**26, marks=2**22)
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class NotedFile:
    """A file by its name, and how many rows it has."""

    title: ClassVar[str] = "file"

    name: str
    rows: int


@dataclass(frozen=True, kw_only=True)
class Noted:
    """How many reports a round had, in which files, and the SHA-256 of its tally as it was published."""

    title: ClassVar[str] = "Round"

    reports: int
    files: tuple[NotedFile, ...]
    tally: str
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")
        check(_DIGEST.fullmatch(self.tally) is not None, "tally: a SHA-256 digest")
        check(all(file.rows >= 0 for file in self.files), "files: rows are counted from 0")
        check(sum(file.rows for file in self.files) == self.reports, "files: their rows are the reports")

    @classmethod
    def of(cls, files: Sequence[tuple[str, int]], tally: bytes) -> Noted:
        """From files with their rows, and the canonical bytes of the tally."""
        return cls(
            reports=sum(rows for _, rows in files),
            files=tuple(NotedFile(name=name, rows=rows) for name, rows in files),
            tally=canonical.digest(tally),
        )

    def published(self, tally: bytes) -> bool:
        """Whether this is the tally that was published, to the bit."""
        return canonical.digest(tally) == self.tally

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Noted:
        """Read it; anything but the canonical form of one is `Malformed`."""
        return from_plain(cls, canonical.loads(data, size=_SIZE))
