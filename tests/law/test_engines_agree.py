"""`local`, `simulate` and `stored`: the same bits where seeded, the same law where not.

Each two-sample test compares 300 estimates with 300 by Kolmogorov–Smirnov; seeds are fixed, and the threshold of 1e-4
was set beforehand: with 20 tests a correct program fails for one seed in five hundred.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sottovoce import design
from sottovoce.baselines import FullItem, OneItem, SemiUser, SplitUser
from sottovoce.checks import Dummy, check_engine, check_partitions
from sottovoce.engines import local, run, simulate, stored
from sottovoce.engines.simulation import draw_tally
from sottovoce.messages import Question, Report
from sottovoce.methods import bins_question, everybody
from sottovoce.problems.mean import Mean
from tests.support import SeededEntropy, uniform_people

USERS, OBSERVATIONS = 61, 40
SETTING = {"epsilon": 4.0, "low": 0.0, "high": 1.0, "users": USERS, "observations": OBSERVATIONS}
PROTOCOLS = {
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
IN_GATE = ("one round, one bit", "adaptive", "paper, three bins", "semi user")
PEOPLE = uniform_people(USERS, OBSERVATIONS, seed=4)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_stored_gives_the_bits_of_local_in_any_partition_and_order(name: str) -> None:
    batches: list[object] = []
    live = run(PROTOCOLS[name], local(PEOPLE, entropy=SeededEntropy(9), keep=batches.append))
    again = run(PROTOCOLS[name], local(PEOPLE, entropy=SeededEntropy(9)))
    assert again == live
    rows = [report.to_bytes() for batch in batches for report in batch.reports()]  # type: ignore[attr-defined]
    rng = np.random.default_rng(5)
    for parts in (1, 2, 7, len(rows)):
        order = rng.permutation(len(rows))
        partitions = [[rows[index] for index in part] for part in np.array_split(order, parts)]
        assert run(PROTOCOLS[name], stored(partitions)) == live


@pytest.mark.parametrize("name", PROTOCOLS)
def test_simulation_is_repeatable(name: str) -> None:
    first = run(PROTOCOLS[name], simulate(PEOPLE, seed=3, repetition=8))
    assert run(PROTOCOLS[name], simulate(PEOPLE, seed=3, repetition=8)) == first
    if name != "dummy":
        others = {run(PROTOCOLS[name], simulate(PEOPLE, seed=3, repetition=r)).value for r in range(8)}
        assert len(others | {first.value}) > 1


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in IN_GATE else pytest.mark.soak) for name in PROTOCOLS if name != "dummy"],
)
def test_simulation_has_the_law_of_the_devices(name: str) -> None:
    from scipy.stats import ks_2samp

    protocol = PROTOCOLS[name]
    devices = [run(protocol, local(PEOPLE, entropy=SeededEntropy(1000 + r))).value for r in range(300)]
    drawn = [run(protocol, simulate(PEOPLE, seed=6, repetition=r)).value for r in range(300)]
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
        survey="law", number=0, role="place", slots=everybody(1), edges=(0.1, 0.2, 0.3, 0.4, 0.5), epsilon=1.0
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
def test_engines_keep_the_contract(name: str) -> None:
    question = PROTOCOLS[name].decide(())
    assert isinstance(question, Question)
    check_engine(local, question, PEOPLE)
    check_engine(lambda people: simulate(people, seed=1), question, PEOPLE)
    rows: list[Report] = []
    local(PEOPLE, keep=lambda batch: rows.extend(batch.reports()))(question)
    check_engine(lambda _: stored([rows[::2], rows[1::2]]), question, PEOPLE)
    check_partitions(question, PEOPLE, parts=5)
