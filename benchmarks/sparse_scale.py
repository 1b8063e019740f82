"""Sparse means of 50,000 users with 10,000 coordinates: seconds and memory, with real reports and with simulated ones.

    python benchmarks/sparse_scale.py [users] [dimension]

Fails when the support is not found, or when memory passes 4 GB or time five minutes.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

import sottovoce as sv


def main(users: int, dimension: int) -> int:
    rng = np.random.default_rng(1)
    values = np.empty((users, 1, dimension), dtype=np.int8)
    for first in range(0, users, 1000):
        values[first : first + 1000] = rng.integers(-7, 8, size=values[first : first + 1000].shape, dtype=np.int8)
    support = rng.permutation(dimension)[:8]
    values[:, :, support] += 30
    failed = False
    for name, seed in (("local", None), ("simulate", 1)):
        start = time.perf_counter()
        answer = sv.sparse_mean(
            values, epsilon=1.0, sparsity=8, low=-64, high=64, observations=200, method="paper", seed=seed
        )
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # kilobytes on Linux
        found = set(answer.support) == set(support.tolist())
        failed |= not found or seconds > 300 or memory > 4
        print(
            f"{name}: {users:,} users, {dimension:,} coordinates: {seconds:.1f} s, peak {memory:.2f} GB "
            f"(data {values.nbytes / 2**30:.2f} GB), support {'found' if found else 'missed'}"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])) if len(sys.argv) > 2 else main(50_000, 10_000))
