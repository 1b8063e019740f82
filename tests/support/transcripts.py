"""A complete transcript, made in this process: manifest, rounds and answer, as a collector would publish them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.answers import Answer, Collection
from sottovoce.checks import made_up
from sottovoce.device import Collections
from sottovoce.engines import simulate
from sottovoce.messages import ClosedRound, Manifest, Question, Tally, Transcript
from sottovoce.problems import Announced, Settings, announce

OPENS, CLOSES = 1_800_000_000, 1_800_600_000
Ask = Callable[[Question], Tally]


def mean(**changes: Any) -> sv.Mean:
    """A survey in three rounds that is quick to ask."""
    given = {"epsilon": 2.0, "low": 1.0, "high": 5.0, "users": 1200, "observations": 20, "method": "adaptive"}
    return sv.Mean(**given | changes)


def manifest_of(settings: Settings, **changes: Any) -> Manifest:
    """Its manifest, with words of all kinds."""
    told = {"purpose": "how satisfied students are", "collector": "a faculty", "software": "sottovoce 0.1.0"}
    return announce(settings, **{**told, "opens": OPENS, "closes": CLOSES, **changes})


def asking(settings: Settings, *, seed: int = 1, people: Collections | None = None) -> Ask:
    """Everybody answers."""
    return simulate(made_up(settings, seed=seed) if people is None else people, seed=seed)


def closed(question: Question, tally: Tally, number: int = 0) -> ClosedRound:
    """A round as it is published."""
    return ClosedRound(
        question=question.to_bytes().decode(),
        tally=tally.to_bytes().decode(),
        answered=sum(tally.reports) // question.uses,
        because="quota",
        by="the collector",
        closed=OPENS + 60 * (number + 1),
    )


def transcript_of(
    manifest: Manifest, ask: Ask, *, rounds: int | None = None, survey: Any = None
) -> tuple[Transcript, tuple[Question, ...], tuple[Tally, ...]]:
    """Run the survey of a manifest; `rounds`: stop after so many, as if it were still running.

    `survey` decides in place of the announced one: for those who cheat.
    """
    survey = Announced(manifest) if survey is None else survey
    asked: tuple[Question, ...] = ()
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := survey.decide(tallies), Question) and (rounds is None or len(asked) < rounds):
        asked, tallies = (*asked, step), (*tallies, ask(step))
    answer = told(step, asked, tallies) if isinstance(step, Answer) else ""
    parts = tuple(closed(question, tally, at) for at, (question, tally) in enumerate(zip(asked, tallies, strict=True)))
    made = Transcript(manifest=manifest.to_bytes().decode(), rounds=parts, answer=answer, abandoned="")
    return made, asked, tallies


def told(answer: Answer, asked: Sequence[Question], tallies: Sequence[Tally]) -> str:
    """An answer as it is published."""
    return replace(answer, collection=Collection.of(asked, tallies)).to_json()


def complete(settings: Settings | None = None, **changes: Any) -> Transcript:
    """From settings to a transcript of a survey that is over."""
    own = mean() if settings is None else settings
    return transcript_of(manifest_of(own, **changes), asking(own))[0]


def some_of(question: Question, tally: Tally, users: int) -> Tally:
    """A possible tally of fewer users: a table's counts, cut down."""
    counts = np.array(tally.cells[0])
    kept = np.floor(counts * users / counts.sum()).astype(int)
    kept[0] += users - kept.sum()
    return Tally.build(question, [users], [kept.tolist()])
