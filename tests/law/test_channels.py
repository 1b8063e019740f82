"""Every channel: certified ε within the declared one, enumeration agrees, the sampler follows the law; and what it
tells about its own law, against every symbol enumerated from its integers, as the audit does it.

Exact but for the statistical tests. False-alarm rate: each χ² verdict 1e-6 by construction, and the entropy is seeded,
so a verdict never changes.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.special import chdtrc

from sottovoce import design
from sottovoce.audit.channel_derivations import law
from sottovoce.checks import check_channel, enumerated_ratio
from sottovoce.device import privatise
from sottovoce.messages import Channel, Laplace, Subset, Table, Unary
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


# ---- what a channel tells about itself -------------------------------------------------------------------------------


def small_laplace(epsilon: float, steps: int, digits: int, bound: int) -> Laplace:
    whole = design.laplace(epsilon, steps=steps)
    return dataclasses.replace(whole, digits=whole.digits[:digits], bound=bound)


CHANNELS: dict[str, Channel] = {
    "one-bit": design.one_bit(1.0),
    "5-ary": design.k_ary(2.0, 5),
    "piecewise": design.piecewise(1.0, nodes=4, window=3),
    "subset of 2": design.subset(1.0, 2),
    "subset, one of 6": design.subset(2.0, 6, size=1),
    "subset, two of 6": design.subset(1.0, 6, size=2),
    "subset, four of 6": design.subset(0.5, 6, size=4),
    "unary": design.unary(1.0, 6),
    "unary, three bins": design.unary(4.0, 7, reach=1),
    "unary, tiny": design.unary(1.0, 3, reach=2),
    "laplace": small_laplace(4, 4, 6, 8),
    "laplace, tight clamp": small_laplace(8, 4, 5, 4),
}
channels = pytest.mark.parametrize("channel", CHANNELS.values(), ids=list(CHANNELS))
VOTES = [name for name, channel in CHANNELS.items() if not channel.exclusive]
GAPS = [
    *product([name for name in VOTES if CHANNELS[name].span > 2], [(0.0, 0.0), (0.7, 0.2), (0.5, 0.5), (1.0, 0.0)]),
    *product(["subset of 2"], [(0.7, 0.3), (0.5, 0.5)]),  # everybody holds one of two
]


def inputs(channel: Channel) -> list[int]:
    """All whole inputs, and for a table some between nodes."""
    between = [7, 2**31, channel.span - 1] if isinstance(channel, Table) else []
    return [*range(0, channel.span + 1, channel.unit), *between]


@channels
def test_marginals_are_those_of_the_law(channel: Channel) -> None:
    """`observed_event_counts` of each symbol, weighted with its exact chance, is what `marginals` says."""
    for value in inputs(channel):
        expected = sum(
            float(chance) * channel.observed_event_counts(value, np.array([symbol], dtype=np.int64))
            for symbol, chance in law(channel, value)
        )
        told = channel.marginals(value)
        # The digits of a small laplace channel end soon, which its rate does not know.
        assert np.allclose(expected, told, rtol=0, atol=1e-4 if isinstance(channel, Laplace) else 1e-14)
        if channel.exclusive:
            assert told.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    "channel",
    [
        design.piecewise(1.0, nodes=9, window=4),
        design.subset(1.0, 37),
        design.unary(1.0, 30, reach=1),
        design.laplace(0.3),
        design.laplace(4.0, steps=16),
    ],
    ids=lambda channel: f"{channel.kind} {channel.span}",
)
def test_observed_follows_marginals(channel: Channel) -> None:
    """χ² of 5,000 drawn symbols, at three inputs; with p < 1e-6 a wrong law is reported."""
    for value in (0, channel.span // channel.unit // 2 * channel.unit, channel.span):
        symbols = privatise(channel, np.full(5000, value, dtype=np.int64), SeededEntropy(3))
        counts, shares = channel.observed_event_counts(value, symbols), channel.marginals(value)
        parts = (counts - 5000 * shares) ** 2 / (5000 * shares)
        if channel.exclusive:
            assert counts.sum() == 5000
            assert chdtrc(len(shares) - 1, parts[shares > 0.001].sum()) > 1e-6
        else:
            assert chdtrc(len(shares), (parts / (1 - shares)).sum()) > 1e-6


@channels
def test_log_likelihoods_hold_the_extremes_of_the_law(channel: Channel) -> None:
    """From the own input to any other: the smallest and the largest ratio of every symbol."""
    whole = list(range(0, channel.span + 1, channel.unit))
    laws = {value: dict(law(channel, value)) for value in inputs(channel)}
    close = 1e-3 if isinstance(channel, Laplace) else 1e-12  # digits that end soon, again
    for own, mine in laws.items():
        for symbol, chance in mine.items():
            told = channel.log_likelihood_ratios(np.array(symbol, dtype=np.int64), own)
            ratios = [math.log(laws[other][symbol] / chance) for other in whole]
            assert (told.min(), told.max()) == pytest.approx((min(ratios), max(ratios)), abs=close)
            if not isinstance(channel, Laplace):
                assert np.allclose(told, ratios, rtol=0, atol=close)


def test_log_likelihoods_of_many_bits_cost_little() -> None:
    """A report of 2^16 bits: not a bit for every pair of indices."""
    channel = design.unary(1.0, 2**16)
    told = channel.log_likelihood_ratios(np.eye(1, 2**16, k=5, dtype=np.int64)[0], 7)
    assert told[7] == 0 and np.flatnonzero(told).tolist() == [5] and told[5] == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "shares"), GAPS)
def test_gap_variance_is_that_of_the_law(name: str, shares: tuple[float, float]) -> None:
    """Users hold the first and the last item with these shares, the others one in the middle."""
    channel = CHANNELS[name]
    assert isinstance(channel, (Unary, Subset))
    own, other = channel.inclusion if isinstance(channel, Subset) else (channel.keep, 1 - channel.keep)
    last = channel.items - 1
    first = second = 0.0
    for value, share in zip((0, last, channel.items // 2), (*shares, 1 - sum(shares)), strict=True):
        for symbol, chance in law(channel, value):
            cells = channel.accumulate(np.array([symbol], dtype=np.int64))
            gap = (cells[0] - cells[last]) / (own - other)
            first, second = first + share * float(chance) * gap, second + share * float(chance) * gap**2
    assert first == pytest.approx(shares[0] - shares[1], abs=1e-12)
    assert channel.gap_variance(*shares) == pytest.approx(second - first**2, rel=1e-9)


@pytest.mark.parametrize("name", VOTES)
def test_gap_variance_of_shares_outside_is_that_of_the_nearest(name: str) -> None:
    channel = CHANNELS[name]
    assert isinstance(channel, (Unary, Subset))
    assert channel.gap_variance(1.2, 0.3) == channel.gap_variance(1.0, 0.0) > 0
    assert channel.gap_variance(0.2, -0.3) == channel.gap_variance(0.2, 0.0)


@channels
def test_expected_cells_are_possible_and_near_the_mean(channel: Channel) -> None:
    held = np.random.default_rng(5).choice(inputs(channel), size=1001)
    cells = channel.expected_cells(held)
    assert len(cells) == channel.cells and all(type(cell) is int for cell in cells)
    if isinstance(channel, Laplace):
        noise = channel.noise_variance * channel.steps**2
        assert cells[0] == held.sum() and abs(cells[1] - (held**2).sum() - 1001 * noise) <= 1.5
        assert (cells[0] - cells[1]) % 2 == 0 and cells[1] * 1001 >= cells[0] ** 2
        return
    mean = sum(channel.marginals(int(value)) for value in held)
    assert all(0 <= cell <= 1001 for cell in cells) and np.abs(np.array(cells) - mean).max() < 1
    if isinstance(channel, (Table, Subset)):
        assert sum(cells) == 1001 * channel.width


@channels
def test_nobody_gives_an_empty_tally(channel: Channel) -> None:
    assert channel.expected_cells(np.array([], dtype=np.int64)) == [0] * channel.cells


def test_expected_cells_decode_to_what_users_hold() -> None:
    """Debiasing a tally without chance gives back the shares, and the average of positions."""
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    held = np.repeat(np.arange(4), (100_000 * shares).astype(int))
    subset, unary, k_ary = design.subset(1.0, 4), design.unary(1.0, 4), design.k_ary(1.0, 4)
    for channel, places in ((subset, held), (unary, held), (k_ary, held * k_ary.unit)):
        cells = np.array(channel.expected_cells(places))
        assert np.allclose(channel.shares(cells, 100_000), shares, rtol=0, atol=1e-4)
    table = design.piecewise(1.0, nodes=5, window=2)
    positions = np.random.default_rng(1).integers(0, table.span + 1, size=100_000)
    found = np.array(table.expected_cells(positions)) @ np.array(table.decode) / 100_000
    assert found == pytest.approx(positions.mean() / table.span, abs=1e-4)
    grid = design.laplace(0.01)
    assert grid.expected_cells(np.full(10**6, grid.steps))[0] == 10**6 * grid.steps


def test_words_say_what_a_device_does() -> None:
    assert str(design.one_bit(1.0).fact) == (
        "toss a coin that shows 1 with chance 26.9% at the low end, up to 73.1% at the high end"
    )
    assert "1 for your bin and 1 to each side; then" in str(design.unary(2.0, 9, reach=1).fact)
