"""The closed vocabulary of channels. A new one is a new proof in device/PRIVACY.md first, then code.

Every channel says how large its input may be (`span`; an index counts in steps of `unit`), what a symbol looks
like (`width` integers, `payload_bytes` on the wire), what it costs (`epsilon_bound`, proven from the integers)
and how its reports add up (`cells`, `accumulate`). It also tells its own law to whoever compares, explains or
predicts: `marginals` are the chances of its events at an input, one of which happens in every report (`exclusive`)
or each on its own, and `observed_event_counts` counts them; `log_likelihood_ratios` compares other inputs with
the own one; `expected_cells` is the tally of given inputs without chance; `fact` is for the owner of a device. Inputs
are categories (`Subset`, `Unary`), places between two ends (`Laplace`), or either (`Table`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from sottovoce.messages.array_types import Array, Bytes, Flags, Floats, Integers, Words
from sottovoce.messages.canonical import LEFT_OUT, Big
from sottovoce.messages.exact_arithmetic import exp_below, log_above, log_below
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_ITEMS, MAX_SYMBOLS, MAX_TABLE_CELLS, check

ONE = 2**64
TICKS = 2**32
"""Inputs between two neighbouring nodes: a position is a node and a 32-bit fraction."""
ONE_WIDE = 2**128
STEPS = 2**16


class _CountingChannel:
    """A channel whose tallies count how many reports hold each symbol."""

    cells: ClassVar[int]
    width: ClassVar[int]
    fixed_number: ClassVar[bool] = True
    """Whether every report holds `width` symbols."""

    def accumulate(self, symbols: Integers) -> list[int]:
        """How many reports hold each symbol."""
        counts: list[int] = np.bincount(symbols.ravel(), minlength=self.cells).tolist()
        return counts

    def observed_event_counts(self, value: int, symbols: Integers) -> Integers:
        """How often each event of `marginals` happened."""
        return np.array(self.accumulate(symbols), dtype=np.int64)

    def why_impossible(self, reports: Array, cells: Array) -> str | None:
        """Why no answers add up to this tally, or None.

        Each count lies between 0 and the group's number of answers; the counts of a group sum to `width` times that
        number, where every report holds so many symbols.
        """
        outside = ((cells < 0) | (cells > reports[:, None])).any(axis=1)
        if outside.any():
            group = int(np.argmax(outside))
            row = cells[group]
            worst = int(row.min()) if row.min() < 0 else int(row.max())
            return f"group {group} counts a symbol {worst} times; expected 0 to {reports[group]}, its number of answers"
        if not self.fixed_number:
            return None
        if int(reports.max()) * cells.shape[1] >= 2**63:
            reports, cells = reports.astype(object), cells.astype(object)
        sums, expected = cells.sum(axis=1), self.width * reports
        if (wrong := sums != expected).any():
            group = int(np.argmax(wrong))
            return (
                f"the counts of group {group} sum to {sums[group]}; "
                f"expected {expected[group]} for {reports[group]} answers"
            )
        return None


class _ItemChannel(_CountingChannel):
    """A channel whose input is one of `items` items."""

    items: int
    inclusion: tuple[float, float]
    """The chance that a report holds an item: its user's own, and another."""

    @property
    def span(self) -> int:
        return self.items - 1

    @property
    def cells(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return self.items

    def shares(self, counts: Integers, reports: int) -> Floats:
        """Unbiased shares of the users that hold each item."""
        own, other = self.inclusion
        return np.asarray((counts / reports - other) / (own - other))

    def share_variance(self, shares: Floats) -> Floats:
        """Variance of one report's contribution to each share."""
        own, other = self.inclusion
        rate = other + (own - other) * shares
        return np.asarray(rate * (1 - rate) / (own - other) ** 2)


@dataclass(frozen=True, kw_only=True)
class Decodings:
    """What each symbol counts as on [0, 1], for four functions of the number that was asked for.

    `core` is for the number clipped to a core, `lower` for one that lies nowhere above it, `upper` for one that lies
    nowhere below, `whole` for the number itself.
    """

    core: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    whole: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Table(_CountingChannel):
    """A finite channel written out in full: one bit, k-ary response and piecewise tables are all tables.

    G nodes × L symbols. Row g is the law of the symbol at node g, in integers that sum to 2^64.

    An input is a position ``0 … (G − 1)·2^32``; between two nodes it is first rounded to one of them at random,
    without bias. `decode` gives each symbol's value on [0, 1] (empty where nodes are categories); a table with
    `decodings` has none of its own. No device looks at either.

    Privacy
    -------
    ε = ln max over columns of (largest entry / smallest entry). A position between nodes is a mixture of two rows,
    and a mixture cannot exceed the ratio of its parts.
    """

    kind: ClassVar[str] = "table"
    exclusive: ClassVar[bool] = True
    unit: ClassVar[int] = TICKS
    width: ClassVar[int] = 1
    payload_bytes: ClassVar[int] = 1

    rows: tuple[tuple[Big, ...], ...]
    decode: tuple[float, ...] = ()
    decodings: Decodings | None = field(default=None, metadata=LEFT_OUT)

    def __post_init__(self) -> None:
        given: Any = self.rows
        if isinstance(given, np.ndarray):  # 64-bit words, read as a whole
            vars(self).update(integers=given, rows=tuple(map(tuple, given.tolist())))
        nodes, symbols = len(self.rows), len(self.rows[0]) if self.rows else 0
        check(nodes >= 2, "a table has at least two nodes")
        check(2 <= symbols <= MAX_SYMBOLS, f"a table has 2 to {MAX_SYMBOLS} symbols")
        check(nodes * symbols <= MAX_TABLE_CELLS, f"a table has at most {MAX_TABLE_CELLS} cells")
        check(set(map(len, self.rows)) == {symbols}, "all rows of a table have the same length")
        try:
            inside = bool(self.integers.all())
        except OverflowError:
            inside = False
        check(inside, "every cell lies strictly between 0 and 2^64")
        low = (self.integers & np.uint64(TICKS - 1)).sum(axis=1)  # in halves, so that no sum wraps around
        high = (self.integers >> np.uint64(32)).sum(axis=1) + (low >> np.uint64(32))
        exact = (high == TICKS) & (low % np.uint64(TICKS) == 0)
        check(bool(exact.all()), "every row of a table sums to 2^64")
        check(len(self.decode) in (0, symbols), "a table decodes all of its symbols or none")
        if self.decodings is not None:
            given = vars(self.decodings).values()
            check(not self.decode, "a table with decodings has no decode of its own")
            check(all(len(each) == symbols for each in given), "each decoding is of all symbols")
            check(bool(np.isfinite([*given]).all()), "decodings are finite")

    @property
    def whole(self) -> tuple[float, ...]:
        """What each symbol counts as on [0, 1]: `decode`, or `whole` of the decodings."""
        return self.decode if self.decodings is None else self.decodings.whole

    @property
    def span(self) -> int:
        return (len(self.rows) - 1) * TICKS

    @property
    def cells(self) -> int:  # type: ignore[override]  # a constant of the class above, a property here
        return len(self.rows[0])

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        above, below = self.integers.max(axis=0).tolist(), self.integers.min(axis=0).tolist()
        largest, smallest = above[0], below[0]
        for high, low in zip(above, below, strict=True):
            if high * smallest > largest * low:
                largest, smallest = high, low
        return log_above(Fraction(largest, smallest))

    @cached_property
    def integers(self) -> Words:
        """The law as 64-bit words: ``(G, L)``."""
        return np.array(self.rows, dtype=np.uint64)

    @cached_property
    def probabilities(self) -> Floats:
        """The law as floats, for debiasing and simulation: ``(G, L)``."""
        return self.integers / float(ONE)

    def shares(self, counts: Integers, reports: int) -> Floats:
        """Unbiased shares of the users at each node, when nodes are categories."""
        return np.asarray(np.linalg.solve(self.probabilities.T, counts / reports))

    def variance(self, positions: Floats) -> Floats:
        """Variance of one decoded report at true positions in [0, 1] between even nodes, rounding to them included."""
        values = np.asarray(self.whole)
        second = self.probabilities @ values**2
        at = np.linspace(0.0, 1.0, len(self.rows))
        return np.asarray(np.interp(positions, at, second) - np.interp(positions, at, self.probabilities @ values) ** 2)

    def valid(self, symbols: Integers) -> bool:
        return bool(((symbols >= 0) & (symbols < self.cells)).all())

    def pack(self, symbols: Integers) -> Bytes:
        return symbols.astype(np.uint8)

    def unpack(self, payload: Bytes) -> Integers:
        return payload.astype(np.int64)

    def marginals(self, value: int) -> Floats:
        """The chance of each symbol at an input, rounding to nodes included."""
        node, rest = divmod(value, TICKS)
        ends = self.rows[node], self.rows[min(node + 1, len(self.rows) - 1)]
        return np.array([(low * (TICKS - rest) + high * rest) / (ONE * TICKS) for low, high in zip(*ends, strict=True)])

    def log_likelihood_ratios(self, symbol: Integers, own: int) -> Floats:
        """Log-likelihood of a symbol at every node, less that at the own input: the extremes are at nodes."""
        chances = self.probabilities[:, int(symbol[0])]
        return np.asarray(np.log(chances / np.interp(own, np.arange(len(chances)) * self.unit, chances)))

    def expected_cells(self, inputs: Integers) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        nodes, rests = np.divmod(np.asarray(inputs, dtype=np.int64), TICKS)
        at_node = np.bincount(nodes, weights=1 - rests / TICKS, minlength=len(self.rows))
        at_node += np.bincount(nodes + 1, weights=rests / TICKS, minlength=len(self.rows) + 1)[: len(self.rows)]
        return _apportion(at_node @ self.probabilities, len(nodes))

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        if self.cells == 2:
            return Fact("channel-coin", least=self.probabilities[0, 1], most=self.probabilities[-1, 1])
        epsilon = float(self.epsilon_bound())
        return Fact("channel-table", symbols=self.cells, epsilon=epsilon, times=math.exp(epsilon))


def _apportion(expected: Floats, total: int) -> list[int]:
    """Whole numbers near the expected ones that add up to `total`: all rounded down, the largest remainders up."""
    whole = np.floor(expected).astype(np.int64)
    short = total - int(whole.sum())
    whole[np.argsort(whole - expected, kind="stable")[:short]] += 1
    counts: list[int] = whole.tolist()
    return counts


@dataclass(frozen=True, kw_only=True)
class Subset(_ItemChannel):
    """Subset selection (Ye and Barg 2018): the own item is included with probability ``threshold / 2^64``.

    Given that, the other items are a uniformly random subset of the right size. With ``size = 1`` this is k-ary
    randomised response.

    Privacy
    -------
    A set S has probability p / C(K−1, m−1) from an item in S and (1−p) / C(K−1, m) from an item outside, so
    ε = |ln( p (K−m) / ((1−p) m) )|.
    """

    kind: ClassVar[str] = "subset"
    exclusive: ClassVar[bool] = False
    unit: ClassVar[int] = 1

    items: int
    size: int
    threshold: Big

    def __post_init__(self) -> None:
        check(2 <= self.items <= MAX_ITEMS, f"a subset channel has 2 to {MAX_ITEMS} items")
        check(1 <= self.size < self.items, "a subset holds at least one item and not all")
        check(0 < self.threshold < ONE, "the inclusion threshold lies strictly between 0 and 2^64")

    @property
    def width(self) -> int:  # type: ignore[override]  # the same
        return self.size

    @property
    def payload_bytes(self) -> int:
        return 2 * self.size

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        ratio = Fraction(self.threshold * (self.items - self.size), (ONE - self.threshold) * self.size)
        return log_above(max(ratio, 1 / ratio))

    @cached_property
    def inclusion(self) -> tuple[float, float]:  # type: ignore[override]  # the same
        """Probability that a report holds item j: when j is the own item, and when it is not."""
        own = self.threshold / ONE
        return own, (self.size - own) / (self.items - 1)

    def valid(self, symbols: Integers) -> bool:
        """Strictly increasing items in range: one form for one set."""
        inside = ((symbols >= 0) & (symbols < self.items)).all()
        return bool(inside and (np.diff(symbols, axis=-1) > 0).all())

    def pack(self, symbols: Integers) -> Bytes:
        return np.ascontiguousarray(symbols, dtype=">u2").view(np.uint8)

    def unpack(self, payload: Bytes) -> Integers:
        return np.ascontiguousarray(payload).view(">u2").astype(np.int64)

    def gap_variance(self, first: float, second: float) -> float:
        """Variance of one report's contribution to the difference of two shares: a user is in one of them at most."""
        first = min(1.0, max(0.0, first))
        second = min(1 - first, max(0.0, second))
        apart = float(self.share_variance(np.array([first, second])).sum())
        own, other = self.inclusion
        mine = own * (self.size - 1) / (self.items - 1)  # both reported, by one who holds one of the two
        pairs = (self.items - 1) * max(1, self.items - 2)
        theirs = (own * (self.size - 1) * (self.size - 2) + (1 - own) * self.size * (self.size - 1)) / pairs
        both = (first + second) * mine + max(0.0, 1 - first - second) * theirs
        rates = [other + (own - other) * share for share in (first, second)]
        return max(1e-300, apart - 2 * (both - rates[0] * rates[1]) / (own - other) ** 2)

    def marginals(self, value: int) -> Floats:
        """The chance that a report holds each item, when `value` is the own one."""
        own, other = self.inclusion
        return np.where(np.arange(self.items) == value, own, other)

    def log_likelihood_ratios(self, symbol: Integers, own: int) -> Floats:
        """Log-likelihood of a set from every item, less that from the own one."""
        odds = math.log(self.threshold * (self.items - self.size) / ((ONE - self.threshold) * self.size))
        inside = np.isin(np.arange(self.items), symbol).astype(np.int64)
        return np.asarray(odds * (inside - inside[own]))

    def expected_cells(self, inputs: Integers) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        own, other = self.inclusion
        held = np.bincount(np.asarray(inputs, dtype=np.int64), minlength=self.items).astype(np.float64)
        return _apportion(len(inputs) * other + (own - other) * held, self.size * len(inputs))

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-subset", size=self.size, items=self.items, chance=self.inclusion[0])


@dataclass(frozen=True, kw_only=True)
class Unary(_ItemChannel):
    """Index j lights bits ``j − reach … j + reach`` (inside 0 … K−1); each bit is kept with ``threshold / 2^64``.

    `reach` 0 is the paper's vote for one bin (L413), `reach` 1 its vote for three bins (L1707).

    Privacy
    -------
    Two indices disagree in at most ``2·(2·reach + 1)`` bits, fewer where K is small; every bit in which they
    disagree costs ln(threshold / (2^64 − threshold)), the others nothing.
    """

    kind: ClassVar[str] = "unary"
    exclusive: ClassVar[bool] = False
    fixed_number: ClassVar[bool] = False
    unit: ClassVar[int] = 1

    items: int
    reach: int
    threshold: Big

    def __post_init__(self) -> None:
        check(1 <= self.items <= MAX_ITEMS, f"a unary channel has 1 to {MAX_ITEMS} items")
        check(0 <= self.reach <= 8, "a unary channel reaches 0 to 8 items to each side")
        check(ONE // 2 <= self.threshold < ONE, "the keep threshold lies between 2^63 and 2^64")

    @property
    def width(self) -> int:  # type: ignore[override]  # the same
        return self.items

    @property
    def payload_bytes(self) -> int:
        return -(-self.items // 8)

    def disagreements(self) -> int:
        """The largest number of bits in which the hot sets of two indices differ."""
        if self.items >= 2 * (2 * self.reach + 1):
            return 2 * (2 * self.reach + 1)
        hot = self.hot_bits(np.arange(self.items))
        return int((hot[:, None, :] != hot[None, :, :]).sum(axis=2).max())

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers."""
        differing = self.disagreements()
        return differing * log_above(Fraction(self.threshold, ONE - self.threshold)) if differing else Fraction(0)

    def hot_bits(self, indices: Integers) -> Flags:
        """The bits before they are flipped: ``(n, K)``."""
        return np.asarray(np.abs(np.arange(self.items)[None, :] - np.asarray(indices)[:, None]) <= self.reach)

    @property
    def keep(self) -> float:
        """ω in the paper: the probability that a bit is sent as it is."""
        return self.threshold / ONE

    @cached_property
    def inclusion(self) -> tuple[float, float]:  # type: ignore[override]  # the same
        """Probability that a bit is set: when it is hot, and when it is not."""
        return self.keep, 1 - self.keep

    def valid(self, symbols: Integers) -> bool:
        return bool(((symbols == 0) | (symbols == 1)).all())

    def pack(self, symbols: Integers) -> Bytes:
        return np.packbits(symbols.astype(np.uint8), axis=-1)

    def unpack(self, payload: Bytes) -> Integers:
        bits = np.unpackbits(np.ascontiguousarray(payload), axis=-1)
        check(not bits[..., self.items :].any(), "padding bits of a unary report are zero")
        return bits[..., : self.items].astype(np.int64)

    def accumulate(self, symbols: Integers) -> list[int]:
        """Reports in which each bit is set."""
        counts: list[int] = symbols.sum(axis=0).tolist()
        return counts

    def gap_variance(self, first: float, second: float) -> float:
        """Variance of one report's contribution to the difference of two shares: a user is in one of them at most."""
        first = min(1.0, max(0.0, first))
        second = min(1 - first, max(0.0, second))
        apart = float(self.share_variance(np.array([first, second])).sum())
        return apart + 2 * first * second  # bits are independent given the index: only membership is shared

    def marginals(self, value: int) -> Floats:
        """The chance that each bit is set, when `value` is the own index."""
        return np.where(self.hot_bits(np.array([value]))[0], *self.inclusion)

    def log_likelihood_ratios(self, symbol: Integers, own: int) -> Floats:
        """Log-likelihood of the bits from every index, less that from the own one."""
        agree = self._near(2 * symbol - 1)  # up to a constant, the bits that agree with the hot ones of an index
        return np.asarray(math.log(self.threshold / (ONE - self.threshold)) * (agree - agree[own]))

    def expected_cells(self, inputs: Integers) -> list[int]:
        """A tally without chance: what users with these inputs send on average, rounded to a possible count."""
        held = np.bincount(np.asarray(inputs, dtype=np.int64), minlength=self.items)
        expected = len(inputs) * (1 - self.keep) + (2 * self.keep - 1) * self._near(held)
        counts: list[int] = np.rint(expected).astype(np.int64).tolist()
        return counts

    def _near(self, values: Integers) -> Integers:
        """At every index the sum of the values that it lights."""
        sums = np.concatenate(([0], np.cumsum(values)))
        index, reach = np.arange(self.items), self.reach
        return np.asarray(sums[np.minimum(index + reach + 1, self.items)] - sums[np.maximum(index - reach, 0)])

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-unary", items=self.items, reach=self.reach, chance=1 - self.keep)


@dataclass(frozen=True, kw_only=True)
class Laplace:
    """Position u in ``0 … steps``; the report is ``clamp(u + G₁ − G₂, −bound, steps + bound)``.

    G₁ and G₂ are geometric, built digit by digit: binary digit b is one with probability ``digits[b] / 2^128``,
    independently, which for digits with odds ρ^(2^b) is exactly the geometric law on ``0 … 2^B − 1``.

    Privacy
    -------
    With λ the negative log-odds of digit 0 and η = Σ_b |λ_b − 2^b·λ| the rounding of the digits,
    ε ≤ steps·λ + 4η − ln(1 − 2 e^(−λN)), N = 2^B − bound − steps. The proof is in device/PRIVACY.md.
    """

    kind: ClassVar[str] = "laplace"
    exclusive: ClassVar[bool] = True
    unit: ClassVar[int] = 1
    width: ClassVar[int] = 1
    payload_bytes: ClassVar[int] = 8
    cells: ClassVar[int] = 2

    steps: int
    bound: Big
    digits: tuple[Big, ...]

    def __post_init__(self) -> None:
        check(1 <= self.steps <= STEPS, f"a laplace channel has 1 to {STEPS} steps")
        check(1 <= len(self.digits) <= 46, "a laplace channel has 1 to 46 digits")
        check(all(0 < digit < ONE_WIDE // 2 for digit in self.digits), "every digit is less likely one than zero")
        check(self.bound >= 1, "the clamp lies beyond the grid")
        check(self.bound + self.steps < 2 ** len(self.digits), "the digits must reach beyond the clamp")

    @property
    def span(self) -> int:
        return self.steps

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers; infinite noise ratios are refused as `Malformed`."""
        odds = [Fraction(ONE_WIDE - digit, digit) for digit in self.digits]
        above, below = [log_above(ratio) for ratio in odds], [log_below(ratio) for ratio in odds]
        rounding = Fraction(0)
        for place in range(len(odds)):
            rounding += max(above[place] - 2**place * below[0], 2**place * above[0] - below[place])
        room = 2 ** len(self.digits) - self.bound - self.steps
        missing = 2 / exp_below(min(below[0] * room, Fraction(4096)))
        check(missing < 1, "the digits end too close to the clamp")
        return self.steps * above[0] + 4 * rounding + log_above(1 / (1 - missing))

    @cached_property
    def rate(self) -> float:
        """λ: the noise k has probability proportional to e^(−λ|k|)."""
        return math.log((ONE_WIDE - self.digits[0]) / self.digits[0])

    @property
    def scale(self) -> float:
        """The scale of the noise on the [0, 1] scale: 1/ε, up to rounding."""
        return 1 / (self.steps * self.rate)

    @property
    def noise_variance(self) -> float:
        """Variance of the noise on the [0, 1] scale, before the clamp that it meets with probability ≈ e^(−16)."""
        ratio = math.exp(-self.rate)
        return 2 * ratio / (-math.expm1(-self.rate)) ** 2 / self.steps**2

    def valid(self, symbols: Integers) -> bool:
        return bool(((symbols >= -self.bound) & (symbols <= self.steps + self.bound)).all())

    def pack(self, symbols: Integers) -> Bytes:
        return np.ascontiguousarray(symbols, dtype=">i8").view(np.uint8)

    def unpack(self, payload: Bytes) -> Integers:
        return np.ascontiguousarray(payload).view(">i8").astype(np.int64)

    def accumulate(self, symbols: Integers) -> list[int]:
        """The sum and the sum of squares, exactly."""
        return [exact_dot(symbols[:, 0]), exact_dot(symbols[:, 0], symbols[:, 0])]

    def why_impossible(self, reports: Array, cells: Array) -> str | None:
        """Why no answers add up to this tally, or None: a sum and a sum of squares of numbers within the clamp."""
        odd = (cells[:, 0].astype(object) + cells[:, 1].astype(object)) % 2
        together = "a sum and a sum of squares of whole numbers are odd together" if odd.any() else None
        return why_sums_impossible(reports, cells, low=-self.bound, high=self.steps + self.bound) or together

    def _edges(self, value: int) -> Floats:
        """Noise on a scale of 64 even steps from −8 to 8 scales, as far as the clamp leaves it alone."""
        steps = np.unique(np.ceil(np.linspace(-8, 8, 65)[1:-1] / self.rate))
        return np.asarray(steps[(steps > -self.bound - value) & (steps <= self.steps + self.bound - value)])

    def marginals(self, value: int) -> Floats:
        """The chance of each of about 64 ranges of noise, at an input."""
        edges, ratio = self._edges(value), math.exp(-self.rate)
        below = np.where(edges <= 0, ratio ** np.maximum(1 - edges, 0), 1 + ratio - ratio ** np.maximum(edges, 0))
        below = below / (1 + ratio)  # P(noise < k) for whole k
        return np.diff(np.concatenate(([0.0], below, [1.0])))

    def observed_event_counts(self, value: int, symbols: Integers) -> Integers:
        """How often each event of `marginals` happened."""
        edges = self._edges(value)
        return np.bincount(np.searchsorted(edges, symbols[:, 0] - value, side="right"), minlength=len(edges) + 1)

    def log_likelihood_ratios(self, symbol: Integers, own: int) -> Floats:
        """Log-likelihood of a symbol from inputs that include the extremes, less that from the own one."""
        place = int(np.clip(symbol[0], 0, self.steps))  # beyond the grid all distances grow alike
        away = np.abs(np.array([0, own, place, self.steps]) - int(symbol[0]))
        return np.asarray(-self.rate * (away - away[1]))

    def expected_cells(self, inputs: Integers) -> list[int]:
        """A tally without chance: the sum of these inputs, and of their squares with the noise's variance."""
        held = np.asarray(inputs, dtype=np.int64)
        total, squares = exact_dot(held), exact_dot(held, held)
        squares += round(len(held) * self.noise_variance * self.steps**2)
        return [total, squares + (total + squares) % 2]  # whole numbers and their squares are odd together

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-laplace", steps=self.steps, deviation=math.sqrt(self.noise_variance))


def why_sums_impossible(reports: Array, cells: Array, *, low: int, high: int) -> str | None:
    """Why no answers add up to sums and a sum of squares, or None.

    Sums of z in ``low … high``: (Σz)² ≤ n·Σz², and Σ(z − low)(high − z) ≥ 0 bounds Σz² from above.

    For signed sums ``low = −high``, and the second bound is the same whatever the signs.
    """
    count, squares, sums = (part.astype(object) for part in (reports, cells[:, -1], cells[:, :-1]))
    beyond = (sums < low * count[:, None]) | (sums > high * count[:, None])
    if beyond.any():
        group, place = map(int, np.unravel_index(np.argmax(beyond), beyond.shape))
        return (
            f"a sum of group {group} is {sums[group, place]}; "
            f"expected {low * count[group]} to {high * count[group]} for {count[group]} answers"
        )
    first = sums[:, 0] if low + high else 0 * count
    most = (low + high) * first - low * high * count
    wrong = (squares > most) | (sums**2 > (count * squares)[:, None]).any(axis=1) | (squares < 0)
    if wrong.any():
        group = int(np.argmax(wrong))
        return (
            f"the sum of squares of group {group} is {squares[group]}; expected at most {most[group]} and no less "
            f"than its sums allow for {count[group]} answers"
        )
    return None


def exact_dot(values: Integers, weights: Integers | None = None) -> int:
    """``Σ values·weights`` (or ``Σ values``) as an exact integer, for numbers below 2^47: all that a channel sends."""
    total, block = 0, 2**15
    for first in range(0, len(values), block):
        part = values[first : first + block]
        if weights is None:
            total += int(part.sum())
            continue
        other = weights[first : first + block]
        high, low = part >> 24, part & (2**24 - 1)
        other_high, other_low = other >> 24, other & (2**24 - 1)
        total += (int(high @ other_high) << 48) + int(low @ other_low)
        total += (int(high @ other_low) + int(low @ other_high)) << 24
    return total


Channel = Table | Subset | Unary | Laplace
