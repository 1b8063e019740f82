"""`local`, `simulate` and `stored`: the same bits where seeded, the same law where not; each keeps its contract.

Each two-sample test compares 150 figures with 150 by Kolmogorov–Smirnov, in ``make soak`` 300 with 300; seeds are
fixed, and the threshold of 1e-4 was set beforehand: with 15 tests a correct program fails for one seed in six hundred.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sottovoce import design
from sottovoce.baselines import FullItem, OneCategory, OneItem, SemiUser, SplitUser
from sottovoce.checks import Dummy, check_encoder, check_engine, check_partitions
from sottovoce.engines import local, run, simulate, stored
from sottovoce.engines.simulation import draw_tally
from sottovoce.engines.survey_loop import questions_of
from sottovoce.messages import Report, exact
from sottovoce.messages.limits import MIN_EPSILON
from sottovoce.methods import all_slots, bins_question
from sottovoce.problems.cover import CoverSelect
from sottovoce.problems.density import Density
from sottovoce.problems.mean import Mean
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
from tests.support import SeededEntropy, coin_mixture, rectangle, uniform_people

USERS, OBSERVATIONS = 61, 40
SETTING: dict[str, Any] = {"epsilon": 4.0, "low": 0.0, "high": 1.0, "users": USERS, "observations": OBSERVATIONS}
MEANS: dict[str, Any] = {
    "dummy": Dummy(users=USERS, rounds=3),
    "one round, many symbols": Mean(**SETTING, method="one-round"),
    "one round, one bit": Mean(**SETTING | {"epsilon": 0.5}, method="one-round"),
    "adaptive": Mean(**SETTING, method="adaptive"),
    "adaptive, two rounds": Mean(**SETTING, method="adaptive", rounds=2, caution="high"),
    "homogeneous": Mean(**SETTING, method="homogeneous"),
    "paper": Mean(**SETTING, method="paper"),
    "paper, three bins": Mean(**SETTING, method="paper", three_bin_votes=True),
    "theory": Mean(**SETTING | {"observations": 2000}, method="theory", proof_constant=5.0),
    "semi user": SemiUser(**SETTING),
    "split user": SplitUser(**SETTING),
    "full item": FullItem(**SETTING),
    "one item": OneItem(epsilon=4.0, low=0.0, high=1.0, users=USERS),
}


def vector(epsilon: float, method: str, **more: Any) -> VectorMean:
    return VectorMean(
        epsilon=epsilon, method=method, users=USERS, observations=400, dimension=3, proof_constant=1e-3, **more
    )


VECTORS = {
    "box, paper": vector(4.0, "paper", ball="linf"),
    "box, two coordinates each": vector(2.5, "theory", ball="linf"),
    "box, all coordinates, three bins": vector(9.0, "theory", ball="linf"),
    "box, one round": vector(4.0, "one-round", low=(-1, 0, -1), high=1),
    "box, one round, little budget": vector(0.5, "one-round", ball="linf"),
    "ball, paper": vector(4.0, "paper", ball="l2"),
    "ball, three coordinates each": vector(3.2, "theory", ball="l2"),
    "ball, much budget": vector(20.0, "theory", ball="l2"),
    "ball, one round": vector(2.0, "one-round", ball="l2"),
}
PLACES = ((-1.0,), (-0.2,), (0.1,), (0.8,))
MIXED: dict[str, Any] = {"epsilon": 4.0, "low": -1.0, "high": 1.0, "users": USERS, "observations": 1000}
MIXTURES_AND_COVERS: dict[str, Any] = {
    "mixture, nearest": MixtureMeans(**MIXED, method="paper", components=3),
    "mixture, bin": MixtureMeans(**MIXED, components=3, membership="bin"),
    "cover, unary": CoverSelect(epsilon=2.0, users=USERS, centres=PLACES, method="unary"),
    "cover, subset": CoverSelect(epsilon=1.0, users=USERS, centres=PLACES, method="subset"),
    "cover, index": CoverSelect(epsilon=2.0, users=USERS, size=3),
}


def sparse(epsilon: float, method: str, *, dimension: int = 13, sparsity: int = 3, **more: Any) -> SparseMean:
    return SparseMean(
        **{"epsilon": epsilon, "users": 203, "observations": 400, "method": method}
        | {"dimension": dimension, "sparsity": sparsity}
        | more
    )


def sparse_people(users: int, dimension: int) -> Any:
    values = np.random.default_rng(users).choice([-1.0, 1.0], size=(users, 3, dimension))
    values[:, :, 0] = 1.0
    return rectangle(values)


WAVES: dict[str, Any] = {"epsilon": 2.0, "low": 0.0, "high": 1.0, "users": 203, "coefficients": 8}
SPARSE_AND_DENSITY: dict[str, tuple[Any, Any]] = {
    "selection": (sparse(4.0, "paper"), sparse_people(203, 13)),
    "sparse, adaptive": (sparse(4.0, "adaptive"), sparse_people(203, 13)),
    "sparse, thresholds": (sparse(2.0, "adaptive", dimension=200, sparsity=1), sparse_people(203, 200)),
    "selection, several coordinates a user": (
        sparse(2.7, "theory", observations=3000, proof_constant=9.0, cut=False),
        sparse_people(203, 13),
    ),
    "threshold": (sparse(4.0, "paper", procedure="threshold"), sparse_people(203, 13)),
    "density": (Density(**WAVES, observations=400, method="paper"), uniform_people(203, 40)),
    "density, one round": (Density(**WAVES, observations=4, method="one-round"), uniform_people(203, 4)),
}
PEOPLE = uniform_people(USERS, OBSERVATIONS, seed=4)
POINTS = rectangle(np.random.default_rng(2).uniform(-0.1, 0.5, size=(USERS, 4, 3)))
LABELS = rectangle(np.random.default_rng(3).integers(0, 4, size=(USERS, 5)).astype(float))
COINS = coin_mixture(np.random.default_rng(1), USERS, 1000, (1 / 8, 3 / 8, 7 / 8), (0.3, 0.4, 0.3))
PROTOCOLS: dict[str, tuple[Any, Any]] = {
    **{name: (protocol, PEOPLE) for name, protocol in MEANS.items()},
    **{name: (protocol, POINTS) for name, protocol in VECTORS.items()},
    "one category": (OneCategory(epsilon=2.0, categories=4, users=USERS), LABELS),
    **{name: (protocol, COINS) for name, protocol in MIXTURES_AND_COVERS.items()},
    **SPARSE_AND_DENSITY,
}
IN_GATE = ("one round, one bit", "adaptive", "paper, three bins", "semi user", "mixture, nearest", "cover, subset")
IN_GATE += ("box, one round", "ball, paper", "one category")


def figure(answer: Any) -> float:
    """One number of an answer of any kind."""
    if hasattr(answer, "means"):
        return float(answer.means[-1] + answer.shares[0])
    if hasattr(answer, "coefficients"):
        return float(answer.coefficients[1])
    found = answer.share if hasattr(answer, "share") else answer.value
    return float(((np.array(found) - 0.25) ** 2).sum()) if isinstance(found, tuple) else float(found)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_stored_gives_the_bits_of_local_in_any_partition_and_order(name: str) -> None:
    protocol, people = PROTOCOLS[name]
    batches: list[Any] = []
    live = run(protocol, local(people, entropy=SeededEntropy(9), keep=batches.append))
    again = run(protocol, local(people, entropy=SeededEntropy(9)))
    assert again == live
    rows = [report.to_bytes() for batch in batches for report in batch.reports()]
    rng = np.random.default_rng(5)
    for parts in (1, 2, 7, len(rows)):
        order = rng.permutation(len(rows))
        partitions = [[rows[index] for index in part] for part in np.array_split(order, parts)]
        assert run(protocol, stored(partitions)) == live


@pytest.mark.parametrize("name", PROTOCOLS)
def test_simulation_is_repeatable(name: str) -> None:
    protocol, people = PROTOCOLS[name]
    first = run(protocol, simulate(people, seed=3, repetition=8))
    assert run(protocol, simulate(people, seed=3, repetition=8)) == first
    if name != "dummy":
        others = {figure(run(protocol, simulate(people, seed=3, repetition=r))) for r in range(8)}
        assert len(others | {figure(first)}) > 1


@pytest.mark.parametrize("count", [150, pytest.param(300, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in IN_GATE else pytest.mark.soak) for name in PROTOCOLS if name != "dummy"],
)
def test_simulation_has_the_law_of_the_devices(name: str, count: int) -> None:
    from scipy.stats import ks_2samp

    protocol, people = PROTOCOLS[name]
    devices = [figure(run(protocol, local(people, entropy=SeededEntropy(1000 + r)))) for r in range(count)]
    drawn = [figure(run(protocol, simulate(people, seed=6, repetition=r))) for r in range(count)]
    result = ks_2samp(devices, drawn)
    print(f"{name}: KS {result.statistic:.3f}, p = {result.pvalue:.3f}")
    assert result.pvalue > 1e-4


def test_subset_simulation_has_the_law_of_the_devices() -> None:
    """No protocol of the core asks for subsets yet, so the tally itself is compared (sum of squares of the counts)."""
    from scipy.stats import ks_2samp

    from tests.vectors.make import questions

    question = questions()["subset"]
    people = uniform_people(1100, 3, seed=1)

    def figure(counts: np.ndarray) -> float:
        return float((counts[0] ** 2).sum() + counts[0, 3])

    devices = [figure(local(people, entropy=SeededEntropy(r))(question).counts()) for r in range(200)]
    drawn = [figure(simulate(people, seed=2, repetition=r)(question).counts()) for r in range(200)]
    assert ks_2samp(devices, drawn).pvalue > 1e-4


@pytest.mark.parametrize("size", [1, 2, 4])
def test_simulated_subsets_have_the_law_of_one_report(size: int) -> None:
    """A tally of one report is the report itself: 4,000 of them against the exact law of all sets, by chi-square."""
    from itertools import combinations

    from scipy.stats import chisquare

    channel = design.subset(1.0, 6, size=size)
    stream, own, count = np.random.default_rng(size), 2, 4000
    sets = dict.fromkeys(combinations(range(6), size), 0)
    asked = bins_question(
        survey="law", number=0, role="place", slots=all_slots(1), edges=(0.1, 0.2, 0.3, 0.4, 0.5), epsilon=1.0
    )
    asked = replace(asked, channel=channel)
    for _ in range(count):
        tally = draw_tally(asked, np.array([[own]]), np.array([0]), stream)
        sets[tuple(int(item) for item in np.flatnonzero(tally.counts()[0]))] += 1
    inside = channel.inclusion[0]
    expected = [
        count * (inside / math.comb(5, size - 1) if own in places else (1 - inside) / math.comb(5, size))
        for places in sets
    ]
    assert chisquare(list(sets.values()), expected).pvalue > 1e-4


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_question_on_every_engine(name: str) -> None:
    protocol, people = PROTOCOLS[name]
    for question in questions_of(protocol, simulate(people, seed=1))[1]:
        assert exact(MIN_EPSILON) <= question.epsilon_bound() <= exact(question.epsilon), "devices would answer it"
        assert check_encoder(question, dimension=people.dimension) > 20
        assert check_encoder(question, dimension=1) > 20, "a device that lacks columns still answers"
        check_engine(local, question, people)
        check_engine(lambda them: simulate(them, seed=1), question, people)
        rows: list[Report] = []
        local(people, keep=lambda batch, rows=rows: rows.extend(batch.reports()))(question)
        check_engine(lambda _, rows=rows: stored([rows[::2], rows[1::2]]), question, people)
        check_partitions(question, people, parts=5)
