"""What the functions share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import Ask, local, simulate


def engine(people: Collections, seed: int | None) -> Ask:
    """Real reports, or with a seed simulated ones."""
    return local(people) if seed is None else simulate(people, seed=seed)


def typical(people: Collections) -> int:
    """How many observations speak for a user: (mean of √T_i)², since errors go with 1/√T_i."""
    return max(1, round(float(np.sqrt(people.sizes).mean()) ** 2))


def named(names: Sequence[str] | None, value: Sequence[str] | str | None) -> tuple[str, ...]:
    """What to call the coordinates: as asked, else like the columns, else nothing yet."""
    given = names if names is not None else () if value is None else value
    return (given,) if isinstance(given, str) else tuple(given)
