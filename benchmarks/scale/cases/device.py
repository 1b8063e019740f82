"""One report on one device: the clock stops while the question is parsed and while the ledger writes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

BINS, USERS, BLOCK = 64, 10**6, 2**16


def hash_of_64_kb() -> Callable[[], Any]:
    block = bytes(BLOCK)
    return lambda: hashlib.sha256(block).hexdigest()


def _question(kind: str) -> Any:
    import sottovoce as sv
    from benchmarks.scale.cases.unary import question

    match kind:
        case "unary":
            return question(USERS, BINS)
        case "histogram":
            return sv.Histogram(epsilon=1.0, low=0, high=1, bins=BINS, users=USERS, observations=10).decide(())
        case "mean":
            return sv.Mean(epsilon=1.0, low=0, high=1, users=USERS, observations=10, method="one-round").decide(())
    raise ValueError(kind)


def report(kind: str, turns: int) -> Callable[[], Any]:
    """Seconds of CPU of `turns` reports, and of as many hashes that take turns with them: two lists."""
    from sottovoce.device import Collections, SystemEntropy, respond
    from sottovoce.messages import Question, canonical

    clock, parse = time.process_time, Question.from_bytes
    data = _question(kind).to_bytes()
    digest, people, entropy, hashed = (
        canonical.digest(data),
        Collections.of_one([0.3] * 10),
        SystemEntropy(),
        hash_of_64_kb(),
    )
    stopped = 0.0

    def parsed(*arguments: Any, **options: Any) -> Any:
        nonlocal stopped
        start = clock()
        try:
            return parse(*arguments, **options)
        finally:
            stopped += clock() - start

    class NoWrite:
        """A ledger that allows everything and keeps nothing."""

        def answer(self, *, make: Callable[[], bytes], **_: Any) -> bytes:
            return make()

    def measure() -> list[list[float]]:
        nonlocal stopped
        Question.from_bytes = parsed  # type: ignore[method-assign, assignment]
        try:
            reports, hashes = [], []
            for _ in range(turns):
                start = clock()
                hashed()
                hashes.append(clock() - start)
                stopped, start = 0.0, clock()
                respond(
                    data,
                    people,
                    slot=3,
                    digest=digest,
                    collector="lab",
                    source="s",
                    ledger=NoWrite(),  # type: ignore[arg-type]
                    entropy=entropy,
                )
                reports.append(clock() - start - stopped)
            return [reports, hashes]
        finally:
            Question.from_bytes = parse  # type: ignore[method-assign]

    return measure
