"""The statistical layer: a black box, collections in and reports out, and what an observer can prove about it.

Half of the reports choose what to look at: which two collections, which feature, which event. The other half, drawn
afresh for these two collections, are counted once, and Clopper–Pearson turns the counts into a lower bound on ε that
exceeds the truth with probability at most `level`. Nothing else is assumed: neither a law nor a code is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.bounds import Floats, epsilon_below
from sottovoce.audit.features import Cells, Sorter, by_number, likelihood, low_bits, lowest_bit, whole_report
from sottovoce.audit.findings import Finding

TESTS = ("report", "support", "low bits")
"""The hypotheses tested on each black box."""


@dataclass(frozen=True, kw_only=True)
class BlackBox:
    """Anything that turns a collection into a randomised report.

    ``sample(i, count)`` draws `count` reports of the i-th of `neighbours` as numbers ``(count, width)``.
    """

    name: str
    epsilon: float
    neighbours: tuple[str, ...]
    sample: Callable[[int, int], Floats]
    check: str = ""
    effort: int = 1
    """How many times the usual number of samples it is worth."""


@dataclass(frozen=True, kw_only=True)
class _Event:
    """Cells of a feature, and the ordered pair of collections that they tell apart."""

    first: int
    second: int
    sort: Sorter
    cells: NDArray[np.int64]

    def hits(self, values: Floats) -> int:
        return int(np.isin(self.sort(values), self.cells).sum())


def measure(box: BlackBox, *, samples: int, level: float) -> list[Finding]:
    """One finding for each of `TESTS`; each raises a false alarm with probability at most `level`."""
    each = max(200, samples // (2 * len(box.neighbours)))
    chosen_on = [box.sample(place, each) for place in range(len(box.neighbours))]
    events = {
        "report": _choose(chosen_on, whole_report, level),
        "support": _choose(chosen_on, by_number(lowest_bit), level),
        "low bits": _choose(chosen_on, by_number(low_bits), level),
    }
    fresh: dict[int, Floats] = {}
    findings = []
    for test in TESTS:
        event = events[test]
        for place in (event.first, event.second):
            if place not in fresh:
                fresh[place] = box.sample(place, max(200, samples // 4))
        here, there = fresh[event.first], fresh[event.second]
        hits = event.hits(here), event.hits(there)
        bound = float(epsilon_below(hits[0], len(here), hits[1], len(there), level=level))
        pair = f"{box.neighbours[event.first]} / {box.neighbours[event.second]}"
        findings.append(
            Finding(
                subject=box.name,
                layer="statistical",
                check=f"{box.check}: {test}" if box.check else test,
                passed=bound <= box.epsilon,
                detail=f"{pair}: {hits[0]:,} of {len(here):,} against {hits[1]:,} of {len(there):,}",
                declared=box.epsilon,
                measured=max(0.0, bound),
                slack=box.epsilon - max(0.0, bound),
            )
        )
    return findings


def _choose(samples: Sequence[Floats], feature: Callable[[Floats], Sorter | None], level: float) -> _Event:
    """The pair and event that promise the largest bound on a second sample of the same size.

    A feature whose cells do not depend on the pair is fitted once, on everything.
    """
    shared = feature(np.concatenate(samples))
    cells = None if shared is None else [shared(sample) for sample in samples]
    best, promised = None, -np.inf
    for left, right in combinations(range(len(samples)), 2):
        sort = shared or likelihood(samples[left], samples[right])
        here, there = (sort(samples[one]) if cells is None else cells[one] for one in (left, right))
        for first, second, one, other in ((left, right, here, there), (right, left, there, here)):
            chosen, value = _best_cells(one, other, level)
            if best is None or value > promised:
                best, promised = _Event(first=first, second=second, sort=sort, cells=chosen), value
    assert best is not None
    return best


def _best_cells(first: Cells, second: Cells, level: float) -> tuple[NDArray[np.int64], float]:
    """Cells in the order of their likelihood ratio; the best beginning of that order."""
    size = int(max(first.max(), second.max())) + 1
    here, there = np.bincount(first, minlength=size), np.bincount(second, minlength=size)
    order = np.argsort((there + 0.5) / (here + 0.5), kind="stable")
    bounds = epsilon_below(np.cumsum(here[order]), len(first), np.cumsum(there[order]), len(second), level=level)
    last = int(np.argmax(bounds))
    return order[: last + 1], float(bounds[last])
