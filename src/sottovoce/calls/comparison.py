"""``sv.compare``: how good each method would be, on the same users at the same ε; and whom such a trial asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce.data import Dataset, Records, in_memory, refusing_reading_options
from sottovoce.messages import InvalidInput
from sottovoce.problems import Problem, described, named
from sottovoce.rehearsal import Request, fitting, prepare, typical
from sottovoce.trials import Comparison, MadeUp, Observed, Population, every_method
from sottovoce.trials import compare as side_by_side

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
    prepared = prepare(Request.of(problem, data, user=user, value=value, **settings), held=True)
    people, survey = in_memory(prepared.people), prepared.survey
    each = getattr(survey, "observations", None) or typical(people)
    population = Observed.of(problem, people, name=name, observations=each, survey=survey)
    taken = {field.name for field in described(problem.settings)}
    settings = prepared.settings | {one: getattr(survey, one) for one in FROM_DATA if one in taken}
    low, high = getattr(survey, "low", None), getattr(survey, "high", None)
    return (population if low is None or problem.call.truth is not None else population.outside(low, high)), settings


@refusing_reading_options
def compare(
    data: Any = None,
    *,
    problem: str = "mean",
    methods: Sequence[str] | None = None,
    epsilon: float | Sequence[float] = 1.0,
    repetitions: int = 100,
    seed: int = 1,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    progress: Callable[[], object] | None = None,
    **settings: Any,
) -> Comparison:
    """Compare methods and baselines on the same users, with the same seeds, at one budget or at several.

    With `data` (whatever `sv.mean` and its like take) the users are those of the data in every repetition, and the
    truth is the average over them. Without, users are made up and drawn afresh: `settings` then say how many (`users`,
    `observations`) and what they are like (`distribution` and `spread` for a mean; see ``sotto compare PROBLEM
    --help``), beside what the survey declares (`low` and `high` for a mean).

    Parameters
    ----------
    data
        see above
    problem
        what is estimated: mean, histogram, vector, sparse, density, mixture or cover
    methods
        names of methods and baselines, the first being the reference of the ratios; left out, all of them, and the
        reference is what auto takes
    epsilon
        privacy budget of one report, or several budgets
    repetitions
        how often each method is run
    seed
        the same seed gives the same figures
    user
        column of a frame or file that says whose observation a row is
    value
        column with the numbers, or several of them
    progress
        called after each repetition
    settings
        settings of the problem, and options of its made-up users

    Privacy
    -------
    A trial with the exact simulator: repeatable, and not private. A baseline that protects single observations only is
    marked with a star in the tables.

    Accuracy
    --------
    Every figure has its standard error. Ratios of mean squared errors are paired: what hits two methods in the same
    repetition cancels.

    Examples
    --------
    >>> import sottovoce as sv
    >>> found = sv.compare(
    ...     low=-1, high=1, users=2000, observations=100, epsilon=2, methods=["one-round", "semi-user"], repetitions=40
    ... )
    >>> found.against_reference(found.row("semi-user", 2)).value > 1  # print(found) shows it all
    True
    """
    kind = named(problem)
    epsilons = _budgets(epsilon)
    _check_names(kind, settings)
    settings = {name: given for name, given in settings.items() if given is not None}
    if data is None:
        population, asked = _made_up(kind, settings | {"epsilon": epsilons[0]})
    else:
        about_users = [name for name in ("users", "dimension", *of_users(kind)) if name in settings]
        if about_users:
            raise InvalidInput(
                f"made-up users ({', '.join(about_users)}) and data at once", fix="leave out one of the two"
            )
        source = data.data if isinstance(data, Records) else data
        name = "the data"
        if isinstance(source, (str, Path)):
            name = str(source)
        elif isinstance(source, Dataset):
            name = source.name
        given = settings | {"epsilon": epsilons[0]}
        population, asked = observed(kind, data, given, name=name, user=user, value=value)
    return side_by_side(
        kind,
        every_method(kind) if methods is None else methods,
        asked,
        population,
        epsilons=epsilons,
        repetitions=repetitions,
        seed=seed,
        done=progress or (lambda: None),
    )


def _budgets(epsilon: float | Sequence[float]) -> tuple[float, ...]:
    try:
        budgets = tuple(np.atleast_1d(np.asarray(epsilon, dtype=np.float64)).tolist())
    except (TypeError, ValueError):
        budgets = ()
    if not budgets:
        raise InvalidInput(rule="epsilon must be a number, or a list of numbers")
    return budgets


def _check_names(problem: Problem[Any], settings: dict[str, Any]) -> None:
    taken = [field.name for field in described(problem.settings) if field.name not in ("epsilon", "method", "survey")]
    known = list(dict.fromkeys((*taken, *of_users(problem))))
    strange = [name for name in settings if name not in known]
    if strange:
        raise InvalidInput(
            f"a comparison of a {problem.name} has no {', '.join(strange)}; its settings are {', '.join(known)}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )


def _made_up(problem: Problem[Any], settings: dict[str, Any]) -> tuple[Population, dict[str, Any]]:
    missing = [field.name for field in described(problem.settings) if field.required and field.name not in settings]
    if missing:
        raise InvalidInput(rule=f"a comparison on made-up users needs {', '.join(missing)}")
    about_users = {name: settings.pop(name) for name in of_users(problem) if name in settings}
    return made_up(problem, fitting(problem, settings, settings.get("dimension", 1)), about_users)
