"""Roundings that could have gone either way: all that another machine's floats can change in a question.

Numbers go from tallies into questions by `rounded` only, as whole steps. Machines compute them alike but for the last
digits, so they can disagree only where a number lies in the middle between two steps. Whoever replays a survey that
ran elsewhere learns here which roundings were such, and may turn them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

NEAR = 1e-3
"""Of a step: so near to the middle between two, machines may differ. In parts of the range, that is 1e-9."""

Floats = NDArray[np.float64]
Tie = tuple[float, float, float]
"""A number that was rounded, and the range that it was rounded on."""


class _Noted:
    def __init__(self, turned: frozenset[Tie]) -> None:
        self.turned, self.ties = turned, dict[Tie, None]()


_NOTED: ContextVar[_Noted | None] = ContextVar("noted", default=None)


@contextmanager
def replaying(turned: Iterable[Tie] = ()) -> Iterator[dict[Tie, None]]:
    """Round as usual inside, but those of `turned` the other way; gives the ties that were met, in their order."""
    noted = _Noted(frozenset(turned))
    token = _NOTED.set(noted)
    try:
        yield noted.ties
    finally:
        _NOTED.reset(token)


def nearest(steps: Floats, values: Floats, low: float, high: float) -> Floats:
    """The whole numbers of steps nearest to so many, unless one is to be turned; `values` on a range became them."""
    whole, noted = np.rint(steps) + 0.0, _NOTED.get()  # + 0.0: no negative zero
    if noted is not None:
        off = steps - whole
        for place in np.flatnonzero(np.abs(np.abs(off) - 0.5) <= NEAR).tolist():
            tie = (float(values[place]), low, high)
            noted.ties[tie] = None
            if tie in noted.turned:
                whole[place] += 1 if off[place] > 0 else -1
    return np.asarray(whole)
