"""Everything shipped, by method: the examples of every problem and baseline, and the device itself.

A method without an example fails the contract suite, so that nothing can be shipped unaudited. Baselines for simulation
only send no reports and promise nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sottovoce.audit.instances import small_instances
from sottovoce.audit.path import Subject
from sottovoce.audit.shipped import DEVICE, Planned, device_targets
from sottovoce.baselines import baselines
from sottovoce.data import collections
from sottovoce.device import Collections
from sottovoce.engines import questions_of, simulate
from sottovoce.problems import problems

EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A mechanism by name; `promise` is what the whole collection is promised, in multiples of ε."""

    name: str
    survey: Callable[[float], Any]
    people: Callable[[Any], Collections]
    promise: float = 1.0
    note: str = ""


def catalogue() -> tuple[Entry, ...]:
    """An entry for each example of each problem, and for each baseline that sends reports."""
    methods = [
        Entry(
            name=f"{problem.name}-{example.label}",
            survey=partial(_example, problem, example),
            people=_made_up,
        )
        for problem in problems()
        for example in problem.examples
    ]
    simple = [
        Entry(name=one.name, survey=one.example, people=_uniform, promise=one.promise, note=one.promise_note)
        for one in baselines()
        if not one.simulation_only
    ]
    return (*methods, *simple)


def _example(problem: Any, example: Any, epsilon: float) -> Any:
    return problem.example_survey(example, epsilon=epsilon)


def _made_up(survey: Any) -> Collections:
    stream = np.random.Generator(np.random.PCG64(1))
    return collections(survey.problem.world(settings=survey).draw(stream))


def _uniform(survey: Any) -> Collections:
    return collections(np.random.Generator(np.random.PCG64(1)).random((survey.users, 4)))


def names() -> tuple[str, ...]:
    """Everything shipped."""
    return (*(entry.name for entry in catalogue()), *DEVICE)


def channel_names() -> dict[str, str]:
    """Small instances by name, for those who want to see one kind of channel, and the role that tells it."""
    return {question.role.replace(", ", "-").replace(" ", "-"): question.role for question in small_instances(1.0)}


def planned(name: str, epsilons: tuple[float, ...]) -> Iterator[Planned]:
    """What is audited under one name."""
    if name in DEVICE:
        yield from device_targets(name, epsilons)
        return
    roles = channel_names()
    for epsilon in epsilons:
        label = f"{name}, ε = {epsilon:g}"
        if name in roles:
            question = next(one for one in small_instances(epsilon) if one.role == roles[name])
            target = Subject(name=label, epsilon=question.epsilon, questions=(question,))
            yield Planned(mechanism=name, epsilon=epsilon, target=target, note="a small instance")
            continue
        entry = next(one for one in catalogue() if one.name == name)
        yield Planned(mechanism=name, epsilon=epsilon, target=subject(entry, epsilon, label), note=entry.note)


def subject(entry: Entry, epsilon: float, label: str) -> Subject:
    """Run the survey on made-up users with the simulator and keep every question that it asks."""
    survey = entry.survey(epsilon)
    _, asked = questions_of(survey, simulate(entry.people(survey), seed=1))
    return Subject(name=label, epsilon=entry.promise * epsilon, questions=asked)
