"""k-ary response with soft edges: within ε, and a dithered cut."""

from __future__ import annotations

import numpy as np
import pytest

from sottovoce.design import MOST_STEPS, central, k_ary, one_bit
from sottovoce.messages import TICKS, Malformed, exact


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0])
@pytest.mark.parametrize(("bins", "steps"), [(2, 1), (3, 1), (3, 16), (5, 7), (11, 16)])
def test_a_soft_table_stays_within_epsilon(epsilon: float, bins: int, steps: int) -> None:
    table = central(epsilon, bins, steps)
    assert table.epsilon_bound() <= exact(epsilon)
    assert len(table.rows) == (bins - 2) * steps + 2 and table.cells == bins
    assert set(table.rows) == set(k_ary(epsilon, bins).rows), "every node is in one of the bins"


def test_two_bins_are_the_one_bit_table() -> None:
    assert central(1.0, 2, 1).rows == one_bit(1.0).rows


def test_an_edge_is_moved_by_a_uniform_amount() -> None:
    table, rows = central(1.5, 3, 4), np.array(k_ary(1.5, 3).probabilities)
    for edge, (left, right) in ((0.5, rows[:2]), (4.5, rows[1:])):  # edges lie midway between two nodes
        for part in (0.0, 0.25, 0.5, 1.0):
            place = round((edge - 0.5 + part) * TICKS)
            assert table.marginals(place) == pytest.approx((1 - part) * left + part * right)


def test_bins_and_steps_have_limits() -> None:
    for bins, steps in ((1, 1), (3, 0), (3, MOST_STEPS + 1)):
        with pytest.raises(Malformed, match="central bins"):
            central(1.0, bins, steps)
