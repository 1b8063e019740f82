"""The collector's application without a store: the writer says "stored" at once, and what is left is the route."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sottovoce.service import server
from sottovoce.service.store import Put, ReportRow, Store


class NoWriter:
    """Takes reports and forgets them."""

    waiting, alive = 0, True

    def __init__(self, store: Store) -> None:
        self.groups: Counter[int] = Counter()

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    def submit(self, row: ReportRow) -> asyncio.Future[Put]:
        return self._now("stored")

    def submit_all(self, rows: Sequence[ReportRow]) -> asyncio.Future[list[Put]]:
        return self._now(["stored"] * len(rows))

    def _now(self, result: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self._loop.create_future()
        future.set_result(result)
        return future

    async def stop(self) -> None:
        """Nothing waits."""


if __name__ == "__main__":
    server.Writer = NoWriter  # type: ignore[misc,assignment]  # the same application, but for this
    server.serve(server.Serving(store=sys.argv[1], port=0))
