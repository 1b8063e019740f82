"""What some rounds say, each set of rounds once: a replay comes here again for every step of a survey."""

from __future__ import annotations

import math
from functools import lru_cache

from sottovoce.messages import Question, Tally
from sottovoce.problems.mixture.evidence import Evidence, heard
from sottovoce.problems.mixture.fit import Fitted, fit
from sottovoce.problems.mixture.search import Explained, grown, improved, one_less, one_more

MOST = 8
"""Kinds that are looked for where their number is not known."""
PROMISING, CONVINCING = 6.0, 14.0
"""What a kind must explain to be asked about, and to be believed: by chance, the best of many places explains some."""
ALIKE = 1.5
"""Users of one kind are first taken to be about alike: otherwise one wide kind would take the place of two."""

Answered = tuple[Question, tuple[int, ...], int]
"""A question, the counts of its symbols, and how many answered."""


def answered(asked: Question, tally: Tally) -> Answered:
    """A round as plain numbers."""
    return asked, tally.cells[0], tally.reports[0]


@lru_cache(maxsize=64)
def learned(
    rounds: tuple[Answered, ...], observations: int, low: float, high: float, count: int | None, last: bool
) -> Explained:
    """The kinds after these rounds; `count` is their number, or None to find it; `last`: nobody will be asked again."""
    evidence = Evidence(rounds=tuple(heard(*one, low, high) for one in rounds), observations=observations)
    if len(rounds) > 1:
        before = learned(rounds[:-1], observations, low, high, count, False)
        first = fit(evidence, before.best.kinds)
    else:
        first = _first(evidence, count)
    found = improved(first)
    return found if count is not None or not last else _believed(found)


def _first(evidence: Evidence, count: int | None) -> Fitted:
    narrow, wide = (grown(evidence, MOST if count is None else count, widest=widest) for widest in (ALIKE, math.inf))
    if count is not None:
        return min(narrow[-1], wide[-1], key=lambda one: one.loss)
    return min(*narrow, *wide, key=lambda one: one.loss + PROMISING * one.kinds.count)


def _believed(found: Explained) -> Explained:
    """Kinds that do not explain enough are left out, and what else does is let in."""
    best = found.best
    while best.kinds.count > 1 and (less := one_less(best)).loss < best.loss + CONVINCING:
        best = less
    while best.kinds.count < MOST and (more := one_more(best)).loss < best.loss - CONVINCING:
        best = more
    return found if best is found.best else improved(best)
