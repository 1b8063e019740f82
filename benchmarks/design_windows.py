"""Solve for windows that make good tables, and write them where the package reads them.

``python -m benchmarks.design_windows`` takes half a minute and writes ``src/sottovoce/design/windows.json``. How often
each window is used is solved for by cutting planes: the best unbiased decoding of a function h at a law P of the users
has the second moment h'J⁻¹h, J = Σ θ_S SS'/(P·S), which is convex in θ, and θ is bound by linear equations (rows sum to
one). The loss is that of a method: log H + ¼ log MSE, H being the half-width and MSE the error, both at users who are
where they were found.
"""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy.optimize import linprog

from sottovoce.design import PLACES, bent, on_nodes
from sottovoce.messages import Floats

WRITTEN = Path(__file__).parents[1] / "src" / "sottovoce" / "design" / "windows.json"
EPSILONS = tuple(2.0 ** (power / 2) for power in range(-4, 6))
"""Above the last, one node a window is about as good."""
LEAK = 0.167
"""Of the variance of a tail: how much of it the garrote at one deviation lets through where there is no tail."""
FLOOR = 0.003
"""The part of the users who may be at any node, for all that a table is designed for; chosen by hand."""
UNUSED = 1e-3
"""Windows that are used less are left out, but for those without which two nodes would look alike."""
CLOSE, TURNS = 1e-3, 300
"""Of the loss: so near to the optimum is near enough; and how many cuts at most."""
WHOLE = 2**24
"""How often windows hold each node, all together."""


def inner_nodes(epsilon: float, width: float) -> int:
    """How many knots a core of this width has, its two ends among them."""
    if epsilon < 1.75:
        return 3
    if epsilon < 3:
        return 4 if width < 0.25 else 5
    return 5 if width < 0.25 else 6 if epsilon < 6 else 9


def even_knots(low: float, high: float, inner: int) -> Floats:
    """Knots on [−1, 1]: both ends, and `inner` between `low` and `high`."""
    return np.concatenate(([-1.0], np.linspace(low, high, inner), [1.0]))


@cache
def _bell() -> Floats:
    return np.array([NormalDist().inv_cdf((place + 0.5) / 60) for place in range(60)])


@cache
def _windows(nodes: int) -> Any:
    """Which nodes each window holds: ``(windows, nodes)``; none holds all of them."""
    runs = [run for run in combinations_with_replacement(range(nodes), 2) if run != (0, nodes - 1)]
    return np.array([[first <= node <= last for node in range(nodes)] for first, last in runs])


def _single(windows: Any, most: float) -> Floats:
    """One node a window, each alike: k-ary response."""
    alone = windows.sum(axis=1) == 1
    return np.where(alone, 1 / (most + windows.shape[1] - 1), 0.0)


def _solved(most: float, windows: Any, functions: Floats, law: Floats) -> Floats:
    """How likely each window is from outside of it, at the least loss."""
    solve: Any = linprog
    shapes = np.where(windows, most, 1.0)
    scaled = shapes / (shapes @ law)[:, None]  # a unit of each is equally likely at the law
    core, lower, upper = functions - (functions @ law)[:, None]
    sought = np.stack((upper, lower, core, upper - core, core - lower))  # the two tails are the differences
    count, nodes = scaled.shape
    equal = np.hstack((scaled.T, np.zeros((nodes, 1))))
    use = best = _single(windows, most) * (shapes @ law)
    least, seen = math.inf, list[tuple[Floats, Floats]]()
    for _ in range(TURNS):
        inverse = np.linalg.solve((scaled * use[:, None]).T @ scaled, sought.T)
        seconds = np.einsum("fk,kf->f", sought, inverse)
        seen.append((scaled @ inverse, seconds))
        loss, slopes = _loss(seconds)
        if loss < least:
            least, best, at_best, weights = loss, use, seconds, slopes
        cuts = np.array([np.append(-(moves**2) @ weights, -1.0) for moves, _ in seen])
        found = solve(
            np.append(np.zeros(count), 1.0),
            A_ub=cuts,
            b_ub=[-2 * float(weights @ values) for _, values in seen],
            A_eq=equal,
            b_eq=np.ones(nodes),
            bounds=[(0, None)] * (count + 1),
            method="highs",
        )
        if found.status != 0 or weights @ at_best - found.x[-1] < CLOSE * weights @ at_best:
            break
        use = (best + found.x[:count]) / 2
    return np.asarray(best / (shapes @ law))


def _loss(seconds: Floats) -> tuple[float, Floats]:
    """Log H + ¼ log MSE of one report, and how much each second moment adds to it."""
    up, down = np.sqrt(seconds[:2])
    error = seconds[2] + LEAK * (seconds[3] + seconds[4])
    slopes = np.array([0.5 / up / (up + down), 0.5 / down / (up + down), 0.25, 0.25 * LEAK, 0.25 * LEAK])
    slopes[2:] /= error
    return math.log((up + down) / 2) + math.log(error) / 4, slopes


def solved_at(epsilon: float, nodes: Floats, low: float, high: float, law: Floats) -> list[list[int]]:
    """The windows that are used, and how often, for users of this law on the nodes."""
    windows, most = _windows(len(nodes)), math.exp(epsilon)
    use = _solved(most, windows, bent(nodes, low, high), law) if epsilon <= EPSILONS[-1] else _single(windows, most)
    use *= WHOLE / float((use @ windows).max())
    use = _told_apart(use, np.where(windows, most, 1.0), windows.sum(axis=1) == 1)
    runs = [(int(np.argmax(held)), int(held.sum())) for held in windows]
    return [
        [first, first + long - 1, round(often)]
        for (first, long), often in zip(runs, use.tolist(), strict=True)
        if often > UNUSED * WHOLE
    ]


def _told_apart(use: Floats, shapes: Floats, alone: Any) -> Floats:
    """So many windows of one node more, the last ones first, that decodings are unbiased at every node.

    An end may lie so near to the range's own that the loss hardly sees what is between them.
    """
    use, least, nodes = use.copy(), 1.01 * UNUSED * WHOLE, shapes.shape[1]

    def told() -> int:
        return int(np.linalg.matrix_rank(shapes[use > UNUSED * WHOLE]))

    for window in np.flatnonzero(alone)[::-1]:
        if (before := told()) == nodes:
            break
        often, use[window] = use[window], max(use[window], least)
        use[window] = use[window] if told() > before else often
    return use


def place(epsilon: float, width: float, middle: float) -> list[list[int]]:
    """For users who were found in the middle of some nodes."""
    low, high = middle - width / 2, middle + width / 2
    nodes = even_knots(low, high, inner_nodes(epsilon, width))
    core = np.clip(middle + width / 4 * _bell(), -1, 1)
    law = (1 - FLOOR) * on_nodes(nodes, core, np.full(len(core), 1 / len(core))) + FLOOR / len(nodes)
    return solved_at(epsilon, nodes, low, high, law)


def main() -> None:
    found = {f"{epsilon:.4g}": [place(epsilon, *one) for one in PLACES] for epsilon in (*EPSILONS, 8.0)}
    WRITTEN.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
