"""A catalogue in which every message is nonsense: whatever still works does not look into sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sottovoce.words import catalogue

WORD = "blah"


@contextmanager
def nonsense() -> Iterator[None]:
    """Every message says the same word, with and without data."""
    own = catalogue()
    written, read = own.written, own._parsed
    own.written, own._parsed = dict.fromkeys(written, f" {WORD}"), {}
    try:
        yield
    finally:
        own.written, own._parsed = written, read
