"""The law of `localisation`, compiled: for grids of a thousand million surveys. Needs numba (extra ``fast``)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

GUIDE = 256


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
def _runs(
    voters: Any, row: int, start: float, step: float, bins: int, places: Any, held: Any
) -> int:  # pragma: no cover - compiled
    """The occupied bins in order, and how many voters each holds; returns how many bins that are."""
    users, scale = voters.shape[1], 1 / step
    last = int(min(max(math.floor((voters[row, users - 1] - start) * scale), 0), bins - 1))
    at, runs = 0, 0
    while at < users:
        index = int(min(max(math.floor((voters[row, at] - start) * scale), 0), bins - 1))
        end = users
        if index < last:  # double the step until it leaves the bin, then halve: runs are short or few
            low, jump = at, 1
            while at + jump < users and (voters[row, at + jump] - start) * scale < index + 1:
                low, jump = at + jump, 2 * jump
            end = min(at + jump, users)
            while end - low > 1:
                middle = (low + end) // 2
                if (voters[row, middle] - start) * scale < index + 1:
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
def add_errors(
    stream: Any,
    voters: Any,
    refiners: Any,
    totals: Any,
    truth: Any,
    starts: Any,
    steps: Any,
    counts: Any,
    first: Any,
    lows: Any,
    highs: Any,
    scales: Any,
    laws: Any,
    guides: Any,
    empties: Any,
    sums: Any,
    squares: Any,
) -> None:  # pragma: no cover - compiled
    """Add the squared errors of all repetitions to `sums`, their squares to `squares`: a row an ε, a column a Δ.

    Where two ε have the same bins they share the uniforms behind the votes and the noise: each ε has its exact law
    over all Δ and repetitions, and only the dependence between curves of different ε differs from separate runs.
    """
    users = refiners.shape[1]
    places = np.empty(voters.shape[1], dtype=np.int64)
    held = np.empty(voters.shape[1], dtype=np.int64)
    uniforms = np.empty(voters.shape[1])
    chance = np.empty(2)
    runs, noise = 0, 0.0
    for repetition in range(len(voters)):
        for place in range(counts.shape[1]):
            for a in range(len(scales)):
                start, step, bins = starts[a, place], steps[a, place], counts[a, place]
                if a == 0 or step != steps[a - 1, place] or start != starts[a - 1, place]:
                    runs = _runs(voters, repetition, start, step, bins, places, held)
                    for run in range(runs):
                        uniforms[run] = stream.random()
                    chance[0], chance[1] = stream.standard_exponential(), stream.random()
                    noise = stream.standard_gamma(float(users)) - stream.standard_gamma(float(users))
                winner = _winner(a, runs, places, held, uniforms, chance, bins - runs, laws, guides, empties)
                low, high = lows[first[a, place] + winner], highs[first[a, place] + winner]
                if refiners[repetition, 0] >= low and refiners[repetition, users - 1] <= high:
                    inside = totals[repetition, users]
                else:
                    under = _first_at_least(refiners, repetition, low)
                    over = _first_at_least(refiners, repetition, high)
                    inside = totals[repetition, over] - totals[repetition, under]
                    inside += under * low + (users - over) * high
                error = ((inside + scales[a] * (high - low) * noise) / users - truth[repetition]) ** 2
                sums[a, place] += error
                squares[a, place] += error * error
