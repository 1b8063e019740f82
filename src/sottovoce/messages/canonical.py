"""One byte string for one message: the JSON Canonicalization Scheme (RFC 8785).

Keys sorted, no white space, numbers as ECMAScript writes them, so that ``JSON.stringify`` over sorted keys gives
the same bytes in a browser. Integers beyond 2^53 never appear as numbers: the codec writes them as decimal strings.
"""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal
from typing import Any

from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import Size, check

SAFE_INTEGER = 2**53


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


def _write(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_write(key)}:{_write(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
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


def _integer(text: str) -> int | float:
    """Beyond 2^53 only floats are written without a point (1e16 is 10000000000000000)."""
    value = int(text)
    return value if abs(value) <= SAFE_INTEGER else float(value)


def dumps(value: Any) -> bytes:
    """Canonical bytes of plain JSON data."""
    return _write(value).encode()


def _check_size(data: bytes, size: Size) -> None:
    """Count before reading: a parser turns a bracket, a key or a string of two bytes into fifty or more."""
    check(len(data) <= size.letters, f"{len(data)} bytes; a message of this kind has at most {size.letters}")
    check(data.count(b"[") + data.count(b"{") <= size.brackets, f"more than {size.brackets} lists and objects")
    check(data.count(b":") <= size.colons, f"more than {size.colons} fields")
    check(data.count(b'"') <= size.quotes, f"more than {size.quotes // 2} texts")


def loads(data: bytes, *, size: Size) -> Any:
    """Plain JSON data from bytes that must already be canonical, and of a size that is safe to read."""
    _check_size(data, size)
    try:
        value = json.loads(data.decode(), parse_int=_integer)
        canonical = dumps(value) == data
    except (ValueError, OverflowError, RecursionError) as error:
        raise Malformed("not a JSON document") from error
    if not canonical:
        raise Malformed("not in canonical form (RFC 8785)")
    return value


def digest(data: bytes) -> str:
    """The content address of canonical bytes: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
