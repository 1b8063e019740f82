"""How a file is to be read, as far as its owner says so; the rest is found by looking."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, fields

from sottovoce.messages import InvalidInput

_NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "bar": "|", "space": " ", "blank": " "}
_NO_TEXT = ("idna", "punycode")
"""Of names on the net, not of files."""
_ORDERS = ("ymd", "dmy", "mdy")


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What is said of a file beforehand. None: look at it.

    `separator`: one character, or comma, semicolon, tab, pipe, space. `encoding`: as Python names them. `decimal`:
    ``.`` or ``,``. `dates`: the order of day and month where numbers leave it open, ``dmy`` or ``mdy``. `header`: the
    line that holds the names; 0 where none does, and the columns are called 1, 2, 3. `sheet`: of an Excel workbook.
    `skip_bad`: cells that cannot be read are missing, rows that cannot be read are left out, and both are counted.
    """

    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    dates: str | None = None
    header: int | None = None
    sheet: str | None = None
    skip_bad: bool = False

    def __post_init__(self) -> None:
        if self.separator is not None:
            found = _NAMED.get(self.separator.lower(), self.separator)
            if len(found) != 1 or found.isalnum() or found in "\"'\r\n.+-_":
                raise InvalidInput(
                    rule="separator must be one character that no cell holds, or one of comma, semicolon, tab, pipe, "
                    "space"
                )
            object.__setattr__(self, "separator", found)
        if self.encoding is not None:
            try:
                "a,1".encode(self.encoding)
                unknown = codecs.lookup(self.encoding).name in _NO_TEXT
            except (LookupError, ValueError):  # not one at all, or of something else than text
                unknown = True
            if unknown:  # outside the handler: errors of this room have no context
                raise InvalidInput("Python knows no encoding of text by that name", fix="try utf-8, utf-16 or cp1252")
        if self.decimal is not None and self.decimal not in (".", ","):
            raise InvalidInput(rule="decimal must be . or ,")
        if self.dates is not None and self.dates not in _ORDERS:
            raise InvalidInput(rule=f"dates must be one of {', '.join(_ORDERS)}")
        header: object = self.header
        if header is not None and (isinstance(header, bool) or not isinstance(header, int) or header < 0):
            raise InvalidInput(rule="header must be the number of the line that holds the names, or 0 where none does")
        if self.decimal is not None and self.decimal == self.separator:
            raise InvalidInput("separator and decimal are the same character")

    @property
    def of_a_file(self) -> tuple[str, ...]:
        """What is said that only a file has."""
        return tuple(name for name in ("separator", "encoding", "header", "sheet") if getattr(self, name) is not None)


NAMES = tuple(field.name for field in fields(Stated))
"""The parameters of `people` and its like that say how to read."""
