"""Which letters bytes stand for, found by looking; and any of them as UTF-8, some at a time."""

from __future__ import annotations

import codecs
import io
from typing import IO, Any

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as the next does
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNUSED = frozenset(b"\x81\x8d\x8f\x90\x9d")
"""Bytes that Windows-1252 has no letter for."""
_CHUNK = 1 << 20


def encoding_of(head: bytes) -> str:
    """By a byte order mark; by zeros, of which UTF-16 has many; else UTF-8 where it is that, or Windows-1252."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    some = head[: len(head) // 2 * 2]
    if some and 0 in some:
        odd, even = some[1::2].count(0), some[0::2].count(0)
        if max(odd, even) > 0.4 * len(some) / 2:
            return "utf-16-le" if odd > even else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last letter may be cut
    except UnicodeDecodeError:
        return "latin-1" if _UNUSED & set(head) else "cp1252"
    return "utf-8"


def canonical(encoding: str, head: bytes) -> str:
    """One name for each: what was said, as `encoding_of` would say it; a mark tells their two ways apart."""
    name = codecs.lookup(encoding).name
    if name == "utf-16" and head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    if name == "utf-32" and head.startswith(codecs.BOM_UTF32_BE):
        return "utf-32-be"
    known = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le", "iso8859-1": "latin-1"}
    return known.get(name, name)


class Recoded(io.RawIOBase):
    """Bytes in some encoding, read as bytes in UTF-8 without a mark."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file, self._held, self._begun, self._ended = file, b"", False, False
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._held and not self._ended:
            raw = self._file.read(_CHUNK)
            self._ended = not raw
            text = self._decoder.decode(raw, final=self._ended)
            if text and not self._begun:
                self._begun, text = True, text.removeprefix("\ufeff")
            self._held = text.encode()
        more, self._held = self._held[: len(buffer)], self._held[len(buffer) :]
        buffer[: len(more)] = more
        return len(more)
