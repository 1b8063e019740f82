"""The samplers again, from plain integers: what given words must give.

Nothing here calls the device. Words are read in the order in which the device reads them, which is part of what is
checked: a word that is left out, used twice, or cut to fewer bits gives another symbol than this.
"""

from __future__ import annotations

from collections.abc import Sequence

from sottovoce.audit.kinds import Read, Symbol, derivation
from sottovoce.messages import Channel


def symbols(channel: Channel, inputs: Sequence[int], read: Read) -> list[Symbol]:
    """The symbols of these inputs when ``read(n)`` gives the next n words."""
    return derivation(channel).symbols(inputs, read)
