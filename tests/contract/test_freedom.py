"""What rules leave open is a short list with reasons: nothing is missing in it, and nothing too much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.checks import LATER, OPEN, ContractError, announced, check_freedom, driven, free
from sottovoce.design import k_ary
from sottovoce.messages import Average, Encoder, Free, Knots, Malformed, Question, Rules, Slots, Way
from sottovoce.methods import knots_way
from sottovoce.problems import Settings, choose, problems, rule_builders, settle
from tests.support.questions import question as question_of

DENSITY = sv.Density(epsilon=2.0, users=4000, observations=60, low=0.0, high=100.0, method="adaptive")
SIZES = {"users": 3000, "observations": 2000, "dimension": 40, "sparsity": 6}
CUT = sv.SparseMean(**SIZES, epsilon=3.7, method="theory", procedure="selection", cut=True)
"""How many coordinates are refined is decided on the way, and with it how often a user answers, or by how much."""


def course(settings: Settings) -> tuple[Rules, list[Question]]:
    """The rules of a survey, and what it asks where a twentieth of the users are at the other end."""
    own = settle(choose(settings).settings)
    script = choose(own).method.script(own)
    generator, asked = np.random.default_rng(3), []
    try:
        step = next(script)
        while True:
            asked.append(step)
            step = script.send(driven(step, "few", generator))
    except StopIteration:
        return announced(settings).rules, asked


def test_every_entry_of_the_list_is_needed() -> None:
    found: set[str] = set()
    surveys = [problem.example_survey(example, epsilon=1.0) for problem in problems() for example in problem.examples]
    for settings in (*surveys, replace(CUT, proof_constant=60.0), replace(CUT, proof_constant=200.0)):
        rules, asked = course(settings)
        for question in asked:
            found |= check_freedom(rules, question)
    assert found == OPEN.keys() | LATER.keys()


def test_a_parameter_that_nobody_listed_is_seen() -> None:
    rules, asked = course(DENSITY)
    length = next(question for question in asked if question.role == "length")
    assert "cosines.low" not in free(rules, length)
    told = next(way for way in rules.ways if way.role == "length")
    loose = Way.of(length, *told.free, Free(field="statistic.vector.low", low=0.0, high=50.0))
    looser = replace(rules, ways=tuple(loose if way is told else way for way in rules.ways))
    with pytest.raises(ContractError, match=r"\(length\): the rules leave cosines.low open, without a reason"):
        check_freedom(looser, length)


def test_of_the_first_round_nothing_is_open() -> None:
    rules, asked = course(DENSITY)
    assert free(rules, asked[0]) <= OPEN.keys()
    opening, *later = rules.ways
    with pytest.raises(Malformed, match="nothing of it is left open"):
        replace(rules, ways=(replace(later[-1], opening=True), *later))
    assert opening.opening and not opening.free


def test_knots_are_open_where_they_are_chosen_and_groups_that_are_asked_the_same_are_not() -> None:
    table, knots = k_ary(1.0, 4), Knots(low=0.0, high=1.0, inner=(0.25, 0.5), nothing=0.5)
    first = question_of(Average(), knots, table, users=50, role="last", groups=7)
    chosen = replace(knots_way("last", statistic=Average(), low=0.0, high=1.0), groups=7)
    waves = rule_builders.waves_in_turn([(50, ("last",)), (50, ("last",))], epsilon=1.0)
    rules = Rules(waves=waves, ways=(Way.of(first, opening=True), chosen), tables=(table,))
    assert free(rules, first) <= OPEN.keys()
    last = replace(
        first, round=1, slots=Slots(first=50, count=50), encoder=Encoder(statistic=Average(), placement=knots)
    )
    assert free(rules, last) - OPEN.keys() == {"knots.inner", "knots.nothing"}
