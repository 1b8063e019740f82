"""Mixtures: readings of the paper, folds, constants, what an answer tells, and the adaptive rounds."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.answers import Assumes
from sottovoce.device import Collections
from sottovoce.engines import questions_of
from sottovoce.messages import Bins, Fact, Question, Residual
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.methods import Layout
from sottovoce.problems.base import choose
from sottovoce.problems.mixture import MixtureEstimate
from sottovoce.problems.mixture.paper import ThreeFolds, fullest_bins, share_edges, share_places
from sottovoce.problems.mixture.world import MixtureWorld
from sottovoce.risk import Crowd
from tests.support import coin_mixture, rectangle

COINS, EVEN = (1 / 8, 3 / 8, 5 / 8, 7 / 8), (0.25, 0.25, 0.25, 0.25)


def mixture(**changes: Any) -> sv.MixtureMeans:
    fields: dict[str, Any] = {"epsilon": 4.0, "low": -1.0, "high": 1.0, "users": 1000, "observations": 1000}
    return sv.MixtureMeans(**fields | {"method": "paper", "components": 4} | changes)


def method(survey: sv.MixtureMeans) -> ThreeFolds:
    found = choose(survey).method
    assert isinstance(found, ThreeFolds)
    return found


def layout(survey: sv.MixtureMeans) -> Layout:
    return method(survey).layout(survey)


def cut(survey: sv.MixtureMeans) -> float:
    return method(survey).cut(survey)


def tossing(users: int, *, seed: int) -> Collections:
    return coin_mixture(np.random.default_rng(seed), users, 1000, COINS, EVEN)


def questions(protocol: sv.MixtureMeans) -> list[Question]:
    return list(questions_of(protocol, sv.simulate(tossing(protocol.users, seed=1), seed=1))[1])


def test_constants_of_both_methods() -> None:
    assert layout(mixture()).delta == pytest.approx(0.25 * math.sqrt(math.log(1000 * 1000 * 16) / 1000), rel=1e-12)
    assert cut(mixture()) == 1 / 400
    theory = mixture(method="theory", proof_constant=1e-9, observations=100_000)
    assert layout(theory).delta == pytest.approx(math.sqrt(4 * math.log(1000 * 100_000 * 16) / 100_000), rel=1e-12)
    assert cut(theory) == 1 / 16
    assert cut(mixture(smallest_share=0.1)) == 0.05
    kept = math.floor(math.exp(1000 * 4 / (50.0 * 16)))  # n·min(α, α²)/(K m²)
    short = mixture(method="theory", proof_constant=50.0, observations=10**6, components=1)
    assert layout(short).delta < 1  # one component: m² does not slow it
    assert layout(mixture(method="theory", proof_constant=50.0, observations=10**6, delta=0.05)).delta == 0.05
    with pytest.raises(sv.InvalidInput, match=f"Δ = {math.sqrt(4 * math.log(1000 * kept * 16) / kept):.3g}"):
        mixture(method="theory", proof_constant=50.0, observations=10**6)


def test_winners_take_their_neighbours_out_and_ties_go_down() -> None:
    assert fullest_bins(np.array([5, 9, 8, 8, 1, 7]), 2).tolist() == [1, 3]
    assert fullest_bins(np.array([3, 3, 3, 3]), 2).tolist() == [0, 2]
    assert fullest_bins(np.array([-3, -9, -5, -5]), 2).tolist() == [0, 2]
    with pytest.raises(sv.InvalidInput, match="no room"):
        fullest_bins(np.array([1, 9, 1]), 2)


@pytest.mark.parametrize("users", [*range(3, 32), 1000, 1001, 1003])
def test_every_user_is_in_exactly_one_fold(users: int) -> None:
    asked = questions(mixture(users=users))
    assert [question.role for question in asked] == ["vote", "share", "residual"]
    slots = [slot for one in asked for slot in range(one.slots.first, one.slots.first + one.slots.count)]
    assert sorted(slots) == list(range(users)) and len(set(slots)) == users
    sizes = [question.slots.count for question in asked]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("membership", ["nearest", "bin"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 1.7, 4.0, 12.0])
def test_every_question_costs_exactly_epsilon(membership: Any, epsilon: float) -> None:
    """Certified from the integers: never above ε, and below it by rounding only (ERRATA P3; laplace pays 1.2e-10)."""
    for question in questions(mixture(epsilon=epsilon, membership=membership, users=301)):
        assert exact(epsilon) - Fraction(1, 10**9) < question.epsilon_bound() <= exact(epsilon), question.role


def test_votes_for_the_nearest_centre_are_those_of_the_residuals() -> None:
    """The second fold's bins and the third fold's nearest centre are one rule, ties to the lower included."""
    _, share, residual = questions(mixture(delta=1 / 16))
    placement, statistic = share.encoder.placement, residual.encoder.statistic
    assert isinstance(placement, Bins) and isinstance(statistic, Residual)
    centres = np.array(statistic.centres)
    ties = (centres[1:] + centres[:-1]) / 2  # exact: a Δ of 1/16 makes dyadic centres
    points = np.concatenate((ties, ties + 1e-9, ties - 1e-9, np.linspace(-1, 1, 997)))
    voted = np.searchsorted(np.array(placement.edges), points, side="right")
    assert np.array_equal(voted, np.argmin(np.abs(points[:, None] - centres), axis=1))


def test_the_bin_rule_asks_for_the_bins_and_elsewhere() -> None:
    protocol = mixture(membership="bin")
    _, share, residual = questions(protocol)
    placement, statistic = share.encoder.placement, residual.encoder.statistic
    assert isinstance(placement, Bins) and isinstance(statistic, Residual)
    assert placement.count == 9  # four bins, five stretches of elsewhere
    bins = layout(protocol)
    half = bins.delta
    assert placement.edges == pytest.approx([e for c in statistic.centres for e in (c - half, c + half)])
    ends = np.array([0, 3, 6, bins.bins - 1])
    assert len(share_edges("bin", bins, ends)) == 6 and share_places("bin", ends).tolist() == [0, 2, 4, 6]


def test_signs_come_from_the_seed() -> None:
    asked = [questions(mixture(public_seed=seed))[2].encoder.statistic for seed in (0, 3)]
    assert [one.seed for one in asked if isinstance(one, Residual)] == [0, 3]
    people = tossing(1000, seed=0)
    means = {sv.run(mixture(public_seed=seed), sv.simulate(people, seed=1)).means for seed in (0, 1, 2)}
    assert len(means) == 3


def test_one_component_and_one_bin() -> None:
    people = rectangle(np.full((90, 4), 0.3))
    one = sv.run(mixture(components=1, users=90), sv.simulate(people, seed=1))
    assert one.users_per_round == (45, 45) and one.shares == (1.0,) and one.share_errors == (0.0,)
    assert abs(one.means[0] - 0.3) < 6 * one.standard_errors[0].total
    single = sv.run(mixture(components=1, users=90, delta=1.0), sv.simulate(people, seed=1))
    assert single.users_per_round == (90,)
    assert single.intervals[0][0] <= 0.3 <= single.intervals[0][1]


def test_order_of_observations_does_not_matter() -> None:
    """Dyadic observations add up exactly in any order: the same bits come out."""
    rng = np.random.default_rng(3)
    data = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(600, 64))
    shuffled = rng.permuted(data, axis=1)
    protocol = mixture(users=600, observations=64, components=2)
    first = sv.run(protocol, sv.simulate(rectangle(data), seed=5))
    assert sv.run(protocol, sv.simulate(rectangle(shuffled), seed=5)) == first


@pytest.mark.parametrize("repetitions", [100, pytest.param(200, marks=pytest.mark.soak)])
def test_order_of_users_does_not_matter(repetitions: int) -> None:
    """KS of as many worst errors, users sorted by component or shuffled; threshold 1e-4 set beforehand."""
    from scipy.stats import ks_2samp

    people = tossing(600, seed=4)
    truth = 2 * np.array(COINS) - 1
    errors, protocol = [], mixture(users=600)
    for run_seed, order in ((1, np.argsort(people.values[:, 0])), (2, np.random.default_rng(5).permutation(600))):
        held = people.take(order)
        answers = [sv.run(protocol, sv.simulate(held, seed=run_seed, repetition=r)) for r in range(repetitions)]
        errors.append([np.abs(np.array(answer.means) - truth).max() for answer in answers])
    assert ks_2samp(*errors).pvalue > 1e-4


def adaptive_survey(**changes: Any) -> sv.MixtureMeans:
    return mixture(**{"method": "auto", "users": 1500, "observations": 200, "components": 2} | changes)


def adaptive_answer(
    protocol: sv.MixtureMeans, heads: tuple[float, ...], shares: tuple[float, ...], *, seed: int = 1
) -> MixtureEstimate:
    people = coin_mixture(np.random.default_rng(seed), protocol.users, protocol.observations, heads, shares)
    answer = sv.run(protocol, sv.simulate(people, seed=seed))
    assert isinstance(answer, MixtureEstimate)
    return answer


def test_auto_is_adaptive_and_finds_the_kinds() -> None:
    answer = adaptive_answer(adaptive_survey(), (0.2, 0.8), (0.3, 0.7))
    assert choose(adaptive_survey()).method.name == answer.method == "adaptive" and not answer.warnings
    assert answer.means == pytest.approx((-0.6, 0.6), abs=0.02) and answer.shares == pytest.approx((0.3, 0.7), abs=0.1)
    assert answer.assumes == Assumes.MODEL_OF_COMPONENTS and answer.interval_kind == Fact("by-model")
    assert "their number is right" in answer.summary()


@pytest.mark.parametrize("epsilon, components, users", [(0.3, 4, 60), (1.0, 3, 5), (8.0, 6, 400), (2.0, None, 200)])
@pytest.mark.parametrize("heads", [(0.0, 1.0), (0.48, 0.52)])
def test_components_stay_in_the_range_and_shares_add_up(
    epsilon: float, components: int | None, users: int, heads: tuple[float, ...]
) -> None:
    answer = adaptive_answer(adaptive_survey(epsilon=epsilon, components=components, users=users), heads, (0.5, 0.5))
    assert sum(answer.shares) == pytest.approx(1.0) and min(answer.shares) >= 0
    assert list(answer.means) == sorted(answer.means) and components in (None, answer.components)
    for mean, (low, high) in zip(answer.means, answer.intervals, strict=True):
        assert -1 <= low <= mean <= high <= 1
    for share, (low, high) in zip(answer.shares, answer.share_intervals, strict=True):
        assert 0 <= low <= share <= high <= 1


def test_the_number_of_components_is_found_and_called_unreliable_where_reports_do_not_settle_it() -> None:
    """Fifths of 3,000 users at ε = 0.5 are not seen, so one kind is found, and that is not to be trusted."""
    clear = adaptive_answer(adaptive_survey(components=None, users=3000), (0.2, 0.8), (0.5, 0.5))
    assert clear.components == 2
    (said,) = (warning for warning in clear.warnings if "number of components" in warning)
    assert "2, was chosen from the reports" in said and "unreliable" not in said
    weak = adaptive_answer(adaptive_survey(components=None, users=3000, epsilon=0.5), (0.1, 0.5, 0.9), (0.2, 0.6, 0.2))
    assert weak.components == 1
    assert any("share below 0.4, and is unreliable here" in warning for warning in weak.warnings)


def test_components_that_are_not_there_are_warned_of() -> None:
    for seed in range(3):
        answer = adaptive_answer(adaptive_survey(components=4), (1 / 8, 7 / 8), (0.5, 0.5), seed=seed)
        doubted = [one for one in answer.warnings if "may not exist" in one or "may be one" in one]
        assert len(doubted) >= 2
        for number in range(4):
            said = [one for one in answer.warnings if one.startswith(f"component {number + 1}: its share")]
            if said:
                assert all("cannot be told from zero" in one for one in said)
                assert answer.intervals[number] == (-1.0, 1.0)


def test_a_rare_kind_is_warned_of() -> None:
    """A tenth of 2,000 users at ε = 1: a component may be missed, and the warning says what that does to the others."""
    protocol = adaptive_survey(epsilon=1.0, users=2000, observations=500, components=3)
    for seed in range(4):
        answer = adaptive_answer(protocol, (1 / 8, 1 / 2, 7 / 8), (0.1, 0.8, 0.1), seed=seed)
        assert any("cannot be told from noise by 800 voters" in one for one in answer.warnings)
        assert any("moved by a place" in one for one in answer.warnings)
        assert "none has less than 0.24 of the users" in answer.summary()


def test_intervals_cover() -> None:
    """30 surveys of two kinds: 52 of 60 intervals at least. At 95 % each, fewer would be 3 in 1,000; seeds fixed."""
    held = []
    for seed in range(30):
        answer = adaptive_answer(adaptive_survey(users=1000), (0.3, 0.75), (0.4, 0.6), seed=100 + seed)
        held += [low <= mean <= high for mean, (low, high) in zip((-0.4, 0.5), answer.intervals, strict=True)]
        assert max(high - low for low, high in answer.intervals) < 0.2, "or covering says nothing"
    assert sum(held) >= 52


def test_a_component_that_is_not_there_is_warned_of() -> None:
    """Two kinds of users, four asked for: some share is below the cut or hardly above zero, and the interval knows."""
    people = coin_mixture(np.random.default_rng(2), 2000, 1000, (1 / 8, 7 / 8), (0.5, 0.5))
    answers = [sv.run(mixture(users=2000), sv.simulate(people, seed=r)) for r in range(20)]
    assert all(len(answer.warnings) >= 2 for answer in answers)
    below = [(a, k) for a in answers for k, share in enumerate(a.shares) if share < 1 / 400]
    assert below
    for answer, k in below:
        assert answer.means[k] == answer.centres[k] and answer.intervals[k] == (-1.0, 1.0)
        assert any("try fewer components" in warning for warning in answer.warnings)


def test_a_mean_that_left_its_bin_is_warned_of() -> None:
    """A share near zero blows a residual up, as printed in the paper; the interval still holds the value."""
    people = tossing(500, seed=2)
    protocol = mixture(users=500, epsilon=2.0)
    answers = [sv.run(protocol, sv.simulate(people, seed=r)) for r in range(60)]
    reach = 3 * layout(protocol).delta
    far = 0
    for answer in answers:
        beyond = [k for k in range(4) if abs(answer.means[k] - answer.centres[k]) > reach]
        assert len(beyond) == sum("lies beyond" in warning for warning in answer.warnings)
        far += bool(beyond)
        for mean, (low, high) in zip(answer.means, answer.intervals, strict=True):
            assert -1 <= low <= high <= 1 and low <= min(1, max(-1, mean)) <= high
    assert 0 < far < 60


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"components": 1.5}, "components must be"),
        ({"components": True}, "components must be"),
        ({"components": 12}, "12 components need 34 bins, and Δ = 0.0322 makes 32; what would help: components=11"),
        ({"observations": 20}, "about .* observations per user, or delta below 0.111"),
        ({"delta": 0.5}, "makes 2; what would help: components=1, or delta below 0.111"),
        ({"users": 0, "components": 1}, "users must be"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"low": 2.0}, "low must be below high"),
        ({"observations": 0}, "observations"),
        ({"confidence": 1.0}, "confidence"),
        ({"delta": 0.0}, "delta"),
        ({"proof_constant": 0.0}, "proof_constant"),
        ({"smallest_share": 0.0}, "smallest_share"),
        ({"public_seed": -1}, "public_seed"),
        ({"method": "adaptive", "membership": "bin"}, "adaptive has no delta and no membership"),
        ({"method": "adaptive", "components": 21}, "at most 20 components, not 21"),
        ({"method": "adaptive", "users": 2, "components": 1}, "at least 3 users, not 2"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        mixture(**changes)


def test_what_is_said_to_help_helps() -> None:
    with pytest.raises(sv.InvalidInput, match="about 2,000 observations"):
        mixture(components=12)
    for help in ({"components": 11}, {"components": 12, "delta": 0.0303}, {"components": 12, "observations": 2000}):
        mixture(**help)


@pytest.mark.parametrize("changes", [{"delta": 0.05}, {"membership": "bin"}])
def test_the_papers_constants_ask_for_the_papers_method(changes: dict[str, Any]) -> None:
    people = tossing(300, seed=3)
    auto, paper = (
        sv.run(mixture(users=300, method=name, **changes), sv.simulate(people, seed=1)) for name in ("auto", "paper")
    )
    assert auto.method == "paper" and "adaptive has no delta and no membership" in auto.reason
    assert auto == replace(paper, chosen=auto.chosen)


def test_what_a_method_says_of_itself() -> None:
    for survey in (mixture(), mixture(components=1), mixture(components=1, delta=1.0), mixture(delta=0.05)):
        chosen = choose(survey)
        kinds = "1 component" if survey.components == 1 else f"{survey.components} components"
        assert str(chosen.method.words(survey)).startswith(f"{kinds}, {layout(survey).bins} bins")
        assert sum(chosen.method.users_per_round(survey)) == survey.users
        assert 0 < chosen.predict(Crowd()).rmse < 1
        poisoning = chosen.method.poisoning(survey, Crowd())
        assert poisoning.reach > 0 and (poisoning.capture is None) == (layout(survey).bins == 1)
    few, many = (choose(mixture(users=users)).predict(Crowd()) for users in (500, 5000))
    assert many.mse < few.mse / 10, "with few users components are missed"


def test_predictions_hold() -> None:
    """Against 150 surveys: a component's root mean squared error within 15 % (five standard errors), seeds fixed."""
    survey, truth = mixture(users=4000), 2 * np.array(COINS) - 1
    rng, errors = np.random.default_rng(6), []
    for repetition in range(150):
        people = coin_mixture(rng, 4000, 1000, COINS, EVEN)
        answer = sv.run(survey, sv.simulate(people, seed=3, repetition=repetition))
        errors.append(((np.array(answer.means) - truth) ** 2).mean())
    assert math.sqrt(np.mean(errors)) == pytest.approx(choose(survey).predict(Crowd()).rmse, rel=0.15)


def test_a_world_scores_answers() -> None:
    survey = mixture(users=900, observations=200, components=2, low=0.0, high=10.0, epsilon=6.0)
    world = MixtureWorld(settings=survey, means=(8.0, 3.0), shares=(0.25, 0.75))
    assert world.truth == {"means": [3.0, 8.0], "shares": [0.75, 0.25]}
    assert world.numbers_per_draw == 180_000 and "kinds with means 3 (75%), 8 (25%)" in str(world.words)
    values = world.draw(np.random.default_rng(1))
    assert values.shape == (900, 200) and set(np.unique(values)) == {0.0, 10.0}
    assert MixtureWorld.truth_from_means(values) is None
    answer = sv.run(survey, sv.simulate(rectangle(values), seed=2))
    score = MixtureWorld.score(answer, world.truth)
    assert score.squared_error < 0.25 and score.figures["share_error"] < 0.1
    assert MixtureWorld(settings=survey).truth["means"] == [2.5, 7.5]
