"""TRUSTED and small: the only code that draws privacy noise or makes reports of raw observations. Read PRIVACY.md."""

from __future__ import annotations

from sottovoce.device.encode import averaged, encode, totals
from sottovoce.device.entropy import Entropy, SystemEntropy
from sottovoce.device.ledger import Ledger
from sottovoce.device.privatise import privatise
from sottovoce.device.respond import respond, respond_many
from sottovoce.device.user_collections import Collections, Means

__all__ = [
    "Collections",
    "Entropy",
    "Ledger",
    "Means",
    "SystemEntropy",
    "averaged",
    "encode",
    "privatise",
    "respond",
    "respond_many",
    "totals",
]
