"""Uploads that were refused, counted by survey and reason: how many, never whose, and no finer in time than a tick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

UPLOADS = frozenset(("enrol", "reports", "batches"))
"""The routes, by name, whose refusals are counted."""


class Refusals:
    """Those of one worker since they were last added to the store. Changed from the event loop only."""

    def __init__(self) -> None:
        self._held: Counter[tuple[str, str]] = Counter()

    def add(self, survey: str, code: str, count: int = 1) -> None:
        """So many more."""
        self._held[survey, code] += count

    def take(self) -> dict[tuple[str, str], int]:
        """All of them; from here on they are the caller's, who gives them back where they cannot be kept."""
        held, self._held = self._held, Counter()
        return dict(held)

    def give_back(self, counts: Mapping[tuple[str, str], int]) -> None:
        """For the next time."""
        self._held.update(counts)
