"""`auto` means the same everywhere: a survey, a call, a plan and an explanation run the same method."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.problems import choose, named
from sottovoce.risk import Crowd
from tests.support import reason

SIZES = [20, 60, 150, 400, 1000, 3000, 10_000, 100_000, 1_000_000]
OBSERVATIONS = [1, 5, 20, 100, 1000]
EPSILONS = [0.1, 0.5, 1.0, 1.5, 2.0, 4.0]
MEANS = [
    {"low": low, "high": high, "users": n, "observations": T, "epsilon": epsilon}
    for (low, high), sizes in (((-1.0, 1.0), SIZES), ((1.0, 5.0), [150, 3000]))
    for n, T, epsilon in itertools.product(sizes, OBSERVATIONS, EPSILONS)
]
OTHERS = [
    *(
        ("vector", {"users": n, "observations": T, "epsilon": epsilon, "dimension": d} | more)
        for n, T, epsilon, d, more in itertools.product(
            [100, 3000, 50_000], [5, 200], [0.5, 2.0, 4.0], [3, 8], [{"low": 0.0, "high": 2.0}, {"radius": 1.0}]
        )
    ),
    *(
        ("sparse", {"users": n, "observations": T, "epsilon": epsilon, "dimension": d, "sparsity": 3})
        for n, T, epsilon, d in itertools.product([300, 4000, 100_000], [20, 200], [0.5, 2.0, 4.0], [20, 60])
    ),
    *(
        ("density", {"users": n, "observations": T, "epsilon": epsilon, "low": 0.0, "high": 1.0})
        for n, T, epsilon in itertools.product([50, 300, 2000, 5000, 50_000, 10**6], [5, 50, 500], [0.5, 1.0, 2.0, 4.0])
    ),
    *(
        ("mixture", {"users": n, "observations": T, "epsilon": 2.0, "low": 0.0, "high": 1.0, "components": m})
        for n, T, m in itertools.product([300, 3000, 30_000], [500, 5000], [1, 2])
    ),
]
SMALL_DENSITY = {"users": 732, "observations": 6, "epsilon": 0.247, "low": 0.0, "high": 1.0}
SMALL_VECTOR = {"users": 22, "observations": 189, "epsilon": 0.126, "dimension": 6, "radius": 1.0}
ALL = [("mean", settings) for settings in MEANS] + OTHERS


def test_there_are_enough() -> None:
    assert len(ALL) >= 500
    assert len({name for name, _ in ALL}) == 5


@pytest.mark.parametrize("part", range(10))
def test_a_survey_and_its_plan_run_the_same(part: int) -> None:
    for name, settings in ALL[part::10]:
        survey = named(name).settings(**settings)
        planned = sv.plan(problem=name, **settings)
        assert choose(survey).settings == planned.protocol
        assert survey.decide(()) == planned.protocol.decide(())


@pytest.mark.parametrize("name, data, more", [
    ("mean", np.linspace(0, 1, 600).reshape(200, 3), {"low": 0.0, "high": 1.0}),
    ("vector", np.linspace(0, 1, 1200).reshape(200, 3, 2), {"low": 0.0, "high": 1.0}),
    ("sparse", np.linspace(0, 1, 2400).reshape(200, 3, 4), {"sparsity": 1}),
    ("density", np.linspace(0, 1, 600).reshape(200, 3), {"low": 0.0, "high": 1.0}),
])  # fmt: skip
def test_a_call_runs_what_the_plan_says(name: str, data: Any, more: dict[str, Any]) -> None:
    problem = named(name)
    answer = getattr(sv, problem.function)(data, epsilon=2.0, seed=1, **more)
    numbers: dict[str, Any] = {"users": 200, "observations": 3, "epsilon": 2.0}
    if data.ndim == 3:
        numbers["dimension"] = data.shape[2]
    planned = sv.plan(problem=name, **numbers, **more)
    assert answer.method.startswith(planned.method)
    why = planned.chosen.why
    assert answer.reason == (f"auto takes {planned.method}" if why is None else reason(planned.chosen))
    assert why is None or answer.chosen == why


@pytest.mark.parametrize("part", range(6))
def test_auto_leaves_the_simplest_only_for_what_pays(part: int) -> None:
    """By its own predictions, never worse than the simplest as it is by name, and near the best if it stays with it."""
    crowd, compared = Crowd(), 0
    for name, settings in [*ALL, ("density", SMALL_DENSITY), ("vector", SMALL_VECTOR)][part::6]:
        problem = named(name)
        taken = choose(problem.settings(**settings)).predict(crowd).mse
        for method in problem.automatic:
            try:
                asked = problem.settings(**settings, method=method)
            except sv.InvalidInput:
                continue
            pays = 1.0 if method == problem.automatic[0] else problem.pays
            expected = problem.method(method).method_that_runs(asked).expected_error(asked, crowd).mse
            assert pays * taken <= expected * (1 + 1e-9), (name, settings, method)
            compared += 1
    assert compared > 80


def test_one_survey_written_twice_decides_the_same_bytes() -> None:
    first = sv.Mean(epsilon=1, low=0, high=1, users=3000, observations=20)
    second = sv.Mean(epsilon=1.0, low=0.0, high=1.0, users=3000, observations=20)
    answers = [sv.run(one, sv.simulate(sv.collections(np.full((3000, 2), 0.3)), seed=1)) for one in (first, second)]
    assert answers[0].to_json() == answers[1].to_json()
    assert repr(first) == repr(second)
