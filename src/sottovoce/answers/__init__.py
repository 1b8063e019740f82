"""What comes out: one file a kind of answer, with its intervals, its words and its pictures."""

from __future__ import annotations

from sottovoce.answers.bands import Measured, cosines, rest_of_ends, sizes
from sottovoce.answers.base import Answer, Privacy, StandardError
from sottovoce.answers.cdf import CdfEstimate
from sottovoce.answers.collection import Collection
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.cover import Choice, CoverEstimate
from sottovoce.answers.curve import Curve
from sottovoce.answers.density import DensityEstimate, waves
from sottovoce.answers.drawing import Mark, Marks, Ribbon, drawing, drawn_number
from sottovoce.answers.grouped import EVERYBODY, Group, GroupedEstimate
from sottovoce.answers.histogram import HistogramEstimate, Ranked
from sottovoce.answers.intervals import part, percent, two_sided, upper_tail, within
from sottovoce.answers.lines import Line, line, told
from sottovoce.answers.mixture import MixtureEstimate
from sottovoce.answers.number import Estimate
from sottovoce.answers.pictures import aligned, new_axes
from sottovoce.answers.plain import to_plain
from sottovoce.answers.quantiles import QuantilesEstimate, level_name
from sottovoce.answers.range import RangeEstimate
from sottovoce.answers.reading import KINDS, read
from sottovoce.answers.rehearsal import Rehearsal
from sottovoce.answers.several import Answers
from sottovoce.answers.sparse import SparseEstimate
from sottovoce.answers.vector import VectorEstimate
from sottovoce.answers.words import AT_ENDS, CLAMPED, FOUND_ENDS, RANGE_WRONG, by_method, decimals

__all__ = [
    "AT_ENDS",
    "CLAMPED",
    "EVERYBODY",
    "FOUND_ENDS",
    "KINDS",
    "RANGE_WRONG",
    "Answer",
    "Answers",
    "CdfEstimate",
    "Choice",
    "Collection",
    "Colluders",
    "CoverEstimate",
    "Curve",
    "DensityEstimate",
    "Estimate",
    "Group",
    "GroupedEstimate",
    "HistogramEstimate",
    "Line",
    "Mark",
    "Marks",
    "Measured",
    "MixtureEstimate",
    "Privacy",
    "QuantilesEstimate",
    "RangeEstimate",
    "Ranked",
    "Rehearsal",
    "Ribbon",
    "SparseEstimate",
    "StandardError",
    "VectorEstimate",
    "aligned",
    "by_method",
    "cosines",
    "decimals",
    "drawing",
    "drawn_number",
    "level_name",
    "line",
    "new_axes",
    "part",
    "percent",
    "read",
    "rest_of_ends",
    "sizes",
    "to_plain",
    "told",
    "two_sided",
    "upper_tail",
    "waves",
    "within",
]
