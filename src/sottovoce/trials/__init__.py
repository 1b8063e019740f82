"""Surveys tried out many times, on made-up users or on those of a file."""

from __future__ import annotations

from sottovoce.trials.comparison import Row, compare, every_method, survey
from sottovoce.trials.populations import MadeUp, Observed, Population, stream, tellable
from sottovoce.trials.repetitions import Performance, mean, performance, standard_error

__all__ = [
    "MadeUp",
    "Observed",
    "Performance",
    "Population",
    "Row",
    "compare",
    "every_method",
    "mean",
    "performance",
    "standard_error",
    "stream",
    "survey",
    "tellable",
]
