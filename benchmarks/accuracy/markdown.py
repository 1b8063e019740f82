"""Tables of the pages, and numbers in them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence

from benchmarks.accuracy.verdicts import Verdict


def markdown(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """A table."""
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(line)} |" for line in lines), ""]


def figure(value: float, digits: int = 3) -> str:
    """A number in a table; a dash where there is none."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value >= 10**digits else f"{value:.{digits}g}"


def promised(said: Iterable[Verdict]) -> list[str]:
    """Verdicts as a table."""
    lines = [(str(one.item), one.words, one.aim, one.found, one.said) for one in said]
    return markdown(("item", "what", "aim", "found", ""), lines)


def paragraph(text: str) -> list[str]:
    """Text as lines of a page, and an empty one."""
    return [*textwrap.wrap(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False), ""]
