"""The contest of noisy votes, exactly: who of a block of neighbouring bins wins, and at which number of votes.

m voters fall into bins with probabilities p (a multinomial law); every voter sends a bit for every bin, true with
probability ω. Given the counts the votes of different bins are independent: a bin with c hot bits has
Bin(c, ω) + Bin(m − c, 1 − ω) votes. So for every v

    P(bin k wins with v votes) = Σ_counts P(counts) · Π_{l<k} P(votes_l < v) · P(votes_k = v) · Π_{l>k} P(votes_l ≤ v)

(ties go to the lower index, L428). With Poisson weights in place of multinomial ones the sum over counts is one
coefficient of a product of polynomials; everything in it is positive, so that the rarest events keep their digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

import numpy as np

from sottovoce.messages import InvalidInput, MissingExtra
from sottovoce.theory.user_means import Floats, Integers

MAX_ENUMERATED = 2_000_000
"""Count vectors that votes for three bins may have; beyond, the contest is refused."""


def log_choose(trials: int, k: Floats) -> Floats:
    """The logarithms of binomial coefficients."""
    from scipy.special import gammaln

    return np.asarray(gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1))


def binomial(trials: int, chance: float | Floats) -> Floats:
    """The binomial law on 0 … trials (a row for each chance), with relative error about 1e-13 in the tails too."""
    from scipy.special import xlog1py, xlogy

    k = np.arange(trials + 1, dtype=np.float64)
    chance = np.asarray(chance)[..., None]
    return np.asarray(np.exp(log_choose(trials, k) + xlogy(k, chance) + xlog1py(trials - k, -chance)))


@dataclass(frozen=True)
class Ballot:
    """Tables for m voters and keep probability ω: rows are hot counts c, columns are votes v = 0 … m."""

    voters: int
    keep: float
    equal: Floats
    below: Floats
    upto: Floats
    log_below: Floats
    log_upto: Floats

    @property
    def idle(self) -> Floats:
        """The votes of a bin that nobody holds."""
        return np.asarray(self.equal[0])


@lru_cache(maxsize=8)
def ballot(voters: int, keep: float) -> Ballot:
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
    return Ballot(voters, keep, equal, below, upto, log_below, log_upto)


@dataclass(frozen=True)
class Contest:
    """Between the bins of a block: `wins[v, k]` as above; `upto[v]` = P(no bin of the block has more than v votes)."""

    votes: Integers
    wins: Floats
    upto: Floats
    below: Floats


def contest(table: Ballot, shares: Floats, *, votes: tuple[int, int], neglect: float, compiled: bool) -> Contest:
    """One-bin votes: bin k of the block is hot for the voters in it."""
    windows = _windows(table.voters, shares, neglect)
    start, stop = votes
    if compiled:
        wins, upto = fast().contest(table.equal, table.below, table.upto, *windows, start, stop)
    else:
        wins, upto = _contest(table, windows, start, stop)
    norm = poisson_at(table.voters)
    upto = upto / norm
    return Contest(np.arange(start, stop), wins / norm, upto[1:], upto[:-1])


def fast() -> ModuleType:
    """The compiled loops, or a clear error without numba."""
    try:
        from sottovoce.theory import compiled
    except ImportError as error:
        raise MissingExtra("compiled=True needs numba", extra="fast") from error
    return compiled


def poisson_at(voters: int) -> float:
    """P(Poisson(m) = m), the probability that Poisson counts add up to m."""
    return math.exp(voters * math.log(voters) - voters - math.lgamma(voters + 1))


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


def _contest(table: Ballot, windows: Windows, start: int, stop: int) -> tuple[Floats, Floats]:
    """The polynomials, with NumPy: rows are v, columns the number of voters placed so far."""
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


def spread_contest(table: Ballot, shares: Floats, hot: Integers, *, votes: tuple[int, int], neglect: float) -> Contest:
    """Votes for several bins: bit k is hot for the voters of the bins in row k of `hot` (zeros and ones).

    Votes of neighbours then share voters, so that counts are enumerated, all that are not rare.
    """
    weights, low, high, *_ = _windows(table.voters, shares, neglect)
    counts = _count_vectors(table.voters, low, high)
    chance = np.exp(np.log(np.maximum(weights, 1e-300))[np.arange(len(shares)), counts].sum(axis=1))
    start, stop = votes
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
    norm = poisson_at(table.voters)
    return Contest(np.arange(start, stop), wins / norm, upto[1:] / norm, upto[:-1] / norm)


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
