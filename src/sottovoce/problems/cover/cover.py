"""A cover: centres, and the distance within which every point of a space has one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sottovoce.messages import Fact


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Centres, and the distance within which every point of the space has one.

    `functions` names the trigonometric basis functions (L316) whose averages the coordinates are, for densities on
    [0, 1]; it is empty for vectors. `diameter` is the largest distance of a point of the space from another or from a
    centre. `why` says why it is as fine as it is, where that was not asked for.
    """

    space: str
    centres: tuple[tuple[float, ...], ...]
    radius: float
    diameter: float
    metric: Literal["l2", "linf"]
    functions: tuple[int, ...] = ()
    why: Fact | None = None

    def __len__(self) -> int:
        return len(self.centres)

    def __repr__(self) -> str:
        return f"<Cover of {self.space}: {len(self):,} centres, radius {self.radius:g} in {self.metric}>"


def box_diameter(centres: tuple[tuple[float, ...], ...], metric: str) -> float:
    """The diameter of the box around the centres: at least theirs."""
    sides = np.ptp(np.asarray(centres, dtype=np.float64), axis=0)
    return float(sides.max()) if metric == "linf" else math.sqrt(float((sides**2).sum()))
