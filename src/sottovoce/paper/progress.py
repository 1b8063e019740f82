"""How far a run is, from its first second: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

EVERY_SECONDS = 10.0
"""Between two plain lines."""
SURE = 0.05
"""From this share of the work on, what is left is judged by what is done; before, by the plan."""


class Progress:
    """Cells done, by their cost. Its clock moves while a cell is being computed, whoever computes it.

    `planned` is the wall clock that the plan expects, `total` the cost of all cells in the same unit as `done`.
    """

    def __init__(self, *, cells: int, total: float, planned: float) -> None:
        self._cells, self._total, self._planned = cells, total, planned
        self._done, self._count, self._name = 0.0, 0, ""
        self._start = self._spoken = perf_counter()
        self._over = threading.Event()
        self._bar: tqdm[Any] | None = None

    def __enter__(self) -> Progress:
        if self._cells and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=round(self._total, 3),
                desc="cells",
                bar_format="{desc} {percentage:3.0f}% |{bar}| {elapsed} gone{postfix}",
                leave=False,
                file=sys.stderr,
            )
            self._show()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._ticker.join()
        if self._bar is not None:
            self._bar.close()

    def done(self, name: str, cost: float) -> None:
        """One cell more."""
        self._count, self._name = self._count + 1, name
        self._done = min(self._done + cost, self._total)
        if self._bar is not None:
            self._bar.n = round(self._done, 3)
            self._show()

    def left(self, gone: float) -> float | None:
        """Seconds of wall clock that are left, after `gone`; None where the plan is used up and little is done."""
        share = self._done / self._total if self._total else 1.0
        if share >= SURE:
            return gone * (1 - share) / share
        expected = self._planned * (1 - share)
        return expected - gone if gone < expected / 2 else None

    def line(self, gone: float) -> str:
        """The plain line."""
        share = self._done / self._total if self._total else 1.0
        return f"{share:4.0%}, {self._count} of {self._cells} cells, {clock(gone)} gone, {self._time_left(gone)}"

    def _tick(self) -> None:
        while not self._over.wait(1.0):
            now = perf_counter()
            if self._bar is not None:
                self._show()
            elif now - self._spoken >= EVERY_SECONDS:
                self._spoken = now
                print(self.line(now - self._start), file=sys.stderr, flush=True)

    def _show(self) -> None:
        assert self._bar is not None
        self._bar.set_description_str(f"{self._name or 'cells':18s}", refresh=False)
        self._bar.set_postfix_str(self._time_left(perf_counter() - self._start))

    def _time_left(self, gone: float) -> str:
        left = self.left(gone)
        return "slower than planned" if left is None else f"about {clock(left)} left"


def clock(seconds: float) -> str:
    """``1:05``, and ``1:02:05`` from an hour on."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, last = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{last:02d}" if hours else f"{minutes}:{last:02d}"


def duration_in_words(seconds: float) -> str:
    """A length of time as one says it: seconds, minutes, then hours and minutes."""
    if seconds < 90:
        return f"{max(10 * round(seconds / 10), 10)} seconds"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} minutes"
    return f"{seconds / 3600:.1f} hours"
