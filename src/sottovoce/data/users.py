"""The single door for observations: whatever the caller holds becomes `Collections`."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from sottovoce.data.arrays import from_array
from sottovoce.data.categories import Coding, coding_of
from sottovoce.data.dataset import Dataset
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
) -> Collections:
    """Gather each user's observations.

    Parameters
    ----------
    data
        One of: an array ``(n, T)`` of numbers or ``(n, T, d)`` of vectors; a list with one sequence per user, of
        any lengths, empty ones too; a long data frame (pandas, polars, pyarrow, anything narwhals reads, lazy
        ones too); the path of a ``.csv``, ``.csv.gz`` or ``.parquet`` file; a `Dataset`; a `Collections`.
    user, value
        The columns of a frame or file that hold the user and the observation. Several value columns make vectors.
    categories, other
        Labels of declared categories: observations, text above all, become the numbers 0, 1, 2, … of their labels.
        Numbers, as text too, are taken for labels where a label is a number, else for numbers of categories; of two
        categories false is the first and true the second, unless they read as booleans. `other` is the label that
        takes what is in none of them.

    Users keep the order in which they first appear, and observations the order of their rows. Booleans are 0 and
    1; a missing value is a NaN observation, which devices pass over, so that it never decides whether one answers.

    Raises
    ------
    InvalidInput
        With names of columns, counts and numbers of lines; never with an observed value. Also when observations are in
        none of the categories, and no `other` is named.
    MissingExtra
        When Parquet is given and no package that reads it is installed.
    """
    coding = None if categories is None else coding_of(categories, other)
    held = _held(data, user=user, value=value, coding=coding)
    if held.users == 0:
        raise InvalidInput("no users: the data are empty")
    return held if coding is None else Collections(coding.settled(held.values), held.offsets)


def people(
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    categories: Sequence[Any] | Coding | None = None,
    other: str | None = None,
) -> People:
    """The same as `collections`, but of a file with very many rows only what a question needs is ever held.

    Such a file is walked through once here, and once more for each question that needs more than users' averages; see
    `Streamed`. On a terminal a bar shows how far that is.
    """
    if not isinstance(data, (str, PathLike)):
        return collections(data, user=user, value=value, categories=categories, other=other)
    from sottovoce.data.files import source
    from sottovoce.data.streamed import from_source

    coding = None if categories is None else coding_of(categories, other)
    return from_source(source(data, user=user, value=value, coding=coding))


def in_memory(held: People) -> Collections:
    """All rows of some people, held at once."""
    return held if isinstance(held, Collections) else held.collections()


def _held(data: Any, *, user: str | None, value: str | Sequence[str] | None, coding: Coding | None) -> Collections:
    if isinstance(data, (str, PathLike)):
        from sottovoce.data.files import from_file

        return from_file(data, user=user, value=value, coding=coding)
    if _is_frame(data):
        from sottovoce.data.frames import from_frame

        return from_frame(data, user=user, value=value, coding=coding)
    if user is not None or value is not None:
        raise InvalidInput(f"user= and value= name columns of a data frame or a file; a {type(data).__name__} has none")
    held = data.collections if isinstance(data, Dataset) else data
    if not isinstance(held, Collections):
        return from_array(held) if coding is None else from_array(held, coding.read)
    return held if coding is None else Collections(coding.read(held.values, what="observations"), held.offsets)


def _is_frame(data: Any) -> bool:
    """Every frame has named columns; asked of the type, because on a lazy frame reading them is work."""
    return any(hasattr(type(data), name) for name in ("columns", "__narwhals_dataframe__", "__narwhals_lazyframe__"))
