"""Between which ends to ask the last question, and what may lie beyond them. Everything on [−1, 1].

A narrow interval has little noise but cuts users off. What is cut off of the bell is known from the posterior; what
stands out of the bins beyond it counts with the amount by which it exceeds chance; what hides below that cannot be
seen by any private method, and only the guarded interval allows for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sottovoce.schemes.core import END, Core, Floats
from sottovoce.schemes.histogram import Shares

Caution = Literal["high", "medium", "low"]
THRESHOLDS: dict[Caution, tuple[float, float]] = {"high": (1.0, 2.0), "medium": (1.5, 2.5), "low": (2.5, 3.5)}
"""Standard errors that are taken for chance: in the whole excess beyond an end, and in one bin that stands out."""
NO_SYMMETRY = 0.3
"""The part of the clipped tails that is not trusted to cancel."""
NEARLY_ALL = 1.9


@dataclass(frozen=True, kw_only=True)
class Ends:
    """The interval of the last question."""

    low: float
    high: float
    clipping: float
    """Standard deviation of what the bell loses beyond the ends."""

    @property
    def whole(self) -> bool:
        return self.low <= -1 and self.high >= 1


QUANTILES = [0.12, 0.31, 0.5, 0.69, 0.88]
GROWTH = 2.0
MOST_BINS = 28


def graded_edges(core: Core) -> Floats:
    """Inner edges: a few inside the bell, and from there bins that grow no faster than twofold, to both ends."""
    found = [float(place) for place in core.quantiles(QUANTILES)]
    least = max((found[-1] - found[0]) / 2 if ONEBELL else 0, 0.08 * core.unit)
    edges = [found[0]]
    for place in found[1:]:
        if place - edges[-1] > FINEST * core.unit:
            edges.append(place)
    edges = [-END, *edges, END]
    while len(edges) <= MOST_BINS:
        widths = np.diff(edges)
        beside = np.minimum(np.concatenate(([np.inf], widths[:-1])), np.concatenate((widths[1:], [np.inf])))
        step = GROWTH * np.maximum(beside, WIDTH * core.unit)
        wide = widths / step
        worst = int(np.argmax(wide))
        if wide[worst] < 1.3:
            break
        left = worst > 0 and (worst == len(widths) - 1 or widths[worst - 1] <= widths[worst + 1])
        edges.insert(worst + 1, edges[worst] + step[worst] if left else edges[worst + 1] - step[worst])
    return np.sin(np.array(edges[1:-1]))


ONEBELL = True
FINEST = 0.02
WIDTH = 0.25


def choose_ends(core: Core, seen: list[Shares], *, variance: float, users: int, caution: Caution) -> Ends:
    """The least predicted error; `variance` is the table's on [−1, 1], `seen` the rounds of bins."""
    lower, middle, upper = core.quantiles([0.16, 0.5, 0.84])
    width = max((upper - lower) / 2, core.unit / 12)
    offsets = width * 2.0 ** np.arange(-1, 14, 0.5)
    offsets = offsets[offsets < math.pi]
    phi = np.unique(np.clip(np.concatenate(([-END], middle - offsets, middle + offsets, [END])), -END, END))
    places = np.sin(phi)
    places[0], places[-1] = -1.0, 1.0
    grid = np.unique(np.concatenate((phi, np.linspace(-END, END, 60))))
    left, right = (part[:, np.searchsorted(grid, phi)] for part in core.beyond(grid))
    apart = (core.weight @ left**2)[:, None] + (core.weight @ right**2)[None, :]
    together = (left * core.weight[:, None]).T @ right
    clipped = np.maximum(apart - 2 * (1 - NO_SYMMETRY) * together, 0)
    above = visible(core, seen, places, side=1, caution=caution)
    under = visible(core, seen, places, side=-1, caution=caution)
    wide = places[None, :] - places[:, None]
    noise = variance * wide**2 / 4 / users
    risk = np.where(wide > 1e-9, noise + clipped + above[None, :] ** 2 + under[:, None] ** 2, np.inf)
    best = int(np.argmin(risk))
    row, column = divmod(best, len(places))
    if wide[row, column] > NEARLY_ALL or risk[0, -1] <= risk[row, column]:
        return Ends(low=-1.0, high=1.0, clipping=0.0)
    return Ends(low=float(places[row]), high=float(places[column]), clipping=math.sqrt(clipped[row, column]))


def visible(core: Core, rounds: list[Shares], ends: Floats, *, side: int, caution: Caution) -> Floats:
    """The excess beyond each end over what the bell explains, less what is taken for chance.

    A bin counts at its far edge. One bin that stands out by itself counts, too.
    """
    threshold, lone = THRESHOLDS[caution]
    total = precision = np.zeros(len(ends))
    alone = np.zeros(len(ends))
    for seen in rounds:
        own = np.diff(np.concatenate(([0.0], core.share_below(np.arcsin(seen.edges)), [1.0])))
        excess = seen.share - np.minimum(own, np.maximum(seen.share, 0))
        distance = np.maximum(_far(seen, side) - side * ends[:, None], 0)
        weight = 1 / np.maximum(seen.variance(distance), 1e-18)
        total, precision = total + weight * (distance @ excess), precision + weight
        one = math.sqrt(seen.empty_variance)
        stands_out = np.where(excess > lone * one, excess - one, 0.0)
        alone = (
            np.maximum(alone, (distance * stands_out).max(axis=1)) if ALLLONE else (distance * stands_out).max(axis=1)
        )
    return np.asarray(np.maximum(np.maximum(total / precision - threshold / np.sqrt(precision), 0), alone))


ALLLONE = False


def _far(seen: Shares, side: int) -> Floats:
    """The edge of each bin that is the farther one toward `side`, times it."""
    edges = np.concatenate(([-1.0], seen.edges, [1.0]))
    return edges[1:] if side > 0 else -edges[:-1]


def excess(rounds: list[Shares], end: float, *, side: int) -> tuple[float, float]:
    """At most how far the mean lies beyond what is clipped at `end`: an estimate that is not too low, and its deviation.

    E(x − end)⁺ with every bin at its far edge, from all rounds, each with the weight of its precision.
    """
    found = []
    for seen in rounds:
        distance = np.maximum(_far(seen, side) - side * end, 0)
        found.append((float(distance @ seen.share), max(float(seen.variance(distance)), 1e-18)))
    precision = sum(1 / variance for _, variance in found)
    return sum(value / variance for value, variance in found) / precision, math.sqrt(1 / precision)
