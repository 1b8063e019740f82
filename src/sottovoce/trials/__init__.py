"""Surveys tried out many times, on made-up users or on those of a file."""

from __future__ import annotations

from sottovoce.trials.comparison import check_method, compare, every_method, survey
from sottovoce.trials.result import (
    Comparison,
    Performance,
    Ratio,
    mean,
    paired_ratio,
    performance,
    standard_error,
)
from sottovoce.trials.users_and_truth import MadeUp, Observed, Population, stream, tellable, truth_about, user_means

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
    "mean",
    "paired_ratio",
    "performance",
    "standard_error",
    "stream",
    "survey",
    "tellable",
    "truth_about",
    "user_means",
]
