"""The writer: groups, a bounded queue, no acknowledgement of what is not kept, and nothing left behind at the end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service.store import Put, ReportRow, SqliteStore, Unavailable
from sottovoce.service.writer import Busy, Writer
from tests.support.surveys import SURVEY, begin, rows


class Watched(SqliteStore):
    """Counts groups, waits at a gate, and fails when told."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.groups: list[int] = []
        self.gate = threading.Event()
        self.gate.set()
        self.failing = False

    def put(self, rows: Sequence[ReportRow]) -> list[Put]:
        self.gate.wait(10)
        self.groups.append(len(rows))
        if self.failing:
            raise Unavailable("no space")
        return super().put(rows)


def run(tmp_path: Path, steps: Callable[[Watched, Writer], Awaitable[None]], **limits: Any) -> None:
    async def whole() -> None:
        with Watched(tmp_path / "store.db") as store:
            begin(store)
            writer = Writer(store, **limits)
            writer.start()
            try:
                await steps(store, writer)
            finally:
                store.gate.set()
                await writer.stop()

    asyncio.run(whole())


def test_what_arrives_together_is_committed_together(tmp_path: Path) -> None:
    async def steps(store: Watched, writer: Writer) -> None:
        assert await asyncio.gather(*map(writer.submit, rows(1, range(500)))) == ["stored"] * 500
        assert store.groups == [500]
        store.gate.clear()
        first = writer.submit(*rows(1, [500]))
        await asyncio.sleep(0.05)
        rest = [writer.submit(row) for row in rows(1, [500, *range(501, 600)])]
        many = writer.submit_all([*rows(1, [0, 600]), ReportRow(1, 1, b"other"), ReportRow(2, 1, b"")])
        assert writer.waiting == 105 and not first.done()
        store.gate.set()
        assert [await first, *[await one for one in rest]] == ["stored", "same", *["stored"] * 99]
        assert await many == ["same", "stored", "other", "closed"]
        assert store.groups == [500, 1, 104] and writer.waiting == 0

    run(tmp_path, steps)


def test_more_than_may_wait_is_turned_away(tmp_path: Path) -> None:
    async def steps(store: Watched, writer: Writer) -> None:
        store.gate.clear()
        waiting = [writer.submit(row) for row in rows(1, range(100))]
        with pytest.raises(Busy):
            writer.submit(*rows(1, [100]))
        with pytest.raises(Busy):
            writer.submit_all(rows(1, [100, 101]))
        store.gate.set()
        assert await asyncio.gather(*waiting) == ["stored"] * 100
        assert await writer.submit(*rows(1, [100])) == "stored"

    run(tmp_path, steps, waiting=100)


def test_a_group_that_fails_is_not_acknowledged_and_the_next_is_tried(tmp_path: Path) -> None:
    async def steps(store: Watched, writer: Writer) -> None:
        store.failing = True
        failed = await asyncio.gather(*map(writer.submit, rows(1, range(5))), return_exceptions=True)
        assert [type(one) for one in failed] == [Unavailable] * 5 and writer.waiting == 0
        store.failing = False
        assert await asyncio.gather(*map(writer.submit, rows(1, range(5)))) == ["stored"] * 5
        with pytest.raises(InvalidInput):
            writer.submit(ReportRow(1, -1, b""))

    run(tmp_path, steps)


def test_stopping_keeps_what_was_submitted_and_takes_nothing_more(tmp_path: Path) -> None:
    async def steps(store: Watched, writer: Writer) -> None:
        store.gate.clear()
        waiting = [writer.submit(row) for row in rows(1, range(50))]
        await asyncio.sleep(0.02)
        waiting += [writer.submit(row) for row in rows(1, range(50, 80))]
        gone = writer.submit(*rows(1, [80]))
        gone.cancel()
        stopping = asyncio.ensure_future(writer.stop())
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            writer.submit(*rows(1, [81]))
        store.gate.set()
        await stopping
        assert [future.result() for future in waiting] == ["stored"] * 80
        assert store.count(store.rounds(SURVEY)[0].key) == 81, "a device that went away is still heard"

    run(tmp_path, steps)


def test_an_idle_writer_stops_at_once(tmp_path: Path) -> None:
    async def steps(store: Watched, writer: Writer) -> None:
        await writer.stop()
        assert store.groups == []

    run(tmp_path, steps)
