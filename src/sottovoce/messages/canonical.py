"""One byte string for one message: the JSON Canonicalization Scheme (RFC 8785).

Keys sorted by UTF-16 units, no white space, numbers as ECMAScript writes them, so that ``JSON.stringify`` over sorted
keys gives the same bytes in a browser. Integers beyond 2^53 never appear as numbers: the codec writes them as decimal
strings.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import rows
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_DEPTH, Size, check

SAFE_INTEGER = 2**53
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}:"'))
_TEXTS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def number(value: float) -> str:
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


def _units(name: str) -> bytes:
    """By which names are sorted (RFC 8785, 3.2.3): UTF-16. Letters beyond the first 2^16 come before some of those."""
    return name.encode("utf-16-be", "surrogatepass")


def _write(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=None if "".join(value).isascii() else _units)
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
        return number(value)
    raise Malformed(f"a message cannot hold a {type(value).__name__}")


def _integer(token: str) -> int | float:
    """Beyond 2^53 only floats are written without a point (1e16 is 10000000000000000)."""
    value = int(token)
    if -SAFE_INTEGER <= value <= SAFE_INTEGER and token != "-0":
        return value
    return _float(token)


def _float(token: str) -> float:
    value = float(token)
    if repr(value) == token and token[-2:] != ".0" and "e" not in token:  # most of them; see `number`
        return value
    _check_canonical(number(value) == token)
    return value


def _constant(token: str) -> float:
    raise Malformed("a message holds finite numbers only")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for (name, _), (following, _) in pairwise(pairs):
        _check_canonical(name < following if name.isascii() else _units(name) < _units(following))
    return dict(pairs)


def _check_canonical(holds: bool) -> None:
    if not holds:
        raise Malformed("not in canonical form (RFC 8785)", code="not-canonical")


def _decoder(parse_int: Callable[[str], Any]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object, parse_int=parse_int, parse_float=_float, parse_constant=_constant
    )


def _with(cut: NDArray[np.uint64]) -> Callable[[str], Any]:
    """Read integers, and the rows where their stand-in is found; twice, and the document had one of its own."""
    left = [cut]
    return lambda token: left.pop() if token == rows.STAND_IN and left else _integer(token)


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
    check(_marks(data, size) <= size.marks, f"more than {size.marks} brackets, colons and quotes")
    short = None if b"\\" in data else rows.cut(data)
    rest, parse_int = (data, _integer) if short is None else (short[0], _with(short[1]))
    try:
        value = _decoder(parse_int).decode(rest.decode())
        _check_depth(value)
        if not _as_written(rest, value):
            value = value if short is None else _decoder(_integer).decode(data.decode())
            _check_canonical(dumps(value) == data)
    except Malformed:
        raise
    except (ValueError, OverflowError, RecursionError) as error:
        raise Malformed("not a JSON document") from error
    return value


def _marks(data: bytes, size: Size) -> int:
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


def _as_written(data: bytes, value: Any) -> bool:
    """No escapes, and no white space but the blanks inside the texts of the outermost object."""
    if any(byte in data for byte in (b"\\", b"\n", b"\r", b"\t")):
        return False
    texts = value.values() if isinstance(value, dict) else ()
    return data.count(b" ") == sum(text.count(" ") for text in texts if type(text) is str)


def digest(data: bytes) -> str:
    """The content address of canonical bytes: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
