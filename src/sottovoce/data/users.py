"""The single door for observations: whatever the caller holds becomes `Collections`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from os import PathLike
from typing import TYPE_CHECKING, Any

from sottovoce.data.arrays import from_array
from sottovoce.data.categories import Coding, coding_of
from sottovoce.data.dataset import Dataset
from sottovoce.data.reading import with_values
from sottovoce.data.shapes import Value, is_frame, shaped
from sottovoce.data.stated import Stated
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput

if TYPE_CHECKING:
    from sottovoce.engines import People


def collections(
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    categories: Sequence[Any] | Coding | None = None,
    other: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
) -> Collections:
    """Gather each user's observations.

    Users keep the order in which they first appear, and observations the order of their rows. Booleans are 0 and 1,
    dates and times days since 1970-01-01; a missing value is a NaN observation, which devices pass over, so that it
    never decides whether one answers.

    Parameters
    ----------
    data
        One of: an array ``(n, T)`` of numbers or ``(n, T, d)`` of vectors; a list with one sequence per user, of
        any lengths, empty ones too; a dict or a pandas Series from users to such sequences
        (``frame.groupby("u")["v"].apply(list)``); a long data frame (pandas, polars, pyarrow, anything narwhals reads,
        lazy ones too), a list of dicts, a dict of columns; the path of a ``.csv``, ``.tsv``, ``.txt`` (also ``.gz``),
        ``.xlsx`` or ``.parquet`` file, or ``-`` for standard input; a `Dataset`; a `Collections`.
    user, value
        The columns of a frame or file that hold the user and the observation. Several value columns make vectors. The
        user may be a level of the index of a pandas frame or Series.
    categories, other
        Labels of declared categories: observations, text above all, become the numbers 0, 1, 2, … of their labels.
        Numbers, as text too, are taken for labels where a label is a number, else for numbers of categories; of two
        categories false is the first and true the second, unless they read as booleans. `other` is the label that
        takes what is in none of them.
    separator, encoding, decimal, dates, header, sheet
        How a file is to be read, where looking at it is not to decide: see `Stated`.
    skip_bad
        Cells that cannot be read count as missing, rows without a user or with too many or too few cells are left out;
        `reading_of` says how many of each, and where.

    Raises
    ------
    InvalidInput
        With names of columns, counts and numbers of lines; never with an observed value. Also when observations are in
        none of the categories, and no `other` is named.
    MissingExtra
        When Parquet or Excel is given and no package that reads it is installed.
    """
    stated, coding = _said(locals())
    return _collections(data, user=user, value=value, coding=coding, stated=stated)


def people(
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    categories: Sequence[Any] | Coding | None = None,
    other: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
) -> People:
    """The same as `collections`, but of a file with very many rows only what a question needs is ever held.

    Such a file is walked through once here, and once more for each question that needs more than users' averages; see
    `Streamed`. On a terminal a bar shows how far that is.
    """
    stated, coding = _said(locals())
    if not isinstance(data, (str, PathLike)):
        return _collections(data, user=user, value=value, coding=coding, stated=stated)
    from sottovoce.data.sources import Source
    from sottovoce.data.streamed import from_source

    return from_source(Source(data, user=user, value=value, coding=coding, stated=stated))


def _said(given: dict[str, Any]) -> tuple[Stated, Coding | None]:
    """How to read, and what to take labels for, of the arguments of a call."""
    stated = Stated(**{field.name: given[field.name] for field in fields(Stated)})
    categories = given["categories"]
    return stated, None if categories is None else coding_of(categories, given["other"], skip=stated.skip_bad)


def _collections(data: Any, *, user: str | None, value: Value, coding: Coding | None, stated: Stated) -> Collections:
    held = _held(data, user=user, value=value, coding=coding, stated=stated)
    if held.users == 0:
        raise InvalidInput("no users: the data are empty", code="no-users")
    return held if coding is None else with_values(held, coding.settled(held.values))


def in_memory(held: People) -> Collections:
    """All rows of some people, held at once."""
    return held if isinstance(held, Collections) else held.collections()


def _held(data: Any, *, user: str | None, value: Value, coding: Coding | None, stated: Stated) -> Collections:
    if isinstance(data, (str, PathLike)):
        from sottovoce.data.files import from_file

        return from_file(data, user=user, value=value, coding=coding, stated=stated)
    if stated.of_a_file:
        raise InvalidInput(
            f"{stated.of_a_file[0]}= says how a file is read", fix=f"a {type(data).__name__} is none: leave it out"
        )
    data, user, value = shaped(data, user=user, value=value)
    if is_frame(data):
        from sottovoce.data.frames import from_frame

        return from_frame(data, user=user, value=value, coding=coding, stated=stated)
    if user is not None or value is not None:
        raise InvalidInput(f"user= and value= name columns of a data frame or a file; a {type(data).__name__} has none")
    held = data.collections if isinstance(data, Dataset) else data
    if not isinstance(held, Collections):
        return from_array(held) if coding is None else from_array(held, coding.read)
    return held if coding is None else Collections(coding.read(held.values, what="observations"), held.offsets)
