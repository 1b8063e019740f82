"""The exact law of the localisation: which of N bins wins the vote.

The few bins that users can fall into form a block; the K₋ bins below and K₊ above it are idle and alike, so that they
enter as powers of one binomial distribution function F, with their places kept because ties go to the lower index.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sottovoce.theory.user_means import Floats, Integers, MeanLaw
from sottovoce.theory.votes import Ballot, Contest, binomial, contest, fast, spread_contest


@dataclass(frozen=True)
class Block:
    """Bins ``first … first + len(shares) − 1`` hold all users but a share of `neglected`."""

    first: int
    shares: Floats
    neglected: float

    def lit(self, *, bins: int, reach: int) -> tuple[Integers, Integers]:
        """The bins that votes light which reach so far, and for each of them which bins of the block do (0 or 1)."""
        own = np.arange(self.first, self.first + len(self.shares))
        lit = np.arange(max(0, own[0] - reach), min(bins - 1, own[-1] + reach) + 1)
        return lit, (np.abs(lit[:, None] - own[None, :]) <= reach).astype(np.int64)


def occupied(law: MeanLaw, *, shift: float, delta: float, bins: int, neglect: float) -> Block:
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


def vote_range(table: Ballot, shares: Floats, idle: int, neglect: float) -> tuple[int, int]:
    """``start, stop``: the winner has at least `start` and fewer than `stop` votes, but for `neglect`.

    A bin's votes are binomial once counts are averaged out.
    """
    chances = (1 - table.keep) + (2 * table.keep - 1) * np.append(shares, 0.0)
    law = binomial(table.voters, chances)
    start = int((np.cumsum(law[int(np.argmax(chances))]) < neglect).sum())
    law[-1] *= idle
    stop = int((np.cumsum(law.sum(axis=0)[::-1])[::-1] >= neglect).sum())  # Σ P(votes ≥ v) over all bins
    return min(start, table.voters), min(max(stop, start + 1), table.voters + 1)


@dataclass(frozen=True)
class Votes:
    """A contest together with the first bin of its block."""

    first: int
    contest: Contest


def hold(table: Ballot, block: Block, *, bins: int, reach: int, neglect: float, compiled: bool) -> Votes:
    """The contest inside the block, widened by the bins that wide votes light."""
    if reach == 0:
        votes = vote_range(table, block.shares, bins - len(block.shares), neglect)
        return Votes(block.first, contest(table, block.shares, votes=votes, neglect=neglect, compiled=compiled))
    lit, hot = block.lit(bins=bins, reach=reach)
    votes = vote_range(table, hot @ block.shares, bins - len(lit), neglect)
    return Votes(int(lit[0]), spread_contest(table, block.shares, hot, votes=votes, neglect=neglect))


def winner_law(table: Ballot, votes: Votes, *, lower: int, upper: int, compiled: bool) -> Floats:
    """P(bin wins) for `lower` idle bins below the block, the block, and `upper` idle bins above it."""
    held = votes.contest
    log_below, log_upto = table.log_below[held.votes], table.log_upto[held.votes]
    idle = table.idle[held.votes]
    if compiled:
        return np.asarray(fast().winner(held.wins, held.upto, held.below, idle, log_below, log_upto, lower, upper))

    def power(count: Floats | float, logs: Floats) -> Floats:
        with np.errstate(invalid="ignore"):  # 0 · −∞ is the empty product
            return np.asarray(np.exp(np.where(np.asarray(count) == 0, 0.0, count * logs)))

    middle = held.wins.T @ (power(lower, log_below) * power(upper, log_upto))
    i = np.arange(lower, dtype=np.float64)[:, None]
    under = power(i, log_below) * power(lower - 1 - i + upper, log_upto) @ (idle * held.upto)
    i = np.arange(upper, dtype=np.float64)[:, None]
    over = power(lower + i, log_below) * power(upper - 1 - i, log_upto) @ (idle * held.below)
    return np.concatenate([under, middle, over])
