"""A public data set together with what a survey would have to declare about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sottovoce.device import Collections
from sottovoce.messages import InvalidInput, counted


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Dataset:
    """Collections that are already public, the range to declare for them, and the true answer.

    `user` and `value` name the original columns, `source` cites whoever gathered the data, and `truth` is the
    mean of the user means: what an estimate of the mean aims at.
    """

    name: str
    collections: Collections
    low: float
    high: float
    user: str
    value: str
    source: str
    truth: float

    def first(self, users: int) -> Dataset:
        """The first so many users, as a data set of their own."""
        if not 1 <= users <= self.collections.users:
            raise InvalidInput(rule=f"users: 1 to {self.collections.users:,} of {self.name}", wrong=f"got {users}")
        some = self.collections.take(np.arange(users))
        return replace(self, collections=some, truth=mean_of_user_means(some))

    def __repr__(self) -> str:
        held = self.collections
        return (
            f"<Dataset {self.name}: {counted(held.users, 'user')}, {counted(len(held.values), 'observation')}, "
            f"{self.value!r} by {self.user!r} in [{self.low:g}, {self.high:g}], mean of user means {self.truth:.4g}>"
        )


def mean_of_user_means(held: Collections) -> float:
    """The mean over users of the mean of each user's numbers; every user must hold at least one."""
    sums = np.add.reduceat(held.values[:, 0], held.offsets[:-1])
    return float(np.mean(sums / held.sizes))
