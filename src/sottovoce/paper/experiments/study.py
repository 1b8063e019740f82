"""What the two real-data figures share: rows, claims and panels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper import ours
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import real
from sottovoce.paper.fast.univariate import summary
from sottovoce.paper.figure import Cell, Rows
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean

PLAIN = real.PLAIN
LINES = {"full item": "-.", "user level": "-", "semi user": "--", "one item": ":"}


def rows(cell: Cell, stream: Generator, ones: np.ndarray, groups: np.ndarray) -> Rows:
    """Mean squared errors of one cell, the truth being the share over all observations of all users."""
    T, count = cell["T"], cell["repetitions"]
    if cell.get("series"):
        errors = by_default(cell, stream, ones, groups)
    elif cell["panel"] == "one":
        errors = real.one_share(stream, ones[:, :T], float(ones.mean()), count)
    else:
        errors = real.four_shares(stream, groups[:, :T], shares_of(groups), count)
    return [
        {"panel": cell["panel"], "T": T, "alpha": alpha, "scheme": scheme} | summary(error)
        for (scheme, alpha), error in errors.items()
    ]


def shares_of(groups: np.ndarray) -> np.ndarray:
    """Of the four groups, over all observations."""
    return np.asarray(np.bincount(groups.ravel(), minlength=4) / groups.size)


def by_default(cell: Cell, stream: Generator, ones: np.ndarray, groups: np.ndarray) -> real.Errors:
    """Squared errors of our defaults: a mean of 2x − 1 on [−1, 1] as the paper's method has it, or a histogram."""
    T, count, (users, _) = cell["T"], cell["repetitions"], ones.shape
    errors: real.Errors = {}
    for alpha in ALPHAS:
        declared: dict[str, Any] = {"epsilon": alpha, "users": users, "observations": T}
        if cell["panel"] == "one":
            survey = ours.survey_of(Mean, low=-1.0, high=1.0, **declared)
            held = 2 * ones[:, :T].mean(axis=1) - 1
            found = [(answer.value + 1) / 2 - ones.mean() for answer in ours.answers(survey, [held] * count, stream)]
            errors[ours.DEFAULT, alpha] = np.array(found) ** 2
        else:
            survey = ours.survey_of(Histogram, categories=("1", "2", "3", "4"), **declared)
            values = np.array([answer.value for answer in ours.answers_of(survey, groups[:, :T], stream, count)])
            errors[ours.DEFAULT, alpha] = ((values - shares_of(groups)) ** 2).sum(axis=1)
    return errors
