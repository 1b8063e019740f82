"""The phase-transition experiment (L1003): the fast simulation against a literal NumPy one, side by side.

The literal one is the paper's pseudocode on user means (it is spared the raw observations, up to 10⁷ a user). Both are
timed on the same grid of (n, T, α, Δ), in turn, in CPU seconds, and extrapolated to all 1.248e9 surveys.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from sottovoce.paper.figure import ALPHAS, Run
from sottovoce.paper.figures import phase_transition as figure
from sottovoce.paper.simulation import averages
from sottovoce.paper.simulation.vote_then_refine import user_level_mean

ROUNDS, SURVEYS = 6, 150
WANTED = 500


def main() -> None:
    cells = [cell for cell in figure.cells(Run()) if not cell.get("series")]
    deltas = figure.grid("all")
    total = sum(cell["repetitions"] for cell in cells) * len(ALPHAS) * len(deltas)
    rng = np.random.default_rng(1)
    figure.estimated_errors(dict(cells[0], repetitions=1), rng, compiled=True)  # compile, or load what was compiled
    slow, fast = 0.0, 0.0
    literally, quickly = 0, 0
    order = rng.permutation(len(cells))
    for chosen in np.array_split(order, ROUNDS):
        for place in chosen:  # all 52 (n, T), each side in turn
            cell = dict(cells[place], repetitions=200)
            asked = figure.surveys_of_cell(cell)
            figure.estimated_errors(
                dict(cell, repetitions=1), rng, surveys=asked, compiled=True
            )  # tables are made once a size
            start = process_time()
            figure.estimated_errors(cell, rng, surveys=asked, compiled=True)
            fast += process_time() - start
            quickly += 200 * len(ALPHAS) * len(deltas)
            count = SURVEYS // len(chosen) + 1
            width, alpha = rng.choice(deltas, count), rng.choice(ALPHAS, count)
            start = process_time()
            for one, level in zip(width, alpha, strict=True):
                users = averages.rademacher(rng, cell["T"], 0.5, (cell["n"],)) + rng.uniform(-0.3, 0.3)
                user_level_mean(rng, users, delta=float(one), epsilon=float(level))
            slow += process_time() - start
            literally += count
    each, every = slow / literally, fast / quickly
    print(
        f"literal NumPy: {each * 1e6:.1f} µs a survey ({literally} timed), {each * total / 3600:.1f} core-hours for all"
    )
    print(f"fast:          {every * 1e9:.1f} ns a survey ({quickly} timed), {every * total:.0f} core-seconds for all")
    print(f"ratio:         {each / every:.0f} (at least {WANTED} wanted)")
    if each / every < WANTED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
