"""One user's observations from the command line. Nothing here repeats what it could not read."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

MAX_BYTES = 64 * 2**20


def from_words(text: str) -> list[float]:
    """Numbers with commas, semicolons or white space between them; none at all is a collection too."""
    found = []
    for place, word in enumerate(re.split(r"[,;\s]+", text.strip(" ,;\t\r\n\ufeff")), start=1):
        if not word and place == 1:
            return []
        try:
            found.append(float(word))
        except ValueError:
            raise argparse.ArgumentTypeError(f"entry {place} of the collection is not a number") from None
    return found


def from_file(name: str) -> list[float]:
    """The same from a text file, or from standard input when it is called ``-``."""
    from sottovoce.messages import InvalidInput

    try:
        if name == "-":
            text = sys.stdin.read(MAX_BYTES + 1)
        else:
            with Path(name).expanduser().open(encoding="utf-8") as file:
                text = file.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        raise InvalidInput("the collection file is not UTF-8 text") from None
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"the collection file is longer than {MAX_BYTES:,} characters")
    try:
        return from_words(text)
    except argparse.ArgumentTypeError as error:
        trouble = str(error)
    raise InvalidInput(trouble)
