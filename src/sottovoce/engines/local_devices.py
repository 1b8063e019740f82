"""Every device in this process, many at once: a rehearsal that is private for real; and who sits in which slot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from sottovoce.device import Collections, Entropy, Means, averaged, bulk
from sottovoce.engines.survey_loop import Ask
from sottovoce.messages import Batch, Floats, Integers, InvalidInput, Question, Tally, Words


class Streamed(Protocol):
    """Users whose observations lie in a file that is read again for each question: see `sottovoce.data`."""

    @property
    def users(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    @property
    def sizes(self) -> Integers:
        """How many observations each user holds."""
        ...

    @property
    def present(self) -> Floats:
        """How many of them are there, ``(dimension, users)``: a missing one is none."""
        ...

    def averages(self) -> Means:
        """Everybody's own averages; NaN for nobody's."""
        ...

    def asked(self, question: Question, users: Integers, slots: Integers, entropy: Entropy) -> Collections:
        """What the question needs of these users, who sit in these slots; `entropy` is what lots are drawn from."""
        ...

    def collections(self) -> Collections:
        """All rows, held at once."""
        ...


People = Collections | Streamed


def shuffled(users: int, words: Words) -> Integers:
    """Seats by numpy's own permutation, keyed by four uniform words: cheaper than to deal.

    Seats spread users evenly over questions and groups. They are no privacy noise: whoever knows them all learns
    nothing of what a report hides.
    """
    key = np.random.SeedSequence([int(word) for word in words])
    return np.random.Generator(np.random.PCG64(key)).permutation(users)


class Seats:
    """Users in their seats. Averages are taken before anybody is moved, once for all questions that need no more."""

    def __init__(self, people: People, seats: Integers) -> None:
        self._people, self._seats = people, seats
        self._averages: Means | None = None

    def asked(self, question: Question, entropy: Entropy) -> tuple[Collections, Integers]:
        """The users a question asks, in slot order, and their slots."""
        first, last = question.slots.first, question.slots.first + question.slots.count
        if last > self._people.users:
            raise InvalidInput(
                f"survey {question.survey!r} asks slots up to {last}, but there are {self._people.users} users:",
                fix=f"give the protocol users={self._people.users}",
            )
        users, slots = self._seats[first:last], np.arange(first, last)
        if not isinstance(self._people, Collections):
            return self._people.asked(question, users, slots, entropy), slots
        # Averages take more room than observations that are wide vectors of small integers: those stay as they are.
        larger = 8 * self._people.users * self._people.dimension > self._people.values.nbytes
        if question.encoder.needs != "averages" or larger:
            return self._people.take(users), slots
        if self._averages is None:
            self._averages = averaged(self._people)
        return self._averages.take(users), slots


def local(people: People, *, entropy: Entropy | None = None, keep: Callable[[Batch], None] | None = None) -> Ask:
    """An engine over raw collections, or over a file of them.

    `keep` sees every batch of reports, to store them. `entropy` is for tests that script it; whoever wants the
    operating system's words only, and has the time, hands in `SystemEntropy()`.

    Privacy
    -------
    Every report is made by the device's code for many users, with entropy for many (docs/decisions/0010).
    """
    source = bulk.BulkEntropy() if entropy is None else entropy
    seats = Seats(people, shuffled(people.users, source.words(4)))

    def ask(question: Question) -> Tally:
        asked, slots = seats.asked(question, source)
        tally = Tally.empty(question)
        for batch in bulk.respond_many(question, asked, slots, source):
            if keep is not None:
                keep(batch)
            tally += Tally.of(batch)
        return tally

    return ask
