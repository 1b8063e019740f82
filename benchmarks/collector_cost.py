"""What a durable report costs: single posts at 128 connections against the same route without a store, side by side.

Blocks with and without a store alternate in one run, so that a busy machine slows both. Then batches of 100, and the
same with PostgreSQL, one worker and two. Rates are of this machine; the ratios are what counts. The load comes from one
process on the same machine, which takes a core of its own.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.collector.load import Load, send
from sottovoce.messages import Manifest, Question, Report
from sottovoce.problems import Announced, announce
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, open_store
from sottovoce.service.access import capability
from tests.support.served import Served

CONNECTIONS, BATCH_CONNECTIONS, BATCH = 128, 16, 100
USERS = 2_000_000
SECONDS, BLOCKS = 4.0, 3
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    """A collector that runs, and a survey that is open there."""

    name: str
    served: Served
    survey: str
    question: Question
    secret: bytes
    slots: Iterator[int]

    def head(self, path: str, kind: str, length: int, token: str = "") -> bytes:
        bearer = f"authorization: Bearer {token}\r\n" if token else ""
        return (
            f"POST /surveys/{self.survey}/{path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {kind}\r\n"
            f"{bearer}content-length: {length}\r\n\r\n"
        ).encode()

    def single(self, count: int) -> list[bytes]:
        """Requests of one report each, prepared."""
        made = []
        for slot in itertools.islice(self.slots, count):
            body = Report(question=self.question.digest, slot=slot, payload=f"{slot % 2:02x}").to_bytes()
            made.append(self.head("reports", "application/json", len(body), capability(self.secret, slot)) + body)
        return made

    def batches(self, count: int) -> list[bytes]:
        """Requests of a hundred reports each."""
        made = []
        for _ in range(count):
            rows = [
                f'[{slot},"{slot % 2:02x}","{capability(self.secret, slot)}"]'
                for slot in itertools.islice(self.slots, BATCH)
            ]
            body = "\n".join([f'{{"question":"{self.question.digest}","version":1}}', *rows, ""]).encode()
            made.append(self.head("batches", "application/x-ndjson", len(body)) + body)
        return made

    def cpu(self) -> float:
        """Seconds of all its processes so far."""
        return sum(_cpu(pid) for pid in [self.served.process.pid, *_children(self.served.process.pid)])


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    own = [int(word) for word in path.read_text().split()] if path.exists() else []
    return [*own, *(further for one in own for further in _children(one))]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def survey() -> Manifest:
    settings = Mean(epsilon=1.0, low=1, high=5, users=USERS, observations=20, method="one-round")
    now = int(time.time())
    return announce(
        settings, purpose="a benchmark", collector="nobody", software="sottovoce", opens=now, closes=now + 86_400
    )


@contextmanager
def served(name: str, store: str, *options: str, without_store: bool = False) -> Iterator[Server]:
    """A collector in a process of its own, with one survey."""
    manifest = survey()
    with open_store(store) as kept:
        if kept.survey(manifest.digest) is None:
            Collector(kept, clock=time.time).create(manifest)
        row = kept.survey(manifest.digest)
    assert row is not None
    question = Announced(manifest).decide(())
    assert isinstance(question, Question)
    module = {"module": ("benchmarks.collector.server",)} if without_store else {}
    with Served(store, *options, **module) as running:
        yield Server(name, running, manifest.digest, question, row.secret, iter(range(USERS)))


def measured(server: Server, *, batches: bool) -> tuple[Load, float]:
    """One block: what came of the load, and the processor's seconds for each report."""
    prepared = server.batches(600) if batches else server.single(45_000)
    before = server.cpu()
    connections = BATCH_CONNECTIONS if batches else CONNECTIONS
    load = send("127.0.0.1", server.served.port, iter(prepared), connections=connections, seconds=SECONDS)
    reports = sum(load.statuses.values()) * (BATCH if batches else 1)
    strange = {status for status in load.statuses if status not in (200, 201)}
    if strange:
        raise SystemExit(f"{server.name}: statuses {dict(load.statuses)}")
    return load, (server.cpu() - before) / reports


def compared(servers: list[Server], *, batches: bool = False) -> dict[str, dict[str, float]]:
    """All servers in turn, several times."""
    held: dict[str, list[tuple[Load, float]]] = {server.name: [] for server in servers}
    for server in servers:
        measured(server, batches=batches)  # warm
    for _ in range(BLOCKS):
        for server in servers:
            held[server.name].append(measured(server, batches=batches))
    each = BATCH if batches else 1
    return {
        name: {
            "reports a second": sum(load.rate * each for load, _ in blocks) / len(blocks),
            "CPU µs a report": 1e6 * sum(cpu for _, cpu in blocks) / len(blocks),
            "p50 ms": sum(load.quantile(0.5) for load, _ in blocks) / len(blocks),
            "p99 ms": max(load.quantile(0.99) for load, _ in blocks),
        }
        for name, blocks in held.items()
    }


def show(title: str, found: dict[str, dict[str, float]]) -> None:
    print(f"\n{title}")
    columns = list(next(iter(found.values())))
    print(f"  {'':30}" + "".join(f"{column:>18}" for column in columns))
    for name, row in found.items():
        print(f"  {name:30}" + "".join(f"{row[column]:18,.1f}" for column in columns))


def main() -> None:
    results: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kept, other = f"sqlite:{folder}/kept.db", f"sqlite:{folder}/other.db"
        sqlite = stack.enter_context(served("SQLite, durable", kept))
        bare = stack.enter_context(served("no store", other, without_store=True))
        single = compared([sqlite, bare])
        show(f"single posts, {CONNECTIONS} connections, one worker", single)
        rate = "reports a second"
        part = single[sqlite.name][rate] / single[bare.name][rate]
        cpu = single[bare.name]["CPU µs a report"] / single[sqlite.name]["CPU µs a report"]
        print(f"  durable posts are {part:.0%} of those without a store (wanted: 60 %); by CPU time {cpu:.0%}")
        many = compared([sqlite], batches=True)
        show(f"batches of {BATCH}, {BATCH_CONNECTIONS} connections", many)
        gain = many[sqlite.name][rate] / single[sqlite.name][rate]
        print(f"  batches carry {gain:.1f} times the reports a second of single posts (wanted: 5)")
        results |= {"single": single, "batches": many, "part": part, "gain": gain}
    results["postgres"] = postgres()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(results, indent=1))


def postgres() -> dict[str, dict[str, float]]:
    """One worker and two, on a real server."""
    from tests.support.postgres import Postgres

    found: dict[str, dict[str, float]] = {}
    server = Postgres()
    try:
        for workers in (1, 2):
            url = server.database()
            name = f"PostgreSQL, {workers} worker{'s' * (workers > 1)}"
            with served(name, url, "--workers", str(workers)) as one:
                found |= compared([one])
                found |= {f"{name}, batches": row for name, row in compared([one], batches=True).items()}
    finally:
        server.remove()
    show("PostgreSQL", found)
    return found


if __name__ == "__main__":
    main()
