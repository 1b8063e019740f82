"""Every device in this process, many at once: a rehearsal that is private for real."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, Entropy, bulk
from sottovoce.engines.run import Ask
from sottovoce.messages import Batch, InvalidInput, Question, Tally


def deal(users: int, words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Slots in random order: which user sits where. It never depends on data."""
    return np.argsort(words[:users], kind="stable")


def seated(question: Question, people: Collections, seats: NDArray[np.int64]) -> tuple[Collections, NDArray[np.int64]]:
    """The users a question asks, in slot order, and their slots."""
    first, last = question.slots.first, question.slots.first + question.slots.count
    if last > people.users:
        raise InvalidInput(
            f"survey {question.survey!r} asks slots up to {last}, but there are {people.users} users: "
            f"give the protocol users={people.users}"
        )
    return people.take(seats[first:last]), np.arange(first, last)


def local(people: Collections, *, entropy: Entropy | None = None, keep: Callable[[Batch], None] | None = None) -> Ask:
    """An engine over raw collections.

    `keep` sees every batch of reports, to store them. `entropy` is for tests that script it; leave it alone.

    Privacy
    -------
    Every report is made by the device's code for many users, with entropy for many (docs/decisions/0010).
    """
    source = bulk.BulkEntropy() if entropy is None else entropy
    seats = deal(people.users, source.words(people.users))

    def ask(question: Question) -> Tally:
        asked, slots = seated(question, people, seats)
        tally = Tally.empty(question)
        for batch in bulk.respond_many(question, asked, slots, source):
            if keep is not None:
                keep(batch)
            tally += Tally.of(batch)
        return tally

    return ask
