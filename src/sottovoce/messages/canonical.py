"""A message as plain JSON data, strictly, and one byte string for it: the JSON Canonicalization Scheme (RFC 8785).

A message class lists typed fields; `to_plain` and `from_plain` are the only place that knows how each type is
written. Unknown, missing or ill-typed fields are `Malformed`. A member of a closed vocabulary carries its name in
``kind``. A field with the metadata `LEFT_OUT` stands in the bytes only where it differs from its default, and is
`Malformed` where it stands there and does not: messages that do not use it are what they were before there was one,
and each has one form.

In the bytes keys are sorted by UTF-16 units, there is no white space, and numbers are as ECMAScript writes them, so
that ``JSON.stringify`` over sorted keys gives the same bytes in a browser. Integers beyond 2^53 never appear as
numbers: they are written as decimal strings.

The rows of a table, nearly all bytes of a large question, are read as 64-bit words in one go. A parser makes an
object of every cell, and each would be looked at again. So the field is cut out of the canonical bytes and read as a
whole, when it is exactly ``[["…","…"],["…","…"]]`` with positive decimal integers in their only form and rows of one
length. Anything else stays where it is, and goes the long way, where it is refused with a reason.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import types
from collections.abc import Callable
from decimal import Decimal
from functools import cache, partial
from itertools import pairwise
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from sottovoce.messages.array_types import Words
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_DEPTH, Size, check

_FIELD, _OPEN, _CLOSE = b'"rows":', b'[["', b'"]]'
_ITEM, _ROW = b'","', b'"],["'
_LARGEST = 2**64 - 1  # as which anything beyond 64 bits is read
STAND_IN = "-0"
"""What stands in the place of the rows: a number that no canonical document holds."""


def cut_rows(data: bytes) -> tuple[bytes, Words] | None:
    """The document with `STAND_IN` for its first rows, and those rows; None when there is nothing to cut.

    The document holds no escapes. The name of the field and its colon stay, so what is left is a JSON document exactly
    when the whole is one: inside a text, the name's first quote would end that text, before a name without quotes.
    """
    start = data.find(_FIELD + _OPEN) + len(_FIELD)
    if start < len(_FIELD):
        return None
    stop, height = data.find(b"]", start), 1
    while stop >= 0 and data[stop + 1 : stop + 2] != b"]":  # one letter is found faster than two
        stop, height = data.find(b"]", stop + 1), height + 1
    rows = _read_words(data[start + len(_OPEN) : stop - 1], height)
    if rows is None or data[stop - 1 : stop + 2] != _CLOSE:
        return None
    return data[:start] + STAND_IN.encode() + data[stop + 2 :], rows


def _read_words(inner: bytes, height: int) -> Words | None:
    """``1","2"],["3","4`` as an array of so many rows, or None."""
    marks = inner.translate(None, b"0123456789")
    items, left = divmod(len(marks) - len(_ROW) * (height - 1), len(_ITEM) * height)
    if left or items < 0 or marks != _ROW.join([_ITEM * items] * height):
        return None
    # The marks are right and in order; now each number stands between two quotes, whole and without a zero in front.
    letters = np.frombuffer(b'"%b"' % inner, dtype=np.uint8)
    quote, digit = letters == ord('"'), (letters >= ord("0")) & (letters <= ord("9"))
    other = ~(digit | quote)
    loose = (digit[:-1] & other[1:]) | (other[:-1] & digit[1:])
    wrong = quote[:-1] & (quote[1:] | (letters[1:] == ord("0")))
    if loose.any() or wrong.any():
        return None
    words = np.fromstring(inner.translate(None, b'"[]'), dtype=np.uint64, sep=",")
    return None if int(words.max()) == _LARGEST else words.reshape(height, items + 1)


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
    return {name: _rows_as_lists(held) for name, held in _read_exactly(dict, value, where).items()}


def _rows_as_lists(value: Any) -> Any:
    """Rows that were read as a whole (see `rows`) in the form in which they are written."""
    if isinstance(value, np.ndarray):
        return [[str(cell) for cell in row] for row in value.tolist()]
    return {name: _rows_as_lists(held) for name, held in value.items()} if isinstance(value, dict) else value


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


SAFE_INTEGER = 2**53
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}:"'))
_TEXTS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def ecmascript_number(value: float) -> str:
    """Write a float as ECMAScript's ``Number::toString`` does: shortest digits that read back."""
    if not math.isfinite(value):
        raise Malformed("a message holds finite numbers only")
    if value == 0:
        return "0"
    shortest = float.__repr__(value)
    if "e" not in shortest:  # Python and ECMAScript agree but for the ".0"
        return shortest.removesuffix(".0")
    sign, digit_tuple, exponent = Decimal(shortest).as_tuple()
    digits = "".join(map(str, digit_tuple)).rstrip("0")
    point = len(digit_tuple) + int(exponent)
    if len(digits) <= point <= 21:
        text = digits.ljust(point, "0")
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
        text = f"{mantissa}e{point - 1:+d}"
    return f"-{text}" if sign else text


def _utf16(name: str) -> bytes:
    """By which names are sorted (RFC 8785, 3.2.3): UTF-16. Letters beyond the first 2^16 come before some of those."""
    return name.encode("utf-16-be", "surrogatepass")


def _write(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=None if "".join(value).isascii() else _utf16)
        return "{" + ",".join(f"{_write(name)}:{_write(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        if value and all(type(item) is str for item in value):  # as a whole: tables and tallies are lists of texts
            return _TEXTS.encode(value)
        return "[" + ",".join(map(_write, value)) + "]"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) > SAFE_INTEGER:
            raise Malformed("an integer beyond 2^53 must be a decimal string")
        return str(value)
    if isinstance(value, float):
        return ecmascript_number(value)
    raise Malformed(f"a message cannot hold a {type(value).__name__}")


def _parse_integer(token: str) -> int | float:
    """Beyond 2^53 only floats are written without a point (1e16 is 10000000000000000)."""
    value = int(token)
    if -SAFE_INTEGER <= value <= SAFE_INTEGER and token != "-0":
        return value
    return _parse_float(token)


def _parse_float(token: str) -> float:
    value = float(token)
    if repr(value) == token and token[-2:] != ".0" and "e" not in token:  # most of them; see `ecmascript_number`
        return value
    _check_canonical(ecmascript_number(value) == token)
    return value


def _refuse_constant(token: str) -> float:
    raise Malformed("a message holds finite numbers only")


def _parse_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for (name, _), (following, _) in pairwise(pairs):
        _check_canonical(name < following if name.isascii() else _utf16(name) < _utf16(following))
    return dict(pairs)


def _check_canonical(holds: bool) -> None:
    if not holds:
        raise Malformed("not in canonical form (RFC 8785)", code="not-canonical")


def _decoder(parse_int: Callable[[str], Any]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_parse_object, parse_int=parse_int, parse_float=_parse_float, parse_constant=_refuse_constant
    )


def _integer_or_rows(cut: Words) -> Callable[[str], Any]:
    """Read integers, and the rows where their stand-in is found; twice, and the document had one of its own."""
    left = [cut]
    return lambda token: left.pop() if token == STAND_IN and left else _parse_integer(token)


def dumps(value: Any) -> bytes:
    """Canonical bytes of plain JSON data."""
    return _write(value).encode()


def loads(data: bytes, *, size: Size) -> Any:
    """Plain JSON data from bytes that must already be canonical, and of a size that is safe to read.

    Numbers and the order of names are checked as they are read. White space and escapes are all that is left in which
    a document can differ from its canonical form: where there are any, it is written again and compared. The rows of a
    table are an array of 64-bit words where they can be read as a whole, and lists of texts where not.
    """
    check(len(data) <= size.letters, f"{len(data)} bytes; a message of this kind has at most {size.letters}")
    # Counted before they are read: a parser turns a bracket, a name or a text of two bytes into fifty or more.
    check(_count_marks(data, size) <= size.marks, f"more than {size.marks} brackets, colons and quotes")
    short = None if b"\\" in data else cut_rows(data)
    rest, parse_int = (data, _parse_integer) if short is None else (short[0], _integer_or_rows(short[1]))
    try:
        value = _decoder(parse_int).decode(rest.decode())
        _check_depth(value)
        if not _is_as_written(rest, value):
            value = value if short is None else _decoder(_parse_integer).decode(data.decode())
            _check_canonical(dumps(value) == data)
    except Malformed:
        raise
    except (ValueError, OverflowError, RecursionError) as error:
        raise Malformed("not a JSON document") from error
    return value


def _count_marks(data: bytes, size: Size) -> int:
    if not size.texts:
        return len(data.translate(None, _NO_MARKS))
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    quotes = bare.count(b'"')
    return quotes if quotes > size.marks else quotes + sum(map(len, bare.split(b'"')[::2]))


def _check_depth(value: Any) -> None:
    """Refuse what is nested deeper than any message: whoever walks through it may call itself."""
    level = [value] if type(value) in (dict, list) else []
    for _ in range(MAX_DEPTH):
        held = [one.values() if type(one) is dict else one for one in level]
        level = [_brackets(one) for some in held for one in some if type(one) in (dict, list, np.ndarray)]
        if not level:
            return
    raise Malformed(f"nested deeper than {MAX_DEPTH} brackets")


def _brackets(held: Any) -> Any:
    """What stands for rows that were read as a whole: a list in a list."""
    return [[]] if isinstance(held, np.ndarray) else held


def _is_as_written(data: bytes, value: Any) -> bool:
    """No escapes, and no white space but the blanks inside the texts of the outermost object."""
    if any(byte in data for byte in (b"\\", b"\n", b"\r", b"\t")):
        return False
    texts = value.values() if isinstance(value, dict) else ()
    return data.count(b" ") == sum(text.count(" ") for text in texts if type(text) is str)


def digest(data: bytes) -> str:
    """The content address of canonical bytes: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
