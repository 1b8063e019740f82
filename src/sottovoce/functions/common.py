"""What the functions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sottovoce.data import Dataset
from sottovoce.device import Collections
from sottovoce.engines import Ask, local, simulate
from sottovoce.messages import InvalidInput


def declared(
    data: Any, people: Collections, low: float | None, high: float | None, *, name: str
) -> tuple[float, float]:
    """The range of a problem with one value column: as given, or as a data set declares it."""
    if isinstance(data, Dataset):
        low, high = data.low if low is None else low, data.high if high is None else high
    if low is None or high is None:
        raise InvalidInput("low and high are needed: the range in which observations are declared to lie")
    if people.dimension != 1:
        raise InvalidInput(f"{name} takes one value column; the data have {people.dimension}")
    return low, high


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
