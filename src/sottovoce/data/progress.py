"""How far a long file is read: a bar on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Bar = Callable[[int], object]
"""Told how many more bytes or rows were read."""


def unseen(more: int) -> None:
    """No bar."""


@contextmanager
def shown(name: str, *, total: Callable[[], int], unit: str) -> Iterator[Bar]:
    """A bar on standard error, where that is a terminal; it goes away when the file is read."""
    if not sys.stderr.isatty():
        yield unseen
        return
    from tqdm import tqdm

    whole = total() or None  # of a pipe nobody knows
    with tqdm(total=whole, desc=name, unit=unit, unit_scale=True, leave=False, file=sys.stderr, delay=1) as bar:
        yield bar.update
