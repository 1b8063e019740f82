"""Letters for terminals that have few: what stands for a letter that cannot be written there. One table."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from typing import TextIO

_WORDS = {
    "ε": "eps",
    "α": "alpha",
    "Δ": "delta",
    "θ": "theta",
    "σ": "sigma",
    "π": "pi",
    "Σ": "sum",
    "√": "sqrt",
    "∞": "inf",
    "±": "+-",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "²": "^2",
    "⁻": "-",
}
_LETTERS = dict(
    zip(
        "–—−×·•●○▲▼█▇▆▅▄▃▂▁░▒▓─━│┃├┤┬┴┼┌┐└┘“”„‘’⊕⟨⟩",
        '---x.*oo^v##==--__:::--||||||+++++"""\'\'+<>',
        strict=False,
    )
)
STAND_INS = {**_LETTERS, **_WORDS}
"""Pictures keep their columns: what is drawn with has a stand-in of one letter."""


def written(text: str, stream: TextIO | None = None) -> str:
    """With stand-ins where the stream, standard output unless told, cannot write a letter."""
    if text.isascii():
        return text
    encoding = getattr(sys.stdout if stream is None else stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "".join(letter if _fits(letter, encoding) else stand_in(letter) for letter in text)
    return text


def _fits(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def stand_in(letter: str) -> str:
    """From the table; an accent is left out, ½ is 1/2, and what is left of others is a question mark."""
    if letter in STAND_INS:
        return STAND_INS[letter]
    bare = unicodedata.normalize("NFKD", letter).replace("⁄", "/").encode("ascii", "ignore").decode()
    return bare or "?"


def _handled(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(stand_in, error.object[error.start : error.end])), error.end


def prepare() -> None:
    """Whatever is printed, by whomever: a letter that a stream lacks is neither a traceback nor lost."""
    codecs.register_error("sotto", _handled)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="sotto")
