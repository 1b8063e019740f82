"""What the routes of one worker share."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import ParamSpec, TypeVar

import anyio
import anyio.to_thread

from sottovoce.service.collector import Clock, Collector
from sottovoce.service.documents import PlanSeen
from sottovoce.service.errors import overloaded
from sottovoce.service.limits import Bucket, Limits, Room
from sottovoce.service.log_and_metrics import Log, Metrics
from sottovoce.service.report_checks import ReportChecks
from sottovoce.service.store import RoundRow, Unavailable
from sottovoce.service.survey import Survey
from sottovoce.service.survey_requests import plan_of_manifest
from sottovoce.service.survey_views import NO_PLAN
from sottovoce.service.writer import Busy, Writer

Args = ParamSpec("Args")
Result = TypeVar("Result")
_PLAN_SECONDS = 1.0
"""How long whoever looks at a survey waits for its plan; it is there the next time."""
_PLANS = 256
"""Surveys whose plans are held."""
_TRANSCRIPTS = 4
"""Of the last surveys that were asked for, so many are held."""


class State:
    """A collector, the thread that writes, and what is counted and bounded on the way to them."""

    def __init__(
        self,
        collector: Collector,
        writer: Writer,
        *,
        clock: Clock,
        limits: Limits,
        log: Log,
        base: str,
        listed: bool,
    ) -> None:
        """`base` is what devices call the collector; empty: as a request reached it. `listed`: see the front page."""
        self.collector, self.writer, self.clock = collector, writer, clock
        self.limits, self.log, self.base, self.listed = limits, log, base, listed
        self.metrics = Metrics()
        self.refusals: Counter[tuple[str, str]] = Counter()
        """Uploads refused since the last tick, by survey and code: how many, never whose, and no finer in time."""
        self._checks: dict[str, ReportChecks] = {}
        self.room, self.batch_room = Room(limits.body_bytes), Room(limits.batch_bytes)
        self.batching = asyncio.Semaphore(limits.batches)
        self._transcripts: dict[str, tuple[object, bytes]] = {}
        self.buckets: defaultdict[str, Bucket] = defaultdict(
            lambda: Bucket(rate=limits.enrol_rate, burst=limits.enrol_burst)
        )
        """The rates at which surveys with open access take in users."""
        self._readers = _Threads(limits.threads, waiting=limits.requests)
        self._writers = _Threads(limits.writing, waiting=limits.writing_waiting)
        self.checking = _Threads(1, waiting=limits.writing_waiting)
        """For health checks alone: they wait for nothing else that goes on."""
        self._ticking = _Threads(1, waiting=1)
        self.planners = _Threads(limits.planning, waiting=limits.planning_waiting, what="the planner")
        self._plans: dict[str, PlanSeen] = {}
        self._plans_under_way: dict[str, asyncio.Task[PlanSeen]] = {}

    async def reading(self, call: Callable[Args, Result], /, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """A call that reads the store, in a thread: never in the event loop."""
        return await self._readers.run(lambda: call(*args, **kwargs))

    async def writing(self, call: Callable[Args, Result], /, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """A call that writes, or computes for long. It may wait for a round that closes; whoever reads does not."""
        return await self._writers.run(lambda: call(*args, **kwargs))

    async def tick(self) -> list[RoundRow]:
        """Close what is due, and add what was refused since the last time to the store."""
        try:
            return await self._ticking.run(self.collector.tick)
        finally:
            await self.keep_refusals()

    async def stalled(self) -> list[Survey]:
        """Surveys that another release must finish."""
        return await self._ticking.run(self.collector.stalled)

    def refused(self, survey: str, code: str) -> None:
        """One more upload that was refused; counted for surveys that are there, and for no other name."""
        self.metrics.refused[code] += 1
        if self.collector.known(survey) is not None:
            self.refusals[survey, code] += 1

    async def keep_refusals(self) -> None:
        """Those that are only in memory; where the store does not take them, they are for the next time."""
        counts, self.refusals = self.refusals, Counter()
        try:
            if counts:
                await self._ticking.run(lambda: self.collector.store.refuse(counts))
        except Exception:
            self.refusals.update(counts)
            raise

    async def known(self, survey: str) -> Survey:
        """A survey as it was last read, however long ago; read now where it never was."""
        known = self.collector.known(survey)
        return await self.reading(self.collector.survey, survey) if known is None else known

    def checks_of(self, survey: Survey) -> ReportChecks:
        """The checks of a survey's reports as it stands, made again when it was read again."""
        checks = self._checks.get(survey.row.id)
        if checks is None or checks.survey is not survey:
            checks = self._checks[survey.row.id] = ReportChecks(survey)
        return checks

    async def transcript(self, id: str) -> bytes:
        """What is published of a survey; made once for each round that closes, however many ask."""
        survey = await self.reading(self.collector.survey, id)
        closed = (survey.row.state, sum(row.closed is not None for row in survey.rounds))
        if id not in self._transcripts or self._transcripts[id][0] != closed:
            transcript = await self.reading(self.collector.transcript, id)
            _hold(self._transcripts, id, (closed, transcript), most=_TRANSCRIPTS)
            return transcript
        return self._transcripts[id][1]

    async def plan_of(self, survey: Survey) -> PlanSeen:
        """What a survey was planned to be worth, made once; nothing of it while it is still being worked out."""
        id = survey.row.id

        def planned(task: asyncio.Task[PlanSeen]) -> None:
            self._plans_under_way.pop(id, None)
            if not task.cancelled() and task.exception() is None:  # else the planner is busy: who asks next tries again
                _hold(self._plans, id, task.result(), most=_PLANS)

        if id not in self._plans and id not in self._plans_under_way:
            call = partial(plan_of_manifest, survey.row.manifest, seconds=self.limits.planning_seconds)
            task = self._plans_under_way[id] = asyncio.ensure_future(self.planners.run(call))
            task.add_done_callback(planned)
        if id not in self._plans:
            await asyncio.wait({self._plans_under_way[id]}, timeout=_PLAN_SECONDS)
        return self._plans.get(id, NO_PLAN)

    @staticmethod
    async def stored(submitted: Callable[[], Awaitable[Result]]) -> Result:
        """What became of reports that are handed to the writer; they are durable when this returns."""
        try:
            return await submitted()
        except Busy:
            raise overloaded("too many reports wait to be stored") from None
        except Unavailable:
            message = "the store does not take reports now; to send the same again is safe, whatever was stored"
            raise overloaded(message, retry_after=5) from None


class _Threads:
    """So many calls at once; so many more may wait for them, and then no more."""

    def __init__(self, count: int, *, waiting: int, what: str = "the store") -> None:
        self._most, self._under_way, self._what = count + waiting, 0, what
        self._count = count
        self._limiter: anyio.CapacityLimiter | None = None  # made where the loop runs

    async def run(self, call: Callable[[], Result]) -> Result:
        """In a thread; or refuse."""
        if self._under_way >= self._most:
            raise overloaded(f"too much waits for {self._what}")
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._count)
        self._under_way += 1
        try:
            return await anyio.to_thread.run_sync(call, limiter=self._limiter)
        except Unavailable:
            raise overloaded("the store does not answer", retry_after=5) from None
        finally:
            self._under_way -= 1


def _hold(cache: dict[str, Result], name: str, value: Result, *, most: int) -> None:
    """Put a value into a cache that keeps the newest, at most so many."""
    cache.pop(name, None)
    while len(cache) >= most:
        cache.pop(next(iter(cache)))
    cache[name] = value
