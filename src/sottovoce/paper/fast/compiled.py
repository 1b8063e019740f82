"""The same law as `univariate`, compiled: for grids of a thousand million evaluations. Needs numba (extra ``fast``)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sottovoce.paper.fast.votes import keep, log_distribution, table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
GUIDE = 256


def squared_errors(
    stream: np.random.Generator,
    voters: Floats,
    refiners: Floats,
    truth: Floats,
    deltas: Floats,
    counts: Integers,
    epsilons: Floats,
) -> tuple[Floats, Floats]:
    """See `univariate.squared_errors`; the stream is used up in one fixed order, whatever else runs.

    Where two α have the same Δ they share the uniforms behind the votes and the noise: each α has its exact law over
    all Δ and repetitions, and only the dependence between curves of different α differs from separate runs.
    """
    held = voters.shape[1]
    kept = [keep(epsilon / 2) for epsilon in epsilons]
    laws = np.stack([table(held, w) for w in kept])
    guides = np.stack([_guide(law) for law in laws])
    empties = np.stack([log_distribution(held, 1 - w) for w in kept])
    sums, squares = np.zeros(deltas.shape), np.zeros(deltas.shape)
    mine = np.sort(refiners, axis=1)
    totals = np.concatenate([np.zeros((len(mine), 1)), np.cumsum(mine, axis=1)], axis=1)
    ordered = np.sort(voters, axis=1)
    _grid(stream, ordered, mine, totals, truth, deltas, counts, epsilons, laws, guides, empties, sums, squares)
    return sums, squares


def _guide(law: Floats) -> NDArray[np.int16]:
    """Where to start looking in each row: the first v with F(v) ≥ b/GUIDE."""
    starts = np.arange(GUIDE) / GUIDE
    return np.stack([np.searchsorted(row, starts) for row in law]).astype(np.int16)


@njit(cache=True)
def _first_at_least(rows: Any, row: int, wanted: float) -> int:  # pragma: no cover - compiled
    """The first place in this row whose value is at least `wanted`; the length when there is none."""
    low, high = 0, rows.shape[1]
    while low < high:
        middle = (low + high) // 2
        if rows[row, middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def _runs(voters: Any, row: int, delta: float, bins: int, places: Any, held: Any) -> int:  # pragma: no cover - compiled
    """The occupied bins in order, and how many voters each holds; returns how many bins that are."""
    users, scale = voters.shape[1], 0.5 / delta
    last = int(min(max(math.floor((voters[row, users - 1] + 1) * scale), 0), bins - 1))
    at, runs = 0, 0
    while at < users:
        index = int(min(max(math.floor((voters[row, at] + 1) * scale), 0), bins - 1))
        end = users
        if index < last:  # double the step until it leaves the bin, then halve: runs are short or few
            low, step = at, 1
            while at + step < users and (voters[row, at + step] + 1) * scale < index + 1:
                low, step = at + step, 2 * step
            end = min(at + step, users)
            while end - low > 1:
                middle = (low + end) // 2
                if (voters[row, middle] + 1) * scale < index + 1:
                    low = middle
                else:
                    end = middle
        places[runs], held[runs] = index, end - at
        runs += 1
        at = end
    return runs


@njit(cache=True)
def _winner(
    a: int,
    runs: int,
    places: Any,
    held: Any,
    uniforms: Any,
    chance: Any,
    empty: int,
    laws: Any,
    guides: Any,
    empties: Any,
) -> int:  # pragma: no cover - compiled
    best_votes, best_bin = -1, 0
    for run in range(runs):
        count, uniform = held[run], uniforms[run]
        if best_votes >= 0 and laws[a, count, best_votes] >= uniform:
            continue  # no more votes than the best; bins come in order, so a tie stays with the lower index
        votes = guides[a, count, int(uniform * GUIDE)]
        while laws[a, count, votes] < uniform:
            votes += 1
        best_votes, best_bin = votes, places[run]
    if empty <= 0:
        return best_bin
    wanted = -chance[0] / empty
    if best_votes > 0 and empties[a, best_votes - 1] >= wanted:
        return best_bin
    most = min(_first_at_least(empties, a, wanted), empties.shape[1] - 1)
    rank = 0
    if most > 0:
        log_ratio = empties[a, most - 1] - empties[a, most]
        if log_ratio < 0:
            spread = -math.expm1(empty * log_ratio)
            rank = int(min(math.floor(math.log1p(-chance[1] * spread) / log_ratio), empty - 1))
    passed = 0
    while passed < runs and places[passed] - passed <= rank:
        passed += 1
    rank += passed
    return rank if most > best_votes or rank < best_bin else best_bin


@njit(cache=True)
def _grid(
    stream: Any,
    voters: Any,
    refiners: Any,
    totals: Any,
    truth: Any,
    deltas: Any,
    counts: Any,
    epsilons: Any,
    laws: Any,
    guides: Any,
    empties: Any,
    sums: Any,
    squares: Any,
) -> None:  # pragma: no cover - compiled
    users = refiners.shape[1]
    places = np.empty(voters.shape[1], dtype=np.int64)
    held = np.empty(voters.shape[1], dtype=np.int64)
    uniforms = np.empty(voters.shape[1])
    chance = np.empty(2)
    runs, noise = 0, 0.0
    for repetition in range(len(voters)):
        for place in range(deltas.shape[1]):
            for a in range(len(epsilons)):
                delta, bins = deltas[a, place], counts[a, place]
                if a == 0 or delta != deltas[a - 1, place]:
                    runs = _runs(voters, repetition, delta, bins, places, held)
                    for run in range(runs):
                        uniforms[run] = stream.random()
                    chance[0], chance[1] = stream.standard_exponential(), stream.random()
                    noise = stream.standard_gamma(float(users)) - stream.standard_gamma(float(users))
                winner = _winner(a, runs, places, held, uniforms, chance, bins - runs, laws, guides, empties)
                low = -1 + 2 * delta * winner - 2 * delta
                high = low + 6 * delta
                if refiners[repetition, 0] >= low and refiners[repetition, users - 1] <= high:
                    inside = totals[repetition, users]
                else:
                    under = _first_at_least(refiners, repetition, low)
                    over = _first_at_least(refiners, repetition, high)
                    inside = totals[repetition, over] - totals[repetition, under]
                    inside += under * low + (users - over) * high
                error = ((inside + 6 * delta / epsilons[a] * noise) / users - truth[repetition]) ** 2
                sums[a, place] += error
                squares[a, place] += error * error
