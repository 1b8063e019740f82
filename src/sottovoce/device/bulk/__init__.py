"""TRUSTED and small: many users at once, for gateways and rehearsals. Read PRIVACY.md, "Many users at once"."""

from __future__ import annotations

from sottovoce.device.bulk import respond, samplers
from sottovoce.device.bulk.entropy import BulkEntropy
from sottovoce.device.bulk.respond import respond_many
from sottovoce.device.bulk.samplers import coins, privatise

__all__ = ["BulkEntropy", "coins", "privatise", "respond", "respond_many", "samplers"]
