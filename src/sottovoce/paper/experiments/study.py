"""What the two real-data figures share: rows, claims and panels."""

from __future__ import annotations

import numpy as np

from sottovoce.paper.fast import real
from sottovoce.paper.fast.univariate import summary
from sottovoce.paper.figure import Cell, Rows

PLAIN = real.PLAIN
LINES = {"full item": "-.", "user level": "-", "semi user": "--", "one item": ":"}


def rows(cell: Cell, stream: np.random.Generator, ones: np.ndarray, groups: np.ndarray) -> Rows:
    """Mean squared errors of one cell, the truth being the share over all observations of all users."""
    T, count = cell["T"], cell["repetitions"]
    if cell["panel"] == "one":
        errors = real.one_share(stream, ones[:, :T], float(ones.mean()), count)
    else:
        truth = np.bincount(groups.ravel(), minlength=4) / groups.size
        errors = real.four_shares(stream, groups[:, :T], truth, count)
    return [
        {"panel": cell["panel"], "T": T, "alpha": alpha, "scheme": scheme} | summary(error)
        for (scheme, alpha), error in errors.items()
    ]
