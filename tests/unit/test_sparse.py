"""The sparse mean by the paper: constants, selection and its cuts, thresholding, errors, predictions, made-up users."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Hashed, InvalidInput, Manifest, Question
from sottovoce.problems import Announced, announce, choose
from sottovoce.problems.sparse.paper import ByProcedure, Paper, Procedure, Selection, Theory
from sottovoce.problems.sparse.vote_chances import chance_of_rank, law_of_signed_sums
from sottovoce.problems.sparse.world import SparseWorld
from sottovoce.risk import Crowd, Poisoning
from tests.support import reason, rectangle


def sparse(**changes: Any) -> sv.SparseMean:
    fields: dict[str, Any] = {"epsilon": 4.0, "users": 400, "observations": 200, "dimension": 50, "sparsity": 4}
    return sv.SparseMean(**fields | {"method": "paper"} | changes)


def selection(**changes: Any) -> Selection:
    return Paper().selection(sparse(**changes))


def vectors(users: int, dimension: int, support: Any, *, observations: int = 1, mean: float = 1.0) -> np.ndarray:
    """Coordinates in `support` are `mean`, the others near zero: what users with many observations see."""
    values = np.random.default_rng(users).normal(0, 0.02, size=(users, observations, dimension))
    values[:, :, list(support)] += mean
    return values


def test_constants() -> None:
    log = math.log(50 * 400 * 200 * 16)
    assert selection().threshold == pytest.approx(math.sqrt(log / 200)), "our choice with ranking by votes: C = 1"
    assert selection(rank="first").threshold == pytest.approx(math.sqrt(2 * log / 200)), "as printed: C = √2"
    assert selection(threshold_constant=0.5).threshold == pytest.approx(0.5 * math.sqrt(log / 200))
    assert selection(low=-4.0, high=4.0).threshold == pytest.approx(4 * selection().threshold)
    proofs = Theory().selection(sparse(method="theory"))
    assert selection().eta == 2.0 and proofs.eta == pytest.approx(math.sqrt(120))
    assert selection(eta_constant=9.0).eta == 6.0
    assert not selection().cuts and selection(rank="first").cuts and proofs.cuts
    question = sparse(public_seed=7).decide(())
    assert isinstance(question, Question) and isinstance(question.encoder.statistic, Hashed)
    assert question.encoder.statistic.seed == 7 and question.slots.count == 200


def test_the_rule_says_which_procedure_and_why() -> None:
    few, why = Paper().procedure(sparse(method="paper"))
    assert few == "selection" and "at most" in str(why)
    many, why = Paper().procedure(sparse(users=100_000, dimension=10))
    assert many == "threshold" and "above" in str(why)
    assert Paper().procedure(sparse(users=100_000, dimension=10, switch_constant=1e6))[0] == "selection"
    assert "cannot fill two folds" in str(Paper().procedure(sparse(users=99))[1])


def test_auto_keeps_to_a_procedure_that_is_asked_for() -> None:
    """It is the paper's; the best of what users can fill, where it leaves something open."""

    def auto(**changes: Any) -> sv.SparseMean:
        return sparse(method="auto", **changes)

    fields: dict[str, Any] = {"users": 2000, "procedure": "selection"}
    free = choose(auto(**fields))
    ways = ("localised", "one-round")
    mse, best = min((choose(sparse(**fields, refine=way)).predict(Crowd()).mse, way) for way in ways)
    assert (free.settings.method, free.settings.refine) == ("paper", best)
    assert f"predicted error {math.sqrt(mse):.3g}" in reason(free) and "selection" in reason(free)
    assert "adaptive cannot run: procedure: for methods paper and theory only" in reason(free)
    for observations, refine in ((20, "one-round"), (20_000, "localised")):
        own = choose(auto(observations=observations, procedure="selection")).settings
        assert (own.procedure, own.refine) == ("selection", refine)
    assert choose(auto(observations=20_000, procedure="selection", refine="one-round")).settings.refine == "one-round"
    assert choose(auto(users=4000, procedure="threshold")).settings.procedure == "threshold"
    assert choose(auto(rank="first")).settings == sparse(rank="first", method="paper")


@pytest.mark.parametrize("procedure", ["selection", "threshold"])
@pytest.mark.parametrize("engine", ["local", "simulate"])
def test_finds_the_support(procedure: Any, engine: str) -> None:
    people = rectangle(vectors(4000, 30, (3, 17, 29), mean=0.6))
    protocol = sparse(users=4000, dimension=30, sparsity=3, procedure=procedure, method="paper")
    answer = sv.run(protocol, sv.local(people) if engine == "local" else sv.simulate(people, seed=2))
    assert set(answer.support) == {3, 17, 29}
    for index, value in enumerate(answer.value):
        low, high = answer.intervals[index]
        assert low <= value <= high
        wide = answer.simultaneous[index]
        assert wide[0] <= low and high <= wide[1]
        assert value == 0.0 or abs(value - 0.6) < 0.1
    assert len(answer.users_per_round) == (3 if procedure == "selection" else 2)
    assert sum(answer.users_per_round) == 4000
    if (procedure, engine) == ("selection", "simulate"):  # refined on the full range
        answer = sv.run(replace(protocol, refine="one-round"), sv.simulate(people, seed=2))
        assert set(answer.support) == {3, 17, 29} and answer.users_per_round == (2000, 2000)
        assert answer.method == "paper, selection" and answer.reason == "asked for; refined as asked for"
        assert all(answer.value[index] == pytest.approx(0.6, abs=0.15) for index in answer.support)


def test_threshold_keeps_at_most_the_largest() -> None:
    people = rectangle(vectors(8000, 10, (0, 5, 7), mean=0.6))
    people.values[:, 5] += 0.3
    protocol = sparse(users=8000, dimension=10, sparsity=1, procedure="threshold")
    assert sv.run(protocol, sv.simulate(people, seed=1)).support == (5,)
    zero = sv.run(replace(protocol, sparsity=3), sv.simulate(rectangle(vectors(8000, 10, ())), seed=1))
    assert zero.support == () and set(zero.value) == {0.0}


def test_nothing_selected_is_the_zero_vector_after_one_round() -> None:
    """With the ½ cut and nobody far from zero, the answer is zero and nobody else is asked (ERRATA 10)."""
    protocol = sparse(users=4000, cut=True, procedure="selection")
    answer = sv.run(protocol, sv.simulate(rectangle(vectors(4000, 50, ())), seed=1))
    assert answer.support == () and set(answer.value) == {0.0}
    assert answer.users_per_round == (2000,)
    low, high = answer.intervals[0]
    threshold = Paper().selection(protocol).threshold
    assert (low, high) == (-2 * threshold, 2 * threshold)
    assert "0 of 50" in answer.summary()
    assert answer.picture() == "none of 50 coordinates was selected: there is no interval to draw"


def test_first_rule_depends_on_the_order_and_votes_do_not() -> None:
    """Five coordinates differ from zero and s = 2: `first` takes those of lowest index, `votes` any."""
    people = rectangle(vectors(20_000, 20, (1, 4, 9, 12, 15)))
    votes = sparse(users=20_000, dimension=20, sparsity=2, eta_constant=4.0, procedure="selection")
    assert sv.run(replace(votes, rank="first"), sv.simulate(people, seed=1)).support == (1, 4)
    by_votes = {sv.run(votes, sv.simulate(people, seed=s)).support for s in range(8)}
    assert len(by_votes) > 1


@pytest.mark.parametrize("method", ["adaptive", "paper"])
def test_a_range_that_is_not_symmetric(method: str) -> None:
    """Non-negative data: zero is an end of the range, and the scale is its half-width."""
    people = rectangle(vectors(3000, 12, (2, 6), mean=40.0).clip(0, 50))
    settings = sparse(users=3000, dimension=12, sparsity=2, low=0.0, high=50.0, method=method)
    answer = sv.run(settings, sv.simulate(people, seed=3))
    assert set(answer.support) == {2, 6} and answer.value[2] == pytest.approx(40, abs=5)


def test_weak_votes_warn() -> None:
    noise = np.random.default_rng(1).choice([-1.0, 1.0], size=(60, 5, 40))
    assert any("chance" in warning for warning in sv.sparse_mean(noise, epsilon=0.5, sparsity=3, seed=1).warnings)
    answer = sv.sparse_mean(noise, epsilon=0.5, sparsity=3, seed=1, method="paper")
    assert any("chance" in warning for warning in answer.warnings)
    assert any("too few observations" in warning for warning in answer.warnings)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.float32, bool])
def test_small_types_stay_small_and_give_the_same_bits(dtype: Any) -> None:
    values = (vectors(300, 9, (4,)) > 0.5).astype(dtype)
    assert sv.collections(values).values.dtype == dtype
    setting: dict[str, Any] = {"epsilon": 4.0, "sparsity": 1, "observations": 200, "seed": 5}
    assert sv.sparse_mean(values, **setting) == sv.sparse_mean(values.astype(float), **setting)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sparsity": 0}, "sparsity must be a whole number from 1 to 50"),
        ({"sparsity": 2.0}, "sparsity must be a whole number"),
        ({"sparsity": True}, "sparsity must be a whole number"),
        ({"dimension": 10**6}, "dimension must be a whole number"),
        ({"users": 15}, "fewer users than folds: selection needs at least 16"),
        ({"users": 99, "procedure": "threshold"}, "fewer users than folds: threshold needs at least 100"),
        ({"observations": 0}, "observations"),
        ({"epsilon": 0.0}, "epsilon must lie between"),
        ({"epsilon": float("nan")}, "epsilon must lie between"),
        ({"high": -2.0}, "low must be below high"),
        ({"low": float("nan")}, "must be finite"),
        ({"threshold_constant": float("inf")}, "threshold_constant"),
        ({"delta": -1.0}, "delta"),
        ({"switch_constant": float("nan")}, "switch_constant"),
        ({"proof_constant": 0.0}, "proof_constant"),
        ({"confidence": 1.0}, "confidence"),
        ({"public_seed": -1}, "public_seed"),
        ({"refine": "twice"}, "refine must be one of localised, one-round"),
    ],
)
def test_bad_settings(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sv.InvalidInput, match=words):
        sparse(**changes)


METHODS = ("paper", "theory")


def cut_survey(**changes: Any) -> sv.SparseMean:
    fields: dict[str, Any] = {"epsilon": 4.0, "users": 2000, "observations": 100, "dimension": 40, "sparsity": 4}
    fields |= {"procedure": "selection", "refine": "one-round", "proof_constant": 1.0}
    return sv.SparseMean(**fields | changes)


def selection_of(survey: sv.SparseMean) -> Selection:
    procedure = survey.problem.method(survey.method)
    assert isinstance(procedure, ByProcedure)
    return procedure.selection(survey)


def signed_users(count: int, dimension: int, support: tuple[int, ...], seed: int, size: float = 0.5) -> Any:
    """±1 a hundred times; a mean of ½ in the support (the paper's p = .75), or of another size."""
    mean = np.zeros(dimension)
    mean[list(support)] = size
    averages = np.random.default_rng(seed).binomial(100, (1 + mean) / 2, size=(count, dimension)) / 50 - 1
    return rectangle(averages[:, None, :])


@pytest.mark.parametrize("method", METHODS)
def test_pure_noise_selects_nothing(method: str) -> None:
    """q = .05: in at most 5 % of surveys anything is selected. Of 200, more than 21 with a chance of 1 in 1,000.

    Without it the `sparsity` coordinates with the most votes are selected, whatever they are.
    """
    protocol = cut_survey(method=method, users=400, cut=False, false_alarm=0.05)
    plain = cut_survey(method=method, users=400, cut=False)
    alarms = 0
    for repetition in range(200):
        people = signed_users(400, 40, (), seed=repetition)
        alarms += bool(sv.run(protocol, sv.simulate(people, seed=1, repetition=repetition)).support)
    assert alarms <= 21
    answer = sv.run(protocol, sv.simulate(signed_users(400, 40, (), seed=3), seed=1, repetition=3))
    assert answer.support == () and set(answer.value) == {0.0} and len(answer.users_per_round) == 1
    assert len(sv.run(plain, sv.simulate(signed_users(400, 40, (), seed=3), seed=1)).support) == 4


@pytest.mark.parametrize("surveys", [5, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("method", "count", "size"), [("paper", 2000, 0.5), ("theory", 30_000, 0.9)])
def test_the_papers_signal_is_found_as_before(method: str, count: int, size: float, surveys: int) -> None:
    """Four means of ½: with the cut against noise the same four coordinates as without, in every survey.

    With the proof's √2 a vote needs √(2·log(dnTα²)/T) = .65 here: means of .9, and more users for its wider clamp.
    """
    for repetition in range(surveys):
        people = signed_users(count, 40, (3, 11, 12, 30), seed=repetition, size=size)
        given = {"method": method, "users": count, "cut": False}
        found = [
            sv.run(cut_survey(**given, **more), sv.simulate(people, seed=2, repetition=repetition)).support
            for more in ({}, {"false_alarm": 0.05})
        ]
        assert set(found[0]) == set(found[1]) == {3, 11, 12, 30}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rank", ["votes", "first"])
def test_both_cuts_by_hand(method: str, rank: Any) -> None:
    """d = 40, q = .05: Φ⁻¹(1 − .05/40) = Φ⁻¹(.99875) = 3.0233; with noise .1 the cut is .30233, and ½ is higher.

    Votes .6, .45, .31, .3 and nothing: ½ keeps one of them, the noise's cut three, both together one.
    """
    scores = np.zeros(40)
    scores[[7, 5, 2, 1]] = 0.6, 0.45, 0.31, 0.30
    kept = {}
    for name, more in (("half", {"cut": True}), ("noise", {"cut": False, "false_alarm": 0.05})):
        selection = selection_of(cut_survey(method=method, rank=rank, **more))
        kept[name] = selection.select(scores, 0.1)
        assert selection.least_vote(0.1) == pytest.approx({"half": 0.5, "noise": 0.302334}[name], rel=1e-5)
    assert kept["half"] == (7,)
    assert kept["noise"] == ((7, 5, 2) if rank == "votes" else (2, 5, 7))
    assert selection_of(cut_survey(method=method, cut=True, false_alarm=0.05)).least_vote(0.1) == 0.5


def test_the_cut_at_half_is_printed_for_theory_and_an_option_of_both() -> None:
    """By default only where it is printed (ERRATA 11)."""
    for method, default in (("paper", False), ("theory", True)):
        for cut in (None, True, False):
            found = selection_of(cut_survey(method=method, cut=cut))
            assert found.cuts == (default if cut is None else cut)


def test_a_prediction_knows_the_cut() -> None:
    """A signal that noise hides is left out: what it costs is its own square."""
    plain, cut = (cut_survey(method="paper", epsilon=0.5, users=400, false_alarm=q) for q in (None, 1e-6))
    cutting, keeping = (Paper().method_that_runs(own).predict(own, Crowd(around=0.5)) for own in (cut, plain))
    assert cutting.omission == pytest.approx(0.25, rel=0.01)
    assert keeping.omission < cutting.omission


def test_it_is_declared_and_travels() -> None:
    for wrong in (0.0, 1.0, -0.1, 2.0):
        with pytest.raises(InvalidInput, match="false_alarm"):
            cut_survey(false_alarm=wrong)
    told = {"purpose": "a test", "collector": "nobody", "software": "0", "opens": 0, "closes": 1000}
    for value in (None, 0.05):
        manifest = announce(cut_survey(method="paper", false_alarm=value), **told)
        assert ("false_alarm" in manifest.settings) == (value is not None)
        again = Announced(Manifest.from_bytes(manifest.to_bytes()))
        again.check()
        assert isinstance(again.settings, sv.SparseMean) and again.settings.false_alarm == value


@pytest.mark.parametrize("given", [{"cut": True}, {"cut": False}, {"false_alarm": 0.05}])
@pytest.mark.parametrize("method", [*METHODS, "auto"])
def test_a_cut_is_never_ignored(method: str, given: dict[str, Any]) -> None:
    """Threshold refuses it. Left to the rule, which thresholds here, selection runs and says why."""
    name = next(iter(given))
    many: dict[str, Any] = {"method": method, "users": 8000, "dimension": 8, "epsilon": 2.0, "switch_constant": 0.01}
    with pytest.raises(InvalidInput, match=f"{name}: of selection only"):
        cut_survey(**many, procedure="threshold", **given)
    own = choose(cut_survey(**many, procedure="auto", **given))
    assert isinstance(own.method, Procedure)
    found, why = own.method.constants.procedure(own.settings)
    assert found == "selection"
    if method != "auto":
        assert str(why) == f"{name} asked for, which threshold does not have"
        assert own.method.constants.procedure(cut_survey(**many, procedure="auto"))[0] == "threshold"


def poisoning(survey: sv.SparseMean) -> Poisoning:
    return choose(survey).method.poisoning(survey, Crowd())


def test_the_sum_of_signs() -> None:
    places, chances = law_of_signed_sums(1.0, 0.0, 2, 10)  # two that are always lit: −2, 0, 0, 2
    law = {int(place): float(chance) for place, chance in zip(places, chances, strict=True) if chance > 1e-9}
    assert law == pytest.approx({-2: 0.25, 0: 0.5, 2: 0.25})


def test_ranks() -> None:
    """Against 20,000 draws: within 4.5 standard errors (false alarm 1e-5)."""
    stream = np.random.default_rng(1)
    scores = stream.standard_normal((20_000, 30)) * 0.5
    scores[:, :4] += 1.0
    top = np.argsort(-scores, axis=1)[:, :4]
    seen = float((top < 4).mean())
    chance = chance_of_rank((1.0, 0.5), (0.0, 0.5), 4, 30, cut=-math.inf)
    assert abs(seen - chance) < 4.5 * math.sqrt(chance * (1 - chance) / 80_000)
    assert chance_of_rank((1.0, 0.5), (0.0, 0.5), 4, 30, cut=1.0) < chance
    assert chance_of_rank((1.0, 0.5), (0.0, 0.5), 3, 3, cut=-math.inf) == pytest.approx(1.0), "all of them are selected"
    assert chance_of_rank((1.0, 0.5), (0.0, 0.5), 1, 2, cut=-math.inf) == pytest.approx(
        0.5 * math.erfc(-1 / math.sqrt(0.5) / math.sqrt(2)), abs=1e-4
    )


def test_a_stronger_signal_is_found_more_often() -> None:
    survey = sparse(epsilon=2.0, users=2000)
    voted, crowd = Paper().selection(survey), Crowd(within=0.5)
    weak, strong = (voted.chance(crowd, part * voted.threshold)[0] for part in (0.7, 1.5))
    assert weak < 0.5 < strong
    with pytest.raises(sv.InvalidInput, match="no formula predicts"):
        choose(sparse(rank="first", method="paper")).predict(crowd)


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("procedure", "refine"), [("selection", "localised"), ("selection", "one-round"), ("threshold", "localised")]
)
def test_predicted_error_is_the_measured_one(procedure: Any, refine: Any) -> None:
    """Columns of a stated size, 120 repetitions: root mean squared error within 15 % of the prediction (a deviation of
    about 5 %, so a false alarm in 0.3 % of seeds; seed fixed)."""
    survey = sparse(
        users=4000, dimension=10, sparsity=2, procedure=procedure, refine=refine, method="paper", observations=400
    )
    predicted = Paper().method_that_runs(survey).predict(survey, Crowd(within=0.4, around=0.7))
    stream, errors = np.random.default_rng(3), []
    truth = np.where(np.isin(np.arange(10), (3, 8)), 0.7, 0.0)
    for repetition in range(120):
        values = truth + 0.4 / 20 * stream.standard_normal((4000, 1, 10))
        found = sv.run(survey, sv.simulate(rectangle(values), seed=4, repetition=repetition))
        errors.append(((np.array(found.value) - truth) ** 2).sum() / 2)
    assert math.sqrt(np.mean(errors)) == pytest.approx(predicted.rmse, rel=0.15)


def test_colluders() -> None:
    fields: dict[str, Any] = {"method": "paper", "procedure": "selection", "users": 4000, "dimension": 10}
    localised = poisoning(sparse(**fields))
    once = poisoning(sparse(**fields, refine="one-round"))
    assert localised.capture is not None and once.capture is not None
    assert localised.capture <= once.capture < 0.5 and localised.reach > 0 and once.reach >= 2.0
    weak = poisoning(sparse(**fields, refine="one-round", epsilon=0.5))
    assert weak.capture is not None and weak.capture < once.capture
    assert poisoning(sparse(**fields | {"procedure": "threshold"})).capture is not None


def test_made_up_users() -> None:
    """Their mean is the stated truth within 5 standard errors (false alarm 1e-5, seed fixed)."""
    settings = sparse(users=400, observations=20, dimension=9, sparsity=3, low=-1.0, high=2.0, method="paper")
    world = SparseWorld(settings=settings, true_sparsity=2, strength=0.25)
    values = world.draw(np.random.default_rng(1))
    assert values.shape == (400, 20, 9) and values.size == world.numbers_per_draw
    assert set(np.unique(values)) == {-1.0, 2.0}
    assert [index for index, mean in enumerate(world.truth) if mean] == [0, 4] and world.truth[4] == 0.5
    assert np.abs(values.mean(axis=(0, 1)) - world.truth).max() < 5 * values.std() / math.sqrt(8000)
    means = values.mean(axis=1, dtype=np.float64)
    assert world.truth_from_means(means) == pytest.approx(means.mean(axis=0).tolist())
    answer = sv.run(settings, sv.simulate(rectangle(values), seed=1))
    score = world.score(answer, world.truth)
    assert score.squared_error == pytest.approx(((np.array(answer.value) - world.truth) ** 2).sum())
    assert score.figures == {"found": len({0, 4} & set(answer.support)) / 2}
    assert set(score.figures) == set(world.figures)
    assert world.score(answer, list(answer.value)).covered == 1.0
    assert "400 made-up users with 20 vectors of 9 columns each, of which 2 have the mean 0.5" in str(world.words)
