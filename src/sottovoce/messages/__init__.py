"""What travels: questions, reports, tallies. Frozen, versioned, canonical; no randomness, no raw data."""

from __future__ import annotations

from sottovoce.messages.aside import SetAside
from sottovoce.messages.channels import Channel, Laplace, Subset, Table, Unary
from sottovoce.messages.errors import Declined, InvalidInput, Malformed, MissingExtra, SottovoceError
from sottovoce.messages.placements import Bins, Grid, Placement, Position
from sottovoce.messages.question import Encoder, Question, Slots
from sottovoce.messages.report import Batch, Report
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

__all__ = [
    "Average",
    "Basis",
    "Batch",
    "Bins",
    "Channel",
    "Declined",
    "Each",
    "Encoder",
    "Grid",
    "Hashed",
    "InvalidInput",
    "Item",
    "Laplace",
    "Malformed",
    "MissingExtra",
    "Nearest",
    "Placement",
    "Position",
    "Question",
    "Report",
    "Residual",
    "Rotated",
    "SetAside",
    "Share",
    "Slots",
    "SottovoceError",
    "Statistic",
    "Subset",
    "Table",
    "Tally",
    "Unary",
]
