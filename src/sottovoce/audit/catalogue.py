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

from sottovoce.audit.device_paths import MANY, SHIPPED, Subject
from sottovoce.audit.javascript import IN_NODE
from sottovoce.audit.questions import ITEMS, every_statistic, instances, large_instances, small_instances
from sottovoce.audit.targets import (
    Accounts,
    BrowserSource,
    Coins,
    Expanded,
    Noise,
    Refusals,
    Source,
    Target,
    Timed,
    TimedEncoder,
    Unaided,
)
from sottovoce.audit.timing_layer import windows
from sottovoce.baselines import baselines
from sottovoce.data import collections
from sottovoce.design import laplace, one_bit, piecewise, subset, unary
from sottovoce.device import Collections
from sottovoce.engines import questions_of, simulate
from sottovoce.messages import Channel
from sottovoce.problems import problems

# Everything shipped that no protocol has to ask for: the device itself, under the names by which it is audited.

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
class Planned:
    """A target, the mechanism it belongs to, and its ε (None where there is none)."""

    mechanism: str
    epsilon: float | None
    target: Target
    note: str = ""


def device_targets(name: str, epsilons: tuple[float, ...]) -> Iterator[Planned]:
    """What is audited under one of the names of `DEVICE`."""
    for epsilon in epsilons:
        if name in QUESTIONS:
            yield _asked(name, epsilon)
        if name == "javascript":
            yield from _in_node(epsilon, statistics=epsilon == epsilons[0])
    for target in _targets(name):
        yield Planned(mechanism=name, epsilon=None, target=target, note=JAVASCRIPT if name == "javascript" else "")


def _asked(name: str, epsilon: float) -> Planned:
    make, note = QUESTIONS[name]
    questions = make(epsilon)
    target = Subject(
        name=f"{name}, ε = {epsilon:g}",
        epsilon=max(question.epsilon for question in questions),
        questions=questions,
        path=MANY if name == "bulk" else SHIPPED,
        sampled=False,
    )
    return Planned(mechanism=name, epsilon=epsilon, target=target, note=note)


def _in_node(epsilon: float, *, statistics: bool) -> Iterator[Planned]:
    """The same questions to the device of a browser; the small ones in reports too, statistics at one ε."""
    for make in (small_instances, large_instances, *((every_statistic,) if statistics else ())):
        questions = make(epsilon)
        target = Subject(
            name=f"javascript, {questions[0].survey}, ε = {epsilon:g}",
            epsilon=max(question.epsilon for question in questions),
            questions=questions,
            path=IN_NODE,
            sampled=make is small_instances,
        )
        yield Planned(mechanism="javascript", epsilon=epsilon, target=target, note=JAVASCRIPT)


def _targets(name: str) -> list[Target]:
    match name:
        case "dependence":
            return [Noise(name=name, channel=channel) for channel in _noisy()]
        case "timing":
            channels = (one_bit(1.0), subset(1.0, 20), unary(1.0, 12), laplace(1.0))
            timed = (TimedEncoder(name=name, question=question) for question in windows())
            return [*(Timed(name=name, channel=channel) for channel in channels), *timed]
        case "bulk":
            return [Coins(name=name), Expanded(name=name), Unaided(name=name), *_many()]
        case "entropy":
            return [Source(name=name)]
        case "ledger":
            return [Accounts(name=name)]
        case "javascript":
            noisy = (one_bit(1.0), unary(1.0, 65), subset(1.0, 65), laplace(1.0))
            return [
                Refusals(name=name),
                BrowserSource(name=name),
                *(Noise(name=name, channel=channel, path=IN_NODE) for channel in noisy),
            ]
        case _:
            return []


def _many() -> Iterator[Target]:
    """What bits across words could do that a device does not: depend on one another, or show in reports."""
    for channel in (one_bit(1.0), unary(1.0, 65), unary(1.0, 1000), laplace(1.0)):
        yield Noise(name="bulk", channel=channel, path=MANY)
    looked_at = tuple(one for one in small_instances(1.0) if one.channel.kind in ("unary", "laplace"))
    most = max(question.epsilon for question in looked_at)
    yield Subject(name="bulk, in reports", epsilon=most, questions=looked_at, path=MANY)


def _noisy() -> list[Channel]:
    found: list[Channel] = [one_bit(1.0), piecewise(1.0, nodes=9, window=5)]
    found += [laplace(epsilon) for epsilon in (1.0, 1e-4)]
    for items in ITEMS:
        found += [unary(1.0, items), subset(1.0, items)]
    return found


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
