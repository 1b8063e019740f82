"""Users stay away, unevenly over the roles: intervals are those of who answered, and the answer says how many did.

Three looks. *The same survey of fewer*: one round answered by a part is, to the last bit, the answer of a survey that
asked only them. *Fewer in one role*: with a sixteenth of its answers an interval is wider, fourfold where that role
alone decides; computed as if everybody had answered it would not be, and the limits lie between. Both repeat their
chance, so neither has false alarms. *Coverage*, over many runs: false alarms 1e-4 a case, as .95 or more cover; where
three in ten answer, a reach computed as if all had would cover .72, and pass with probability 1e-3 at most. Guarded
intervals of several rounds cover more than they promise: for those it is the second look that has the power.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

import sottovoce as sv
from sottovoce.answers import Answer
from sottovoce.device import Collections, respond_many
from sottovoce.engines import questions_of, stored
from sottovoce.messages import Question, Report, Tally
from sottovoce.problems import Announced, Settings
from tests.service.web import manifest_of, serving

Floats = NDArray[np.float64]
World = Callable[[np.random.Generator, int], Floats]
OBSERVATIONS = 25
LEVELS = (0.2, 0.35, 0.5, 0.65, 0.8)


class Words:
    """Reports that can be repeated, for a test of intervals."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def words(self, count: int) -> NDArray[np.uint64]:
        return self.generator.integers(0, 2**64, size=count, dtype=np.uint64)


def tally_of(
    question: Question, people: Collections, slots: NDArray[np.int64], generator: np.random.Generator
) -> Tally:
    total = Tally.empty(question)
    for batch in respond_many(question, people.take(slots), slots, Words(generator)):
        total += Tally.of(batch)
    return total


def slots_of(question: Question) -> NDArray[np.int64]:
    return np.arange(question.slots.first, question.slots.first + question.slots.count)


def everywhere(generator: np.random.Generator, users: int) -> Floats:
    """Users who differ as far as the range goes: an adaptive method asks all over it."""
    return generator.uniform(1, 5, size=(users, 1)) + np.zeros((1, OBSERVATIONS))


def close(generator: np.random.Generator, users: int) -> Floats:
    centres = 3.2 + 0.3 * generator.standard_normal((users, 1))
    return np.clip(centres + 0.5 * generator.standard_normal((users, OBSERVATIONS)), 1, 5)


def vectors(generator: np.random.Generator, users: int) -> Floats:
    centres = 0.15 + 0.05 * generator.standard_normal((users, 1, 6))
    return np.asarray(centres + 0.1 * generator.standard_normal((users, OBSERVATIONS, 6)))


def mean(epsilon: float, method: str, **more: Any) -> Settings:
    return sv.Mean(epsilon=epsilon, low=1, high=5, users=8000, observations=OBSERVATIONS, method=method, **more)


def histogram(method: str) -> Settings:
    return sv.Histogram(epsilon=2.0, low=1, high=5, bins=4, users=8000, observations=OBSERVATIONS, method=method)


def quantiles(method: str) -> Settings:
    return sv.Quantiles(epsilon=2.0, low=1, high=5, users=8000, observations=OBSERVATIONS, method=method, q=LEVELS)


def vector(method: str, **more: Any) -> Settings:
    return sv.VectorMean(epsilon=2.0, users=8000, observations=OBSERVATIONS, dimension=6, method=method, **more)


BALL: dict[str, Any] = {"ball": "l2", "radius": 1.0}


# ---- the same survey of fewer ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings, world",
    [
        pytest.param(mean(1.0, "one-round"), close, id="mean-by-a-bit"),
        pytest.param(mean(3.0, "one-round"), close, id="mean-by-a-table"),
        pytest.param(histogram("one-round"), close, id="histogram"),
        pytest.param(vector("one-round", **BALL), vectors, id="vector-in-a-ball"),
        pytest.param(vector("one-round", low=-1.0, high=1.0), vectors, id="vector-in-a-box"),
    ],
)
@pytest.mark.parametrize("answered", [60, 2400])
def test_one_round_answered_by_a_part_is_a_survey_of_that_part(settings: Any, world: World, answered: int) -> None:
    generator = np.random.default_rng(23)
    people = sv.collections(world(generator, answered))
    asked, of_fewer = settings.decide(()), replace(settings, users=answered).decide(())
    if asked.groups != of_fewer.groups:
        pytest.skip("so few are asked in one group, whichever method is named: another question")
    tally = tally_of(asked, people, slots_of(asked)[:answered], generator)
    found = settings.decide((tally,))
    expected = replace(settings, users=answered).decide((tally.as_of(of_fewer),))
    for name in ("value", "interval", "intervals", "model_intervals", "standard_error"):
        assert getattr(found, name, None) == getattr(expected, name, None), name


# ---- fewer in one role -----------------------------------------------------------------------------------------------


def widths(answer: Answer, name: str) -> float:
    """On average over what is estimated."""
    low, high = np.atleast_2d(np.array(getattr(answer, name))).T
    return float(np.mean(high - low))


def thinned(settings: Any, people: Collections, roles: set[str], share: float) -> tuple[Answer, list[str]]:
    """So many answer in these roles, everybody in others; each round has the same chance, whoever answers."""
    asked: list[str] = []
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := settings.decide(tallies), Question):
        generator = np.random.default_rng([1, len(asked)])
        slots = slots_of(step)
        if step.role in roles:
            slots = np.sort(generator.choice(slots, max(2, int(share * len(slots))), replace=False))
        asked.append(step.role)
        tallies = (*tallies, tally_of(step, people, slots, np.random.default_rng([2, len(asked)])))
    return step, asked


@dataclass(frozen=True)
class Thinned:
    """With a sixteenth of the answers in these roles, an interval of this name is wider at least by this factor."""

    settings: Settings
    world: World
    roles: set[str]
    interval: str
    least: float


THINNED = {
    "mean, a bit": Thinned(mean(1.0, "one-round"), everywhere, {"mean"}, "interval", 3.5),
    "mean, a table": Thinned(mean(3.0, "one-round"), close, {"mean"}, "interval", 3.5),
    "mean, guarded, all over the range": Thinned(mean(3.0, "adaptive"), everywhere, {"mean"}, "interval", 3.5),
    "mean, guarded, three rounds": Thinned(mean(1.0, "adaptive"), everywhere, {"mean"}, "interval", 2.0),
    "mean, guarded, users alike": Thinned(mean(1.0, "adaptive"), close, {"mean"}, "interval", 2.8),
    "mean, two rounds": Thinned(mean(3.0, "adaptive", rounds=2), close, {"mean"}, "interval", 2.8),
    "mean, users alike": Thinned(mean(2.0, "homogeneous"), close, {"place", "spread", "centre"}, "interval", 3.5),
    "histogram": Thinned(histogram("one-round"), close, {"item"}, "intervals", 3.3),
    "histogram, adaptive": Thinned(histogram("adaptive"), close, {"item"}, "intervals", 3.3),
    "quantiles": Thinned(quantiles("one-round"), close, {"whole"}, "intervals", 3.3),
    "quantiles, places": Thinned(quantiles("adaptive"), close, {"places"}, "intervals", 2.0),
    "quantiles, all roles": Thinned(quantiles("adaptive"), close, {"whole", "length", "places"}, "intervals", 3.5),
    "ball, one round": Thinned(vector("one-round", **BALL), vectors, {"mean"}, "intervals", 3.5),
    "ball, length": Thinned(vector("adaptive", **BALL), vectors, {"length"}, "model_intervals", 1.5),
    "ball, direction": Thinned(vector("adaptive", **BALL), vectors, {"direction"}, "model_intervals", 3.0),
    "ball, check": Thinned(vector("adaptive", **BALL), vectors, {"check"}, "intervals", 3.5),
    "ball, all roles": Thinned(
        vector("adaptive", **BALL), vectors, {"zoom", "length", "check", "direction"}, "intervals", 3.0
    ),
    "box, by the model": Thinned(vector("adaptive", low=-1.0, high=1.0), vectors, {"mean"}, "model_intervals", 3.5),
}


@pytest.mark.parametrize("name", THINNED)
def test_fewer_answers_in_a_role_make_an_interval_wider(name: str) -> None:
    case = THINNED[name]
    people = sv.collections(case.world(np.random.default_rng(5), case.settings.users))
    everybody, asked = thinned(case.settings, people, set(), 1.0)
    fewer, _ = thinned(case.settings, people, case.roles, 1 / 16)
    assert case.roles <= set(asked), "a role that is not asked says nothing"
    assert widths(fewer, case.interval) > case.least * widths(everybody, case.interval)


# ---- coverage --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dropouts:
    """Which part of those asked in a role answers: not evenly, and about half or less in all."""

    settings: Settings
    world: World
    truth: Callable[[Floats], Any]
    stay: dict[str, float]
    interval: str
    runs: int = 120
    power: bool = True
    """Whether the interval covers as often as it says: then one that is too narrow shows."""


RARELY = {"outside", "check", "direction"}
"""Asked in a few runs only, where something was seen that needs a look; half answer."""


def shares(ratings: Floats) -> Floats:
    return np.array([np.mean((ratings >= low) & (ratings < low + 1 + (low == 4))) for low in (1, 2, 3, 4)])


def levels(ratings: Floats) -> Floats:
    return np.quantile(ratings, LEVELS)


def centre(values: Floats) -> Floats:
    return np.asarray(values.mean(axis=(0, 1)))


def fewer_users(settings: Settings, users: int) -> Settings:
    return replace(settings, users=users)


DROPOUTS = {
    "mean, a bit": Dropouts(fewer_users(mean(1.0, "one-round"), 1500), everywhere, np.mean, {"mean": 0.3}, "interval"),
    "mean, a table": Dropouts(
        fewer_users(mean(3.0, "one-round"), 1500), everywhere, np.mean, {"mean": 0.3}, "interval"
    ),
    "mean, all over the range": Dropouts(
        fewer_users(mean(3.0, "adaptive"), 1500), everywhere, np.mean, {"bins": 0.6, "mean": 0.3}, "interval"
    ),
    "mean, users alike": Dropouts(
        fewer_users(mean(2.0, "adaptive"), 1500), close, np.mean, {"bins": 0.6, "mean": 0.3}, "interval"
    ),
    "histogram": Dropouts(fewer_users(histogram("one-round"), 1500), close, shares, {"item": 0.3}, "intervals"),
    "quantiles": Dropouts(
        fewer_users(quantiles("adaptive"), 3000),
        close,
        levels,
        {"whole": 0.6, "length": 0.4, "places": 0.5},
        "intervals",
        runs=25,
        power=False,
    ),
    "ball": Dropouts(
        fewer_users(vector("adaptive", **BALL), 4000),
        vectors,
        centre,
        {"zoom": 0.6, "length": 0.4, "check": 0.7, "direction": 0.4},
        "intervals",
        runs=40,
        power=False,
    ),
}


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", DROPOUTS)
def test_an_interval_covers_when_users_stay_away(name: str) -> None:
    case = DROPOUTS[name]
    settings, users = case.settings, case.settings.users
    covered, answered, roles = 0, 0, set()
    for run in range(case.runs):
        generator = np.random.default_rng([17, run])
        values = case.world(generator, users)
        people = sv.collections(values)
        seats = generator.permutation(users)

        def ask(question: Question) -> Tally:
            slots = slots_of(question)
            slots = slots[generator.random(len(slots)) < case.stay.get(question.role, 0.5)]  # noqa: B023 - called in this run
            roles.add(question.role)
            return tally_of(question, people.take(seats), slots, generator)  # noqa: B023

        answer = sv.run(settings, ask)
        ends, truth = np.atleast_2d(np.array(getattr(answer, case.interval))), np.atleast_1d(case.truth(values))
        place = run % len(ends)
        covered += bool(ends[place][0] <= truth[place] <= ends[place][1])
        assert answer.collection is not None and not answer.collection.complete
        assert f"of {users:,}" in str(answer.collection.statement)
        answered += sum(answer.collection.answered)
    assert set(case.stay) <= roles <= set(case.stay) | RARELY, "a role that is never asked says nothing"
    part = answered / (case.runs * users)
    assert min(case.stay.values()) - 0.05 < part < max(case.stay.values()) + 0.05
    least = int(binom.ppf(1e-4, case.runs, 0.95))
    assert covered >= least, f"{covered} of {case.runs}"
    if case.power:
        as_if = 1 - 2 * norm.sf(norm.isf(0.025) * np.sqrt(0.3))
        assert binom.sf(least - 1, case.runs, as_if) < 1e-3


# ---- over HTTP -------------------------------------------------------------------------------------------------------


def test_a_survey_over_http_says_how_many_answered_in_each_role(tmp_path: Path) -> None:
    settings = replace(mean(2.0, "adaptive"), users=600)
    stay, generator = {"bins": 0.7, "mean": 0.4}, np.random.default_rng(29)
    people = sv.collections(close(generator, 600))
    now = int(time.time())
    sent: list[Report] = []
    with serving(tmp_path) as web:
        web.clock.now = now
        manifest = manifest_of(settings, opens=now, closes=now + 1_000)
        survey = web.create(manifest)
        while (held := web.collector.survey(survey, fresh=True)).running:
            question = held.question
            slots = slots_of(question)
            slots = slots[generator.random(len(slots)) < stay[question.role]]
            batches = respond_many(question, people.take(slots), slots, Words(generator))
            reports = [report for batch in batches for report in batch.reports()]
            assert web.send_batch(survey, web.rows(survey, reports)).plain["stored"] == len(reports)
            sent += reports
            place = f"/surveys/{survey}/rounds/{question.round}/close"
            assert web.ask("POST", place, token=web.tokens[survey]).status == 200
        told = web.ask("GET", f"/surveys/{survey}/estimate").plain
    here, questions = questions_of(Announced(manifest), stored([sent]))
    counts = [sum(one.slot in question.slots for one in sent) for question in questions]
    assert told["collection"]["asked"] == [question.slots.count for question in questions]
    assert told["collection"]["answered"] == counts and sum(counts) < 0.6 * 600
    assert told["interval"] == list(here.interval)
