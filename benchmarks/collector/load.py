"""Many connections that send prepared requests as fast as answers come: nothing is parsed but status and length."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Load:
    """What came of it."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return sum(self.statuses.values()) / self.seconds if self.seconds else 0.0

    def quantile(self, part: float) -> float:
        """Of the times from request to answer, in milliseconds."""
        return float(np.quantile(self.latencies, part)) * 1e3 if self.latencies else 0.0


class _Connection(asyncio.Protocol):
    def __init__(self, requests: Iterator[bytes], load: Load, until: float, done: asyncio.Future[None]) -> None:
        self.requests, self.load, self.until, self.done = requests, load, until, done
        self.held = b""
        self.sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport  # uvloop's own kind
        self._send()

    def _send(self) -> None:
        now = time.perf_counter()
        request = None if now >= self.until else next(self.requests, None)
        if request is None:
            self.transport.close()
            return
        self.sent = now
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.held += data
        head = self.held.find(b"\r\n\r\n")
        if head < 0:
            return
        lowered = self.held[:head].lower()
        at = lowered.find(b"content-length:")
        length = int(lowered[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(self.held) < head + 4 + length:
            return
        self.load.statuses[int(self.held[9:12])] += 1
        self.load.latencies.append(time.perf_counter() - self.sent)
        self.held = self.held[head + 4 + length :]
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def _run(host: str, port: int, requests: Iterator[bytes], connections: int, seconds: float) -> Load:
    loop, load = asyncio.get_running_loop(), Load()
    start = time.perf_counter()
    ends = [loop.create_future() for _ in range(connections)]
    for end in ends:
        await loop.create_connection(lambda end=end: _Connection(requests, load, start + seconds, end), host, port)
    await asyncio.gather(*ends)
    load.seconds = time.perf_counter() - start
    return load


def send(host: str, port: int, requests: Iterator[bytes], *, connections: int, seconds: float) -> Load:
    """Send until time or requests run out."""
    import uvloop

    return uvloop.run(_run(host, port, requests, connections, seconds))
