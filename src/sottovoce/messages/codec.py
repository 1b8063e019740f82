"""Frozen dataclasses to plain JSON data and back, strictly.

A message class lists typed fields; this file is the only place that knows how each type is written. Unknown,
missing or ill-typed fields are `Malformed`. A member of a closed vocabulary carries its name in ``kind``. A field with
the metadata `LEFT_OUT` stands in the bytes only where it differs from its default, and is `Malformed` where it stands
there and does not: messages that do not use it are what they were before there was one, and each has one form.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable
from functools import cache, partial
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from sottovoce.messages.errors import Malformed

Big = Annotated[int, "written as a decimal string"]
"""An integer that may exceed 2^53."""

_DECIMAL = re.compile(r"0|-?[1-9][0-9]{0,59}", re.ASCII)

Message = TypeVar("Message")
_Reader = Callable[[Any, str], Any]
"""From plain data, and the name of where it stands, to a value."""
LEFT_OUT = {"left out": True}


@cache
def _defaults(cls: Any) -> dict[str, Any]:
    """The fields of a class that are left out at these values."""
    return {field.name: field.default for field in dataclasses.fields(cls) if field.metadata == LEFT_OUT}


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
    unsaid = {name for name, default in _defaults(cls).items() if getattr(message, name) == default}
    said = {name: hint for name, hint in _fields(cls).items() if name not in unsaid}
    plain = {name: _plain(getattr(message, name), hint) for name, hint in said.items()}
    return plain if _kind(cls) is None else {"kind": _kind(cls)} | plain


def _plain(value: Any, hint: Any) -> Any:
    if value is None:
        return None
    if dataclasses.is_dataclass(value):
        return to_plain(value)
    if get_origin(hint) is Annotated:
        return str(value)
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        return list(map(str, value)) if inner is Big else [_plain(item, inner) for item in value]
    return value


def from_plain(cls: type[Message], plain: Any) -> Message:
    """Build a message; every check of its constructor runs."""
    if not isinstance(plain, dict):
        raise Malformed(f"{_title(cls)}: an object was expected")
    if plain.get("kind") != _kind(cls) and _kind(cls) is not None:
        raise Malformed(f"{_title(cls)}: the kind {_kind(cls)!r} was expected")
    anything: Any = cls  # mypy takes a class with a private hash for unhashable
    readers, defaults = _readers(anything), _defaults(anything)
    given = plain.keys() - {"kind"} if _kind(cls) is not None else plain.keys()
    if wrong := sorted((given ^ readers.keys()) - (defaults.keys() - given)):
        raise Malformed(f"{_title(cls)}: missing or unknown fields {', '.join(repr(name[:40]) for name in wrong[:5])}")
    values = {name: read(plain[name], where) for name, (read, where) in readers.items() if name in given}
    if spare := [name for name, default in defaults.items() if name in given and values[name] == default]:
        raise Malformed(f"{_title(cls)}.{spare[0]}: left out where it has its default")
    return cls(**values)


@cache
def _readers(cls: Any) -> dict[str, tuple[_Reader, str]]:
    return {name: (_reader(hint), f"{_title(cls)}.{name}") for name, hint in _fields(cls).items()}


@cache
def _reader(hint: Any) -> _Reader:
    """How a field of this type is read: looked up once for each type, not once for each number."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return partial(_read_union, get_args(hint))
    if origin is Annotated:
        return _read_decimal
    if origin is tuple:
        inner = get_args(hint)[0]
        whole = {float: _read_floats, tuple[Big, ...]: _read_rows}
        return whole[inner] if inner in whole else partial(_read_list, _reader(inner))
    if origin is dict:
        return _read_object
    if dataclasses.is_dataclass(hint):
        return lambda value, where: from_plain(hint, value)  # type: ignore[arg-type]  # mypy sees no class here
    return _read_float if hint is float else partial(_read_exactly, hint)


def _read_exactly(hint: Any, value: Any, where: str) -> Any:
    if type(value) is not hint:
        raise Malformed(f"{where}: {getattr(hint, '__name__', hint)} was expected")
    return value


def _read_object(value: Any, where: str) -> dict[str, Any]:
    """An object of any plain data, whose meaning is for its owner to check."""
    return {name: _listed(held) for name, held in _read_exactly(dict, value, where).items()}


def _listed(value: Any) -> Any:
    """Rows that were read as a whole (see `rows`) in the form in which they are written."""
    if isinstance(value, np.ndarray):
        return [[str(cell) for cell in row] for row in value.tolist()]
    return {name: _listed(held) for name, held in value.items()} if isinstance(value, dict) else value


def _read_float(value: Any, where: str) -> float:
    if type(value) not in (int, float):
        raise Malformed(f"{where}: float was expected")
    return float(value)


def _read_list(read: _Reader, value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise Malformed(f"{where}: a list was expected")
    return tuple([read(item, where) for item in value])


def _read_decimal(value: Any, where: str) -> int:
    if not (isinstance(value, str) and _DECIMAL.fullmatch(value)):
        raise Malformed(f"{where}: a decimal string was expected")
    return int(value)


def _read_floats(value: Any, where: str) -> tuple[float, ...]:
    if isinstance(value, list) and set(map(type, value)) <= {int, float}:
        return tuple(map(float, value))
    return _read_list(_read_float, value, where)


def _read_rows(value: Any, where: str) -> Any:
    """Rows of decimal strings, one by one or already read as a whole (see `rows`)."""
    return value if isinstance(value, np.ndarray) else _read_list(_reader(tuple[Big, ...]), value, where)


def _read_union(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in options:
        return None
    members = [option for option in options if option is not types.NoneType]
    if len(members) == 1:
        return _reader(members[0])(value, where)
    kind = value.get("kind") if isinstance(value, dict) else None
    for member in members:
        if _kind(member) == kind:
            return from_plain(member, value)
    known = ", ".join(str(_kind(member)) for member in members)
    raise Malformed(f"{where}: unknown kind; this version knows {known}")
