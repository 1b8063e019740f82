"""What travels: questions, reports, tallies, estimates. Frozen, versioned, canonical; no randomness, no raw data."""

from __future__ import annotations

from sottovoce.messages.aside import SetAside
from sottovoce.messages.channels import Channel, Laplace, Subset, Table, Unary
from sottovoce.messages.cover_estimate import Choice, CoverEstimate
from sottovoce.messages.density_estimate import DensityEstimate
from sottovoce.messages.errors import Declined, InvalidInput, Malformed, MissingExtra, SottovoceError
from sottovoce.messages.estimate import Answer, Estimate, Privacy, StandardError
from sottovoce.messages.mixture_estimate import MixtureEstimate
from sottovoce.messages.placements import Bins, Grid, Placement, Position
from sottovoce.messages.question import Encoder, Question, Slots
from sottovoce.messages.report import Batch, Report
from sottovoce.messages.sparse_estimate import SparseEstimate
from sottovoce.messages.statistics import (
    Average,
    Basis,
    Each,
    Hashed,
    Item,
    Nearest,
    Residual,
    Rotated,
    Share,
    Statistic,
)
from sottovoce.messages.tally import Tally
from sottovoce.messages.vector_estimate import VectorEstimate

__all__ = [
    "Answer",
    "Average",
    "Basis",
    "Batch",
    "Bins",
    "Channel",
    "Choice",
    "CoverEstimate",
    "Declined",
    "DensityEstimate",
    "Each",
    "Encoder",
    "Estimate",
    "Grid",
    "Hashed",
    "InvalidInput",
    "Item",
    "Laplace",
    "Malformed",
    "MissingExtra",
    "MixtureEstimate",
    "Nearest",
    "Placement",
    "Position",
    "Privacy",
    "Question",
    "Report",
    "Residual",
    "Rotated",
    "SetAside",
    "Share",
    "Slots",
    "SottovoceError",
    "SparseEstimate",
    "StandardError",
    "Statistic",
    "Subset",
    "Table",
    "Tally",
    "Unary",
    "VectorEstimate",
]
