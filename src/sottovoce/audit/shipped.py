"""Everything shipped that no protocol has to ask for: the device itself, under the names by which it is audited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sottovoce.audit.instances import ITEMS, every_statistic, instances, large_instances, small_instances
from sottovoce.audit.javascript import IN_NODE
from sottovoce.audit.many import MANY
from sottovoce.audit.path import SHIPPED, Subject
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
from sottovoce.audit.timing_encode import windows
from sottovoce.design import laplace, one_bit, piecewise, subset, unary
from sottovoce.messages import Channel

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
