"""What an observer may look at in a report: the whole of it, where its numbers can lie, their lowest bits.

A feature sorts reports into cells. Cells are fixed on the first half of the samples; the second half is only counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.bounds import Floats

Cells = NDArray[np.int64]
Sorter = Callable[[Floats], Cells]

MOST_CELLS = 24
LOW_BITS = 4


def lowest_bit(values: Floats) -> Cells:
    """The place of the lowest bit that is set: −53 for a multiple of 2^-53 but not of 2^-52; 2,000 for zero.

    A sum of floats keeps only the bits that its larger part can hold, so this tells what noise was added to
    (Mironov 2012). For whole numbers it is the number of times they can be halved.
    """
    mantissa, exponent = np.frexp(np.where(np.isfinite(values), values, 0.0))
    whole = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
    trailing = np.bitwise_count((whole & -whole) - 1).astype(np.int64)
    return np.asarray(np.where(whole == 0, 2000, exponent.astype(np.int64) - 53 + trailing))


def low_bits(values: Floats) -> Cells:
    """The last bits of a whole number, or of the mantissa of any other."""
    whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**53)
    as_number = np.where(whole, values, 0.0).astype(np.int64)
    as_bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    return np.asarray(np.where(whole, as_number, as_bits + 0) & (2**LOW_BITS - 1))


def whole_report(sample: Floats) -> Sorter | None:
    """A cell for each report that was seen, when there are few; one more for all others."""
    if len(np.unique(sample[:, 0])) > MOST_CELLS:
        return None
    rows = np.unique(sample, axis=0)
    if len(rows) > MOST_CELLS:
        return None
    if sample.shape[1] == 1:
        return lambda values: np.searchsorted(rows[:, 0], values[:, 0], side="right").astype(np.int64)
    known = {row.tobytes(): place for place, row in enumerate(np.ascontiguousarray(rows))}

    def sort(values: Floats) -> Cells:
        found = (known.get(row.tobytes(), len(known)) for row in np.ascontiguousarray(values))
        return np.fromiter(found, dtype=np.int64, count=len(values))

    return sort


def likelihood(first: Floats, second: Floats) -> Sorter:
    """Cells of equal likelihood ratio between two samples, as if a report's numbers were independent of each other.

    A number's own ratio counts only where it is more than noise (three standard errors).
    """
    weights, sorters = [], []
    for column in range(first.shape[1]):
        sort = _grid(np.concatenate((first[:, column], second[:, column])))
        here, there = sort(first[:, column]), sort(second[:, column])
        size = int(max(here.max(), there.max())) + 2
        mine, yours = (np.bincount(one, minlength=size) + 0.5 for one in (here, there))
        ratio = np.log(mine / len(first)) - np.log(yours / len(second))
        weights.append(np.where(np.abs(ratio) > 3 * np.sqrt(1 / mine + 1 / yours), ratio, 0.0))
        sorters.append(sort)

    def score(values: Floats) -> Floats:
        total = np.zeros(len(values))
        for column, (sort, weight) in enumerate(zip(sorters, weights, strict=True)):
            total += weight[np.minimum(sort(values[:, column]), len(weight) - 1)]
        return total

    cuts = _grid(np.concatenate((score(first), score(second))))
    return lambda values: cuts(score(values))


def _grid(values: Floats) -> Sorter:
    """A cell for each number when there are few, else 64 cells with as many numbers each."""
    distinct = np.unique(values)
    if len(distinct) > 64:
        distinct = np.unique(np.quantile(values, np.linspace(0, 1, 65)[1:-1]))
    return lambda given: np.searchsorted(distinct, given, side="right").astype(np.int64)


def by_number(feature: Callable[[Floats], Cells]) -> Callable[[Floats], Sorter]:
    """A feature of the first number of a report, as a sorter with cells 0 … k."""

    def fit(sample: Floats) -> Sorter:
        seen = np.unique(feature(sample[:, 0]))
        return lambda values: np.searchsorted(seen, feature(values[:, 0]), side="right").astype(np.int64)

    return fit
