"""Ways to get a question answered. Each is one function from a question to a tally."""

from __future__ import annotations

from sottovoce.engines.local import local
from sottovoce.engines.run import Ask, questions_of, run
from sottovoce.engines.simulate import simulate
from sottovoce.engines.stored import stored

__all__ = ["Ask", "local", "questions_of", "run", "simulate", "stored"]
