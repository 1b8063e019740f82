"""Files that are there whole or not at all, and for their owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from sottovoce.messages import InvalidInput

_MAKING = Lock()  # a file that SQLite may have open is never opened here: to close it would drop this process's locks


def make(path: Path) -> None:
    """A new file is readable by its owner alone, and its name is on the disk before anything is acknowledged."""
    with _MAKING:
        if not path.exists():
            expect_nothing_left(path)
            with suppress(FileExistsError):  # another process was quicker
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def expect_nothing_left(path: Path) -> None:
    """SQLite takes a log that it finds for the log of the file that it finds, and would write it into that."""
    left = [path.name + end for end in ("-wal", "-shm", "-journal") if path.with_name(path.name + end).exists()]
    if left:
        raise InvalidInput(
            f"{' and '.join(left)} of a store that was here before would spoil a new one, and may hold reports of the"
            " old one: move the old files away together, or give another name"
        )


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """An empty file to fill; it gets its name once it is whole and on the disk, and never replaces another."""
    if target.exists():
        raise InvalidInput("there is a file of this name already", fix="give a name that is free")
    expect_nothing_left(target)
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield part
        sync(part)
        os.link(part, target)
    finally:
        part.unlink(missing_ok=True)
    sync(target.parent)
