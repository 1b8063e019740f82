"""Raw observations of many users, held side by side. The only type that carries them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sottovoce.messages import Array, Floats, Integers, InvalidInput, counted


def _number(observation: Any) -> float:
    try:
        return float(observation)
    except OverflowError:
        return math.inf if observation > 0 else -math.inf
    except (ValueError, TypeError, Warning):  # a warning may be an error here
        return math.nan


class Collections:
    """The collections of ``n`` users: user ``i`` owns ``values[offsets[i]:offsets[i + 1]]``.

    `values` is ``(N,)`` for numbers or ``(N, d)`` for vectors, in any real type (a million wide vectors of small
    integers stay small). A user may own nothing. Anything a float can hold is allowed (NaN and infinities too):
    encoders are total. The ``repr`` shows the shape, never a value.
    """

    __slots__ = ("offsets", "values")

    def __init__(self, values: Array, offsets: Integers) -> None:
        flat = np.ascontiguousarray(np.ma.getdata(values))
        if flat.dtype.kind not in "biuf" or flat.dtype.itemsize > 8:  # one by one: numpy's errors quote what they saw
            flat = np.array([_number(observation) for observation in flat.flat], dtype=float).reshape(flat.shape)
        if isinstance(values, np.ma.MaskedArray):  # missing, whatever lies below the mask
            flat = np.where(np.ma.getmaskarray(values), np.nan, flat)
        self.values = flat[:, None] if flat.ndim == 1 else flat
        self.offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        if self.values.ndim != 2:
            raise InvalidInput(f"observations must be numbers or vectors, not arrays of {self.values.ndim - 1} axes")
        if offsets.ndim != 1 or offsets.size < 1 or offsets[0] != 0 or offsets[-1] != len(self.values):
            raise InvalidInput("offsets must start at 0 and end at the number of observations")
        if np.any(np.diff(self.offsets) < 0):
            raise InvalidInput("offsets must not decrease")

    @classmethod
    def of_one(cls, observations: Sequence[Any] | Floats) -> Collections:
        """Wrap one user's collection: ``(T,)`` numbers or ``(T, d)`` vectors; may be empty.

        What is masked or no number is missing, what is too large infinite: a device answers whatever it holds.
        """
        try:
            with np.errstate(all="ignore"):
                values = np.ma.filled(np.ma.asarray(observations, dtype=np.float64), np.nan)
        except (ValueError, TypeError, OverflowError, Warning):
            values = np.array([_number(observation) for observation in observations])
        if values.ndim not in (1, 2):
            raise InvalidInput(f"a collection is a list of numbers or of vectors, not an array of {values.ndim} axes")
        return cls(values, np.array([0, len(values)], dtype=np.int64))

    @property
    def users(self) -> int:
        return len(self.offsets) - 1

    @property
    def dimension(self) -> int:
        return int(self.values.shape[1])

    @property
    def sizes(self) -> Integers:
        """How many observations each user holds: private, like the observations themselves."""
        return np.diff(self.offsets)

    def take(self, users: Integers, first: int = 2**62) -> Collections:
        """The same collections in another order, or some of them; of each at most so many observations."""
        sizes = np.minimum(self.sizes[users], first)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        rows = np.repeat(self.offsets[users] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Collections(self.values[rows], offsets)

    def indexed(self, choose: Callable[[Array], Any]) -> Collections:
        """One number a user: what the participant's own function says of the collection, ``(T,)`` or ``(T, d)``.

        Total like an encoder: whatever it raises, or returns that is no number, counts as missing.
        """
        numbers = np.full(self.users, np.nan)
        for user in range(self.users):
            own = self.values[self.offsets[user] : self.offsets[user + 1]].copy()  # not theirs to change
            try:
                numbers[user] = float(choose(own[:, 0] if self.dimension == 1 else own))
            except Exception:  # whatever it is, to pass it on would tell something of the data
                continue
        return Collections(numbers, np.arange(self.users + 1))

    def blocks(self, size: int) -> Iterator[tuple[slice, Collections]]:
        """Cut into runs of at most `size` users, in order."""
        for first in range(0, self.users, size):
            last = min(first + size, self.users)
            start, stop = self.offsets[first], self.offsets[last]
            yield slice(first, last), Collections(self.values[start:stop], self.offsets[first : last + 1] - start)

    def __len__(self) -> int:
        return self.users

    def __repr__(self) -> str:
        return f"<Collections: {counted(self.users, 'user')}, dimension {self.dimension}, contents hidden>"


class Means(Collections):
    """One row a user, averaged already: what a question needs of a collection. NaN where nothing was observed."""

    def __init__(self, values: Floats) -> None:
        super().__init__(values, np.arange(len(values) + 1))

    def take(self, users: Integers, first: int = 1) -> Means:
        return Means(np.take(self.values, users, axis=0))

    def blocks(self, size: int) -> Iterator[tuple[slice, Collections]]:
        cuts = (slice(first, first + size) for first in range(0, self.users, size))
        return ((users, Means(self.values[users])) for users in cuts)
