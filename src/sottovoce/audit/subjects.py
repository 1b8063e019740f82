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

from sottovoce.audit.audit_targets import (
    BrowserSource,
    BulkSource,
    Coins,
    DefaultSource,
    LedgerPromise,
    Noise,
    Refusals,
    Source,
    Target,
    TimedEncoder,
    TimedSampler,
)
from sottovoce.audit.device_paths import BULK, SHIPPED, Path, Subject
from sottovoce.audit.javascript import IN_NODE
from sottovoce.audit.questions import ITEMS, every_statistic, instances, large_instances, small_instances
from sottovoce.audit.timing_layer import window_questions
from sottovoce.baselines import baselines
from sottovoce.data import collections
from sottovoce.design import laplace, one_bit, piecewise, subset, unary
from sottovoce.device import Collections
from sottovoce.engines import questions_of, simulate
from sottovoce.messages import Channel, Question
from sottovoce.problems import problems

QUESTIONS = {
    "small-instances": (small_instances, "every kind of channel, enumerated in full"),
    "large-instances": (large_instances, "samplers with many bits, items, digits and nodes, on scripted words"),
    "statistics": (every_statistic, "every statistic of the vocabulary"),
    "bulk": (instances, "the same samplers for many users at once, 64 coins in a word"),
}
JAVASCRIPT = "the device of a browser, in Node: the same questions, scripts and reports"
DEVICE = (*QUESTIONS, "dependence", "timing", "entropy", "ledger", "javascript")
"""What is audited besides protocols."""


@dataclass(frozen=True, kw_only=True)
class PlannedTarget:
    """A target, the mechanism it belongs to, and its ε (None where there is none)."""

    mechanism: str
    epsilon: float | None
    target: Target
    note: str = ""


def device_targets(name: str, epsilons: tuple[float, ...]) -> Iterator[PlannedTarget]:
    """What is audited under one of the names of `DEVICE`."""
    for epsilon in epsilons:
        if name in QUESTIONS:
            make, note = QUESTIONS[name]
            path = BULK if name == "bulk" else SHIPPED
            target = _subject(f"{name}, ε = {epsilon:g}", make(epsilon), path)
            yield PlannedTarget(mechanism=name, epsilon=epsilon, target=target, note=note)
        if name == "javascript":  # the small ones in reports too, statistics at one ε
            for make in (small_instances, large_instances, *((every_statistic,) if epsilon == epsilons[0] else ())):
                questions = make(epsilon)
                label = f"javascript, {questions[0].survey}, ε = {epsilon:g}"
                target = _subject(label, questions, IN_NODE, sampled=make is small_instances)
                yield PlannedTarget(mechanism=name, epsilon=epsilon, target=target, note=JAVASCRIPT)
    for one in _targets_at_any_epsilon(name):
        yield PlannedTarget(mechanism=name, epsilon=None, target=one, note=JAVASCRIPT if name == "javascript" else "")


def _subject(label: str, questions: tuple[Question, ...], path: Path, *, sampled: bool = False) -> Subject:
    most = max(question.epsilon for question in questions)
    return Subject(name=label, epsilon=most, questions=questions, path=path, sampled=sampled)


def _targets_at_any_epsilon(name: str) -> list[Target]:
    """What is audited once, whatever ε."""
    bit, noise = one_bit(1.0), laplace(1.0)
    match name:
        case "dependence":
            channels: list[Channel] = [bit, piecewise(1.0, nodes=9, window=5), noise, laplace(1e-4)]
            channels += [make(1.0, items) for items in ITEMS for make in (unary, subset)]
            return [Noise(name=name, channel=channel) for channel in channels]
        case "timing":
            timed = [
                TimedSampler(name=name, channel=channel) for channel in (bit, subset(1.0, 20), unary(1.0, 12), noise)
            ]
            return [*timed, *(TimedEncoder(name=name, question=question) for question in window_questions())]
        case "bulk":  # what bits across words could do that a device does not: depend on one another, show in reports
            channels = [bit, unary(1.0, 65), unary(1.0, 1000), noise]
            shown = tuple(one for one in small_instances(1.0) if one.channel.kind in ("unary", "laplace"))
            return [
                *(Coins(name=name), BulkSource(name=name), DefaultSource(name=name)),
                *(Noise(name=name, channel=channel, path=BULK) for channel in channels),
                _subject("bulk, in reports", shown, BULK, sampled=True),
            ]
        case "entropy":
            return [Source(name=name)]
        case "ledger":
            return [LedgerPromise(name=name)]
        case "javascript":
            channels = [bit, unary(1.0, 65), subset(1.0, 65), noise]
            drawn = [Noise(name=name, channel=channel, path=IN_NODE) for channel in channels]
            return [Refusals(name=name), BrowserSource(name=name), *drawn]
        case _:
            return []


EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """A mechanism by name; `promise` is what the whole collection is promised, in multiples of ε.

    ``survey(epsilon=…)`` makes a small survey, and `people` its users.
    """

    name: str
    survey: Callable[..., Any]
    people: Callable[[Any], Collections]
    promise: float = 1.0
    note: str = ""


def catalogue() -> tuple[Mechanism, ...]:
    """An entry for each example of each problem, and for each baseline that sends reports."""
    methods = [
        Mechanism(
            name=f"{problem.name}-{example.label}",
            survey=partial(problem.example_survey, example),
            people=_users_of_world,
        )
        for problem in problems()
        for example in problem.examples
    ]
    simple = [
        Mechanism(name=one.name, survey=one.example, people=_uniform_users, promise=one.promise, note=one.promise_note)
        for one in baselines()
        if not one.simulation_only
    ]
    return (*methods, *simple)


def _users_of_world(survey: Any) -> Collections:
    """Users of the problem's own world."""
    stream = np.random.Generator(np.random.PCG64(1))
    return collections(survey.problem.world(settings=survey).draw(stream))


def _uniform_users(survey: Any) -> Collections:
    return collections(np.random.Generator(np.random.PCG64(1)).random((survey.users, 4)))


def names() -> tuple[str, ...]:
    """Everything shipped."""
    return (*(entry.name for entry in catalogue()), *DEVICE)


def channel_names() -> dict[str, str]:
    """Small instances by name, for those who want to see one kind of channel, and the role that tells it."""
    return {question.role.replace(", ", "-").replace(" ", "-"): question.role for question in small_instances(1.0)}


def planned(name: str, epsilons: tuple[float, ...]) -> Iterator[PlannedTarget]:
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
            yield PlannedTarget(mechanism=name, epsilon=epsilon, target=target, note="a small instance")
            continue
        entry = next(one for one in catalogue() if one.name == name)
        survey = entry.survey(epsilon=epsilon)
        _, questions = questions_of(survey, simulate(entry.people(survey), seed=1))  # all that it asks made-up users
        target = Subject(name=label, epsilon=entry.promise * epsilon, questions=questions)
        yield PlannedTarget(mechanism=name, epsilon=epsilon, target=target, note=entry.note)
