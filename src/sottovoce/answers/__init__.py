"""What comes out, as facts: one file a kind of answer, with its intervals and its pictures."""

from __future__ import annotations

from sottovoce.answers.bands import Measured, cosines, rest_of_ends, sizes
from sottovoce.answers.base import GUARDED, WHOLE_COLLECTION, Answer, Privacy, StandardError, causes, check_lengths
from sottovoce.answers.cdf import CdfEstimate
from sottovoce.answers.chosen import Assumes, Chosen, ChosenBy, Compared
from sottovoce.answers.collection import Collection
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.cover import Choice, CoverEstimate
from sottovoce.answers.curve import Curve
from sottovoce.answers.density import DensityEstimate, waves
from sottovoce.answers.format1 import facts
from sottovoce.answers.grouped import EVERYBODY, Group, GroupedEstimate
from sottovoce.answers.histogram import HistogramEstimate, Ranked
from sottovoce.answers.intervals import two_sided, upper_tail, within
from sottovoce.answers.lines import Line, fixed, fixed_ends, key, line, table, told
from sottovoce.answers.mixture import MixtureEstimate
from sottovoce.answers.notes import AtEnd, Looks, Note, NoteCode, Severity, Stated
from sottovoce.answers.number import Estimate
from sottovoce.answers.plain import from_plain, to_plain
from sottovoce.answers.quantiles import QuantilesEstimate, level_name
from sottovoce.answers.range import RangeEstimate
from sottovoce.answers.reading import read
from sottovoce.answers.rehearsal import Rehearsal
from sottovoce.answers.several import Answers
from sottovoce.answers.sparse import SparseEstimate
from sottovoce.answers.vector import VectorEstimate

__all__ = [
    "EVERYBODY",
    "GUARDED",
    "WHOLE_COLLECTION",
    "Answer",
    "Answers",
    "Assumes",
    "AtEnd",
    "CdfEstimate",
    "Choice",
    "Chosen",
    "ChosenBy",
    "Collection",
    "Colluders",
    "Compared",
    "CoverEstimate",
    "Curve",
    "DensityEstimate",
    "Estimate",
    "Group",
    "GroupedEstimate",
    "HistogramEstimate",
    "Line",
    "Looks",
    "Measured",
    "MixtureEstimate",
    "Note",
    "NoteCode",
    "Privacy",
    "QuantilesEstimate",
    "RangeEstimate",
    "Ranked",
    "Rehearsal",
    "Severity",
    "SparseEstimate",
    "StandardError",
    "Stated",
    "VectorEstimate",
    "causes",
    "check_lengths",
    "cosines",
    "facts",
    "fixed",
    "fixed_ends",
    "from_plain",
    "key",
    "level_name",
    "line",
    "read",
    "rest_of_ends",
    "sizes",
    "table",
    "to_plain",
    "told",
    "two_sided",
    "upper_tail",
    "waves",
    "within",
]
