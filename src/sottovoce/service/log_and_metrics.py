"""What a worker tells of itself: lines of a log, and counts for Prometheus. Neither tells users or addresses apart.

Lines are JSON without address, agent, token, slot or query. What administrators and owners do has a line for each
request, with its second. Whatever a device calls, and everything else, has none: where it is refused it is counted, a
line a minute for each route, method and status, of all surveys together. What succeeds is not even counted here: how
many enrolled in each minute, or did what devices do on the way there, would tell with the public order in which slots
are given when each slot's user came.

Lines are gathered and written by a thread of their own, so that a slow terminal or a full pipe holds nobody up. What
does not fit is counted instead.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

MAX_HELD = 10_000
_PAUSE = 0.2
_MINUTE = 60


class Log:
    """Writes to `stream`, which stays open. Time is an argument."""

    def __init__(self, stream: TextIO, *, clock: Callable[[], float]) -> None:
        self._stream, self._clock = stream, clock
        self._held: deque[str] = deque()
        self._dropped = 0
        self._counts: dict[tuple[str, str, int], list[float]] = {}
        """How many, and their milliseconds together, since this minute began."""
        self._minute, self._counting = 0, threading.Lock()
        self._wake, self._stopping = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="sotto-log", daemon=True)
        self._thread.start()

    def request(self, method: str, route: str, status: int, milliseconds: float, survey: str | None) -> None:
        """One request."""
        named = f',"survey":"{survey[:12]}"' if survey else ""
        self._add(
            f'{{"time":{int(self._clock())},"method":"{method}","route":"{route}","status":{status},'
            f'"milliseconds":{milliseconds:.1f}{named}}}'
        )

    def count(self, method: str, route: str, status: int, milliseconds: float) -> None:
        """One refusal among others: nothing of its own is kept."""
        minute = int(self._clock()) // _MINUTE
        with self._counting:
            if minute != self._minute:
                self._write_counts()
                self._minute = minute
            total = self._counts.setdefault((method, route, status), [0, 0.0])
            total[0] += 1
            total[1] += milliseconds

    def _write_counts(self) -> None:
        counts, self._counts = self._counts, {}
        for (method, route, status), (count, milliseconds) in counts.items():
            self._add(
                f'{{"time":{_MINUTE * self._minute},"seconds":{_MINUTE},"method":"{method}","route":"{route}",'
                f'"status":{status},"count":{count},"milliseconds":{milliseconds / count:.1f}}}'
            )

    def event(self, what: str, **more: object) -> None:
        """Something that happened to the collector itself."""
        self._add(json.dumps({"time": int(self._clock()), "event": what, **more}))

    def failure(self, error: BaseException) -> None:
        """An error nobody foresaw: its kind and where, not its text, which may hold what somebody sent."""
        frames = traceback.extract_tb(error.__traceback__)[-8:]
        where = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
        self.event("failure", error=type(error).__name__, where=where)

    def _add(self, line: str) -> None:
        if len(self._held) < MAX_HELD:
            self._held.append(line)
        else:
            self._dropped += 1

    def _run(self) -> None:
        while not self._stopping:
            self._wake.wait(_PAUSE)
            with self._counting:
                if int(self._clock()) // _MINUTE != self._minute:
                    self._write_counts()
            self._write()

    def flush(self) -> None:
        """Write what is held, also of a minute that is not over: at the end, and for tests."""
        with self._counting:
            self._write_counts()
        self._write()

    def _write(self) -> None:
        lines = [self._held.popleft() for _ in range(len(self._held))]
        dropped, self._dropped = self._dropped, 0
        if dropped:
            lines.append(json.dumps({"time": int(self._clock()), "event": "lines dropped", "count": dropped}))
        if lines:
            with contextlib.suppress(OSError, ValueError):  # a closed pipe: the collector goes on
                self._stream.write("\n".join(lines) + "\n")
                self._stream.flush()

    def stop(self) -> None:
        """Write the rest and end the thread."""
        self._stopping = True
        self._wake.set()
        self._thread.join(timeout=5)
        self.flush()


@contextlib.contextmanager
def open_log(stream: TextIO, clock: Callable[[], float]) -> Iterator[Log]:
    """Our own lines instead of uvicorn's, which name addresses; its warnings and errors by their kind."""
    log = Log(stream, clock=clock)
    handler = _UvicornHandler(log)
    logger = logging.getLogger("uvicorn.error")
    before = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield log
    finally:
        logger.removeHandler(handler)
        logger.propagate, logger.level = before
        log.stop()


class _UvicornHandler(logging.Handler):
    """Hands on what the server itself warns of, by its kind."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._log.failure(record.exc_info[1])
        else:
            self._log.event("server", message=str(record.msg))  # the text without what is put into it


UPLOADS = frozenset(("enrol", "reports", "batches"))
"""The routes, by name, whose refusals are counted."""


GROUP_BOUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
"""Ends of the bins in which sizes of groups are counted; chosen by hand, even on a logarithmic scale."""


class Metrics:
    """What one worker has counted since it started. Changed from the event loop only."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.refused: Counter[str] = Counter()
        self.stored = 0

    def text(self, more: Iterable[str] = ()) -> str:
        """In Prometheus's text format; `more` are lines of those who count for themselves."""
        lines = _metric_head("sotto_requests_total", "counter", "Requests by route, method and status.")
        lines += [
            f'sotto_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
            for (route, method, status), count in sorted(self.requests.items())
        ]
        lines += _metric_head("sotto_reports_stored_total", "counter", "Reports stored, durably.")
        lines.append(f"sotto_reports_stored_total {self.stored}")
        lines += _metric_head("sotto_refused_total", "counter", "Requests and rows refused, by code.")
        lines += [f'sotto_refused_total{{code="{code}"}} {count}' for code, count in sorted(self.refused.items())]
        return "\n".join([*lines, *more, ""])


def _metric_head(name: str, kind: str, words: str) -> list[str]:
    return [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]


def gauge_lines(name: str, words: str, values: Iterable[tuple[str, float]]) -> list[str]:
    """Lines of a number that goes up and down; each value with its labels."""
    return [*_metric_head(name, "gauge", words), *(f"{name}{labels} {value:g}" for labels, value in values)]


def group_size_lines(sizes: Counter[int]) -> list[str]:
    """Lines of the sizes of groups that were written at once."""
    name, total = "sotto_writer_group_size", sum(sizes.values())
    lines = _metric_head(name, "histogram", "Reports written in one transaction.")
    lines += [
        f'{name}_bucket{{le="{bound}"}} {sum(count for size, count in sizes.items() if size <= bound)}'
        for bound in GROUP_BOUNDS
    ]
    rows = sum(size * count for size, count in sizes.items())
    return [*lines, f'{name}_bucket{{le="+Inf"}} {total}', f"{name}_sum {rows}", f"{name}_count {total}"]
