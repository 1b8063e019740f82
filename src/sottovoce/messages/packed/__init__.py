"""Reports of many slots in their packed form: which rows no device could have sent, and what the others add up to."""

from __future__ import annotations

from sottovoce.messages.packed.counting import cells_of
from sottovoce.messages.packed.faults import COPY, DIFFERENT, NOT_ASKED, REASONS, faults, refusal

__all__ = ["COPY", "DIFFERENT", "NOT_ASKED", "REASONS", "cells_of", "faults", "refusal"]
