"""The least n·Var/s² that ε leaves: against the table of what linear programmes found, and against one solved here."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.theory import central_cuts, limit

KNOWN = {0.5: 26.19, 1: 7.356, 1.5: 3.894, 2: 2.708, 2.5: 2.028, 3: 1.685, 4: 1.331, 6: 1.089, 8: 1.025}
BELL = NormalDist()


@pytest.mark.parametrize("epsilon, known", KNOWN.items())
def test_known_values(epsilon: float, known: float) -> None:
    assert limit(epsilon) == pytest.approx(known, rel=0.001)


def staircase_limit(epsilon: float, cells: int) -> float:
    """The best channel whose columns take two values: each is high on an interval of cells, or on all but one."""
    from scipy.optimize import linprog

    edges = [1.3 * BELL.inv_cdf(place / cells) for place in range(1, cells)]
    mass = np.diff([0.0, *map(BELL.cdf, edges), 1.0])
    slope = np.diff([0.0, *map(BELL.pdf, edges), 0.0])
    inside = np.zeros((cells * (cells + 1) // 2, cells))
    for row, (start, stop) in zip(inside, itertools.combinations(range(cells + 1), 2), strict=True):
        row[start:stop] = 1.0
    columns = 1 + math.expm1(epsilon) * np.vstack((inside, 1 - inside))
    found = linprog(-((columns @ slope) ** 2) / (columns @ mass), A_eq=columns.T, b_eq=np.ones(cells))
    return float(-1 / found.fun)


@pytest.mark.parametrize("epsilon", [0.7, 1.8, 2.2, 3.5, 5.0])
def test_no_staircase_does_better(epsilon: float) -> None:
    """Cells are a little coarse for a limit, so that the programme may end up slightly above."""
    assert limit(epsilon) == pytest.approx(staircase_limit(epsilon, 24), rel=0.004)
    assert limit(epsilon) <= staircase_limit(epsilon, 24) * 1.001


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5, 4.0, 8.0])
def test_the_cuts_reach_the_limit(epsilon: float) -> None:
    """The information in k-ary response on the bins, from finite differences of its law."""
    cuts = central_cuts(epsilon)
    assert cuts == pytest.approx([-cut for cut in reversed(cuts)], abs=1e-9)

    def law(shift: float) -> np.ndarray:
        share = np.diff([0.0, *(BELL.cdf(cut - shift) for cut in cuts), 1.0])
        return (1 + math.expm1(epsilon) * share) / (math.expm1(epsilon) + len(share))

    slope = (law(1e-4) - law(-1e-4)) / 2e-4
    assert 1 / (slope**2 / law(0.0)).sum() == pytest.approx(limit(epsilon), rel=1e-5)


def test_where_the_cuts_lie() -> None:
    assert central_cuts(0.1) == central_cuts(2.0) == (0.0,)
    assert 0.4 < central_cuts(2.5)[1] < 0.5 and len(central_cuts(2.5)) == 2
    assert len(central_cuts(4.0)) == 4 and 0.24 < central_cuts(4.0)[2] < 0.3


def test_it_falls_towards_what_no_privacy_costs() -> None:
    values = [limit(epsilon) for epsilon in np.arange(0.2, 16.2, 0.2)]
    assert all(later < earlier for earlier, later in itertools.pairwise(values))
    assert 1 < limit(16) < 1.001 and 1 < limit(1000) < 1.001
    with pytest.raises(sv.InvalidInput, match="epsilon must lie"):
        limit(0.0)


def test_the_table_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "theory.md").read_text(encoding="utf-8")
    numbers = " | ".join(f"{limit(epsilon):#.4g}" for epsilon in KNOWN)
    bins = " | ".join(str(len(central_cuts(epsilon)) + 1) for epsilon in KNOWN)
    assert f"| `limit` | {numbers} |" in text
    assert f"| bins | {bins} |" in text
