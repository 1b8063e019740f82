"""Every channel: certified ε within the declared one, enumeration agrees, the sampler follows the law.

False-alarm rate: each χ² verdict 1e-6 by construction, and the entropy is seeded, so a verdict never changes.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit.channel_derivations import law
from sottovoce.checks import check_channel, enumerated_ratio
from sottovoce.device import privatise
from sottovoce.messages import Channel
from sottovoce.messages.exact_arithmetic import exact, log_above, log_below
from tests.support import SeededEntropy

EPSILONS = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 4.0, 6.0, 8.0)
MAKERS = {
    "one-bit": design.one_bit,
    "2-ary": lambda epsilon: design.k_ary(epsilon, 2),
    "10-ary": lambda epsilon: design.k_ary(epsilon, 10),
    "64-ary": lambda epsilon: design.k_ary(epsilon, 64),
    "piecewise": lambda epsilon: design.piecewise(epsilon, nodes=9, window=4),
    "best table": lambda epsilon: design.best_position_table(exact(epsilon)),
    "designed table": lambda epsilon: design.designed_table(exact(epsilon)),
    "subset of 2": lambda epsilon: design.subset(epsilon, 2),
    "subset of 37": lambda epsilon: design.subset(epsilon, 37),
    "subset of 1000": lambda epsilon: design.subset(epsilon, 1000),
    "unary": lambda epsilon: design.unary(epsilon, 30),
    "unary of 2": lambda epsilon: design.unary(epsilon, 2),
    "unary, three bins": lambda epsilon: design.unary(epsilon, 30, reach=1),
    "unary, three of four": lambda epsilon: design.unary(epsilon, 4, reach=1),
    "laplace": design.laplace,
}


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", MAKERS)
def test_certified_and_sampled(name: str, epsilon: float) -> None:
    channel = MAKERS[name](epsilon)
    slack = {"laplace": 1e-9, "designed table": 2e-5}.get(name, 1e-15)
    samples = 300 if name == "subset of 1000" else 3000
    entropy = SeededEntropy(7)
    figures = check_channel(channel, epsilon=epsilon, slack=slack, samples=samples, entropy=entropy)
    assert 0 <= figures.slack <= slack


def small(epsilon: float) -> dict[str, Channel]:
    return {
        "one-bit": design.one_bit(epsilon),
        "5-ary": design.k_ary(epsilon, 5),
        "piecewise": design.piecewise(epsilon, nodes=4, window=3),
        "subset": design.subset(epsilon, 6, size=2),
        "unary": design.unary(epsilon, 6),
        "unary, three bins": design.unary(epsilon, 7, reach=1),
        "unary, tiny": design.unary(epsilon, 3, reach=1),
    }


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 4.0, 8.0])
@pytest.mark.parametrize("name", small(1.0))
def test_enumeration_agrees(name: str, epsilon: float) -> None:
    channel = small(epsilon)[name]
    inputs = [index * channel.unit for index in range(channel.span // channel.unit + 1)]
    if channel.kind == "table":  # positions between nodes are mixtures of rows and cannot be worse
        inputs += [7, 2**31, channel.span - 1]
    truth = enumerated_ratio(channel, inputs)
    bound = channel.epsilon_bound()
    assert log_below(truth) <= bound <= log_above(truth) + Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("epsilon", "steps", "digits", "bound"), [(0.5, 1, 7, 20), (1, 3, 7, 20), (4, 4, 6, 8), (8, 4, 5, 4)]
)
def test_enumeration_agrees_laplace(epsilon: float, steps: int, digits: int, bound: int) -> None:
    """The proof's bound against every pair of digit strings: never below the truth, and close above it."""
    whole = design.laplace(epsilon, steps=steps)
    channel = dataclasses.replace(whole, digits=whole.digits[:digits], bound=bound)
    truth = enumerated_ratio(channel, range(steps + 1))
    assert log_below(truth) <= channel.epsilon_bound()
    assert float(channel.epsilon_bound()) < float(log_above(truth)) * (1 + 1e-6)


def test_every_symbol_of_a_small_sampler_has_its_exact_share() -> None:
    """Drive the shipped sampler through all words on a grid: shares of symbols must be the thresholds, to the word."""
    channel = design.piecewise(1.0, nodes=3, window=1)

    class Comb:
        """First call (rounding): the middle word. Second call (symbol): an even comb over all words."""

        def __init__(self) -> None:
            self.calls = 0

        def words(self, count: int) -> np.ndarray:
            self.calls += 1
            if self.calls == 1:
                return np.full(count, 2**63, dtype=np.uint64)
            return np.arange(count, dtype=np.uint64) * np.uint64(2**64 // count)

    teeth = 2**16
    symbols = privatise(channel, np.zeros(teeth, dtype=np.int64), Comb())
    counts = np.bincount(symbols[:, 0], minlength=channel.cells)
    for symbol, (_, chance) in enumerate(law(channel, 0)):
        assert abs(counts[symbol] - float(chance) * teeth) <= 1


def test_fractions_of_a_budget_add_up_to_the_budget() -> None:
    for parts in (3, 7, 10, 1024):
        share = exact(1.0) / parts
        for channel in (design.one_bit(share), design.laplace(share), design.unary(share, 9)):
            assert parts * channel.epsilon_bound() <= 1


def test_a_mutant_law_fails_the_check() -> None:
    """The check can fail: 2 % overspend by exact arithmetic, a wrong sampler by χ²."""
    with pytest.raises(AssertionError, match="certified"):
        check_channel(design.unary(1.02, 10), epsilon=1.0, slack=1e-15, entropy=SeededEntropy(1))

    class Stuck(SeededEntropy):
        def words(self, count: int) -> np.ndarray:
            return super().words(count) >> np.uint64(1)

    with pytest.raises(AssertionError, match="sampler follows the law"):
        check_channel(design.unary(1.0, 10), epsilon=1.0, slack=1e-15, entropy=Stuck(1))
