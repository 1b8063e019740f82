"""Surveys tried out many times, on made-up users or on those of a file."""

from __future__ import annotations

from sottovoce.trials.comparison import compare
from sottovoce.trials.methods import check_method, every_method, survey
from sottovoce.trials.populations import MadeUp, Observed, Population, stream
from sottovoce.trials.ratios import Ratio, paired_ratio
from sottovoce.trials.repetitions import Performance, mean, performance, standard_error
from sottovoce.trials.result import Comparison
from sottovoce.trials.rows import Row
from sottovoce.trials.tables import Table
from sottovoce.trials.truth import tellable, truth_about, user_means

__all__ = [
    "Comparison",
    "MadeUp",
    "Observed",
    "Performance",
    "Population",
    "Ratio",
    "Row",
    "Table",
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
