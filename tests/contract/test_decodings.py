"""Decodings are unbiased at every node of a question, or the contract is broken."""

from __future__ import annotations

from typing import Any

import pytest

import sottovoce as sv
from laboratory.mutants.tails import TAIL_MUTANTS, TailMutant
from sottovoce.checks import ContractError, check_protocol
from tests.support import uniform_people


def survey(**more: Any) -> sv.Mean:
    given: dict[str, Any] = {"low": 0.0, "high": 3.0, "epsilon": 2.0, "users": 400, "observations": 3}
    return sv.Mean(**given | {"method": "adaptive"} | more)


@pytest.mark.parametrize("epsilon", [0.6, 2.0, 8.0])
def test_of_a_mean_they_are(epsilon: float) -> None:
    assert check_protocol(survey(epsilon=epsilon), uniform_people(400, 3), epsilon=epsilon) >= 2


@pytest.mark.parametrize(
    "mutant", [pytest.param(one, id=one.name) for one in TAIL_MUTANTS if one.seen_by == "contract"]
)
def test_those_that_are_broken_on_purpose_are_seen(mutant: TailMutant) -> None:
    with mutant.broken(), pytest.raises(ContractError, match=r"decoded without bias|number"):
        check_protocol(survey(), uniform_people(400, 3), epsilon=2.0)
