"""Which columns hold the users and their values, and what to say when they are not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from sottovoce.messages import InvalidInput

_LISTED = 20
NOBODY = frozenset(("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"))
"""What stands in a file where a user should, as programs write it: other spellings may be names."""


def value_names(*, user: str | None, value: str | Sequence[str] | None) -> tuple[str, list[str]]:
    """Check ``user=`` and ``value=`` themselves; several value columns make vectors."""
    if user is None or value is None:
        raise InvalidInput(
            rule="a data frame or a file needs user= and value=, the names of the columns that hold them (for a "
            "table with one row per user, pass its values as an array)"
        )
    given: Any = value  # anything may come from a caller without types
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    if not values:
        raise InvalidInput("value= names no column")
    if not all(isinstance(name, str) for name in (user, *values)):
        raise InvalidInput(rule="user= and value= must be names of columns, as text")
    if len({user, *values}) <= len(values):
        raise InvalidInput("user= and value= name the same column twice", fix="name two that differ")
    return user, values


def check_columns(*, wanted: Sequence[str], there: Sequence[str], place: str) -> None:
    """Refuse a name that is not there, or is there twice."""
    found = Counter(there)  # thousands of columns are looked up
    absent = [name for name in wanted if name not in found]
    if absent:
        more = f" and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
        names = ", ".join(map(repr, there[:_LISTED])) + more
        listed = f"its columns are {names or 'none'}"
        raise no_column(place, absent, f"; {listed}", fix=_meant(absent, there) or listed)
    twice = [name for name in wanted if found[name] > 1]
    if twice:
        raise InvalidInput(f"{place} has {found[twice[0]]} columns {twice[0]!r}", fix="rename all but one of them")


def no_column(place: str, names: Sequence[str], more: str = "", *, fix: str = "") -> InvalidInput:
    """The error for columns that are not there."""
    wrong = f"{place} has no column {' or '.join(map(repr, names))}{more}"
    return InvalidInput(wrong, fix=fix, code="unknown-column", fields={"columns": tuple(names)})


def _meant(absent: Sequence[str], there: Sequence[str]) -> str:
    """Names that are there and look like those that are not."""
    lower = {name.lower(): name for name in there}
    found = [lower[close[0]] for name in absent if (close := get_close_matches(name.lower(), lower, n=1))]
    return f"did you mean {' and '.join(map(repr, found))}?" if found else ""


def squared(row: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """A row without the separators at its end, as many cells as there are names; nameless columns may be left out."""
    size, width = len(row), len(names)
    if size > width and not any(row[width:]):
        return row[:width]
    return row if size >= width or any(names[size:]) or not row else [*row, *[""] * (width - size)]


def no_user(*, rows: int, user: str, first: int, line: str = "line", note: str = "") -> InvalidInput:
    """The error for rows that belong to nobody; `note` says how that comes about."""
    some, them = ("1 row has", "it") if rows == 1 else (f"{rows:,} rows have", "them")
    where = f"({line} {first}{'' if rows == 1 else ' the first'})"
    fix = f"drop or repair {them}, or --skip-bad (skip_bad=True) leaves {them} out"
    return InvalidInput(f"{some} no user in column {user!r} {where}{f'; {note}' if note else ''}", fix=fix)


def unframed(data: Any, trouble: str) -> InvalidInput:
    """The error for what is nearly a frame."""
    why = "two of its columns have the same name: rename one" if trouble == "DuplicateError" else trouble
    return InvalidInput(f"this {type(data).__name__} cannot be read as a data frame ({why})")
