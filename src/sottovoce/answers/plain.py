"""Answers to plain JSON data and back, strictly: the types of the fields say how each is written.

Not the codec of `messages`, which devices trust and which knows finite numbers only. Here pairs have their length,
a field that has a default may be missing (an answer written before the field existed), what a class lists as
`derived` is written for the reader's convenience and ignored on the way back, and a number that is not finite is
one of the texts "Infinity", "-Infinity" and "NaN": JSON has no such numbers, and both Python's ``float`` and
JavaScript's ``Number`` read these texts.
"""

from __future__ import annotations

import dataclasses
import math
import types
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sottovoce.messages import Fact, InvalidInput, Malformed

Part = TypeVar("Part")

_NOT_FINITE = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
_WORDS = {int: "a whole number", str: "a text", bool: "true or false"}


def to_plain(value: Any) -> Any:
    """Nested dictionaries, lists, strings and finite numbers."""
    if isinstance(value, Fact):
        return to_plain(value.to_plain())
    if dataclasses.is_dataclass(value):
        names = [*(field.name for field in dataclasses.fields(value)), *getattr(value, "derived", ())]
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: to_plain(item) for name, item in value.items()}
    if not isinstance(value, float):
        return value.value if isinstance(value, Enum) else value
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@cache
def _fields(cls: Any) -> tuple[dict[str, Any], set[str]]:
    """The type of each field, and which of them have no default."""
    hints, fields = get_type_hints(cls), dataclasses.fields(cls)
    return (
        {field.name: hints[field.name] for field in fields},
        {field.name for field in fields if field.default is dataclasses.MISSING},
    )


def from_plain(cls: type[Part], plain: Any) -> Part:
    """Build a part of an answer, or all of it; every check of its constructor runs. `Malformed` if it cannot be."""
    if not isinstance(plain, dict):
        raise Malformed(f"{cls.__name__}: an object was expected")
    anything: Any = cls  # mypy takes a class for unhashable when its values might be
    fields, needed = _fields(anything)
    given = set(plain) - set(getattr(cls, "derived", ()))
    for problem, names in (("unknown", given - set(fields)), ("missing", needed - given)):
        if names:
            listed = ", ".join(repr(name[:40]) for name in sorted(map(str, names))[:5])
            raise Malformed(f"{cls.__name__}: {problem} fields {listed}")
    values = {name: _read(plain[name], fields[name], f"{cls.__name__}.{name}") for name in fields if name in given}
    try:
        return cls(**values)
    except InvalidInput as error:
        raise Malformed(f"{cls.__name__}: {error}") from error


def _read(value: Any, hint: Any, where: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):  # a field that may be None, or one number or several
        members = [option for option in arguments if option is not types.NoneType]
        fitting = [option for option in members if _fits(value, option)]
        member = fitting[0] if fitting else members[0]
        return None if value is None and len(members) < len(arguments) else _read(value, member, where)
    if origin is tuple:
        return _tuple(value, arguments, where)
    if isinstance(hint, type) and issubclass(hint, Fact):
        return hint.from_plain(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        if value not in [member.value for member in hint]:
            raise Malformed(f"{where}: one of {', '.join(member.value for member in hint)} was expected")
        return hint(value)
    if dataclasses.is_dataclass(hint):
        return from_plain(hint, value)  # type: ignore[arg-type]  # mypy cannot see that the hint is a class
    if hint is float:
        return _number(value, where)
    if type(value) is hint:
        return value
    raise Malformed(f"{where}: {_WORDS[hint]} was expected")


def _fits(value: Any, hint: Any) -> bool:
    """Which of several types a value is meant as: a list, an object, or anything else."""
    if isinstance(value, list):
        return get_origin(hint) is tuple
    return isinstance(value, dict) == (isinstance(hint, type) and issubclass(hint, Fact))


def _tuple(value: Any, hints: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise Malformed(f"{where}: a list was expected")
    if hints[-1] is Ellipsis:
        hints = hints[:1] * len(value)
    elif len(value) != len(hints):
        raise Malformed(f"{where}: a list of {len(hints)} was expected")
    return tuple(_read(item, hint, where) for item, hint in zip(value, hints, strict=True))


def _number(value: Any, where: str) -> float:
    if isinstance(value, str) and value in _NOT_FINITE:
        return _NOT_FINITE[value]
    try:
        number = float(value) if type(value) in (int, float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Malformed(f"{where}: a finite number was expected, or one of the texts {', '.join(_NOT_FINITE)}")
    return number
