"""What a symbol for "nothing" is worth in a group: ``python -m benchmarks.accuracy.symbols`` prints a table.

Variances of what one report says of a group's mean, in units of the range squared, on average over places, where a
share W of the users have something in the group. *Symbol*: a level or nothing, one channel. *Middle*: users with
nothing count at the middle of the range, through the best table for a mean, and some other users, as many as is best
on average, send the bit whether they have something.
"""

from __future__ import annotations

import math

import numpy as np

from sottovoce.design import designed_table
from sottovoce.messages import exact
from sottovoce.methods.group_ratios import PLACES, best_levels, mean_variance


def by_symbol(epsilon: float, share: float) -> float:
    """With as many levels as are best."""
    return mean_variance(best_levels(epsilon, 1, share), epsilon, 1, share)


def by_middle(epsilon: float, share: float) -> float:
    """With the best part of the users for the bit."""
    parts = np.linspace(0.02, 0.9, 89)
    return float(min(np.mean([_at(epsilon, share, place, part) for place in PLACES]) for part in parts))


def _at(epsilon: float, share: float, place: float, part: float) -> float:
    table = designed_table(exact(epsilon))
    second = table.probabilities @ np.asarray(table.decode) ** 2
    nodes = np.linspace(0.0, 1.0, len(second))
    away = place - 0.5
    position = share * np.interp(place, nodes, second) + (1 - share) * np.interp(0.5, nodes, second)
    position -= (0.5 + share * away) ** 2
    bit = math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2 + share * (1 - share)
    return float(position / (1 - part) + away**2 * bit / part) / share**2


def main() -> None:
    print("| ε | W | symbol | levels | middle and a bit | ratio |\n|---|---|---|---|---|---|")
    for epsilon in (1.0, 2.0, 4.0):
        for share in (0.1, 0.3, 0.9):
            one, other = by_symbol(epsilon, share), by_middle(epsilon, share)
            levels = best_levels(epsilon, 1, share)
            print(f"| {epsilon:g} | {share:g} | {one:.3g} | {levels} | {other:.3g} | {other / one:.2f} |")


if __name__ == "__main__":
    main()
