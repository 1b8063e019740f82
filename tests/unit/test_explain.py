"""Questions and manifests in words, what a device would send, how likely; rounds as if all held one collection."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast, get_args

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import design
from sottovoce.audit import every_statistic
from sottovoce.baselines import BASELINES, OneItem, SemiUser, SplitUser
from sottovoce.device import Collections, SystemEntropy, encode
from sottovoce.engines import simulate
from sottovoce.explain import (
    consent_fact,
    explain_question,
    explain_survey,
    range_fact,
    report_of_new_device,
    statistic_fact,
    steps,
)
from sottovoce.explain.expected_tally import expected_tally
from sottovoce.explain.question_explanation import inputs_of_channel, relative_likelihood
from sottovoce.messages import (
    FINE,
    Average,
    Averages,
    Batch,
    Categories,
    Category,
    Channel,
    Declined,
    Direction,
    Each,
    Grid,
    Hashed,
    InvalidInput,
    Item,
    Joint,
    Knots,
    Placement,
    Position,
    Question,
    Report,
    Residual,
    Slots,
    Statistic,
    Tally,
    Vector,
    statistic_name,
)
from sottovoce.messages.rules import STATISTICS
from sottovoce.problems import announce, named, problems
from sottovoce.problems.mean import Mean
from sottovoce.words import catalogue
from tests.service.scripted import mean_manifest
from tests.support.questions import question as question_of

UNIT = {"low": 0.0, "high": 1.0}
METHODS = [(problem, example) for problem in problems() for example in problem.examples]
EXAMPLES = [(*method, number % 2 == half) for number, method in enumerate(METHODS) for half in (0, 1)]
NAMES = [f"{problem.name}-{example.label}-{'held' if known else 'nothing'}" for problem, example, known in EXAMPLES]


def held_by_everybody(dimension):
    return [0.3, math.nan, 0.35] if dimension == 1 else [[0.3] * dimension, [0.35] * dimension]


def held_in_groups(encoder):
    held = held_by_everybody(encoder.dimension)
    if encoder.within is None:
        return held
    column = encoder.within.column
    return [[*row[:column], group, *row[column + 1 :]] for group in range(encoder.within.count) for row in held]


def worded(question):
    return {name: str(step) for name, step in steps(question)}


def rounds_of(survey, collection):
    """How many there are if everybody holds this collection, and the answer."""
    tallies = ()
    while isinstance(step := survey.decide(tallies), Question):
        tallies += (expected_tally(step, Collections.of_one(collection)),)
        tallies[-1].check(step)
    return len(tallies), step


def asked(statistic, placement, channel, *, users=40, **more):
    return question_of(statistic, placement, channel, slots=Slots(first=7, count=users), epsilon=100.0, **more)


@pytest.mark.thin(2)  # in the gate: of every method, what is held and nothing by turns
@pytest.mark.parametrize("problem, example, known", EXAMPLES, ids=NAMES)
def test_every_round_of_every_method_can_be_explained(problem, example, known):
    survey = problem.example_survey(example, epsilon=2.0)
    dimension = survey.decide(()).encoder.statistic.dimension
    mine = held_by_everybody(dimension) if known else None
    rounds, _ = rounds_of(survey, () if mine is None else mine)
    for round in range(rounds):
        told = explain_survey(survey, round=round, collection=mine)
        document = told.to_dict()
        assert json.loads(json.dumps(document["question"])) == json.loads(told.question.to_bytes())
        assert document["round"] == round
        assert (document["assumed"] is None) == (round == 0)
        assert document["epsilon"]["certified"] <= document["epsilon"]["declared"] <= 2.0
        assert list(document["steps"]) == ["compute", "place", "randomise", "send"]
        if known and told.question.encoder.statistic.draws:
            assert told.computed.code == "explain-drawn" and told.device["relative_likelihood"] is None
        elif known:
            assert told.computed
            seen, sure = told.device["relative_likelihood"], told.device["guaranteed_likelihood"]
            if seen is None:  # the device draws lots before it is asked for noise
                assert told.question.encoder.statistic.kind in ("category", "direction")
                continue
            assert sure[0] * (1 - 1e-9) <= seen[0] <= 1 + 1e-9 and 1 - 1e-9 <= seen[1] <= sure[1] * (1 + 1e-9)
    with pytest.raises(InvalidInput, match=f"this survey asks {rounds} question"):
        explain_survey(survey, round=rounds, collection=mine)


@pytest.mark.parametrize("baseline", [one for one in BASELINES if not one.simulation_only], ids=lambda one: one.name)
def test_every_baseline_that_sends_reports_can_be_explained(baseline):
    told = explain_survey(baseline.example(1.0), collection=[0.2, 0.4])
    assert (told.method, str(told.reason)) == (baseline.name, f"{baseline.name}: a baseline, to compare with")
    assert told.asked_epsilon == 1.0
    assert (told.device["computes"] is None) == told.question.encoder.statistic.draws
    asks = "8 questions; take rounds 0 to 7" if baseline.name == "tree" else "1 question; take round 0 only"
    with pytest.raises(InvalidInput, match=f"asks {asks}, not 8"):
        explain_survey(baseline.example(1.0), round=8)


def test_what_runs_and_why():
    survey = Mean(**UNIT, epsilon=1.0, users=500, observations=4)
    vector = named("vector").settings(low=0.0, high=1.0, dimension=2, epsilon=1.0, users=500, observations=4)
    assert str(explain_survey(vector).reason).startswith("auto takes ")
    assert str(explain_survey(replace(survey, method="theory")).reason) == "theory: asked for"
    with pytest.raises(Declined):
        explain_survey(survey, collection=[0.5], cap=0.5)
    alone = [problem for problem in problems() if len(problem.automatic) == 1]
    for problem in alone:
        told = explain_survey(problem.example_survey(problem.examples[0], epsilon=1.0))
        assert told.method == problem.automatic[0]
        reason = str(told.reason).removeprefix(f"{told.method}: ")
        assert reason == "the only one that auto chooses from" or reason.startswith("predicted error")


def test_the_next_question_follows_from_what_everybody_holds_and_rounds_end():
    survey = Mean(**UNIT, epsilon=2.0, users=5000, observations=2000, method="paper")
    with pytest.raises(InvalidInput, match="asks 2 questions; take rounds 0 to 1, not 5"):
        explain_survey(survey, round=5)
    with pytest.raises(InvalidInput, match="counts from 0"):
        explain_survey(survey, round=-1)
    for value in (0.0, 0.3, 0.77, 1.0, 5.0):
        place = explain_survey(survey, round=1, collection=[value]).question.encoder.placement
        assert place.low[0] <= min(1.0, value) <= place.high[0]
    middle = explain_survey(survey, round=1)
    assert middle.question.encoder.placement.low[0] < 0.5 < middle.question.encoder.placement.high[0]
    assert "held nothing" in str(middle.assumed)
    assert "held this collection" in str(explain_survey(survey, round=1, collection=[0.3]).assumed)
    for_all = explain_survey(replace(survey, users=2**39), round=1, collection=[0.3])  # takes no longer
    assert for_all.question.encoder.placement.low[0] < 0.3 < for_all.question.encoder.placement.high[0]


def test_tallies_without_chance_are_decoded_to_what_everybody_holds():
    """With many users the rounding to whole counts is all that is left: far below a thousandth of the range."""
    survey = Mean(**UNIT, epsilon=2.0, users=10**6, observations=100, method="paper")
    for method in ("one-round", "paper", "theory"):
        assert rounds_of(replace(survey, method=method), [0.2, 0.4])[1].value == pytest.approx(0.3, abs=1e-3)


UNARY, LAPLACE = design.unary(2.0, 5), design.laplace(2)
PLACES = Position(low=(0.0, -1.0, 0.0), high=(1.0, 1.0, 2.0))
ASKED = [
    asked(Average(columns=(0, 1, 2)), PLACES, LAPLACE, groups=3),
    asked(Average(columns=(0, 1, 2)), PLACES, LAPLACE, groups=3, uses=2),
    asked(Average(), Grid(low=(0.0,), high=(1.0,), count=5), UNARY),
    asked(Average(), Grid(low=(0.0,), high=(1.0,), count=5), UNARY, groups=64),
    asked(Each(), Position(low=(0.0,), high=(1.0,)), design.one_bit(2.0), uses=5),
]


@pytest.mark.parametrize("question", ASKED, ids=range(len(ASKED)))
def test_a_tally_holds_the_expected_cells_of_all_inputs(question, monkeypatch):
    """Against the inputs of every single slot; blocks as small as they get change nothing but the rounding."""
    mine = Collections.of_one([[0.1, 0.2, 0.3], [0.4, 0.9, math.nan], [math.inf, 0.7, 1.1]])
    slots = question.slots.first + np.arange(question.slots.count)
    given = encode(question, mine.take(np.zeros(len(slots), dtype=np.int64)), slots, SystemEntropy())
    groups = question.group_of(slots)
    rows = [question.channel.expected_cells(given[groups == group]) for group in range(question.groups)]
    found = expected_tally(question, mine)
    assert found == Tally.build(question, [int((groups == g).sum()) for g in range(question.groups)], rows)
    monkeypatch.setattr("sottovoce.explain.expected_tally._AT_ONCE", 6)
    small = expected_tally(question, mine)
    assert small.reports == found.reports
    assert np.abs(np.subtract(small.cells, found.cells)).max() <= question.slots.count * question.uses


@pytest.mark.parametrize(
    "statistic",
    [Hashed(seed=3, columns=4, threshold=0.5), Residual(seed=3, centres=(0.0, 1.0))],
    ids=lambda one: one.kind,
)
def test_signed_sums_are_those_of_the_inputs(statistic, monkeypatch):
    question = asked(statistic, Position(low=(-4.0,), high=(4.0,)), LAPLACE, users=500)
    mine = Collections.of_one([[0.9, 0.0, 0.1, 0.8], [0.9, math.nan, 0.1, 0.8]])
    slots = question.slots.first + np.arange(500)
    given = encode(question, mine.take(np.zeros(500, dtype=np.int64)), slots, SystemEntropy())
    exact = Tally.of(Batch(question=question, slots=slots, symbols=given[:, :, None]))
    found = expected_tally(question, mine)
    assert found.reports == (500,)
    assert found.cells[0][:-1] == exact.cells[0][:-1]
    noise = 4 * 500 * LAPLACE.noise_variance * LAPLACE.steps**2
    assert found.cells[0][-1] - exact.cells[0][-1] == pytest.approx(noise, abs=1)
    monkeypatch.setattr("sottovoce.explain.expected_tally._SIGNS", 100 * statistic.signed)  # 100 stand for all
    few = expected_tally(question, mine)
    assert few.reports == (500,)
    assert few.cells[0][-1] == pytest.approx(found.cells[0][-1], rel=0.05)


def test_a_vector_is_looked_at_where_its_group_says():
    statistic = Average(columns=(1, 0))
    question = asked(statistic, Position(low=(0.0, 5.0), high=(1.0, 6.0)), LAPLACE, groups=2, uses=2)
    told = inputs_of_channel(question, Collections.of_one([[5.5, 0.25]]))
    assert told.tolist() == [LAPLACE.span // 4, LAPLACE.span // 2]
    shown = worded(question)
    assert "in the column that falls to you" in shown["compute"]
    assert "from 0 to 1 (in the first of 2 groups; each has its own range)" in shown["place"]
    assert "2 parts, one for each of 2 groups you are in; 16 bytes in all" in shown["send"]
    box = named("vector").settings(
        epsilon=1.0, users=90, observations=5, dimension=3, low=0.0, high=8.0, method="one-round"
    )
    seen = explain_survey(box, collection=[[2.0, 4.0, 6.0]])
    assert seen.device["computes"] == pytest.approx([2.0], abs=1e-6)
    assert seen.device["observations"] == 1
    assert "for the first of 3 groups" in str(seen.computed)


@pytest.mark.parametrize("question", every_statistic(2.0), ids=lambda question: question.role)
def test_every_statistic_can_be_explained(question):
    shown, encoder = worded(question), question.encoder
    assert str(encoder.statistic.fact) in shown["compute"] and not re.search(r"[{}\[\]]|None|\b0x", shown["compute"])
    if encoder.within is None:
        assert shown["compute"].endswith(", on your device")
    else:
        assert shown["compute"].startswith("on your device: ") and shown["compute"].endswith(str(encoder.within.fact))
    there = "" if encoder.within is None else " in that group"
    said = {
        "random": f"with nothing observed{there}, a place drawn at random",
        "last": f"observed{there}, the last place",
    }
    assert shown["place"].endswith(said.get(encoder.empty, str(encoder.nothing)))
    lots = encoder.statistic.draws or (encoder.within is not None and encoder.within.is_drawn)
    for mine in ([], held_in_groups(encoder)):
        held = Collections.of_one(mine)
        expected_tally(question, held).check(question)
        assert (inputs_of_channel(question, held) is None) == (lots or (encoder.empty == "random" and not mine))
        assert len(Report.from_bytes(report_of_new_device(question, held)).payload) == 2 * question.payload_bytes


def test_what_lies_between_knots_is_shown_as_it_is():
    knots = Knots(low=1.0, high=5.0, inner=(3.0, 3.5), nothing=3.25)
    question = asked(Average(), knots, design.piecewise(2.0, nodes=4, window=2))
    for mine, shown in (([3.25], "3.25"), ([2.0], "2"), ([9.0], "5"), ([-math.inf], "1"), ([3.5, 3.6], "3.55")):
        assert str(explain_question(question, collection=mine).computed) == shown
    steps = worded(question)
    assert steps["place"] == (
        "between which two of 4 places from 1 to 5 that lies, and how near to each, the nearer end if outside; "
        "with nothing observed, at 3.25"
    )
    assert str(explain_question(question, collection=[]).computed) == "3.25"
    total = np.array(expected_tally(question, Collections.of_one([2.0])).cells[0])
    expected = question.channel.expected_cells(np.full(question.slots.count, 2**31))
    assert total.tolist() == list(expected)


def test_lots_for_nothing_are_told_only_to_whoever_has_nothing():
    """A number that is sure is shown; it is the one that falls in the middle, or anywhere, if there is none."""
    sure = asked(Average(), Position(low=(0.0,), high=(1.0,)), LAPLACE)
    drawn = replace(sure, encoder=replace(sure.encoder, empty="random"))
    something, nothing = Collections.of_one([0.25, math.nan]), Collections.of_one([math.nan])
    assert (
        inputs_of_channel(drawn, something).tolist()
        == inputs_of_channel(sure, something).tolist()
        == [LAPLACE.span // 4]
    )
    assert inputs_of_channel(drawn, nothing) is None
    assert inputs_of_channel(sure, nothing).tolist() == [LAPLACE.span // 2]
    told = explain_question(drawn, collection=[0.25])
    assert str(told.computed) == "0.25" and told.device["relative_likelihood"] is not None
    assert str(explain_question(drawn).computed) == "with nothing observed, a place drawn at random"


def pointing(centre, *, radius, users=20_000):
    statistic = Direction(vector=Averages(size=len(centre)), centre=centre, radius=radius, seed=5, rows=4)
    return asked(statistic, Grid(low=(0.0,), high=(8.0,), count=8), design.subset(2.0, 8, size=1), users=users)


def test_a_round_of_directions_points_to_what_everybody_holds(monkeypatch):
    """What is left is the chance of public turns, 2 / 0.4 / √20,000 an entry; some of the users stand for all."""
    question, mine = pointing((0.1, 0.0, -0.2), radius=2.0), Collections.of_one([[0.6, -0.7, math.nan]])
    statistic, channel = question.encoder.statistic, question.channel
    response = (channel.inclusion[0] - channel.inclusion[1]) * 1.4630  # the largest of four Gaussian numbers
    drawn = simulate(mine.take(np.zeros(20_007, dtype=np.int64)), seed=1)(question)
    for part in (None, 128 * 10_000):
        if part is not None:
            monkeypatch.setattr("sottovoce.explain.expected_tally._SIGNS", part)
        tally = expected_tally(question, mine)
        tally.check(question)
        assert tally.reports == (20_000,)
        found = np.array(tally.cells[0][:3]) * statistic.radius / (response * FINE * 20_000)
        assert found == pytest.approx([0.5, -0.7, 0.0], abs=0.08)
        assert tally.cells[0][3:] == pytest.approx(drawn.cells[0][3:], rel=0.15)
    assert expected_tally(question, Collections.of_one([])).cells[0][:3] == (0, 0, 0)


def test_lots_are_cast_evenly():
    """A place between two levels is both, as often as it is near; an item of each category, as often as it is held."""
    nine = Grid(low=(0.0,), high=(9.0,), count=9)
    joint = asked(Joint(centres=(0.0, 1.0, 2.0), reach=0.4, levels=3), nine, design.unary(2.0, 9), users=640)
    cells = expected_tally(joint, Collections.of_one([1.1])).cells  # a quarter of the way to the level above
    even = np.repeat([4, 5], [480, 160])
    assert cells == (tuple(design.unary(2.0, 9).expected_cells(even)),)
    five = Grid(low=(0.0,), high=(5.0,), count=5)
    for statistic in (Category(vector=Categories(places=five)), Item()):
        drawn = asked(statistic, five, UNARY, users=90)
        found = expected_tally(drawn, Collections.of_one([0.5, math.nan, 2.5, 2.5]))
        assert found.cells == (tuple(UNARY.expected_cells(np.repeat([0, 2, 2], 30))),)
    nothing = expected_tally(drawn, Collections.of_one([math.nan]))
    assert nothing.cells == (tuple(UNARY.expected_cells(np.full(90, 2))),)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("make", [SemiUser, SplitUser, "one-round", "paper"], ids=str)
def test_relative_likelihood_is_the_ratio_of_the_law(make, epsilon):
    """Against the ratio that a channel's own integers give at the two ends of its inputs."""
    common = UNIT | {"epsilon": epsilon, "users": 100, "observations": 4}
    survey = Mean(**common, method=make) if isinstance(make, str) else make(**common)
    question = survey.decide(())
    low, high = (Collections.of_one([value] * 4) for value in (0.0, 1.0))
    sent = Report.from_bytes(report_of_new_device(question, low))
    from_low = relative_likelihood(question, sent, inputs_of_channel(question, low))
    from_high = relative_likelihood(question, sent, inputs_of_channel(question, high))
    # The extremes over all collections do not depend on whose report it is, so both views share one width.
    assert math.log(from_low[1] / from_low[0]) == pytest.approx(math.log(from_high[1] / from_high[0]))
    assert from_low[0] <= 1 + 1e-9 and from_low[1] >= 1 - 1e-9
    bound = math.exp(float(question.epsilon_bound()))
    assert from_low[1] / from_low[0] <= bound * (1 + 1e-9)


def test_a_coin_by_hand():
    question = OneItem(**UNIT, epsilon=1.0, users=10).decide(())
    span = question.channel.span
    for symbol in (0, 1):
        report = Report(question=question.digest, slot=0, payload=f"0{symbol}")
        at_low = relative_likelihood(question, report, np.array([0]))
        assert at_low == pytest.approx((1, math.e) if symbol else (math.exp(-1), 1))
        middle = relative_likelihood(question, report, np.array([span // 2]))
        assert middle == pytest.approx((2 / (1 + math.e), 2 * math.e / (1 + math.e)))


def test_a_subset_by_hand():
    channel = design.subset(1.0, 6)
    question = asked(Average(), Grid(low=(0.0,), high=(1.0,), count=6), channel)
    ratio = math.exp(float(channel.epsilon_bound()))
    report = Report(question=question.digest, slot=7, payload="".join(f"{index:04x}" for index in range(channel.size)))
    assert relative_likelihood(question, report, np.array([0])) == pytest.approx((1 / ratio, 1))
    assert relative_likelihood(question, report, np.array([5])) == pytest.approx((1, ratio))


def test_every_word_of_the_vocabulary_has_a_fact():
    for kind in (*get_args(Channel), *get_args(Statistic), *get_args(Placement), *get_args(Vector)):
        assert "fact" in vars(kind) or {f"computes-{kind.kind}", f"vector-{kind.kind}"} & set(catalogue().written), kind


ALL = {statistic_name(one.encoder.statistic): one.encoder.statistic for one in reversed(every_statistic(2.0))}


def test_every_statistic_is_there() -> None:
    assert set(ALL) == STATISTICS
    for name in STATISTICS:
        assert str(statistic_fact(name))


@pytest.mark.parametrize("name", sorted(STATISTICS - {"average"}))
def test_the_words_are_those_of_the_statistic_without_its_numbers(name: str) -> None:
    told = re.sub(r"(?<!\()\b\d[\d,]*\b(?!\))", "several", str(ALL[name].fact))
    assert str(statistic_fact(name)) == told.replace("the category, one of several, of", "the category of")


@pytest.mark.parametrize("first", [None, 1, 7])
def test_an_average_is_of_all_or_of_the_first(first: int | None) -> None:
    told = str(Average(first=first).fact)
    assert told.startswith("the average of " if first != 1 else "your first observation")
    assert str(statistic_fact("average")) == "the average of your observations, or of the first of them"


@pytest.mark.parametrize(
    "low, high, told",
    [
        (1.0, 5.0, "from 1 to 5"),
        (1e9, 1e9 + 1, "from 1000000000 to 1000000001"),
        (-1e9 - 0.5, -1e9, "from -1000000000.5 to -1000000000"),
        (0.1, 0.1000001, "from 0.1 to 0.1000001"),
        (-1e150, 1e150, "from -1e+150 to 1e+150"),
    ],
)
def test_ends_that_differ_look_different(low: float, high: float, told: str) -> None:
    assert str(range_fact(low, high)) == told


def test_what_is_asked_in_words() -> None:
    manifest = mean_manifest(method="adaptive", low=1000.0, high=1000.5)
    told = str(consent_fact(manifest))
    assert "the average of your observations, or of the first of them (from 1000 to 1000.5)" in told
    assert told.count("the average") == 1, "bins of it, and where it lies"
    first = manifest.rules.ways[0]
    ways = (
        replace(first, statistic="category of categories", placement="grid", low=0.0, high=4.0, columns=2),
        replace(first, statistic="item", placement="grid", low=0.0, high=4.0),
        replace(first, statistic="item", placement="grid", low=7.0, high=7.0001),
    )
    told = str(consent_fact(cast(Any, SimpleNamespace(rules=SimpleNamespace(ways=ways), groups=()))))
    assert told.endswith(
        "about: the category of one of your observations, drawn at random, over 2 columns; "
        "or one of your observations, drawn at random (from 0 to 4 or from 7 to 7.0001)"
    )


def test_a_participant_hears_that_a_group_is_asked_about() -> None:
    """Not that two columns are averaged: the label of a group is no number to average."""
    settings = sv.ByGroup(epsilon=2.0, users=90, observations=6, groups=("arts", "law"), low=1.0, high=5.0)
    made = announce(settings, purpose="to try", collector="tests", software="sottovoce", opens=0, closes=1000)
    told = str(consent_fact(made))
    assert "counting only what you hold in one of the groups; or that you hold nothing there" in told
    assert "columns" not in told
    assert "about: roughly where your average lies, rounded at random to one of several places, counting" in told
    assert "centre" not in told
