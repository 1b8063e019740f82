"""Frozen dataclasses to plain JSON data and back, strictly.

A message class lists typed fields; this file is the only place that knows how each type is written. Unknown,
missing or ill-typed fields are `Malformed`. A member of a closed vocabulary carries its name in ``kind``.
"""

from __future__ import annotations

import dataclasses
import re
import types
from functools import cache
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sottovoce.messages.errors import Malformed

Big = Annotated[int, "written as a decimal string"]
"""An integer that may exceed 2^53."""

_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,59}", re.ASCII)

Message = TypeVar("Message")


@cache
def _fields(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _title(cls: type) -> str:
    return str(getattr(cls, "title", cls.__name__))


def _kind(cls: type) -> str | None:
    return getattr(cls, "kind", None)


def to_plain(message: Any) -> dict[str, Any]:
    """The message as nested dictionaries, lists, strings and numbers."""
    cls: Any = type(message)
    plain = {name: _plain(getattr(message, name), hint) for name, hint in _fields(cls).items()}
    return plain if _kind(cls) is None else {"kind": _kind(cls)} | plain


def _plain(value: Any, hint: Any) -> Any:
    if value is None:
        return None
    if dataclasses.is_dataclass(value):
        return to_plain(value)
    if get_origin(hint) is Annotated:
        return str(value)
    if get_origin(hint) is tuple:
        return [_plain(item, get_args(hint)[0]) for item in value]
    return value


def from_plain(cls: type[Message], plain: Any) -> Message:
    """Build a message; every check of its constructor runs."""
    if not isinstance(plain, dict):
        raise Malformed(f"{_title(cls)}: an object was expected")
    anything: Any = cls  # mypy takes a class with a private hash for unhashable
    fields = _fields(anything)
    given = set(plain) - ({"kind"} if _kind(cls) is not None else set())
    if given != set(fields):
        wrong = sorted(given ^ set(fields))
        raise Malformed(f"{_title(cls)}: missing or unknown fields {', '.join(repr(name[:40]) for name in wrong[:5])}")
    return cls(**{name: _read(plain[name], hint, f"{_title(cls)}.{name}") for name, hint in fields.items()})


def _read(value: Any, hint: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _read_union(value, get_args(hint), where)
    if origin is Annotated:
        if not (isinstance(value, str) and _DECIMAL.fullmatch(value)):
            raise Malformed(f"{where}: a decimal string was expected")
        return int(value)
    if origin is tuple:
        if not isinstance(value, list):
            raise Malformed(f"{where}: a list was expected")
        return tuple(_read(item, get_args(hint)[0], where) for item in value)
    if dataclasses.is_dataclass(hint):
        return from_plain(hint, value)  # type: ignore[arg-type]  # mypy cannot see that the hint is a class
    if hint is float and type(value) in (int, float):
        return float(value)
    if type(value) is hint:
        return value
    raise Malformed(f"{where}: {getattr(hint, '__name__', hint)} was expected")


def _read_union(value: Any, options: tuple[Any, ...], where: str) -> Any:
    if value is None and types.NoneType in options:
        return None
    members = [option for option in options if option is not types.NoneType]
    if len(members) == 1:
        return _read(value, members[0], where)
    kind = value.get("kind") if isinstance(value, dict) else None
    for member in members:
        if _kind(member) == kind:
            return from_plain(member, value)
    known = ", ".join(str(_kind(member)) for member in members)
    raise Malformed(f"{where}: unknown kind; this version knows {known}")
