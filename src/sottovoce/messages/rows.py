"""The rows of a table, nearly all bytes of a large question, read as 64-bit words in one go.

A parser makes an object of every cell, a codec looks at each again. Here the field is cut out of the canonical bytes
and read as a whole, when it is exactly ``[["…","…"],["…","…"]]`` with positive decimal integers in their only form and
rows of one length. Anything else stays where it is, and goes the long way, where it is refused with a reason.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FIELD, _OPEN, _CLOSE = b'"rows":', b'[["', b'"]]'
_ITEM, _ROW = b'","', b'"],["'
_LARGEST = 2**64 - 1  # as which anything beyond 64 bits is read
STAND_IN = "-0"
"""What stands in the place of the rows: a number that no canonical document holds."""


def cut(data: bytes) -> tuple[bytes, NDArray[np.uint64]] | None:
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
    rows = _read(data[start + len(_OPEN) : stop - 1], height)
    if rows is None or data[stop - 1 : stop + 2] != _CLOSE:
        return None
    return data[:start] + STAND_IN.encode() + data[stop + 2 :], rows


def _read(inner: bytes, height: int) -> NDArray[np.uint64] | None:
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
