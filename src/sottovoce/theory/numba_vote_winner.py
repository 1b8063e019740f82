"""The loops of `localisation`, compiled, for those who compute thousands of risks (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np
from numba import njit

from sottovoce.theory.laws import Floats, Integers

F = TypeVar("F", bound=Callable[..., object])


def _compile(function: F) -> F:
    """Compile, and keep the result on disk where there is a place for it."""
    try:
        return cast(F, njit(cache=True)(function))
    except RuntimeError:  # nowhere to write
        return cast(F, njit(function))


@_compile
def contest(
    equal: Floats,
    below: Floats,
    upto: Floats,
    weights: Floats,
    low: Integers,
    high: Integers,
    sum_low: Integers,
    sum_high: Integers,
    start: int,
    stop: int,
) -> tuple[Floats, Floats]:
    """`localisation._own_votes`, one v after the other, inside the windows of the partial sums."""
    bins, voters = weights.shape[0], weights.shape[1] - 1
    wins = np.zeros((stop - start, bins))
    reached = np.zeros(stop - start + 1)
    after = np.zeros((bins + 1, voters + 1))
    before = np.zeros(voters + 1)
    placed = np.zeros(voters + 1)
    passed = np.zeros(voters + 1)
    for row in range(stop - start + 1):
        v = start - 1 + row
        if v < 0:
            continue
        after[:] = 0.0
        after[bins, 0] = 1.0
        for k in range(bins - 1, -1, -1):
            first, last = voters - sum_high[k + 1], voters - sum_low[k + 1]
            cut = voters - sum_low[k]
            for c in range(low[k], high[k] + 1):
                gain = weights[k, c] * upto[c, v]
                for t in range(first, min(last, cut - c) + 1):
                    after[k, t + c] += gain * after[k + 1, t]
        reached[row] = after[0, voters]
        if row == 0:
            continue
        before[:] = 0.0
        before[0] = 1.0
        for k in range(bins):
            placed[:] = 0.0
            passed[:] = 0.0
            first, last, cut = sum_low[k], sum_high[k], sum_high[k + 1]
            for c in range(low[k], high[k] + 1):
                won, lost = weights[k, c] * equal[c, v], weights[k, c] * below[c, v]
                for t in range(first, min(last, cut - c) + 1):
                    placed[t + c] += won * before[t]
                    passed[t + c] += lost * before[t]
            total = 0.0
            for t in range(voters + 1):
                total += placed[t] * after[k + 1, voters - t]
            wins[row - 1, k] = total
            before[:] = passed
    return wins, reached


@_compile
def winner(
    wins: Floats,
    upto: Floats,
    below: Floats,
    idle: Floats,
    log_below: Floats,
    log_upto: Floats,
    lower: int,
    upper: int,
) -> Floats:
    """`localisation.winner_law`, with running powers."""
    rows, bins = wins.shape
    law = np.zeros(lower + bins + upper)
    for row in range(rows):
        ratio = np.exp(log_below[row] - log_upto[row])
        under = 1.0 if lower == 0 else np.exp(lower * log_below[row])
        scale = under * np.exp(upper * log_upto[row])
        for k in range(bins):
            law[lower + k] += scale * wins[row, k]
        chance = idle[row] * upto[row] * np.exp((lower + upper - 1) * log_upto[row])
        for i in range(lower):
            law[i] += chance
            chance *= ratio
        chance = idle[row] * below[row] * under * np.exp((upper - 1) * log_upto[row])
        for i in range(upper):
            law[lower + bins + i] += chance
            chance *= ratio
    return law
