"""A crowd of devices with made-up data that never changes, answering a survey over HTTP as Python's devices do."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from sottovoce.client import Device
from sottovoce.device import Ledger

THREADS = 8
CAP = 16.0


def ratings(users: int, *, each: int = 20, seed: int = 13) -> NDArray[np.int64]:
    """Everybody's ratings from 1 to 5: people differ, and most are content."""
    draw = np.random.default_rng(seed)
    own = draw.normal(3.7, 0.35, size=(users, 1))
    return np.clip(np.rint(draw.normal(own, 0.9, size=(users, each))), 1, 5).astype(np.int64)


def visit(url: str, observations: NDArray[np.int64]) -> str:
    """One person comes once with an invitation; returns what came of it."""
    with Ledger(":memory:", cap=CAP) as ledger:
        return Device(ledger=ledger, source="ratings").answer(url, observations, patience_seconds=10).state


def visits(urls: Sequence[str], observations: NDArray[np.int64]) -> list[str]:
    """All of them, a few at a time."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(visit, urls, observations))
