"""The Δ with the least exact risk on a grid: the phase-transition experiment (L1003) without its simulation error."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from sottovoce.messages import InvalidInput, has_numba
from sottovoce.theory.exact_risk import ExactRisk, exact_risk
from sottovoce.theory.laws import Law
from sottovoce.theory.rate import bin_count

PAPER_DELTAS = tuple(i / 2000 for i in range(1, 301))
"""Δ ∈ {.0005, .0010, …, .15} of the experiment."""

HOPELESS = 4.0
"""Below a Δ whose risk is that many times the best, localisation fails ever more often: nothing is searched."""


@dataclass(frozen=True, kw_only=True)
class BestDelta:
    """The best Δ found, its risk, and every (Δ, mse) that was computed on the way."""

    delta: float
    risk: ExactRisk
    computed: tuple[tuple[float, float], ...]


def best_delta(
    *,
    users: int,
    observations: int,
    epsilon: float,
    law: Law,
    deltas: Sequence[float] = PAPER_DELTAS,
    shift: float | tuple[float, float] = 0.0,
    resolution: float = 1.0,
    coarse: int = 24,
    compiled: bool | None = None,
) -> BestDelta:
    """Minimise the exact risk of UserLevelMean over `deltas` (increasing).

    About `coarse` Δ spaced evenly in log Δ come first, from Δ ≈ 1/√T upwards, then downwards until the risk is
    four times the best; then steps halve around the best down to the grid's; last, for up to six bins more or
    fewer, the smallest Δ with that many bins, where ⌈1/Δ⌉ makes the risk jump. A Δ whose Laplace noise alone,
    72Δ²/(α²n₂) at width 6Δ, exceeds the best risk so far is not computed.

    Accuracy
    --------
    The minimum over the whole grid where the risk has one valley, but for those jumps; ``coarse`` of the size of the
    grid computes all of it. `compiled` None: numba if it is there.
    """
    if not deltas or any(b <= a for a, b in itertools.pairwise(deltas)):
        raise InvalidInput(rule="deltas must be increasing, and at least one")
    use = has_numba() if compiled is None else compiled
    risks: dict[int, ExactRisk] = {}
    best = math.inf
    refiners = users - users // 2

    def visit(index: int) -> None:
        nonlocal best
        if index in risks or 72 * (deltas[index] / epsilon) ** 2 / refiners > best:
            return
        risks[index] = exact_risk(
            users=users,
            observations=observations,
            epsilon=epsilon,
            delta=deltas[index],
            law=law,
            shift=shift,
            resolution=resolution,
            compiled=use,
        )
        best = min(best, risks[index].mse)

    places = _coarse(deltas, coarse)
    start = min(places, key=lambda i: abs(math.log(deltas[i] * math.sqrt(observations))))  # Δ near 1/√T
    for index in (i for i in places if i >= start):
        visit(index)
    for index in (i for i in reversed(places) if i < start):
        visit(index)
        if index in risks and risks[index].mse > HOPELESS * best:
            break
    gap = max((b - a for a, b in itertools.pairwise(places)), default=1)
    while gap > 1:
        gap = math.ceil(gap / 2) if gap > 2 else 1
        centre = min(risks, key=lambda i: risks[i].mse)
        for index in (centre - 2 * gap, centre - gap, centre + gap, centre + 2 * gap):
            if 0 <= index < len(deltas):
                visit(index)
    for index in _fewest_bins(deltas, deltas[min(risks, key=lambda i: risks[i].mse)]):
        visit(index)
    chosen = min(risks, key=lambda i: risks[i].mse)
    computed = tuple((deltas[i], risks[i].mse) for i in sorted(risks))
    return BestDelta(delta=deltas[chosen], risk=risks[chosen], computed=computed)


def _coarse(deltas: Sequence[float], count: int) -> list[int]:
    """Indices whose Δ are spaced evenly on a logarithmic scale, both ends included."""
    if count >= len(deltas):
        return list(range(len(deltas)))
    low, high = math.log(deltas[0]), math.log(deltas[-1])
    wanted = [low + (high - low) * k / (count - 1) for k in range(count)] if count > 1 else [high]
    return sorted({min(range(len(deltas)), key=lambda i: abs(math.log(deltas[i]) - w)) for w in wanted})


def _fewest_bins(deltas: Sequence[float], delta: float) -> list[int]:
    """For about as many bins as `delta` makes, the first Δ of the grid that makes so many."""
    counts = [bin_count(d) for d in deltas]
    near = range(bin_count(delta) - 6, bin_count(delta) + 7)
    return [counts.index(count) for count in near if count in counts]
