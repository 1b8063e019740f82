"""A survey for a crowd, and many connections at once that send prepared requests and read statuses, nothing else."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, Survey, open_store
from sottovoce.service.access import capability
from tests.service.web import manifest_of


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


def open_survey(url: str, *, users: int = 40, seconds: int = 1_000, origins: tuple[str, ...] = ()) -> Survey:
    """A survey of one round in the store at this address, open now."""
    now = int(time.time())
    asked = Mean(epsilon=1.0, low=1, high=5, users=users, observations=20, method="one-round")
    manifest = manifest_of(asked, opens=now, closes=now + seconds)
    with open_store(url) as store:
        collector = Collector(store, clock=time.time)
        collector.create(manifest, origins=origins)
        return collector.survey(manifest.digest)


def reports(survey: Survey, slots: Iterable[int]) -> Iterator[bytes]:
    """One report for each slot, as requests."""
    body = '{{"payload":"00","question":"{}","slot":{},"version":1}}'
    path = f"/surveys/{survey.row.id}/reports"
    for slot in slots:
        yield request(path, body.format(survey.last.digest, slot).encode(), capability(survey.row.secret, slot))
