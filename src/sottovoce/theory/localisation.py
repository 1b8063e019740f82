"""The exact law of the localisation: which of N bins wins the vote, and at which number of votes.

m voters fall into bins with probabilities p (a multinomial law); every voter sends a bit for every bin, true with
probability ω. Given the counts the votes of different bins are independent: a bin with c hot bits has
Bin(c, ω) + Bin(m − c, 1 − ω) votes. So for every v

    P(bin k wins with v votes) = Σ_counts P(counts) · Π_{l<k} P(votes_l < v) · P(votes_k = v) · Π_{l>k} P(votes_l ≤ v)

(ties go to the lower index, L428). With Poisson weights in place of multinomial ones the sum over counts is one
coefficient of a product of polynomials; everything in it is positive, so that the rarest events keep their digits.

The few bins that users can fall into form a block; the K₋ bins below and K₊ above it are idle and alike, so that they
enter as powers of one binomial distribution function F, with their places kept because ties go to the lower index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

import numpy as np

from sottovoce.messages import InvalidInput, MissingExtra
from sottovoce.theory.laws import Floats, Integers, MeanLaw, binomial

MAX_ENUMERATED = 2_000_000
"""Count vectors that votes for three bins may have; beyond, the contest is refused."""


@dataclass(frozen=True)
class VoteTables:
    """Tables for m voters and keep probability ω: rows are hot counts c, columns are votes v = 0 … m."""

    voters: int
    keep: float
    equal: Floats
    below: Floats
    upto: Floats
    log_below: Floats
    log_upto: Floats


@lru_cache(maxsize=8)
def vote_tables(voters: int, keep: float) -> VoteTables:
    """The tables, made once for each (m, ω)."""
    equal = np.empty((voters + 1, voters + 1))
    for hot in range(voters + 1):
        equal[hot] = np.convolve(binomial(hot, keep), binomial(voters - hot, 1 - keep))
    upto = np.minimum(np.cumsum(equal, axis=1), 1.0)
    below = np.concatenate([np.zeros((voters + 1, 1)), upto[:, :-1]], axis=1)
    above = np.minimum(np.cumsum(equal[0, ::-1])[::-1], 1.0)  # P(votes ≥ v) of an idle bin, from the small end
    with np.errstate(divide="ignore"):
        log_below = np.where(below[0] < 0.5, np.log(below[0]), np.log1p(-above))
    log_upto = np.append(log_below[1:], 0.0)
    return VoteTables(voters, keep, equal, below, upto, log_below, log_upto)


@dataclass(frozen=True)
class Contest:
    """Between bins from `first` on: `wins[v, k]` as above; `upto[v]` = P(none of them has more than v votes)."""

    first: int
    votes: Integers
    wins: Floats
    upto: Floats
    below: Floats


def numba_loops() -> ModuleType:
    """The compiled loops, or a clear error without numba."""
    try:
        from sottovoce.theory import numba_vote_winner
    except ImportError as error:
        raise MissingExtra("compiled=True needs numba", extra="fast") from error
    return numba_vote_winner


Windows = tuple[Floats, Integers, Integers, Integers, Integers]


def _windows(voters: int, shares: Floats, neglect: float) -> Windows:
    """Poisson weights of every bin's count, and the windows outside of which counts and partial sums are rare.

    A count is binomial, and so is the number of voters in the first k bins: cutting both at `neglect` leaves out
    no more than (bins · 4 · neglect).
    """
    from scipy.special import gammaln, xlogy

    bins = len(shares)
    ends = np.cumsum(np.concatenate([[0.0], shares]))
    chances = np.concatenate([shares, np.clip(ends / ends[-1], 0.0, 1.0)])
    law = binomial(voters, chances)
    low = (np.cumsum(law, axis=1) < neglect).sum(axis=1)
    high = voters - (np.cumsum(law[:, ::-1], axis=1) < neglect).sum(axis=1)
    k = np.arange(voters + 1)
    mean = (voters * shares)[:, None]
    weights = np.exp(xlogy(k[None, :], mean) - mean - gammaln(k + 1.0)[None, :])
    # Partial sums: those before bin k, and (as m minus those) those from bin k on.
    return weights, low[:bins], high[:bins], low[bins:], high[bins:]


def _own_votes(table: VoteTables, windows: Windows, start: int, stop: int) -> tuple[Floats, Floats]:
    """One-bin votes, bin k of the block being hot for the voters in it: `wins`, and `upto` from v = start − 1 on.

    The polynomials, with NumPy: rows are v, columns the number of voters placed so far.
    """
    weights, low, high, *_ = windows
    voters, bins, rows = table.voters, len(weights), stop - start
    after = np.zeros((bins + 1, rows + 1, voters + 1))  # row 0 is v = start − 1
    after[bins, :, 0] = 1.0
    wide = slice(max(start - 1, 0), stop)
    pad = 1 if start == 0 else 0
    for k in range(bins - 1, -1, -1):
        for c in range(low[k], high[k] + 1):
            gain = np.concatenate([np.zeros(pad), weights[k, c] * table.upto[c, wide]])[:, None]
            after[k, :, c:] += gain * after[k + 1, :, : voters + 1 - c]
    before = np.zeros((rows, voters + 1))
    before[:, 0] = 1.0
    wins = np.zeros((rows, bins))
    for k in range(bins):
        placed, passed = np.zeros_like(before), np.zeros_like(before)
        for c in range(low[k], high[k] + 1):
            shifted = before[:, : voters + 1 - c]
            placed[:, c:] += (weights[k, c] * table.equal[c, start:stop])[:, None] * shifted
            passed[:, c:] += (weights[k, c] * table.below[c, start:stop])[:, None] * shifted
        wins[:, k] = (placed * after[k + 1, 1:, ::-1]).sum(axis=1)
        before = passed
    return wins, after[0, :, voters].copy()


def _wide_votes(table: VoteTables, windows: Windows, start: int, stop: int, hot: Integers) -> tuple[Floats, Floats]:
    """Votes for several bins: bit k is hot for the voters of the bins in row k of `hot` (zeros and ones).

    Neighbouring bins then share voters, so that counts are enumerated, all that are not rare.
    """
    weights, low, high, *_ = windows
    counts = _count_vectors(table.voters, low, high)
    chance = np.exp(np.log(np.maximum(weights, 1e-300))[np.arange(len(weights)), counts].sum(axis=1))
    hots = counts @ hot.T
    wins = np.zeros((stop - start, len(hot)))
    upto = np.zeros(stop - start + 1)
    for first in range(0, len(counts), 4096):
        part, mass = hots[first : first + 4096], chance[first : first + 4096]
        after = [np.broadcast_to(mass[:, None], (len(part), stop - start))]
        for k in range(len(hot) - 1, -1, -1):
            after.append(after[-1] * table.upto[part[:, k], start:stop])
        before = np.ones((len(part), stop - start))
        for k in range(len(hot)):
            wins[:, k] += (before * table.equal[part[:, k], start:stop] * after[len(hot) - 1 - k]).sum(axis=0)
            before = before * table.below[part[:, k], start:stop]
        upto[1:] += after[-1].sum(axis=0)
        upto[0] += (before[:, 0] * mass).sum()
    return wins, upto


def _count_vectors(voters: int, low: Integers, high: Integers) -> Integers:
    """All vectors of counts inside their windows that add up to the number of voters."""
    rest_low = np.append(np.cumsum(low[::-1])[::-1], 0)
    rest_high = np.append(np.cumsum(high[::-1])[::-1], 0)
    vectors = np.zeros((1, 0), dtype=np.int64)
    for k in range(len(low)):
        left = voters - vectors.sum(axis=1)
        least = np.maximum(low[k], left - rest_high[k + 1])
        most = np.minimum(high[k], left - rest_low[k + 1])
        sizes = np.maximum(most - least + 1, 0)
        if sizes.sum() > MAX_ENUMERATED:
            raise InvalidInput(
                f"votes for three bins with {len(low)} occupied bins: more than {MAX_ENUMERATED} counts to enumerate",
                fix="take a larger delta, fewer users, or simulate",
            )
        rows = np.repeat(np.arange(len(vectors)), sizes)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        vectors = np.concatenate([vectors[rows], (least[rows] + offset)[:, None]], axis=1)
    return vectors


@dataclass(frozen=True)
class Block:
    """Bins ``first … first + len(shares) − 1`` hold all users but a share of `neglected`."""

    first: int
    shares: Floats
    neglected: float

    def lit(self, *, bins: int, reach: int) -> tuple[Integers, Integers]:
        """The bins that votes light which reach so far, and for each of them which bins of the block do (0 or 1)."""
        occupied = np.arange(self.first, self.first + len(self.shares))
        lit = np.arange(max(0, occupied[0] - reach), min(bins - 1, occupied[-1] + reach) + 1)
        return lit, (np.abs(lit[:, None] - occupied[None, :]) <= reach).astype(np.int64)


def occupied_block(law: MeanLaw, *, shift: float, delta: float, bins: int, neglect: float) -> Block:
    """The bins that users fall into; rare ones at the ends are joined to their neighbour."""
    low, high = (np.array(law.support) + shift + 1) / (2 * delta)
    first, last = (int(np.clip(np.floor(end), 0, bins - 1)) for end in (low - 1e-9, high + 1e-9))
    edges = 2 * delta * np.arange(first + 1, last + 1, dtype=np.float64) - 1 - shift
    ends = np.concatenate([[0.0], law.partial(edges)[0], [1.0]])
    start = int((ends <= neglect).sum()) - 1
    stop = max(len(ends) - int((1 - ends <= neglect).sum()), start + 1)
    dropped = float(ends[start] + 1 - ends[stop])
    inner = ends[start : stop + 1].copy()
    inner[0], inner[-1] = 0.0, 1.0
    return Block(first + start, np.diff(inner), dropped + law.neglected)


def vote_range(table: VoteTables, shares: Floats, idle: int, neglect: float) -> tuple[int, int]:
    """``start, stop``: the winner has at least `start` and fewer than `stop` votes, but for `neglect`.

    A bin's votes are binomial once counts are averaged out.
    """
    chances = (1 - table.keep) + (2 * table.keep - 1) * np.append(shares, 0.0)
    law = binomial(table.voters, chances)
    start = int((np.cumsum(law[int(np.argmax(chances))]) < neglect).sum())
    law[-1] *= idle
    stop = int((np.cumsum(law.sum(axis=0)[::-1])[::-1] >= neglect).sum())  # Σ P(votes ≥ v) over all bins
    return min(start, table.voters), min(max(stop, start + 1), table.voters + 1)


def contest(table: VoteTables, block: Block, *, bins: int, reach: int, neglect: float, compiled: bool) -> Contest:
    """The contest inside the block, widened by the bins that wide votes light."""
    lit, hot = block.lit(bins=bins, reach=reach)
    start, stop = vote_range(table, hot @ block.shares, bins - len(lit), neglect)
    windows = _windows(table.voters, block.shares, neglect)
    if reach > 0:
        wins, upto = _wide_votes(table, windows, start, stop, hot)
    elif compiled:
        wins, upto = numba_loops().contest(table.equal, table.below, table.upto, *windows, start, stop)
    else:
        wins, upto = _own_votes(table, windows, start, stop)
    m = table.voters
    norm = math.exp(m * math.log(m) - m - math.lgamma(m + 1))  # P(Poisson(m) = m): Poisson counts add up to m
    upto = upto / norm
    return Contest(int(lit[0]), np.arange(start, stop), wins / norm, upto[1:], upto[:-1])


def winner_law(table: VoteTables, contest: Contest, *, lower: int, upper: int, compiled: bool) -> Floats:
    """P(bin wins) for `lower` idle bins below the block, the block, and `upper` idle bins above it."""
    log_below, log_upto = table.log_below[contest.votes], table.log_upto[contest.votes]
    idle = table.equal[0][contest.votes]
    if compiled:
        return np.asarray(
            numba_loops().winner(contest.wins, contest.upto, contest.below, idle, log_below, log_upto, lower, upper)
        )

    def power(count: Floats | float, logs: Floats) -> Floats:
        with np.errstate(invalid="ignore"):  # 0 · −∞ is the empty product
            return np.asarray(np.exp(np.where(np.asarray(count) == 0, 0.0, count * logs)))

    middle = contest.wins.T @ (power(lower, log_below) * power(upper, log_upto))
    i = np.arange(lower, dtype=np.float64)[:, None]
    under = power(i, log_below) * power(lower - 1 - i + upper, log_upto) @ (idle * contest.upto)
    i = np.arange(upper, dtype=np.float64)[:, None]
    over = power(lower + i, log_below) * power(upper - 1 - i, log_upto) @ (idle * contest.below)
    return np.concatenate([under, middle, over])
