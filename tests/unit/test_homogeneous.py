"""`homogeneous`: close to the limit for users alike, honest about what it asserts; what looks at users say."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Assumes, Estimate, NoteCode
from sottovoce.checks import check_protocol
from sottovoce.design import central
from sottovoce.device import Collections
from sottovoce.engines import questions_of, run, simulate
from sottovoce.messages import Average, Encoder, Position, Question, Slots, Tally
from sottovoce.methods import BinnedRound, bins_question, normal_below, posterior_after
from sottovoce.methods.likelihood import leaning_below
from sottovoce.problems import choose
from sottovoce.problems.mean.homogeneous import designs, most_informative
from sottovoce.risk import Crowd
from tests.support import uniform_people


def survey(**changes: Any) -> sv.Mean:
    fields: dict[str, Any] = {"epsilon": 1.0, "low": -1.0, "high": 1.0, "users": 2000, "observations": 100}
    return sv.Mean(**fields | {"method": "homogeneous"} | changes)


def people(averages: np.ndarray) -> Collections:
    """Each holds one observation, the average: a mean looks at nothing else."""
    return Collections(averages[:, None], np.arange(len(averages) + 1))


def answers(own: sv.Mean, draw: Any, repetitions: int) -> list[Estimate]:
    found = []
    for repetition in range(repetitions):
        averages = draw(np.random.default_rng([7, repetition]), own.users)
        found.append(run(own, simulate(people(averages), seed=11, repetition=repetition)))
    return found  # type: ignore[return-value]


def coins(chance: float, observations: int) -> Any:
    return lambda stream, users: 2 * stream.binomial(observations, chance, users) / observations - 1


CELLS = [
    (coins(0.5, 100), 0.0, survey(), 7.356 * 0.01 / 2000),
    (coins(0.5, 1000), 0.0, survey(observations=1000, users=5000), 7.356 * 0.001 / 5000),
    (coins(0.5, 20), 0.0, survey(observations=20, epsilon=4.0), 1.331 * 0.05 / 2000),
    (coins(0.03, 100), -0.94, survey(epsilon=2.0), 2.708 * 4 * 0.0291 / 100 / 2000),
    (lambda stream, users: 0.3 + 0.02 * stream.standard_normal(users), 0.3, survey(), 7.356 * 4e-4 / 2000),
]


@pytest.mark.thin(3)
@pytest.mark.parametrize("cell", range(len(CELLS)))
def test_near_the_limit_and_covering(cell: int) -> None:
    """30 repetitions. The mean of 30 squares of a normal exceeds 1.75 times its expectation with chance 0.007, and 30
    intervals that cover 95 % miss more than 5 times with chance 0.003; an efficiency of 0.5 is asked for and about
    0.8 is there, so a false alarm has a chance below 0.01 for all cells together. Users alike seem to differ in one
    run of a hundred or fewer: in more than three of 30 with chance 2e-4. That many lie at an end of the range is said
    only where a fifth of them do."""
    draw, truth, own, limit = CELLS[cell]
    found = answers(own, draw, 30)
    squares = [(one.value - truth) ** 2 for one in found]
    assert np.mean(squares) < 1.75 * limit / 0.5
    assert sum(not one.interval[0] <= truth <= one.interval[1] for one in found) <= 5
    assert all(one.interval[0] <= one.value <= one.interval[1] for one in found)
    assert all(
        one.assumes in (Assumes.ONE_DISTRIBUTION, Assumes.COVERED_BY_LAST_ROUND) or one.warnings for one in found
    )
    differ = [[said for said in one.warnings if "range may be wrong" not in said] for one in found]
    assert sum(map(bool, differ)) <= 3
    assert abs(truth) > 0.9 or all(len(own) == len(one.warnings) for own, one in zip(differ, found, strict=True))


def test_prediction_is_near_what_happens() -> None:
    """The mean of 40 squares is within a factor of 1.7 of its expectation but for a chance of 0.01; the formula is good
    to a factor of 1.5."""
    own = survey(users=5000, observations=400)
    seen = np.mean([one.value**2 for one in answers(own, coins(0.5, 400), 40)])
    predicted = choose(own).predict(Crowd(around=0.0)).mse
    assert predicted / 2.5 < seen < 2.5 * predicted


def test_a_point_is_found_to_less_than_the_lattice() -> None:
    own = survey(epsilon=2.0, observations=50, users=5000)
    for one in answers(own, lambda _, users: np.full(users, 0.1234), 5):
        assert abs(one.value - 0.1234) < 0.01 and one.halfwidth < 0.02


def test_users_who_differ_are_covered_and_told_of() -> None:
    """Averages like an exponential law, far wider than alike users' could be: the sign would see its median, 0.3
    spreads off. The average of 10 errors has a standard error of 0.07 spreads at most, so 0.3 is four of them."""
    own = survey(users=5000, observations=1000, epsilon=2.0)
    found = answers(own, lambda stream, users: 2 * stream.beta(1, 49, users) - 1, 10)
    assert all(any("contradict" in warning for warning in one.warnings) for one in found)
    errors = [(one.value + 0.96) / 0.0385 for one in found]
    assert abs(np.mean(errors)) < 0.28 / 2
    assert all(one.standard_error.clipping > 0 for one in found)


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 5])
def test_no_more_rounds_than_allowed(rounds: int) -> None:
    own = survey(rounds=rounds, observations=400)
    answer, asked = questions_of(own, simulate(people(coins(0.5, 400)(np.random.default_rng(1), 2000)), seed=3))
    assert isinstance(answer, Estimate)
    assert len(asked) <= rounds and (rounds == 1) == (len(asked) == 1)
    assert sum(question.slots.count for question in asked) == sum(answer.users_per_round) == 2000
    planned = choose(own).method.users_per_round(own)
    assert len(planned) == rounds and sum(planned) <= 2000
    assert abs(answer.value) < (0.3 if rounds == 1 else 0.05)


@pytest.mark.thin(7)
@pytest.mark.parametrize("users", [1, 2, 3, 7, 50, 300])
@pytest.mark.parametrize("observations", [1, 2, 4, 30, 400])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 16.0])
def test_any_size(users: int, observations: int, epsilon: float) -> None:
    own = survey(users=users, observations=observations, epsilon=epsilon, low=-3.0, high=11.0)
    assert 1 <= check_protocol(own, uniform_people(users, observations), epsilon=epsilon) <= 5
    ends = people(np.where(np.arange(users) % 2, 11.0, -3.0))
    assert 1 <= check_protocol(own, ends, epsilon=epsilon) <= 5


def test_few_users_are_asked_once_on_the_full_range() -> None:
    own = survey(users=40)
    answer, asked = questions_of(own, simulate(uniform_people(40, 100), seed=1))
    assert len(asked) == 1 and answer.method == "homogeneous"
    once = survey(users=40).with_method("one-round", 1)
    assert choose(own).predict(Crowd(spread=0.0)) == choose(once).predict(Crowd(spread=0.0))
    assert choose(own).method.words(own) == choose(once).method.words(once)


def test_cuts_that_tell_most() -> None:
    """Against the limits that linear programming found over all channels (research, ε = .5 … 8)."""
    epsilons = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
    limits = (26.19, 7.356, 3.894, 2.708, 2.028, 1.685, 1.331, 1.089, 1.025)
    for epsilon, limit in zip(epsilons, limits, strict=True):
        assert limit * 0.999 < most_informative(epsilon).cost < limit * 1.01
        found = designs(epsilon)
        assert found[0].cost == min(one.cost for one in found)
        assert list(found) == sorted(found, key=lambda one: -one.exposure)


def test_colluders_reach_and_capture() -> None:
    own = survey()
    found = choose(own).method.poisoning(own, Crowd(around=0.0))
    assert 0 < found.reach < 1.0 and found.capture is not None and 0.05 < found.capture < 0.5


def test_a_look_far_from_all_edges_says_nothing_about_the_place() -> None:
    """Colluders are asked about as if: their users may be far from every edge of a soft question."""
    look = BinnedRound(edges=(0.1, 0.2), counts=(30, 40, 30), reports=100, own=0.6, other=0.2, several=False, soft=0.05)
    found = look.log_likelihood(np.array([-0.9, -0.8]), np.array([0.01, 0.01]), np.zeros(2))
    assert found[0] == found[1] and np.isfinite(found).all()


def test_users_far_from_the_rest_are_seen_and_allowed_for() -> None:
    stream = np.random.default_rng(5)
    averages = np.where(np.arange(20_000) % 5 == 0, 0.9, 0.2) + 0.005 * stream.standard_normal(20_000)
    own = survey(epsilon=4.0, low=0, users=20_000, observations=1000)
    found = run(own, simulate(people(averages), seed=3))
    assert any("far from the rest" in warning for warning in found.warnings)
    assert found.interval[0] <= averages.mean() <= found.interval[1]


def test_few_observations_are_asked_at_once_and_it_says_so() -> None:
    found = run(survey(low=0, users=200, observations=1), simulate(people(np.full(200, 0.5)), seed=3))
    assert found.users_per_round == (200,) and any("asked at once" in warning for warning in found.warnings)
    assert NoteCode.ASKED_AT_ONCE in found.note_codes
    assert found.instead is None


ALL = Slots(first=0, count=10**6)


def expected(asked: Question, points: np.ndarray) -> Tally:
    """What users at these points send on average: no chance in it."""
    placement = asked.encoder.placement
    if isinstance(placement, Position):
        part = (points - placement.low[0]) / (placement.high[0] - placement.low[0])
        inputs = np.rint(np.clip(part, 0, 1) * asked.channel.span).astype(np.int64)
    else:
        inputs = np.searchsorted(placement.edges, points, side="right").astype(np.int64)  # type: ignore[union-attr]
    return Tally.build(asked, [len(points)], [asked.channel.expected_cells(inputs)])  # type: ignore[union-attr]


def test_the_normal_law() -> None:
    z = np.linspace(-6.9, 6.9, 4001)
    exact = np.array([0.5 * math.erfc(-place / math.sqrt(2)) for place in z])
    assert np.abs(normal_below(z) - exact).max() < 1e-11
    assert normal_below(np.array([-50.0, 50.0])) == pytest.approx([0, 1], abs=1e-11)


def test_a_leaning_bell_has_its_three_moments() -> None:
    places = np.linspace(-9, 15, 200_001)
    for lean in (0.0, 0.3, 1.0):
        below = leaning_below(places, np.zeros(1), np.ones(1), np.array([lean]))
        middle, mass = (places[1:] + places[:-1]) / 2, np.diff(below)
        assert mass.min() >= -1e-14
        mean = mass @ middle
        spread = math.sqrt(mass @ (middle - mean) ** 2)
        assert mean == pytest.approx(0, abs=0.01) and spread == pytest.approx(1, abs=0.01)
        assert mass @ ((middle - mean) / spread) ** 3 == pytest.approx(lean, abs=0.04)


def normal_users(mean: float, spread: float, count: int = 20_000) -> np.ndarray:
    return np.array([NormalDist(mean, spread).inv_cdf((place + 0.5) / count) for place in range(count)])


def look(edges: np.ndarray, points: np.ndarray, *, epsilon: float) -> BinnedRound:
    """Of these users, in bins between the edges."""
    asked = bins_question(survey="s", number=0, role="r", slots=ALL, edges=tuple(edges.tolist()), epsilon=epsilon)
    return BinnedRound.of(asked, expected(asked, points), -1, 1)


EVERYWHERE = np.sin(np.linspace(-1.5, 1.5, 30))


def test_looks_find_place_and_spread() -> None:
    points = normal_users(0.213, 0.05)
    first = look(EVERYWHERE, points, epsilon=1.0)
    assert abs(posterior_after(100, (first,)).mean - 0.213) < 0.02
    cuts = 0.213 + 0.05 * np.array([-1.2, -0.7, -0.3, 0.0, 0.3, 0.7, 1.2])
    seen = posterior_after(100, (first, look(cuts, points, epsilon=1.0)))
    assert abs(seen.mean - 0.213) < 0.002 and abs(seen.spread - 0.05) < 0.003 and seen.settled > 0.95
    assert seen.quantiles(np.array([0.5]))[0] == pytest.approx(0.213, abs=0.003)
    cover = seen.covering(4.0, 1000)
    assert cover.low < 0.213 - 0.06 and cover.high > 0.213 + 0.06 and cover.high - cover.low < 0.5


def test_a_soft_look_reads_its_own_table() -> None:
    """Users on a lattice as coarse as the edges are soft: the middle is found all the same."""
    lattice = np.rint(normal_users(0.0307, 0.1) * 50) / 50
    first = look(np.linspace(-0.91, 0.89, 19), lattice, epsilon=2.0)  # midway between points of the lattice
    encoder = Encoder(statistic=Average(), placement=Position(low=(-0.11,), high=(0.13,)))
    second = Question(
        survey="s", round=1, role="c", slots=ALL, encoder=encoder, channel=central(2.0, 3, 5), epsilon=2.0
    )
    soft = BinnedRound.of(second, expected(second, lattice), -1, 1)
    assert soft.soft == pytest.approx(0.02) and soft.edges == pytest.approx((-0.09, 0.11))
    assert abs(posterior_after(100, (first, soft)).mean - 0.0307) < 0.002


def test_users_who_differ_are_seen() -> None:
    seen = posterior_after(400, (look(EVERYWHERE, normal_users(-0.2, 0.2), epsilon=2.0),))
    assert seen.chance_of_wider(1.2) > 0.99 and seen.ratio == pytest.approx(0.2 * 20 / math.sqrt(0.96), rel=0.15)
