"""Ways to get a question answered, each one function from a question to a tally; and `verify`, which asks nobody."""

from __future__ import annotations

from sottovoce.engines.local_devices import People, Seats, local, shuffled
from sottovoce.engines.replay import answer_from_tallies
from sottovoce.engines.simulation import SeededWords, simulate
from sottovoce.engines.stored_reports import OTHER, ColumnEngine, stored
from sottovoce.engines.survey_loop import Ask, questions_of, rounds_of, run
from sottovoce.engines.verification import Verdict, verify

__all__ = [
    "OTHER",
    "Ask",
    "ColumnEngine",
    "People",
    "Seats",
    "SeededWords",
    "Verdict",
    "answer_from_tallies",
    "local",
    "questions_of",
    "rounds_of",
    "run",
    "shuffled",
    "simulate",
    "stored",
    "verify",
]
