"""From a collection to a channel's input: total, with exactly one answer for anything a float can hold.

Observations that are NaN are absent. A collection with nothing left has the statistic NaN, which falls where the
question says: in the middle, at the last input, or at any, drawn after all other lots. Sums may overflow to an
infinity, which the clamp then takes care of. After the clamp there are only integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.collections import Collections
from sottovoce.device.entropy import Entropy
from sottovoce.device.statistics import evaluate
from sottovoce.messages import Position, Question, below


def encode(question: Question, people: Collections, slots: NDArray[np.int64], entropy: Entropy) -> NDArray[np.int64]:
    """The channel inputs of many users: ``(n, uses)``, each in ``0 … channel.span``."""
    with np.errstate(all="ignore"):  # infinities and NaN are data here, and the clamp answers for them
        groups = question.group_of(slots)
        numbers = np.broadcast_to(evaluate(question, people, slots, entropy), groups.shape)  # one for all uses, or each
        inputs, unit, span = _place(question, numbers, groups), question.channel.unit, np.array(question.channel.span)
        if question.encoder.empty == "middle":
            return inputs
        if question.encoder.empty == "random":  # words are drawn whatever the data are
            span = unit * below(entropy.words(groups.size).reshape(groups.shape), span // unit + 1)
        return np.asarray(inputs + (span - inputs) * np.isnan(numbers))


def _place(question: Question, numbers: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    placement, channel = question.encoder.placement, question.channel
    own = groups if placement.parts > 1 else 0  # the only range, once for all
    if isinstance(placement, Position):
        return (placement.fraction(numbers, own) * channel.span + 0.5).astype(np.int64)  # none is negative: rounded
    return np.asarray(channel.unit * placement.index(numbers, own))
