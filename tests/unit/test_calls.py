"""Calls are made from the registry, with what each problem declares."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import calls
from sottovoce.problems import described, problems


def test_there_is_a_function_for_each_problem_and_no_other():
    made = {problem.function for problem in problems()}
    assert made <= set(calls.__all__) <= made | {"Ask", "ask", "compare", "made_up", "observed", "of_users", "several"}
    assert not hasattr(calls, "median")


def test_a_function_is_found_by_its_name():
    assert (sv.mean.__module__, sv.mean.__qualname__) == ("sottovoce.calls", "mean")
    assert pickle.loads(pickle.dumps(sv.mean)) is sv.mean  # noqa: S301 - our own bytes
    assert "epsilon: 'float'" in str(inspect.signature(sv.mean)) and "epsilon" in sv.mean.__annotations__


def test_what_a_call_does_not_take_is_a_type_error():
    with pytest.raises(TypeError, match=r"^mean\(\) got an unexpected keyword argument 'hihg'$"):
        sv.mean([[1.0]], low=0, hihg=1, epsilon=1.0)
    with pytest.raises(TypeError, match=r"^mean\(\) missing a required .*argument: 'epsilon'$"):
        sv.mean([[1.0]], low=0, high=1)
    with pytest.raises(TypeError, match=r"^mean\(\) too many positional arguments$"):
        sv.mean([[1.0]], 1.0)


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_a_call_takes_every_setting_with_its_default(problem):
    signature = inspect.signature(getattr(sv, problem.function))
    looked_up = {"users", "dimension"}
    for field in described(problem.settings):
        if field.help.group == "hidden" or field.name in looked_up:
            continue
        default = signature.parameters[field.name].default
        if field.name in problem.call.options:  # the call words it itself: left out, it follows from other options
            assert default is None, field.name
            continue
        if field.required and field.name not in ("low", "high", "observations"):
            assert default is inspect.Parameter.empty
        else:
            assert default == (None if field.required else field.default), field.name


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises(sv.InvalidInput, match="seed must be a whole number"):
        sv.mean(np.zeros((20, 3)), low=0, high=1, epsilon=1.0, seed=seed)


def test_refusals_say_what_is_wrong() -> None:
    with pytest.raises(sv.InvalidInput, match="radius must be at least"):
        sv.vector_mean(np.zeros((20, 3, 2)), epsilon=1.0, radius=1e-300)
    with pytest.raises(sv.InvalidInput, match="declared twice"):
        sv.histogram([["a"], ["b"]], categories=["a", "a", "b"], epsilon=1.0)
    with pytest.raises(sv.InvalidInput, match="declare one of"):
        sv.histogram([["a"], ["x"]], categories=["a", "b"], low=0, high=1, bins=3, epsilon=1.0)
    for call in (sv.density, sv.mixture_means):
        with pytest.raises(sv.InvalidInput, match="low and high are needed"):
            call(np.zeros((5, 4)), epsilon=1.0)
        with pytest.raises(sv.InvalidInput, match="one value column; the data have 3"):
            call(np.zeros((5, 4, 3)), low=0, high=1, epsilon=1.0)
    with pytest.raises(sv.InvalidInput, match="more users are needed"):
        sv.sparse_mean(np.zeros((2, 3, 5)), epsilon=1.0)


def test_a_confidence_near_one_is_not_written_as_one() -> None:
    answer = sv.mean(np.full((200, 3), 0.5), low=0, high=1, epsilon=2.0, confidence=0.999, seed=1)
    assert "99.9%" in str(answer) and "100%" not in answer.summary()
