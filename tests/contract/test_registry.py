"""Every problem of the registry keeps every promise, for every method and every example that it gives itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sottovoce.checks import ContractError, check_problem
from sottovoce.problems import Problem, problems

EPSILONS = (0.1, 0.3, 1.0, 3.7, 16.0)


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_the_contract_is_kept(problem: Problem[Any]) -> None:
    assert check_problem(problem, epsilons=EPSILONS) == len(EPSILONS) * len(problem.examples)
