"""Waiting for what has to happen, on however busy a machine: the only clock in a test stops one that hangs."""

from __future__ import annotations

import time
from collections.abc import Callable

HUNG_SECONDS = 120
"""Seconds after which a test gives up. What it waits for takes less than one where nothing else runs."""


def eventually(happened: Callable[[], object], *, seconds: float = HUNG_SECONDS) -> bool:
    """Whether it happened at last."""
    end = time.monotonic() + seconds
    while not (found := bool(happened())) and time.monotonic() < end:
        time.sleep(0.02)
    return found
