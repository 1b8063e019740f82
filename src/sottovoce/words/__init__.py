"""The only room with sentences for people: messages by code, in files of one folder a language, and what reads them."""

from __future__ import annotations

from sottovoce.words.catalogue import Catalogue, catalogue, entries
from sottovoce.words.numbers import FUNCTIONS

__all__ = [
    "FUNCTIONS",
    "Catalogue",
    "catalogue",
    "entries",
]
