"""Files by their ending: each format has its own reader, loaded when it is needed."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path

from sottovoce.device.collections import Collections
from sottovoce.messages.errors import InvalidInput


def from_file(data: str | PathLike[str], *, user: str | None, value: str | Sequence[str] | None) -> Collections:
    """Read ``.csv``, ``.csv.gz`` or ``.parquet``."""
    path = Path(fspath(data)).expanduser()
    ending = path.name.lower()
    if not ending.endswith((".csv", ".csv.gz", ".parquet")):
        raise InvalidInput(f"cannot read {path.name!r}: the name must end in .csv, .csv.gz or .parquet")
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    if path.is_dir():
        raise InvalidInput(f"{path.name!r} is a folder; name one file")
    if ending.endswith(".parquet"):
        from sottovoce.data.frames import from_parquet

        return from_parquet(path, user=user, value=value)
    from sottovoce.data.csvfile import from_csv

    return from_csv(path, user=user, value=value)
