"""What every survey promises beforehand: the manifest, and that whatever is asked keeps to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.checks.freedom import check_freedom
from sottovoce.checks.promise import require
from sottovoce.device import privatise
from sottovoce.engines import SeededWords
from sottovoce.messages import MAX_MANIFEST_BYTES, Batch, Manifest, Question, Tally
from sottovoce.problems import Announced, Settings, announce, choose, settle

DRIVEN = ("low", "high", "camps", "few", "anywhere", "wherever")
"""Kinds of users to drive a survey with: all at one end or the other, half or a twentieth of them at the other one,
each anywhere, or all in one place that is another one in every round."""
QUICK = ("few", "wherever")


def check_announced(
    settings: Settings, *, asked: Iterable[Question] = (), kinds: Iterable[str] = QUICK, seed: int = 1
) -> int:
    """A manifest that survives the wire and fits it, and rules that hold whatever users say.

    `asked` are questions of a run with these settings, under whatever name: they keep to the rules, too, which leave
    nothing of them open but what `freedom` lists. Returns how many questions were looked at besides.
    """
    made = announced(settings)
    data = made.to_bytes()
    require(len(data) <= MAX_MANIFEST_BYTES, f"a manifest has at most {MAX_MANIFEST_BYTES:,} bytes")
    read = Manifest.from_bytes(data)
    require(read == made and read.digest == made.digest, "a manifest survives the wire")
    survey = Announced(read)
    survey.check()
    told, meant = replace(survey.settings, survey=settings.survey), settle(choose(settings).settings)
    require(told == meant, "a manifest's settings are those that were announced")
    for question in asked:
        _keeps(made.rules.departure(question), question)
        check_freedom(made.rules, question)
    return sum(drive(survey, kind=kind, seed=seed + place) for place, kind in enumerate(kinds))


def announced(settings: Settings) -> Manifest:
    """A manifest of these settings, all else as it may be."""
    return announce(settings, purpose="a check", collector="a check", software="a check", opens=0, closes=1, minimum=1)


def drive(survey: Announced, *, kind: str, seed: int) -> int:
    """A survey from end to end among users of one kind; returns how many questions it came to, all as announced."""
    generator = np.random.Generator(np.random.PCG64(seed))
    settings = survey.settings
    script, asked = choose(settings).method.asks(settings), 0
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
    inputs = _inputs(question, kind, generator)
    symbols = privatise(channel, inputs.ravel(), SeededWords(generator)).reshape(count, question.uses, channel.width)
    slots = np.arange(question.slots.first, question.slots.first + count)
    return Tally.of(Batch(question=question, slots=slots, symbols=symbols))


def _inputs(question: Question, kind: str, generator: np.random.Generator) -> NDArray[np.int64]:
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
