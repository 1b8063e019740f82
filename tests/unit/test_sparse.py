"""The sparse mean: constants of the paper, selection, thresholding, honest answers, clear errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.messages import Hashed, Question
from sottovoce.problems.base import choose
from sottovoce.problems.sparse.paper import Paper, Selection, Theory
from sottovoce.risk import Crowd
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
    tried = [
        (refine, choose(sparse(**fields, refine=refine)).predict(Crowd()).mse) for refine in ("localised", "one-round")
    ]
    best = min(tried, key=lambda row: row[1])
    assert (free.settings.method, free.settings.refine) == ("paper", best[0])
    assert f"predicted error {math.sqrt(best[1]):.3g}" in reason(free) and "selection" in reason(free)
    assert "adaptive cannot run: procedure: for methods paper and theory only" in reason(free)
    short = choose(auto(observations=20, procedure="selection")).settings
    assert (short.procedure, short.refine) == ("selection", "one-round")
    long = choose(auto(observations=20_000, procedure="selection")).settings
    assert (long.procedure, long.refine) == ("selection", "localised")
    assert choose(auto(observations=20_000, procedure="selection", refine="one-round")).settings.refine == "one-round"
    assert choose(auto(users=4000, procedure="threshold")).settings.procedure == "threshold"
    assert choose(auto(rank="first")).settings == sparse(rank="first", method="paper")


def test_one_round_refines_on_the_full_range() -> None:
    people = rectangle(vectors(4000, 30, (3, 17, 29), mean=0.6))
    fields: dict[str, Any] = {"users": 4000, "dimension": 30, "sparsity": 3, "procedure": "selection"}
    answer = sv.run(sparse(**fields, refine="one-round"), sv.simulate(people, seed=2))
    assert set(answer.support) == {3, 17, 29} and answer.users_per_round == (2000, 2000)
    assert answer.method == "paper, selection" and answer.reason == "asked for; refined as asked for"
    assert all(answer.value[index] == pytest.approx(0.6, abs=0.15) for index in answer.support)


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


def test_threshold_keeps_at_most_the_largest() -> None:
    people = rectangle(vectors(8000, 10, (0, 5, 7), mean=0.6))
    people.values[:, 5] += 0.3
    protocol = sparse(users=8000, dimension=10, sparsity=1, procedure="threshold", method="paper")
    assert sv.run(protocol, sv.simulate(people, seed=1)).support == (5,)
    zero = sv.run(
        sparse(users=8000, dimension=10, sparsity=3, procedure="threshold", method="paper"),
        sv.simulate(rectangle(vectors(8000, 10, ())), seed=1),
    )
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
    setting: dict[str, Any] = {"users": 20_000, "dimension": 20, "sparsity": 2, "eta_constant": 4.0}
    setting["procedure"] = "selection"
    first = sv.run(sparse(**setting, rank="first"), sv.simulate(people, seed=1))
    assert first.support == (1, 4)
    by_votes = {sv.run(sparse(**setting), sv.simulate(people, seed=s)).support for s in range(8)}
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
