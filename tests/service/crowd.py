"""Many connections at once that send prepared requests and read statuses; nothing else is parsed."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Heard:
    """How often each status came, 0 for a connection that was cut, and how long each answer took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: dict[int, list[float]] = field(default_factory=dict)

    def add(self, status: int, seconds: float) -> None:
        self.statuses[status] += 1
        self.seconds.setdefault(status, []).append(seconds)


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """One answer: its status and body."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
    return int(head[9:12]), await reader.readexactly(length)


async def _one(
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter], requests: Iterator[bytes], until: float, heard: Heard
) -> None:
    reader, writer = line
    try:
        while time.perf_counter() < until and (request := next(requests, None)) is not None:
            sent = time.perf_counter()
            writer.write(request)
            status, _ = await answer(reader)
            heard.add(status, time.perf_counter() - sent)
    except (OSError, asyncio.IncompleteReadError):
        heard.add(0, 0.0)
    finally:
        writer.close()


async def _all(host: str, port: int, requests: Iterator[bytes], connections: int, seconds: float) -> Heard:
    heard = Heard()
    lines = await asyncio.gather(*(asyncio.open_connection(host, port) for _ in range(connections)))
    until = time.perf_counter() + seconds
    await asyncio.gather(*(_one(line, requests, until, heard) for line in lines))
    return heard


def send(host: str, port: int, requests: Iterator[bytes], *, connections: int, seconds: float) -> Heard:
    """Until requests or time run out."""
    return asyncio.run(_all(host, port, requests, connections, seconds))


def request(path: str, body: bytes, token: str, media: str = "application/json") -> bytes:
    """A POST, as bytes."""
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {media}\r\nauthorization: Bearer {token}\r\n"
    return head.encode() + b"content-length: %d\r\n\r\n" % len(body) + body
