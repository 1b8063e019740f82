"""Large problems in a process each: wall time, CPU time and peak memory, against 4 GB and five minutes.

To add a case, add a function to `CASES`; it makes its data, runs, and returns a line about the answer. Then the largest
vectors and histograms, whose users are made in blocks: memory beyond the data against 2 GB, and the exponents by which
time and memory grow (`benchmarks/accuracy/problems/large.py`; ``python -m benchmarks.accuracy --problem size`` writes
them into the page).
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import sottovoce as sv
from benchmarks.accuracy.problems import large

MEGABYTES, SECONDS = 4096, 300
USERS, DIMENSION, SPARSE_DIMENSION = 50_000, 1024, 10_000


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


CASES = {
    f"vectors, {ball}, n = 50,000, d = 1,024, {engine}": _vectors(ball, engine)
    for ball in ("linf", "l2")
    for engine in ("local", "simulate")
} | {f"sparse, n = 50,000, d = 10,000, {engine}": _sparse(engine) for engine in ("local", "simulate")}


def child(name: str) -> None:
    start, busy = time.perf_counter(), time.process_time()
    said = CASES[name]()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, spent = time.perf_counter() - start, time.process_time() - busy
    print(f"{wall:6.1f} s  {spent:6.1f} s CPU  {peak:6.0f} MB  {said}")
    sys.exit(0 if peak <= MEGABYTES and wall <= SECONDS else 1)


def in_blocks() -> int:
    failed = 0
    for case in filter(large.known, large.CASES):
        grown = []
        for size, users in large.shapes(case):
            print(f"{f'{case}, n = {users:,}, size {size:,}, in blocks':<46}", end="", flush=True)
            one = large.measure(case, size, users)
            print(f"{one.wall:6.1f} s  {one.cpu:6.1f} s CPU  {one.megabytes:6.0f} MB beyond the data  {one.method}")
            failed |= one.megabytes > large.LIMIT
            grown.append(one)
        told = ", ".join(f"{what} {slope:.2f}" for what, slope in large.exponents(grown, case).items())
        print(f"  exponents: {told}")
    return failed


def main() -> int:
    failed = 0
    for name in CASES:
        print(f"{name:<46}", end="", flush=True)
        failed |= subprocess.run([sys.executable, __file__, name], check=False).returncode
    return failed | in_blocks()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1])
    sys.exit(main())
