"""What the planner predicts is what the exact simulator shows (a fast run of benchmarks/plan_accuracy.py).

Fixed seed, so no false alarm from run to run. With 30 repetitions a ratio has a standard error of 13 %: a right
prediction leaves 0.7 … 1.5 in under 1 % of the settings, so that more than 5 % of 108 do so with a chance below 1e-3.
"""

import numpy as np
import pytest

from benchmarks.plan_accuracy import ratios, settings


@pytest.mark.law
@pytest.mark.slow
def test_predicted_halfwidths_are_those_of_the_simulator():
    found = np.array(ratios(settings(30, large=0), seed=1, first_rounds=1000))
    assert len(found) >= 100
    assert 0.9 <= np.median(found) <= 1.1
    assert ((found >= 0.7) & (found <= 1.5)).mean() >= 0.95
