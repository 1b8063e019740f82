"""Whom a trial asks, from settings and data: made-up users, or those at hand with the truth looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sottovoce.data import in_memory
from sottovoce.problems import Problem, described
from sottovoce.rehearsal import Request, prepare, typical
from sottovoce.trials import MadeUp, Observed, Population

FROM_DATA = ("users", "dimension", "observations")
"""Settings that data say by themselves."""


def of_users(problem: Problem[Any]) -> tuple[str, ...]:
    """Options that say how made-up users are; settings of the same name declare it, and a trial declares nothing."""
    return tuple(field.name for field in described(problem.world))


def made_up(
    problem: Problem[Any], settings: dict[str, Any], options: dict[str, Any]
) -> tuple[Population, dict[str, Any]]:
    """Users of the problem's world, drawn afresh in every repetition; and the settings to ask them with."""
    world = problem.world(settings=problem.settings(**settings), **options)
    return MadeUp(world=world), settings


def observed(
    problem: Problem[Any],
    data: Any,
    settings: dict[str, Any],
    *,
    name: str,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
) -> tuple[Population, dict[str, Any]]:
    """The users of the data, the same in every repetition; and the settings to ask them with."""
    prepared = prepare(Request.of(problem.name, data, user=user, value=value, **settings), held=True)
    people, survey = in_memory(prepared.people), prepared.survey
    each = getattr(survey, "observations", None) or typical(people)
    found = Observed.of(problem, people, name=name, observations=each, survey=survey)
    taken = {field.name for field in described(problem.settings)}
    settings = prepared.settings | {one: getattr(survey, one) for one in FROM_DATA if one in taken}
    low, high = getattr(survey, "low", None), getattr(survey, "high", None)
    return (found if low is None or problem.truth is not None else found.outside(low, high)), settings
