"""What a terminal shows: labelled lines, tables, colour where it is wanted, and JSON where it is not."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

LABEL = 12


def columns() -> int:
    """How wide a line may be: the terminal, at most 100."""
    return max(40, min(100, shutil.get_terminal_size((100, 24)).columns))


def coloured() -> bool:
    """Colour only for eyes: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _paint(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if coloured() and text else text


def bold(text: str) -> str:
    """What matters."""
    return _paint("1", text)


def dim(text: str) -> str:
    """What may be skipped."""
    return _paint("2", text)


def accent(text: str) -> str:
    """What to look at in a picture, or to type next."""
    return _paint("36", text)


def labelled(label: str, text: str, *, indent: int = 0) -> str:
    """``label       text``, wrapped under itself."""
    margin = " " * indent
    room = columns() - indent - LABEL
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    rest = "".join(f"\n{margin}{'':{LABEL}}{line}" for line in lines[1:])
    return f"{margin}{dim(f'{label:{LABEL}}')}{lines[0]}{rest}"


def paragraph(text: str, *, indent: int = 2) -> str:
    """Running text, wrapped."""
    return textwrap.fill(text, columns(), initial_indent=" " * indent, subsequent_indent=" " * indent)


def wrapped(text: str) -> str:
    """Running text for the end of a help page, which keeps its own layout."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def command(text: str) -> str:
    """A command to type, for the end of a help page; one that is too long goes on before an option."""
    first, *options = re.split(r" (?=--)", text)
    lines = [f"  {first}"]
    for option in options:
        if len(lines[-1]) + len(option) + 3 > 100:  # a space, and another with a backslash
            lines[-1] += " \\"
            lines.append(f"      {option}")
        else:
            lines[-1] += f" {option}"
    return "\n".join(lines)


def summary_lines(text: str, *, indent: int = 0) -> list[str]:
    """The labelled lines of ``Estimate.summary``, wrapped to the terminal."""
    return [labelled(line[:LABEL].rstrip(), line[LABEL:].rstrip(), indent=indent) for line in text.splitlines()]


def picture_lines(text: str, *, indent: int = 0) -> list[str]:
    """A picture in characters, set apart by colour where there is any."""
    return [f"{' ' * indent}{accent(line)}" for line in text.splitlines()]


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = (), indent: int = 2
) -> list[str]:
    """Aligned columns: to the right, but for those in `left`."""
    from sottovoce.answers import aligned

    first, *rest = (f"{' ' * indent}{line}" for line in aligned(header, rows, left=left))
    return [dim(first), *rest]


def count(number: int, noun: str) -> str:
    """``1 byte``, ``2 bytes``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def show(lines: Sequence[str]) -> None:
    """Print for people."""
    print("\n".join(lines))


def show_json(document: Any) -> None:
    """Print for programs: one document. A number that JSON lacks (NaN, an infinity) is null."""
    unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    print(json.dumps(_finite(document), indent=2, ensure_ascii=not unicode, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
