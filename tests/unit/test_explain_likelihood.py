"""How much likelier a report is from one collection than from another, and what a device declines to send."""

import math

import numpy as np
import pytest

from sottovoce import design
from sottovoce.baselines import OneItem, SemiUser, SplitUser
from sottovoce.device import Collections
from sottovoce.explain import explained, send
from sottovoce.explain.question_explanation import inputs, relative_likelihood
from sottovoce.messages import (
    Average,
    Declined,
    Grid,
    Report,
)
from sottovoce.problems.mean import Mean
from tests.unit.test_explain import asked

UNIT = {"low": 0.0, "high": 1.0}


def test_a_device_with_a_low_cap_declines():
    survey = Mean(**UNIT, epsilon=1.0, users=50, observations=4)
    with pytest.raises(Declined):
        explained(survey, collection=[0.5], cap=0.5)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("make", [SemiUser, SplitUser, "one-round", "paper"], ids=str)
def test_relative_likelihood_is_the_ratio_of_the_law(make, epsilon):
    """Against the ratio that a channel's own integers give at the two ends of its inputs."""
    common = UNIT | {"epsilon": epsilon, "users": 100, "observations": 4}
    survey = Mean(**common, method=make) if isinstance(make, str) else make(**common)
    question = survey.decide(())
    low, high = (Collections.of_one([value] * 4) for value in (0.0, 1.0))
    sent = Report.from_bytes(send(question, low))
    from_low = relative_likelihood(question, sent, inputs(question, low))
    from_high = relative_likelihood(question, sent, inputs(question, high))
    # The extremes over all collections do not depend on whose report it is, so both views share one width.
    assert math.log(from_low[1] / from_low[0]) == pytest.approx(math.log(from_high[1] / from_high[0]))
    assert from_low[0] <= 1 + 1e-9 and from_low[1] >= 1 - 1e-9
    bound = math.exp(float(question.epsilon_bound()))
    assert from_low[1] / from_low[0] <= bound * (1 + 1e-9)


def test_a_coin_by_hand():
    question = OneItem(**UNIT, epsilon=1.0, users=10).decide(())
    span = question.channel.span
    for symbol in (0, 1):
        report = Report(question=question.digest, slot=0, payload=f"0{symbol}")
        at_low = relative_likelihood(question, report, np.array([0]))
        assert at_low == pytest.approx((1, math.e) if symbol else (math.exp(-1), 1))
        middle = relative_likelihood(question, report, np.array([span // 2]))
        assert middle == pytest.approx((2 / (1 + math.e), 2 * math.e / (1 + math.e)))


def test_a_subset_by_hand():
    channel = design.subset(1.0, 6)
    question = asked(Average(), Grid(low=(0.0,), high=(1.0,), count=6), channel)
    ratio = math.exp(float(channel.epsilon_bound()))
    report = Report(question=question.digest, slot=7, payload="".join(f"{index:04x}" for index in range(channel.size)))
    assert relative_likelihood(question, report, np.array([0])) == pytest.approx((1 / ratio, 1))
    assert relative_likelihood(question, report, np.array([5])) == pytest.approx((1, ratio))
