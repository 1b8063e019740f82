"""What every survey promises beforehand: its manifest, that all it asks keeps to that, and what its rules leave open.

A device answers whatever keeps to the rules. So every field of a question is changed, a little and a lot; what still
passes is written down here with its reason, and a parameter that is not fails the contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sottovoce.checks.contract_checks import require
from sottovoce.design import subset, unary
from sottovoce.device import privatise
from sottovoce.engines import SeededWords
from sottovoce.messages import (
    EMPTY,
    MAX_MANIFEST_BYTES,
    Batch,
    Decodings,
    Encoder,
    Grid,
    Malformed,
    Manifest,
    Placement,
    Position,
    Question,
    Rules,
    Statistic,
    Tally,
    Vector,
)
from sottovoce.problems import Announced, Settings, announce, choose, settle

PROVEN = "a device proves what a report costs from the channel's integers, whatever they are"
FOUND = "where users were found, inside the declared range"
SIZED = "how far users lie from there, at most as far as they can"
OPEN: dict[str, str] = {
    "epsilon": "a smaller one costs less",
    "table.decode": "no device looks at it",
    "table.decodings": "no device looks at them",
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
    "knots.inner": FOUND,
    "knots.nothing": FOUND,
    "table.rows": "those of another table that the manifest lists",
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
    open_fields = free(rules, question)
    listed = OPEN.keys() if question.round == 0 else OPEN.keys() | LATER.keys()
    more = ", ".join(sorted(open_fields - listed))
    require(not more, f"round {question.round} ({question.role}): the rules leave {more} open, without a reason")
    return open_fields


def free(rules: Rules, question: Question) -> set[str]:
    """The fields in which another question than this one keeps to the rules as well."""
    open_fields: set[str] = set()
    for name, make in _changes(question):
        if name in open_fields:
            continue
        try:
            other = make()
        except (Malformed, TypeError, ValueError, OverflowError):  # no question at all
            continue
        if other != question and rules.departure(other) is None:
            open_fields.add(name)
    return open_fields


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
    return replace(question, encoder=encoder, channel=channel, groups=_groups(question, encoder))


def _inside(question: Question, **changes: Any) -> Question:
    encoder = replace(question.encoder, **changes)
    return replace(question, encoder=encoder, groups=_groups(question, encoder))


def _groups(question: Question, encoder: Encoder) -> int:
    """As many as parts, or those that are all asked the same."""
    return question.groups if question.encoder.parts == encoder.parts == 1 else encoder.parts


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
    elif isinstance(value, Decodings):
        yield replace(value, core=value.core[::-1])
    elif value is None:
        yield from (1, "0" * 64)


DRIVEN = ("low", "high", "camps", "few", "anywhere", "wherever")
"""Kinds of users to drive a survey with: all at one end or the other, half or a twentieth of them at the other one,
each anywhere, or all in one place that is another one in every round."""
QUICK = ("few", "wherever")


def check_announced(settings: Settings, *, asked: Iterable[Question] = (), kinds: Iterable[str] = QUICK) -> int:
    """A manifest that survives the wire and fits it, and rules that hold whatever users say.

    `asked` are questions of a run with these settings, under whatever name: they keep to the rules, too, which leave
    nothing of them open but what `freedom` lists. Returns how many questions were looked at besides.
    """
    manifest = announced(settings)
    data = manifest.to_bytes()
    require(len(data) <= MAX_MANIFEST_BYTES, f"a manifest has at most {MAX_MANIFEST_BYTES:,} bytes")
    read = Manifest.from_bytes(data)
    require(read == manifest and read.digest == manifest.digest, "a manifest survives the wire")
    survey = Announced(read)
    survey.check()
    read_back, meant = replace(survey.settings, survey=settings.survey), settle(choose(settings).settings)
    require(read_back == meant, "a manifest's settings are those that were announced")
    for question in asked:
        _keeps(manifest.rules.departure(question), question)
        check_freedom(manifest.rules, question)
    return sum(drive(survey, kind=kind, seed=seed) for seed, kind in enumerate(kinds, start=1))


def announced(settings: Settings) -> Manifest:
    """A manifest of these settings, all else as it may be."""
    return announce(settings, purpose="a check", collector="a check", software="a check", opens=0, closes=1, minimum=1)


def drive(survey: Announced, *, kind: str, seed: int) -> int:
    """A survey from end to end among users of one kind; returns how many questions it came to, all as announced."""
    generator = np.random.Generator(np.random.PCG64(seed))
    settings = survey.settings
    script, asked = choose(settings).method.script_as_asked(settings), 0
    try:
        step = next(script)
        while True:
            _keeps(survey.manifest.departure(step), step)
            asked += 1
            step = script.send(driven(step, kind, generator))
    except StopIteration:
        return asked


def _keeps(departure: Exception | None, question: Question) -> None:
    require(departure is None, f"round {question.round} ({question.role}) keeps to what was announced: {departure}")


def driven(question: Question, kind: str, generator: np.random.Generator) -> Tally:
    """A tally that such users may come to."""
    channel, count = question.channel, question.slots.count
    inputs = _channel_inputs(question, kind, generator)
    symbols = privatise(channel, inputs.ravel(), SeededWords(generator)).reshape(count, question.uses, channel.width)
    slots = np.arange(question.slots.first, question.slots.first + count)
    return Tally.of(Batch(question=question, slots=slots, symbols=symbols))


def _channel_inputs(question: Question, kind: str, generator: np.random.Generator) -> NDArray[np.int64]:
    """What devices put into the channel."""
    places = question.channel.span // question.channel.unit
    shape = (question.slots.count, question.uses)
    if kind == "anywhere":
        chosen = generator.integers(0, places + 1, shape)
    elif kind == "wherever":  # what was found before does not hold
        chosen = np.broadcast_to(generator.integers(0, places + 1, (1, question.uses)), shape)
    else:
        share = {"low": 0.0, "high": 1.0, "camps": 0.5, "few": 0.05}[kind]
        chosen = np.where(generator.random(shape) < share, places, 0)
    return np.asarray(chosen * question.channel.unit, dtype=np.int64)
