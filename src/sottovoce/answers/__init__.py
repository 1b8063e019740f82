"""What comes out: one file a kind of answer, with its intervals, its words and its pictures."""

from __future__ import annotations

from sottovoce.answers.base import Answer, Privacy, StandardError, decimals
from sottovoce.answers.cover import Choice, CoverEstimate
from sottovoce.answers.density import DensityEstimate
from sottovoce.answers.intervals import two_sided, upper_tail, within
from sottovoce.answers.mixture import MixtureEstimate
from sottovoce.answers.number import Estimate
from sottovoce.answers.sparse import SparseEstimate
from sottovoce.answers.vector import VectorEstimate

__all__ = [
    "Answer",
    "Choice",
    "CoverEstimate",
    "DensityEstimate",
    "Estimate",
    "MixtureEstimate",
    "Privacy",
    "SparseEstimate",
    "StandardError",
    "VectorEstimate",
    "decimals",
    "two_sided",
    "upper_tail",
    "within",
]
