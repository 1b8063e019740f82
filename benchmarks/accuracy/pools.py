"""Users to draw from, with replacement, and what they say to a question.

Users are independent draws, so nobody needs a seat: a question is answered by as many fresh users as it asks. What
they hold is encoded by the device's code and what they say is drawn from the channel's law by the simulator. What is
true of the pool is the truth, without an error that a small squared error could not bear.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from sottovoce.design import one_bit
from sottovoce.device import Collections, encode
from sottovoce.device.encode import evaluate
from sottovoce.engines.simulation import draw_tally
from sottovoce.messages import (
    MAX_EPSILON,
    Averages,
    Categories,
    Category,
    Cosines,
    Encoder,
    Entry,
    Item,
    Position,
    Question,
    Slots,
    Tally,
    Vector,
)

Stream = np.random.Generator
Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
_BLOCK_CELLS = 2**22


def named_stream(name: str) -> Stream:
    """Randomness by name, the same in every process."""
    return np.random.default_rng(int.from_bytes(sha256(name.encode()).digest()[:8]))


@dataclass(frozen=True, eq=False)
class Pool:
    """The collections of many users. Nobody misses an observation.

    A device works out its shares of categories, or the averages of its waves, before anything else. So those of the
    pool are worked out once, by the device's code, instead of in every question, which changes no bit of what is said.
    Where one random observation of a user is asked for, it is drawn here.
    """

    people: Collections
    _known: dict[Vector, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, held: np.ndarray[Any, Any]) -> Pool:
        """From one number a user ``(n,)``, as many observations each ``(n, T)``, or vectors ``(n, T, d)``."""
        wide = held.reshape(len(held), -1, held.shape[2] if held.ndim == 3 else 1)
        return cls(Collections(wide.reshape(-1, wide.shape[2]), wide.shape[1] * np.arange(len(wide) + 1)))

    @property
    def users(self) -> int:
        return self.people.users

    @cached_property
    def _each(self) -> int | None:
        """How many observations everybody holds, where that is one number."""
        sizes = self.people.sizes
        return int(sizes[0]) if (sizes == sizes[0]).all() else None

    def take(self, users: Integers) -> Collections:
        """Some of them, any of them several times."""
        if self._each is None:
            return self.people.take(users)
        held = self.people.values.reshape(self.users, self._each, -1)[users]
        return Collections(held.reshape(-1, held.shape[2]), self._each * np.arange(len(users) + 1))

    def vectors(self, vector: Vector) -> Floats:
        """What every device makes of its observations: ``(users, size)``."""
        if vector not in self._known:
            asked = Question(
                survey="pool",
                round=0,
                role="pool",
                slots=Slots(first=0, count=self.users),
                encoder=Encoder(statistic=Entry(vector=vector), placement=Position(low=(0.0,), high=(1.0,))),
                channel=one_bit(1.0),
                epsilon=float(MAX_EPSILON),
                groups=vector.size,
                uses=vector.size,
            )
            longest = int(self.people.sizes.max()) * self.people.dimension
            size = max(1, _BLOCK_CELLS // max(longest, vector.size))
            parts = [  # slot 0 has all entries in their order
                evaluate(asked, part, np.zeros(part.users, dtype=np.int64), _Words(np.random.default_rng(0)))
                for _, part in self.people.blocks(size)
            ]
            self._known[vector] = np.concatenate(parts)
        return self._known[vector]

    def asked(self, question: Question, users: Integers, stream: Stream) -> tuple[Question, Collections]:
        """A question, and collections that answer it as those of the users would."""
        statistic = question.encoder.statistic
        if isinstance(statistic, (Category, Item)) and question.uses == 1:
            own = self.people.offsets[users] + stream.integers(0, self.people.sizes[users])
            return question, Collections(self.people.values[own], np.arange(len(users) + 1))
        vector = getattr(statistic, "vector", None)
        if not isinstance(vector, (Categories, Cosines)):
            return question, self.take(users)
        worked: Any = replace(statistic, vector=Averages(size=vector.size))  # type: ignore[arg-type, call-arg]
        asked = replace(question, encoder=replace(question.encoder, statistic=worked))
        return asked, Collections(self.vectors(vector)[users], np.arange(len(users) + 1))


class _Words:
    """Public randomness of a simulation."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def words(self, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        return self._stream.integers(0, 2**64, size=count, dtype=np.uint64)


def ask(question: Question, pool: Pool, stream: Stream) -> Tally:
    """A tally from fresh users."""
    count = question.slots.count
    users = stream.integers(0, pool.users, size=count)
    slots = question.slots.first + np.arange(count)
    asked, people = pool.asked(question, users, stream)
    longest = int(people.sizes.max(initial=1)) * people.dimension
    held = max(asked.encoder.statistic.breadth, asked.uses, longest, 64)
    inputs = [
        encode(asked, part, slots[rows], _Words(stream)) for rows, part in people.blocks(max(1, _BLOCK_CELLS // held))
    ]
    return draw_tally(question, np.concatenate(inputs), slots, stream)
