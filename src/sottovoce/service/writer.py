"""The one who writes reports down: a thread that commits in groups, so that many share one wait for the disk."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sottovoce.service.store import Put, ReportRow, Store, Unavailable, check_slots

_Waiting = tuple["asyncio.Future[Any]", int]
"""A future, and of how many rows: 0 for a single row, whose result is not a list."""


class Busy(Unavailable):
    """More is waiting than may wait. Come back in a second."""


class Writer:
    """Collects what arrives for at most `linger_seconds`, or until there are `rows`, and keeps it all at once.

    Everything but the commit itself happens in the event loop: no lock, and one call from the thread for each group.
    While one group is on its way to the disk the next one gathers, so a short wait is enough: longer ones were measured
    and only made answers slower. A group that cannot be kept fails with `Unavailable` and nothing of it is
    acknowledged; the next one is tried again.
    """

    def __init__(self, store: Store, *, linger_seconds: float = 0.001, rows: int = 1000, waiting: int = 20_000) -> None:
        self._store = store
        self._linger, self._most, self._room = linger_seconds, rows, waiting
        self._rows: list[ReportRow] = []
        self._futures: list[_Waiting] = []
        self.waiting = 0
        """How many rows wait to be durable."""
        self._busy = self._stopping = False
        self._groups: queue.SimpleQueue[tuple[list[ReportRow], list[_Waiting]] | None] = queue.SimpleQueue()
        self.groups: Counter[int] = Counter()
        """How often so many rows were committed at once."""
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)

    def start(self) -> None:
        """Begin, in the event loop that is running."""
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs that commits."""
        return self._thread.is_alive()

    def submit(self, row: ReportRow) -> asyncio.Future[Put]:
        """What becomes of a report, once it is durable. Raises `Busy`; the future may raise `Unavailable`."""
        return self._submit((row,), 0)

    def submit_all(self, rows: Sequence[ReportRow]) -> asyncio.Future[list[Put]]:
        """What becomes of many reports, in one transaction and in their order."""
        return self._submit(rows, len(rows))

    async def stop(self) -> None:
        """Keep what was submitted, then end the thread."""
        if not self._stopping:
            self._stopping = True
            if not self._busy:
                self._hand_over()
        await asyncio.shield(self._done)

    def _submit(self, rows: Sequence[ReportRow], many: int) -> asyncio.Future[Any]:
        if self._stopping:
            raise Unavailable("the collector is stopping", fix="try again in a moment")
        if self.waiting + len(rows) > self._room:
            raise Busy(f"{self.waiting} reports wait already; try again in a second")
        check_slots(rows)
        future: asyncio.Future[Any] = self._loop.create_future()
        if not self._rows and not self._busy:
            self._loop.call_later(self._linger, self._after_lingering)
        self._rows.extend(rows)
        self._futures.append((future, many))
        self.waiting += len(rows)
        if len(self._rows) >= self._most and not self._busy:
            self._hand_over()
        return future

    def _after_lingering(self) -> None:
        if self._rows and not self._busy:
            self._hand_over()

    def _hand_over(self) -> None:
        """Give the thread what has come; nothing more will come once it is stopping."""
        if self._futures:
            self._busy = True
            self._groups.put((self._rows, self._futures))
            self._rows, self._futures = [], []
        elif self._stopping:
            self._busy = True
            self._groups.put(None)

    def _deliver(self, futures: list[_Waiting], results: list[Put] | Exception, count: int) -> None:
        self._busy = False
        self.waiting -= count
        self.groups[count] += 1
        first = 0
        for future, many in futures:
            if future.done():  # whoever asked has gone
                pass
            elif isinstance(results, Exception):
                future.set_exception(Unavailable(str(results)))
            else:
                future.set_result(results[first : first + many] if many else results[first])
            first += many or 1
        if self._stopping or len(self._rows) >= self._most:
            self._hand_over()
        elif self._rows:
            self._loop.call_later(self._linger, self._after_lingering)

    def _run(self) -> None:
        while (group := self._groups.get()) is not None:
            rows, futures = group
            try:
                results: list[Put] | Exception = self._store.put(rows)
            except Exception as error:  # whatever it is, nothing may be acknowledged, and the next group is tried
                results = error
            self._tell(self._deliver, futures, results, len(rows))
        self._tell(self._finish)

    def _tell(self, what: Any, *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(what, *arguments)

    def _finish(self) -> None:
        if not self._done.done():
            self._done.set_result(None)
