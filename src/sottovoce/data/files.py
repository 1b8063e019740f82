"""Files by their ending: each format has its own reader, loaded when it is needed."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from fnmatch import fnmatchcase
from os import PathLike, fspath
from pathlib import Path

from sottovoce.data.categories import Coding
from sottovoce.data.sources import Source
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput


def from_file(
    data: str | PathLike[str], *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None = None
) -> Collections:
    """Read ``.csv``, ``.csv.gz`` or ``.parquet``."""
    path = _found(data)
    if _parquet(path):
        from sottovoce.data.frames import from_parquet

        return from_parquet(path, user=user, value=value, coding=coding)
    from sottovoce.data.csvfile import from_csv

    return from_csv(path, user=user, value=value, coding=coding)


def source(
    data: str | PathLike[str], *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None = None
) -> Source:
    """The same file, to read in blocks."""
    path = _found(data)
    return Source(path, user=user, value=value, coding=coding, parquet=_parquet(path))


def matching(data: str | PathLike[str], *, user: str, value: Sequence[str]) -> list[str]:
    """The columns that `value` means: names, or patterns such as ``tag_*`` for all columns like it, in their order.

    A name that the file has is that name, even with a star in it; a pattern never means the column of the user.
    """
    if not any(set("*?[") & set(name) for name in value):
        return list(value)
    path = _found(data)
    if _parquet(path):
        from sottovoce.data.frames import parquet_names as names
    else:
        from sottovoce.data.csvfile import csv_names as names
    there = names(path)
    found: list[str] = []
    for wanted in value:
        like = [name for name in there if name != user and fnmatchcase(name, wanted)]
        found += [wanted] if wanted in there or not like else like
    return list(dict.fromkeys(found))


def _parquet(path: Path) -> bool:
    return path.name.lower().endswith(".parquet")


def _found(data: str | PathLike[str]) -> Path:
    path = Path(fspath(data)).expanduser()
    ending = path.name.lower()
    if not ending.endswith((".csv", ".csv.gz", ".parquet")):
        raise InvalidInput(f"cannot read {path.name!r}: the name must end in .csv, .csv.gz or .parquet")
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    if path.is_dir():
        raise InvalidInput(f"{path.name!r} is a folder; name one file")
    return path
