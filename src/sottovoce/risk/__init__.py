"""How wrong an answer will be, and what colluders can do to it: each formula once."""

from __future__ import annotations

from sottovoce.risk.averages import ASSUMED_SPREAD, Averages, Crowd, crowd_fact
from sottovoce.risk.poisoning import (
    COLLUDING,
    Poisoning,
    capture_share,
    laplace_reach,
    reach_from,
    subset_reach,
    table_reach,
)
from sottovoce.risk.prediction import (
    CAUSES,
    Prediction,
    Widening,
    average,
    clamped_normal_mse,
    full_range_risk,
    laplace_variance,
    localised_risk,
    worst,
)
from sottovoce.risk.votes import winning_chances

__all__ = [
    "ASSUMED_SPREAD",
    "CAUSES",
    "COLLUDING",
    "Averages",
    "Crowd",
    "Poisoning",
    "Prediction",
    "Widening",
    "average",
    "capture_share",
    "clamped_normal_mse",
    "crowd_fact",
    "full_range_risk",
    "laplace_reach",
    "laplace_variance",
    "localised_risk",
    "reach_from",
    "subset_reach",
    "table_reach",
    "winning_chances",
    "worst",
]
