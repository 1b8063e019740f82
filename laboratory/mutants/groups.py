"""Mistakes around users with nothing, and groups of a column: what is drawn, or whether there is an answer, tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from laboratory.mutants.mutant import Mutant, mutant
from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import Path, Rebuilt, Subject
from sottovoce.audit.questions import every_statistic
from sottovoce.device import Collections, Entropy
from sottovoce.messages import Question


class WordForNothing(Rebuilt):
    """The word that places nothing is drawn only by who has nothing: how many are drawn tells."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        plain = replace(question, encoder=replace(question.encoder, empty="middle"))
        found = []
        for user in range(people.users):
            one = people.take(np.array([user]))
            asked = question if np.isnan(one.values[:, 0]).all() else plain
            found.append(super().inputs(asked, one, slots[user : user + 1], entropy))
        return np.concatenate(found)


class WordForSeveral(Rebuilt):
    """Who is in one group only draws no word for it: how many are drawn tells."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        within = question.encoder.within
        assert within is not None
        own, offsets = people.values[:, within.column], people.offsets
        held = [len(np.unique(own[first:last])) for first, last in pairwise(offsets)]
        return super().inputs(question, people, slots, entropy if max(held, default=0) > 1 else _Spared(entropy))


class _Spared:
    """The first word asked for is made up."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy, self._asked = entropy, False

    def words(self, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        first, self._asked = not self._asked, True
        return np.zeros(count, dtype=np.uint64) if first else self._entropy.words(count)


class SilentOutsideItsGroup(Rebuilt):
    """Only who has something in the group that falls to them answers: silence tells the group."""

    def inputs(self, question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Integers:
        inputs = super().inputs(question, people, slots, entropy)
        if (inputs == question.channel.span).any():  # the place of nothing
            raise ZeroDivisionError("an average of nothing")
        return inputs


class SlotByGroup(Rebuilt):
    """A report in the name of a slot that is dealt one's own group: who answers for which group tells."""

    def respond(self, question: Question, one: Collections, slot: int, entropy: Entropy) -> bytes:
        within = question.encoder.within
        assert within is not None
        own = one.values[:, within.column]
        group = int(own[0]) if len(own) and own[0] in range(within.count) else 0
        return super().respond(question, one, question.slots.first + group, entropy)


def _asked(role: str, path: Callable[[], Path]) -> Callable[[str, float], Subject]:
    """A question that is right, answered by a device that is not."""

    def build(name: str, epsilon: float) -> Subject:
        (question,) = (one for one in every_statistic(epsilon) if one.role == role)
        return Subject(name=name, epsilon=epsilon, questions=(question,), path=path(), sampled=False)

    return build


GROUPS: tuple[Mutant, ...] = (
    mutant("word for nothing only", "a word that places nothing is drawn only where there is nothing", "sampler",
           _asked("nothing at random", WordForNothing)),
    mutant("word for several groups only", "a group is drawn only by who is in several", "sampler",
           _asked("group drawn", WordForSeveral)),
    mutant("silent outside its group", "who has nothing in the group that was dealt does not answer", "exact",
           _asked("group dealt, nothing last", SilentOutsideItsGroup)),
    mutant("slot by group", "a slot is chosen that is dealt one's own group", "sampler",
           _asked("group dealt, nothing last", SlotByGroup)),
)  # fmt: skip
