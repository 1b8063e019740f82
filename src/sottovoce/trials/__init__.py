"""Surveys tried out many times, on made-up users or on those of a file."""

from __future__ import annotations

from sottovoce.trials.comparison import check_method, compare, every_method, survey
from sottovoce.trials.result import (
    Comparison,
    Performance,
    Ratio,
    paired_ratio,
    performance,
)
from sottovoce.trials.users_and_truth import MadeUp, Observed, Population, has_truth, truth_about, user_means

__all__ = [
    "Comparison",
    "MadeUp",
    "Observed",
    "Performance",
    "Population",
    "Ratio",
    "check_method",
    "compare",
    "every_method",
    "has_truth",
    "paired_ratio",
    "performance",
    "survey",
    "truth_about",
    "user_means",
]
