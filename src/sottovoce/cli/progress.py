"""How far a command is: a bar on a terminal, elsewhere a plain line now and then; nothing while it is quick."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

FIRST_SECONDS, EVERY_SECONDS = 3.0, 10.0
"""Until the first plain line, and between two."""


@contextmanager
def progress(total: int, name: str) -> Iterator[Callable[[], object]]:
    """What to call after each of so many steps."""
    from tqdm import tqdm

    if sys.stderr.isatty():
        with tqdm(total=total, desc=name, leave=False, file=sys.stderr) as bar:
            yield bar.update
        return
    yield Lines(total, name).step


class Lines:
    """Plain lines on standard error."""

    def __init__(self, total: int, name: str, *, clock: Callable[[], float] = perf_counter) -> None:
        self._total, self._name, self._clock = total, name, clock
        self._done, self._start = 0, clock()
        self._next = self._start + FIRST_SECONDS

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        now = self._clock()
        if now < self._next or self._done >= self._total:
            return
        from sottovoce.messages import Fact

        self._next = now + EVERY_SECONDS
        left = (now - self._start) * (self._total - self._done) / self._done
        print(
            Fact("command-progress", name=self._name, done=self._done, total=self._total, left=left),
            file=sys.stderr,
            flush=True,
        )
