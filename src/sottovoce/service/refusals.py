"""Uploads that were refused, counted by survey and reason: how many, never whose, and no finer in time than a tick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

UPLOADS = frozenset(("enrol", "reports", "batches"))
"""The routes, by name, whose refusals are counted."""
WORDS = {
    "malformed": "not what this survey asks for, or not readable",
    "media-type": "of another type, or encoded",
    "too-large": "too large",
    "slow": "did not arrive in time",
    "unauthorised": "without a token that was given out",
    "forbidden": "with a token of something else, or another slot's",
    "not-asked": "to a question, or from a slot, that was not asked",
    "not-found": "to something that is not there",
    "conflict": "a second, different report of the same slot",
    "closed": "after the round had closed",
    "expired": "after the survey was over",
    "early": "before the survey or the next round had opened",
    "full": "when all slots were taken",
    "busy": "too much at once: to come again later",
    "method": "by another method",
    "failed": "the collector failed",
}
"""What each code says to people."""


def words(code: str) -> str:
    """In words, also where a later version wrote the code."""
    return WORDS.get(code, code)


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
