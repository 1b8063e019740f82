"""A round of answers about bins, as a likelihood: how probable its counts are for users of a given law."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from sottovoce.messages import Bins, Position, Question, Subset, Table, Tally
from sottovoce.methods.bell import Floats, leaning_below

ODD = 0.01
"""Share of users allowed for anywhere while the place is sought, so that no bin is impossible."""


@cache
def _blur(count: int) -> tuple[Floats, Floats]:
    """Places and weights that stand for a uniform law on [−1, 1]."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return places, weights / 2


@dataclass(frozen=True, kw_only=True)
class Look:
    """One round: counts of the reports that hold each bin between `edges`, blurred by a uniform ± `soft`."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    reports: int
    own: float
    other: float
    several: bool
    soft: float = 0.0

    @classmethod
    def of(cls, asked: Question, tally: Tally, low: float, high: float) -> Look:
        """Read a tally of hard bins (subset selection) or of soft ones (`design.central`)."""
        channel, placement = asked.channel, asked.encoder.placement
        middle, half = (low + high) / 2, (high - low) / 2
        counts, reports = tally.cells[0], tally.reports[0]
        if isinstance(channel, Subset):
            assert isinstance(placement, Bins)
            own, other = channel.inclusion
            edges = tuple((edge - middle) / half for edge in placement.edges)
            several = channel.size > 1
            return cls(edges=edges, counts=counts, reports=reports, own=own, other=other, several=several)
        assert isinstance(channel, Table) and isinstance(placement, Position)
        nodes, symbols = channel.probabilities.shape
        start, stop = (placement.low[0] - middle) / half, (placement.high[0] - middle) / half
        step = (stop - start) / (nodes - 1)
        apart = (nodes - 2) // (symbols - 2) if symbols > 2 else 1
        edges = tuple(start + step * (0.5 + apart * place) for place in range(symbols - 1))
        own, other = float(channel.probabilities[0, 0]), float(channel.probabilities[-1, 0])
        return cls(edges=edges, counts=counts, reports=reports, own=own, other=other, several=False, soft=abs(step) / 2)

    def log_likelihood(self, mean: Floats, spread: Floats, lean: Floats) -> Floats:
        """Of the counts, for users with these laws."""
        return self.weighed(*self._expected(mean, spread, lean))

    def pull(self, weights: Floats, mean: Floats, spread: Floats, lean: Floats) -> tuple[float, float]:
        """How a weighted sum of the log-likelihood falls and rises if every report is the one that changes it most."""
        rates, first = self._expected(mean, spread, lean)
        said = np.zeros(len(self.counts))
        worth = np.log(rates) if not self.several else self._worth * (np.log(rates) - np.log1p(-rates))
        said[first : first + rates.shape[1]] = weights @ worth
        size = max(1, round(sum(self.counts) / max(1, self.reports)))
        usual, ranked = float(np.array(self.counts) @ said), np.sort(said)
        least, most = self.reports * float(ranked[:size].sum()), self.reports * float(ranked[-size:].sum())
        return usual - least, most - usual

    def claimed(self, share: float) -> Look:
        """The same round if a share of its users had named the outermost bins, half of them on either side."""
        ends = np.zeros(len(self.counts))
        ends[0] = ends[-1] = sum(self.counts) / 2
        counts = np.rint((1 - share) * np.array(self.counts) + share * ends)
        return replace(self, counts=tuple(int(count) for count in counts))

    def _expected(self, mean: Floats, spread: Floats, lean: Floats) -> tuple[Floats, int]:
        """Chances that a report holds each bin, from the first bin on that users of these laws can reach."""
        edges, reach = np.array(self.edges), 8 * float(spread.max())
        first = int(np.searchsorted(edges, float(mean.min()) - reach))
        last = int(np.searchsorted(edges, float(mean.max()) + reach))
        edges, soft = edges[first:last], self.soft / float(spread.min())
        blur = _blur(1 if soft == 0 else 2 if soft < 0.3 else 3 if soft < 1 else 5)
        places = (edges[:, None] + self.soft * blur[0]).ravel()
        below = leaning_below(places, mean[:, None], spread[:, None], lean[:, None])
        if len(blur[1]) > 1:
            below = below.reshape(len(mean), len(edges), len(blur[1])) @ blur[1]
        return self.rates(below), first

    def rates(self, below: Floats) -> Floats:
        """Chances that a report holds each bin, from shares of the users below each edge."""
        shares = np.empty((below.shape[0], below.shape[1] + 1))
        shares[:, -1] = 1.0
        shares[:, :-1] = below
        shares[:, 1:] -= below
        if not self.soft:
            shares *= 1 - ODD
            shares += ODD / len(self.counts)
        shares *= self.own - self.other
        shares += self.other
        return np.maximum(shares, 1e-300, out=shares)

    @property
    def _worth(self) -> float:
        """Items of one report exclude each other; as independent bits they would count for more than they say."""
        return 0.85 * (1 - 1 / len(self.counts))

    def weighed(self, rates: Floats, first: int = 0) -> Floats:
        """The log-likelihood at these rates; bins beyond hold nobody, whatever the law."""
        counts = np.array(self.counts[first : first + rates.shape[1]], dtype=np.float64)
        if not self.several:
            return np.asarray(np.log(rates) @ counts)
        return np.asarray(self._worth * (np.log(rates) @ counts + np.log1p(-rates) @ (self.reports - counts)))
