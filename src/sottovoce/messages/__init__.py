"""What travels: questions, reports, tallies. Frozen, versioned, canonical; no randomness, no raw data."""

from __future__ import annotations

from sottovoce.messages.aside import SetAside
from sottovoce.messages.canonical import digest
from sottovoce.messages.channels import Channel, Laplace, Subset, Table, Unary
from sottovoce.messages.channels.laplace import ONE_WIDE, STEPS
from sottovoce.messages.channels.table import ONE, TICKS
from sottovoce.messages.codec import from_plain, to_plain
from sottovoce.messages.errors import Declined, InvalidInput, Malformed, MissingExtra, SottovoceError
from sottovoce.messages.exact import exact, exp_below, log_above, log_below
from sottovoce.messages.limits import (
    MAX_CHANNEL_EPSILON,
    MAX_EPSILON,
    MAX_GROUPS,
    MAX_ITEMS,
    MAX_LEDGER_ANSWERS,
    MAX_LEDGER_BYTES,
    MAX_QUESTION_BYTES,
    MAX_REPORT_BYTES,
    MAX_SEED,
    MAX_USES,
    MAX_WAVES,
    MAX_WORK,
    MIN_EPSILON,
    check,
    check_epsilon,
    check_price,
    check_range,
)
from sottovoce.messages.placements import Bins, Grid, Placement, Position
from sottovoce.messages.public import hadamard_rows, rotation_signs, signs, walsh_hadamard
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
    "MAX_CHANNEL_EPSILON",
    "MAX_EPSILON",
    "MAX_GROUPS",
    "MAX_ITEMS",
    "MAX_LEDGER_ANSWERS",
    "MAX_LEDGER_BYTES",
    "MAX_QUESTION_BYTES",
    "MAX_REPORT_BYTES",
    "MAX_SEED",
    "MAX_USES",
    "MAX_WAVES",
    "MAX_WORK",
    "MIN_EPSILON",
    "ONE",
    "ONE_WIDE",
    "STEPS",
    "TICKS",
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
    "check",
    "check_epsilon",
    "check_price",
    "check_range",
    "digest",
    "exact",
    "exp_below",
    "from_plain",
    "hadamard_rows",
    "log_above",
    "log_below",
    "rotation_signs",
    "signs",
    "to_plain",
    "walsh_hadamard",
]
