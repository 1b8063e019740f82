"""What the functions share."""

from __future__ import annotations

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import Ask, local, simulate


def engine(people: Collections, seed: int | None) -> Ask:
    """Real reports, or with a seed simulated ones."""
    return local(people) if seed is None else simulate(people, seed=seed)


def typical(people: Collections) -> int:
    """How many observations speak for a user: (mean of √T_i)², since errors go with 1/√T_i."""
    return max(1, round(float(np.sqrt(people.sizes).mean()) ** 2))
