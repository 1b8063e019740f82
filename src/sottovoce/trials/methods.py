"""Methods and baselines by name, as surveys."""

from __future__ import annotations

from typing import Any

from sottovoce.baselines import Baseline, baselines
from sottovoce.methods import check_choice
from sottovoce.problems import Problem


def every_method(problem: Problem[Any]) -> tuple[str, ...]:
    """The methods of a problem, and the baselines they are compared with."""
    return (*problem.method_names, *(one.name for one in baselines() if one.problem == problem.name))


def check_method(problem: Problem[Any], method: str) -> None:
    """Refuse a name that is neither, and say which there are."""
    check_choice("method", method, every_method(problem))


def survey(problem: Problem[Any], method: str, settings: dict[str, Any]) -> Any:
    """A survey by the name of its method, or of a baseline made of what it has in common with the settings."""
    if method in problem.method_names:
        return problem.settings(**settings, method=method)
    return _baseline(problem, method).like(problem.settings(**settings))


def as_the_problem_answers(problem: Problem[Any], method: str, settings: dict[str, Any], found: Any) -> Any:
    """The answer of a method as it is, that of a baseline as an answer of the problem."""
    read = None if method in problem.method_names else _baseline(problem, method).read
    return found if read is None else read(found, problem.settings(**settings))


def _baseline(problem: Problem[Any], method: str) -> Baseline:
    check_method(problem, method)
    return next(one for one in baselines() if one.name == method and one.problem == problem.name)
