"""Ways to get a question answered, each one function from a question to a tally; and `verify`, which asks nobody."""

from __future__ import annotations

from sottovoce.engines.columned import Columned
from sottovoce.engines.local import local
from sottovoce.engines.retold import retold
from sottovoce.engines.run import Ask, questions_of, rounds_of, run
from sottovoce.engines.seats import People, Seats, shuffled
from sottovoce.engines.simulate import SeededWords, simulate
from sottovoce.engines.stored import stored
from sottovoce.engines.unanswered import OTHER
from sottovoce.engines.verdict import Verdict
from sottovoce.engines.verify import verify

__all__ = [
    "OTHER",
    "Ask",
    "Columned",
    "People",
    "Seats",
    "SeededWords",
    "Verdict",
    "local",
    "questions_of",
    "retold",
    "rounds_of",
    "run",
    "shuffled",
    "simulate",
    "stored",
    "verify",
]
