"""Roundings that could have gone either way: all that another machine's floats can change in a question.

Numbers go from tallies into questions by `rounded` only, as whole steps. Machines compute them alike but for the last
digits, so they can disagree only where a number lies in the middle between two steps. Whoever replays a survey that
ran elsewhere learns here which roundings were such, and may turn them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NEAR = 1e-3
"""Of a step: so near to the middle between two, machines may differ. In parts of the range, that is 1e-9."""

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


def nearest(steps: float, tie: Tie) -> int:
    """The whole number of steps nearest to so many, unless it is one to be turned."""
    whole, noted = round(steps), _NOTED.get()
    off = steps - whole
    if noted is None or abs(abs(off) - 0.5) > NEAR:
        return whole
    noted.ties[tie] = None
    return whole if tie not in noted.turned else whole + (1 if off > 0 else -1)
