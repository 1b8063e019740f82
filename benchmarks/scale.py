"""Large problems in a process each: wall time, CPU time and peak memory, against 4 GB and five minutes.

To add a case, add a function to `CASES`; it makes its data, runs, and returns a line about the answer. Cases of `WIDE`
have ten thousand coordinates, and may take 2 GB beyond their data; how their CPU time grows with users and coordinates
is printed at the end.
"""

from __future__ import annotations

import math
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import sottovoce as sv

MEGABYTES, SECONDS = 4096, 300
BEYOND = 2048
"""Megabytes beyond the data."""
USERS, DIMENSION, SPARSE_DIMENSION = 50_000, 1024, 10_000
QUARTER = 4


def _vectors(ball: str, engine: str) -> Callable[[], str]:
    def case() -> str:
        rng = np.random.default_rng(1)
        values = rng.standard_normal((USERS, DIMENSION), dtype=np.float32)
        values *= 0.5 / np.linalg.norm(values, axis=1, keepdims=True)
        values[:, 0] += 0.5
        truth = values.mean(axis=0, dtype=np.float64)
        people = sv.Collections(values, np.arange(USERS + 1))
        protocol = sv.VectorMean(epsilon=4.0, users=USERS, observations=1, dimension=DIMENSION, ball=ball)  # type: ignore[arg-type]
        answer = sv.run(protocol, sv.local(people) if engine == "local" else sv.simulate(people, seed=1))
        error = float(((np.array(answer.value) - truth) ** 2).sum())
        return f"{answer.method}, squared error {error:.3g}"

    return case


def _sparse(engine: str) -> Callable[[], str]:
    def case() -> str:
        rng = np.random.default_rng(1)
        values = np.empty((USERS, 1, SPARSE_DIMENSION), dtype=np.int8)
        for first in range(0, USERS, 1000):
            part = values[first : first + 1000]
            part[:] = rng.integers(-7, 8, size=part.shape, dtype=np.int8)
        support = rng.permutation(SPARSE_DIMENSION)[:8]
        values[:, :, support] += 30
        answer = sv.sparse_mean(
            values,
            epsilon=1.0,
            sparsity=8,
            low=-64,
            high=64,
            observations=200,
            method="paper",
            seed=None if engine == "local" else 1,
        )
        found = len(set(answer.support) & set(support.tolist()))
        return f"{answer.method}, {found} of 8 coordinates found"

    return case


def _wide(users: int, dimension: int) -> Callable[[], str]:
    """Directions of wide vectors of small integers, made in blocks."""

    def case() -> str:
        rng = np.random.default_rng(1)
        values = np.empty((users, dimension), dtype=np.int8)
        for first in range(0, users, 1000):
            part = values[first : first + 1000]
            part[:] = rng.integers(-7, 8, size=part.shape, dtype=np.int8)
        values[:, : dimension // 8] += 12
        truth = values.mean(axis=0, dtype=np.float64)
        people = sv.Collections(values, np.arange(users + 1))
        length = 4.0 * math.hypot(*truth)
        protocol = sv.VectorMean(epsilon=4.0, users=users, observations=20, dimension=dimension, radius=length)
        answer = sv.run(protocol, sv.simulate(people, seed=1))
        error = float(((np.array(answer.value) - truth) ** 2).sum()) / length**2
        return f"{answer.method}, {len(answer.users_per_round)} rounds, squared error {error:.3g} of the radius"

    return case


CASES = {
    f"vectors, {ball}, n = 50,000, d = 1,024, {engine}": _vectors(ball, engine)
    for ball in ("linf", "l2")
    for engine in ("local", "simulate")
} | {f"sparse, n = 50,000, d = 10,000, {engine}": _sparse(engine) for engine in ("local", "simulate")}


WIDE = {
    f"vectors, l2, n = {users:,}, d = {dimension:,}, simulate": (users, dimension)
    for users, dimension in (
        (USERS, SPARSE_DIMENSION),
        (USERS // QUARTER, SPARSE_DIMENSION),
        (USERS, SPARSE_DIMENSION // QUARTER),
    )
}


def child(name: str) -> None:
    start, busy = time.perf_counter(), time.process_time()
    said = _wide(*WIDE[name])() if name in WIDE else CASES[name]()
    most = math.prod(WIDE[name]) / 2**20 + BEYOND if name in WIDE else MEGABYTES
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, spent = time.perf_counter() - start, time.process_time() - busy
    print(f"{wall:6.1f} s  {spent:6.1f} s CPU  {peak:6.0f} MB  {said}")
    sys.exit(0 if peak <= most and wall <= SECONDS else 1)


def main() -> int:
    failed, spent = 0, []
    for name in (*CASES, *WIDE):
        print(f"{name:<48}", end="", flush=True)
        ran = subprocess.run([sys.executable, __file__, name], check=False, stdout=subprocess.PIPE, text=True)
        print(ran.stdout, end="", flush=True)
        failed |= ran.returncode
        if name in WIDE and (seen := re.search(r"([0-9.]+) s CPU", ran.stdout)):
            spent.append(float(seen[1]))
    if len(spent) == len(WIDE):
        growth = [math.log(spent[0] / less) / math.log(QUARTER) for less in spent[1:]]
        print(f"CPU time grows like n^{growth[0]:.2f} and d^{growth[1]:.2f}; no more than n log d is needed")
    return failed


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1])
    sys.exit(main())
