"""Where the privacy noise of a device comes from: the operating system, and nothing else (many at once: `bulk`).

There is no seed and no pool: every call asks the kernel again, so a forked process cannot repeat its parent.
`Entropy` is a protocol so that the audit can put a script in its place; nothing that ships does.
"""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np

from sottovoce.messages import Words

_CHUNK = 2**24


class Entropy(Protocol):
    """A source of independent uniform 64-bit words."""

    def words(self, count: int) -> Words:
        """`count` fresh words."""


class SystemEntropy:
    """Words from ``os.urandom``."""

    def words(self, count: int) -> Words:
        """`count` fresh words from the kernel's generator."""
        wanted = 8 * count
        parts = [os.urandom(min(_CHUNK, wanted - done)) for done in range(0, wanted, _CHUNK)]
        return np.frombuffer(b"".join(parts), dtype="<u8")
