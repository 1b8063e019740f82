"""What counts of symbols can be: shared by the channels whose tallies count."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def impossible_counts(reports: NDArray[Any], cells: NDArray[Any], *, total: int | None) -> str | None:
    """Why these counts cannot be, in words, or None.

    Each count lies between 0 and the group's number of answers; the counts of a group sum to `total` times that
    number, where a total is known.
    """
    outside = ((cells < 0) | (cells > reports[:, None])).any(axis=1)
    if outside.any():
        group = int(np.argmax(outside))
        row = cells[group]
        worst = int(row.min()) if row.min() < 0 else int(row.max())
        return f"group {group} counts a symbol {worst} times; expected 0 to {reports[group]}, its number of answers"
    if total is None:
        return None
    small = int(reports.max()) * cells.shape[1] < 2**63
    sums = (cells if small else cells.astype(object)).sum(axis=1)
    wrong = sums != total * (reports if small else reports.astype(object))
    if wrong.any():
        group = int(np.argmax(wrong))
        return (
            f"the counts of group {group} sum to {sums[group]}; "
            f"expected {total * int(reports[group])} for {reports[group]} answers"
        )
    return None
