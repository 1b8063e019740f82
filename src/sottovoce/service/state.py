"""What the routes of one worker share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import anyio
import anyio.to_thread

from sottovoce.service import published
from sottovoce.service.collector import Collector
from sottovoce.service.desk import Desks
from sottovoce.service.errors import Refused, overloaded
from sottovoce.service.limits import Bucket, Limits, Room
from sottovoce.service.logs import Log
from sottovoce.service.metrics import Metrics
from sottovoce.service.store import Put, ReportRow, Unavailable
from sottovoce.service.survey import Survey
from sottovoce.service.writer import Busy, Writer

Args = ParamSpec("Args")
Result = TypeVar("Result")
_TRANSCRIPTS = 4
"""Of the last surveys that were asked for, so many are held."""


class State:
    """A collector, the thread that writes, and what is counted and bounded on the way to them."""

    def __init__(
        self,
        collector: Collector,
        writer: Writer,
        *,
        clock: Callable[[], float],
        limits: Limits,
        log: Log,
        base: str = "",
        listed: bool = True,
    ) -> None:
        self.collector, self.writer, self.clock = collector, writer, clock
        self.limits, self.log, self.base, self.listed = limits, log, base, listed
        self.metrics, self.desks = Metrics(), Desks()
        self.room, self.batch_room = Room(limits.body_bytes), Room(limits.batch_bytes)
        self.batching = asyncio.Semaphore(limits.batches)
        self._transcripts: dict[str, tuple[object, bytes]] = {}
        self.buckets: dict[str, Bucket] = {}
        self._threads: anyio.CapacityLimiter | None = None

    async def aside(self, call: Callable[Args, Result], /, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """A call that may wait for the store, in a thread: never in the event loop."""
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(self.limits.threads)
        try:
            return await anyio.to_thread.run_sync(lambda: call(*args, **kwargs), limiter=self._threads)
        except Unavailable:
            raise overloaded("the store does not answer", retry_after=5) from None

    async def survey(self, survey: str) -> Survey:
        """A survey as it stands in the store."""
        return await self.aside(self.collector.survey, survey, fresh=True)

    async def transcript(self, survey: str) -> bytes:
        """What is published of a survey; made once for each round that closes, however many ask."""
        held = await self.aside(self.collector.survey, survey)
        closed = (held.row.state, sum(row.closed is not None for row in held.rounds))
        found = self._transcripts.get(survey)
        if found is None or found[0] != closed:
            found = closed, await self.aside(published.transcript, held, now=self.clock())
            self._transcripts.pop(survey, None)
            while len(self._transcripts) >= _TRANSCRIPTS:
                self._transcripts.pop(next(iter(self._transcripts)))
            self._transcripts[survey] = found
        return found[1]

    async def put(self, row: ReportRow) -> Put:
        """Store a report; durable when this returns."""
        try:
            return await self.writer.submit(row)
        except Unavailable as error:
            raise _unstored(error) from None

    async def put_all(self, rows: Sequence[ReportRow]) -> list[Put]:
        """Store several."""
        try:
            return await self.writer.submit_all(rows) if rows else []
        except Unavailable as error:
            raise _unstored(error) from None

    def bucket(self, survey: str) -> Bucket:
        """The rate at which a survey with open access takes in users."""
        held = self.buckets.get(survey)
        if held is None:
            held = self.buckets[survey] = Bucket(rate=self.limits.enrol_rate, burst=self.limits.enrol_burst)
        return held


def _unstored(error: Unavailable) -> Refused:
    if isinstance(error, Busy):
        return overloaded("too many reports wait to be stored")
    return overloaded("the store does not take reports now; nothing was stored", retry_after=5)
