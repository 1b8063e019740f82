"""Numbers of an answer with the intervals they stand in: none lies outside without a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

_SHOWN = 5
_ROUNDING = 1e-9
"""Of the width of an interval, or of a range: what is nearer is not outside."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Stated:
    """Some numbers of one kind: each has a name, an interval of its own, and a range in which it must lie."""

    what: str
    """``share``, ``value``: what one of them is."""
    names: Sequence[str]
    """What to call each; none where there is only one."""
    values: ArrayLike
    intervals: ArrayLike
    low: ArrayLike = -np.inf
    high: ArrayLike = np.inf

    def doubts(self) -> list[str]:
        """A sentence for those that lie outside their own interval, and one for those that only leave their range."""
        values, ends = np.atleast_1d(np.asarray(self.values, dtype=np.float64)), np.asarray(self.intervals, dtype=float)
        ends = ends.reshape(-1, 2)
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), values.shape) for end in (self.low, self.high))
        out, beyond = outside(values, ends[:, 0], ends[:, 1]), outside(values, low, high)
        return [*self._said(out, "interval"), *self._said(beyond & ~out, "declared range")]

    def _said(self, outside: np.ndarray, where: str) -> list[str]:
        places = np.flatnonzero(outside)
        if not len(places):
            return []
        kept = "it is left as the method gives it"
        if len(outside) == 1:
            return [f"the {self.what} lies outside its own {where}: {kept}; go by the interval"]
        listed = ", ".join(self.names[place] for place in places[:_SHOWN]) + ", …" * (len(places) > _SHOWN)
        lie, each = ("lies", "its own") if len(places) == 1 else ("lie", "their own")
        where += "" if len(places) == 1 else "s"
        kept = kept if len(places) == 1 else "they are left as the method gives them"
        return [
            f"{len(places):,} of {len(outside):,} {self.what}s {lie} outside {each} {where} ({listed}): {kept}; go by "
            "the intervals"
        ]


def outside(values: ArrayLike, low: ArrayLike, high: ArrayLike) -> np.ndarray:
    """By more than rounding explains. Also false for NaN: what is not known is not outside."""
    values, low, high = (np.asarray(one, dtype=np.float64) for one in (values, low, high))
    with np.errstate(invalid="ignore"):
        width = high - low
        slack = _ROUNDING * np.where(np.isfinite(width), width, 1.0) + 1e-12 * np.abs(values)
        return np.asarray((values < low - slack) | (values > high + slack))
