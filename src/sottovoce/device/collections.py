"""Raw observations of many users, held side by side. The only type that carries them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Collections:
    """The collections of ``n`` users: user ``i`` owns ``values[offsets[i]:offsets[i + 1]]``.

    `values` is ``(N,)`` for numbers or ``(N, d)`` for vectors. A user may own nothing. Anything a float can
    hold is allowed (NaN and infinities too): encoders are total. The ``repr`` shows the shape, never a value.
    """

    __slots__ = ("offsets", "values")

    def __init__(self, values: NDArray[np.float64], offsets: NDArray[np.int64]) -> None:
        flat = np.ascontiguousarray(values, dtype=np.float64)
        self.values = flat[:, None] if flat.ndim == 1 else flat
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        if self.values.ndim != 2:
            raise ValueError(f"observations must be numbers or vectors, not arrays of {self.values.ndim - 1} axes")
        bounds = self.offsets
        if bounds.ndim != 1 or bounds.size < 1 or bounds[0] != 0 or bounds[-1] != len(self.values):
            raise ValueError("offsets must start at 0 and end at the number of observations")
        if np.any(np.diff(bounds) < 0):
            raise ValueError("offsets must not decrease")

    @classmethod
    def of_one(cls, observations: Sequence[Any] | NDArray[np.float64]) -> Collections:
        """Wrap one user's collection: ``(T,)`` numbers or ``(T, d)`` vectors; may be empty."""
        values = np.asarray(observations, dtype=np.float64)
        return cls(values, np.array([0, len(values)], dtype=np.int64))

    @property
    def users(self) -> int:
        return len(self.offsets) - 1

    @property
    def dimension(self) -> int:
        return int(self.values.shape[1])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many observations each user holds: private, like the observations themselves."""
        return np.diff(self.offsets)

    def take(self, users: NDArray[np.int64]) -> Collections:
        """The same collections in another order, or some of them."""
        sizes = self.sizes[users]
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        rows = np.repeat(self.offsets[users] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Collections(self.values[rows], offsets)

    def blocks(self, size: int) -> Iterator[tuple[slice, Collections]]:
        """Cut into runs of at most `size` users, in order."""
        for first in range(0, self.users, size):
            last = min(first + size, self.users)
            start, stop = self.offsets[first], self.offsets[last]
            yield slice(first, last), Collections(self.values[start:stop], self.offsets[first : last + 1] - start)

    def __len__(self) -> int:
        return self.users

    def __repr__(self) -> str:
        return f"<Collections: {self.users} users, dimension {self.dimension}, contents hidden>"
