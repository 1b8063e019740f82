"""What comes out, as facts: what every answer holds, and the kinds that several problems share."""

from __future__ import annotations

from sottovoce.answers.bands import Measured, cosines, omitted_wave_sums, sizes
from sottovoce.answers.base import (
    GUARDED,
    WHOLE_COLLECTION,
    Answer,
    Colluders,
    Line,
    Privacy,
    StandardError,
    causes,
    check_lengths,
    fixed,
    fixed_ends,
    key,
    line,
    lines_in_words,
    table,
)
from sottovoce.answers.collection import Collection, Rehearsal
from sottovoce.answers.interval_statistics import (
    UNIT,
    Falls,
    interval_allowing_for_empty,
    intervals_allowing_for_empty,
    two_sided,
    upper_quantile,
    upper_tail,
    within,
)
from sottovoce.answers.method_choice import Assumes, Chosen, ChosenBy, Compared
from sottovoce.answers.notes import ENDS, AtEnd, Looks, Note, NoteCode, Severity, StatedNumbers, touches
from sottovoce.answers.number import Estimate
from sottovoce.answers.plain import from_plain, to_plain
from sottovoce.answers.reader import facts, read
from sottovoce.answers.vector import Answers, VectorEstimate

__all__ = [
    "ENDS",
    "GUARDED",
    "UNIT",
    "WHOLE_COLLECTION",
    "Answer",
    "Answers",
    "Assumes",
    "AtEnd",
    "Chosen",
    "ChosenBy",
    "Collection",
    "Colluders",
    "Compared",
    "Estimate",
    "Falls",
    "Line",
    "Looks",
    "Measured",
    "Note",
    "NoteCode",
    "Privacy",
    "Rehearsal",
    "Severity",
    "StandardError",
    "StatedNumbers",
    "VectorEstimate",
    "causes",
    "check_lengths",
    "cosines",
    "facts",
    "fixed",
    "fixed_ends",
    "from_plain",
    "interval_allowing_for_empty",
    "intervals_allowing_for_empty",
    "key",
    "line",
    "lines_in_words",
    "omitted_wave_sums",
    "read",
    "sizes",
    "table",
    "to_plain",
    "touches",
    "two_sided",
    "upper_quantile",
    "upper_tail",
    "within",
]
