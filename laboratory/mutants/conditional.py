"""Devices that are right for some people and wrong for others: by how much they hold, by their slot, by company."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import Rebuilt
from sottovoce.audit.word_scripts import Words
from sottovoce.device import Collections, Entropy, privatise
from sottovoce.messages import Batch, Question


class _Quiet(Rebuilt):
    """No noise for some: the input is sent as it is. For tables of as many symbols as nodes."""

    def quiet(self, sizes: Integers, slots: Integers) -> NDArray[np.bool_]:
        raise NotImplementedError("each mutant is quiet for others")

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        inputs = self.inputs(question, people, slots, entropy)
        noisy = self.symbols(question.channel, inputs.ravel(), entropy).reshape(len(slots), question.uses, -1)
        plain = (inputs // question.channel.unit)[:, :, None]
        quiet = self.quiet(people.sizes, slots)[:, None, None]
        return Batch(question=question, slots=slots, symbols=np.where(quiet, plain, noisy))


class MoreThan(_Quiet):
    """No noise for large collections: "the average is safe by then"."""

    def __init__(self, held: int) -> None:
        self._held = held

    def quiet(self, sizes: Integers, slots: Integers) -> NDArray[np.bool_]:
        return np.asarray(sizes > self._held)


class EverySlot(_Quiet):
    """No noise at some slots, as a forgotten condition for a debugging build leaves it."""

    def __init__(self, period: int, rest: int) -> None:
        self._period, self._rest = period, rest

    def quiet(self, sizes: Integers, slots: Integers) -> NDArray[np.bool_]:
        return np.asarray(slots % self._period == self._rest)


class PartlyMissing(Rebuilt):
    """No noise where some observations are missing: a branch of its own that forgets it."""

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        noisy = super().batch(question, people, slots, entropy)
        plain = (self.inputs(question, people, slots, entropy) // question.channel.unit)[:, :, None]
        runs = [people.values[first:last] for first, last in zip(people.offsets[:-1], people.offsets[1:], strict=True)]
        some = np.array([bool(np.isnan(run).any() and not np.isnan(run).all()) for run in runs])
        return Batch(question=question, slots=slots, symbols=np.where(some[:, None, None], plain, noisy.symbols))


class SilentOnInfinity(Rebuilt):
    """A device alone fails on an infinite observation, and only alone: its silence speaks."""

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        if np.isinf(one.values).any():
            raise OverflowError("an infinite observation")
        return super().respond(question, one, slot, entropy)


class FailsAbove(Rebuilt):
    """An exception for large collections: their silence speaks."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        if (people.sizes > 1000).any():
            raise MemoryError("too many observations")
        return super().inputs(question, people, slots, entropy)


class SharedByUsers(Rebuilt):
    """Answered in pairs, and the second of a pair uses the words of the first."""

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        given: list[Words] = []
        symbols = []
        for user in range(len(slots)):
            words = _Kept(entropy, given if user % 2 else [])
            one, slot = people.take(np.array([user])), slots[user : user + 1]
            inputs = self.inputs(question, one, slot, words)
            symbols.append(privatise(question.channel, inputs.ravel(), words))
            given = words.kept
        shape = (len(slots), question.uses, question.channel.width)
        return Batch(question=question, slots=slots, symbols=np.concatenate(symbols).reshape(shape))


class SharedByUses(Rebuilt):
    """A user's second answer uses the words of the first: together they say more than twice as much."""

    def batch(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
        inputs = self.inputs(question, people, slots, entropy)
        first = _Kept(entropy, [])
        symbols = [privatise(question.channel, inputs[:, 0], first)]
        symbols += [privatise(question.channel, column, _Kept(entropy, first.kept)) for column in inputs.T[1:]]
        return Batch(question=question, slots=slots, symbols=np.stack(symbols, axis=1))


class OwnGenerator(Rebuilt):
    """The entropy that was handed in is not used: a generator of its own is, with a good seed."""

    def __init__(self) -> None:
        self._generator = np.random.default_rng()

    def words(self, count: int) -> Words:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)

    def symbols(self, channel: object, inputs: Integers, entropy: Entropy) -> Integers:
        return privatise(channel, inputs, self)  # type: ignore[arg-type]


class _Kept:
    """Entropy that gives what was kept before, call by call, and then keeps what it draws."""

    def __init__(self, entropy: Entropy, kept: list[Words]) -> None:
        self._entropy, self._again = entropy, list(kept)
        self.kept: list[Words] = []

    def words(self, count: int) -> Words:
        words = self._again.pop(0)[:count] if self._again else self._entropy.words(count)
        self.kept.append(words)
        return words
