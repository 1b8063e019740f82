"""The contract of a problem: every promise, for every method, on the examples that the problem itself gives."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from sottovoce.checks.contract_checks import (
    ContractError,
    check_encoder,
    check_engine,
    check_partitions,
    checked_run,
    require,
)
from sottovoce.checks.manifest_promises import check_announced
from sottovoce.data import collections
from sottovoce.device import Collections
from sottovoce.engines import local, simulate
from sottovoce.messages import InvalidInput, Malformed, Question, Tally
from sottovoce.problems import Problem, Settings, choose, described, read
from sottovoce.risk import Crowd

EPSILONS = (0.3, 1.0, 3.7)


def made_up(settings: Settings, *, seed: int = 1) -> Collections:
    """Users of the problem's own world."""
    world = settings.problem.world(settings=settings)
    return collections(world.draw(np.random.Generator(np.random.PCG64(seed))))


def check_problem(problem: Problem[Any], *, epsilons: Iterable[float] = EPSILONS) -> int:
    """All promises of a problem; returns how many surveys were run."""
    labels = [example.label for example in problem.examples]
    require(len(set(labels)) == len(labels), "examples have names of their own")
    covered = {example.method for example in problem.examples}
    require(covered == set(problem.method_names), f"every method has an example; {problem.name} has {sorted(covered)}")
    require(set(problem.automatic) <= set(problem.method_names), "auto chooses from methods that there are")
    described_names = [field.name for field in described(problem.settings)]
    require(described_names == [field.name for field in fields(problem.settings)], "every setting says what it is")
    count = 0
    for epsilon in epsilons:
        for example in problem.examples:
            check_settings(problem.example_survey(example, epsilon=epsilon))
            count += 1
    return count


def check_settings(settings: Settings) -> None:
    """The promises of one survey, and of the method that it runs."""
    people = made_up(settings)
    answer, asked, tallies = checked_run(settings, people, epsilon=settings.epsilon)
    for question in asked:
        check_encoder(question, dimension=people.dimension)
        check_engine(local, question, people)
        check_engine(lambda them: simulate(them, seed=1), question, people)
    check_announced(settings, asked=asked)
    check_partitions(asked[0], people)
    _check_refusals(settings, asked[0], tallies[0])
    require(isinstance(answer, settings.problem.answer), "the answer is of the kind that the problem names")
    require(read(answer.to_json()) == answer, "an answer survives the wire")
    require(answer.value is not None, "an answer has a value")
    require(bool(answer.summary()) and bool(answer.picture()), "an answer has words and a picture")
    score = settings.problem.world.score(answer, settings.problem.world(settings=settings).truth)
    require(score.squared_error >= 0 and set(score.figures) <= set(settings.problem.world.figures), "a score is told")
    chosen = choose(settings)
    require(choose(chosen.settings).settings == chosen.settings, "what was chosen chooses itself")
    require(sum(chosen.method.users_per_round(chosen.settings)) <= settings.users, "no more users than there are")
    require(bool(chosen.method.words(chosen.settings)) and bool(chosen.method.help), "a method describes itself")
    try:
        prediction = chosen.predict(Crowd())
    except InvalidInput:  # it says that there is no formula
        return
    require(0 < prediction.mse < math.inf, "a prediction is a positive number")
    poisoning = chosen.method.poisoning(chosen.settings, Crowd())
    require(poisoning.reach > 0 or poisoning.capture is not None, "colluders can do something")


def _check_refusals(settings: Settings, asked: Question, tally: Tally) -> None:
    """A tally of another question, or one that no reports add up to, is refused before anything is decided."""
    rows = [list(row) for row in tally.cells]
    rows[0][0] = -(10**30)
    other = f"{int(tally.question[0], 16) ^ 1:x}{tally.question[1:]}"
    elsewhere = Tally(question=other, reports=tally.reports, cells=tally.cells)
    for forged in (elsewhere, Tally.build(asked, list(tally.reports), rows)):
        try:
            settings.decide((forged,))
        except Malformed:
            continue
        raise ContractError("a tally that cannot be of this question is refused")
