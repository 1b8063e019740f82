"""What one collector takes on at once. Beyond it, it says so and when to come back; its memory stays bounded."""

from __future__ import annotations

import contextlib
import resource
import threading
from dataclasses import dataclass, replace

from sottovoce.service.errors import overloaded

SMALL_BODY = 4 * 2**10
PLAN_BODY = 64 * 2**10
MAX_BATCH_BYTES = 4 * 2**20
SPARE_FILES = 128
"""Of those that a process may have open: for the store, the log, and whoever is told that there are too many."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Sizes, seconds and rates; the defaults are for one small machine."""

    connections: int = 1_024
    """Open at once; the next is told to come back."""
    requests: int = 512
    """Worked on at once."""
    refusal_seconds: float = 0.5
    """How long whoever is one too many waits for the refusal."""
    body_bytes: int = 32 * 2**20
    """Of all bodies that are being read, but for batches."""
    batch_bytes: int = 32 * 2**20
    """Of all batches that are being read or worked on: a room of their own, so that they never stop a report."""
    body_seconds: float = 10.0
    """For a whole body to arrive, and for each part of an answer to be taken."""
    head_seconds: float = 10.0
    """For the head of a request to arrive, and for a handshake."""
    idle_seconds: float = 5.0
    """For the next request on a connection."""
    batches: int = 4
    """Worked on at once; others wait, with their bodies read."""
    threads: int = 8
    """For what reads the store."""
    writing: int = 8
    """For what writes it, but for reports: enrolments wait while a round closes, and hold up nobody who reads."""
    writing_waiting: int = 64
    """So many wait for those; the next is told to come back."""
    planning: int = 1
    """Plans that are worked out at once; administrators ask for them, and each survey has one."""
    planning_waiting: int = 8
    """So many wait for those; the next is told to come back."""
    planning_seconds: float = 20.0
    """For a plan; one that takes longer is given up."""
    enrol_rate: float = 20.0
    """Of open enrolment: new users a second and survey."""
    enrol_burst: float = 200.0
    """So many may come at once."""

    def shared(self, workers: int) -> Limits:
        """The limits of one worker among so many: together they let in no more new users than one would."""
        return replace(self, enrol_rate=self.enrol_rate / workers, enrol_burst=max(1.0, self.enrol_burst / workers))

    def fitting(self) -> Limits:
        """With no more connections than this process may have open files; that is raised first, as far as it may be."""
        wanted = self.connections + SPARE_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < wanted:  # negative: without a limit
            most = wanted if hard < 0 else min(wanted, hard)
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return self if not 0 <= soft < wanted else replace(self, connections=max(1, soft - SPARE_FILES))


class Room:
    """Bytes that bodies may take up together."""

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, size: int) -> None:
        """Or refuse: there is no room now."""
        if size > self._left:
            raise overloaded("too much is being read at once")
        self._left -= size

    def give(self, size: int) -> None:
        """Back."""
        self._left += size


class Bucket:
    """A rate: `burst` at once, then `rate` a second. Time is an argument. Safe to share between threads."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left = burst
        self._at: float | None = None
        self._lock = threading.Lock()

    def wait(self, now: float) -> float:
        """Zero, and one less is left; or how many seconds until there is one."""
        with self._lock:
            passed = 0.0 if self._at is None else max(0.0, now - self._at)
            self._left, self._at = min(self._burst, self._left + passed * self._rate), now
            if self._left >= 1:
                self._left -= 1
                return 0.0
            return (1 - self._left) / self._rate
