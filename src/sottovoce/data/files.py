"""A file as a whole: all of its rows, what its columns are called, and which of them a pattern means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from os import PathLike
from typing import Any

from sottovoce.data.categories import Coding
from sottovoce.data.grouping import gathered
from sottovoce.data.origin import found, is_parquet
from sottovoce.data.reading import Held
from sottovoce.data.shapes import Value
from sottovoce.data.sources import Source
from sottovoce.data.stated import Stated

_PLAIN = Stated()


def from_file(
    data: str | PathLike[str], *, user: str | None, value: Value, coding: Coding | None = None, stated: Stated = _PLAIN
) -> Held:
    """All rows of a file, held."""
    source = Source(data, user=user, value=value, coding=coding, stated=stated)
    people = gathered(source.blocks())
    return Held(people.values, people.offsets, source.reading)


def matching(data: str | PathLike[str], *, user: str, value: Sequence[str], **stated: Any) -> list[str]:
    """The columns that `value` means: names, or patterns such as ``tag_*`` for all columns like it, in their order.

    A name that the file has is that name, even with a star in it; a pattern never means the column of the user.
    """
    if not any(set("*?[") & set(name) for name in value):
        return list(value)
    there = names(data, Stated(**stated))
    found: list[str] = []
    for wanted in value:
        like = [name for name in there if name != user and fnmatchcase(name, wanted)]
        found += [wanted] if wanted in there or not like else like
    return list(dict.fromkeys(found))


def names(data: str | PathLike[str], stated: Stated) -> list[str]:
    """What the columns of a file are called."""
    if is_parquet(data):
        from sottovoce.data.frames import parquet_names

        return parquet_names(found(data))
    from sottovoce.data.csvfile import csv_names
    from sottovoce.data.layout import layout
    from sottovoce.data.origin import origin

    return csv_names(layout(origin(data, stated), stated))
