"""What rules leave open: every field of a question is changed, a little and a lot, and what still passes is named.

A device answers whatever keeps to the rules. So what they leave open is written down here with its reason, and a
parameter that is not fails the contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

from sottovoce.checks.promise import require
from sottovoce.design import subset, unary
from sottovoce.messages import (
    EMPTY,
    Grid,
    Malformed,
    Placement,
    Position,
    Question,
    Rules,
    Statistic,
    Vector,
)

PROVEN = "a device proves what a report costs from the channel's integers, whatever they are"
FOUND = "where users were found, inside the declared range"
SIZED = "how far users lie from there, at most as far as they can"
OPEN: dict[str, str] = {
    "epsilon": "a smaller one costs less",
    "table.decode": "no device looks at it",
    "subset.size": PROVEN,
    "subset.threshold": PROVEN,
    "unary.threshold": PROVEN,
    "unary.reach": PROVEN,
    "laplace.bound": PROVEN,
    "laplace.digits": PROVEN,
    "laplace.steps": PROVEN,
    "slots": "how many waves are asked at once is decided on the way; each is whole",
}
"""By field: in every round, the first one included."""
LATER: dict[str, str] = {
    "round": "how many rounds came before is decided on the way; no more than waves",
    "direction.seed": "public, another one in every round",
    "direction.centre": FOUND,
    "direction.radius": SIZED,
    "norm.centre": FOUND,
    "joint.centres": FOUND,
    "joint.reach": SIZED,
    "residual.centres": FOUND,
    "below.thresholds": FOUND,
    "share.below": FOUND,
    "bins.edges": FOUND,
    "position.low": FOUND,
    "position.high": FOUND,
    "grid.low": FOUND,
    "grid.high": FOUND,
    "grid.count": "as many bins, or symbols, as there are centres, or as follow from how many columns were selected",
    "average.columns": "those that were selected, each once",
    "average.first": "follows from how many columns were selected",
    "uses": "follows from how many columns were selected",
}
"""In later rounds besides."""


def check_freedom(rules: Rules, question: Question) -> set[str]:
    """Nothing of a question is open but what is listed here; returns what is."""
    found = free(rules, question)
    listed = OPEN.keys() if question.round == 0 else OPEN.keys() | LATER.keys()
    more = ", ".join(sorted(found - listed))
    require(not more, f"round {question.round} ({question.role}): the rules leave {more} open, without a reason")
    return found


def free(rules: Rules, question: Question) -> set[str]:
    """The fields in which another question than this one keeps to the rules as well."""
    found: set[str] = set()
    for name, make in _changes(question):
        if name in found:
            continue
        try:
            other = make()
        except (Malformed, TypeError, ValueError, OverflowError):  # no question at all
            continue
        if other != question and rules.departure(other) is None:
            found.add(name)
    return found


def _changes(question: Question) -> Iterator[tuple[str, Callable[[], Question]]]:
    """The question with one field changed, and whatever depends on that made to fit, with the field's name."""
    statistic, placement = question.encoder.statistic, question.encoder.placement
    for name in ("round", "role", "epsilon", "groups", "uses"):
        yield from ((name, partial(replace, question, **{name: other})) for other in _others(getattr(question, name)))
    for _, change in _fields(question.slots):
        yield "slots", partial(lambda made: replace(question, slots=made()), change)
    for name, change in _fields(question.channel):
        yield name, partial(lambda made: replace(question, channel=made()), change)
    for name, change in _fields(statistic):
        yield name, partial(lambda made: _asked(question, made(), placement), change)
    for name, change in _fields(placement):
        yield name, partial(lambda made: _asked(question, statistic, made()), change)
    if isinstance(placement, (Position, Grid)):
        more = partial(replace, placement, low=placement.low * 2, high=placement.high * 2)
        yield f"{placement.kind}.parts", lambda: _asked(question, statistic, more())
    for empty in EMPTY:
        yield "empty", partial(lambda other: _inside(question, empty=other), empty)
    if question.encoder.within is not None:
        yield "within", partial(_inside, question, within=None)
        for name, change in _fields(question.encoder.within):
            yield f"within{name}", partial(lambda made: _inside(question, within=made()), change)
    vector = getattr(statistic, "vector", None)
    for name, change in () if vector is None else _fields(vector):
        yield name, partial(lambda made: _asked(question, _of(statistic, made()), placement), change)


def _fields(message: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    for field in fields(message):
        for other in _others(getattr(message, field.name)):
            yield f"{getattr(message, 'kind', '')}.{field.name}", partial(replace, message, **{field.name: other})


def _of(statistic: Any, vector: Vector) -> Statistic:
    """The same of another vector, its centre as long as that."""
    if not hasattr(statistic, "centre"):
        return cast("Statistic", replace(statistic, vector=vector))
    centre = (statistic.centre * (vector.size // len(statistic.centre) + 1))[: vector.size]
    return cast("Statistic", replace(statistic, vector=vector, centre=centre))


def _asked(question: Question, statistic: Statistic, placement: Placement) -> Question:
    channel, count = question.channel, placement.count
    if count is not None and count != question.encoder.placement.count:
        channel = subset(question.epsilon, count) if channel.kind == "subset" else unary(question.epsilon, count)
    encoder = replace(question.encoder, statistic=statistic, placement=placement)
    return replace(question, encoder=encoder, channel=channel, groups=encoder.parts)


def _inside(question: Question, **changes: Any) -> Question:
    encoder = replace(question.encoder, **changes)
    return replace(question, encoder=encoder, groups=encoder.parts)


def _others(value: Any) -> Iterator[Any]:
    """Other values in place of one: near it, far from it, fewer, more, and in another order."""
    if isinstance(value, tuple) and value:
        first, last = value[0], value[-1]
        yield from ((other, *value[1:]) for other in _others(first))
        yield from ((*value[:-1], other) for other in _others(last))
        yield from (value[1:], value[:-1], value[::-1], (first,) * len(value), (*value, last))
        if not isinstance(first, tuple):
            yield from ((*value, other) for other in _others(last))
            yield tuple(number + 1 for number in value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, 1, 2 * value)
    elif isinstance(value, float):
        yield from (0.999 * value, 1.001 * value, value + 1e-3, value - 1e-3, 0.0, -value, value + 1e6)
    elif isinstance(value, str):
        yield from ("l2", "linf", value[1:] + value[:1])
    elif value is None:
        yield from (1, "0" * 64)
