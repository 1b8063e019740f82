"""Surveys of many coordinates or categories, in process, users made in blocks: time, memory, and how both grow.

Every device answers with the operating system's entropy (`sv.local` draws from OpenSSL). Nobody's collection is held
longer than a block takes: what is measured beyond an empty process is not the data.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce as sv
from benchmarks.accuracy.pools import Floats
from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.messages import Question, Tally
from sottovoce.problems import named, problems

RESULTS = Path(__file__).parent.parent / "results_size.csv"
BLOCK = 250
"""Users that are made at once."""
LIMIT = 2048
"""Megabytes beyond the data, at most."""
Make = Callable[[np.random.Generator, int], tuple[Collections, Floats]]
"""A block of users, and what to add up for the truth."""


@dataclass(frozen=True, kw_only=True)
class Grown:
    """One survey: `size` coordinates or categories, seconds, CPU seconds, megabytes, and its squared error."""

    case: str
    size: int
    users: int
    wall: float
    cpu: float
    megabytes: float
    error: float
    method: str


class InBlocks:
    """An engine whose users are made when they are asked, block by block, and forgotten."""

    def __init__(self, make: Make, size: int) -> None:
        self._make, self.truth, self._users = make, np.zeros(size), 0
        self._entropy = SystemEntropy()

    def __call__(self, question: Question) -> Tally:
        tally = Tally.empty(question)
        for slots, people in self._asked(question.slots.first, question.slots.first + question.slots.count):
            for batch in respond_many(question, people, slots, self._entropy):
                tally += Tally.of(batch)
        return tally

    def _asked(self, first: int, last: int) -> Iterator[tuple[np.ndarray[Any, np.dtype[np.int64]], Collections]]:
        for start in range(first, last, BLOCK):
            count = min(BLOCK, last - start)
            people, held = self._make(np.random.default_rng((1, start)), count)
            self.truth += held.sum(axis=0)
            self._users += count
            yield start + np.arange(count), people

    def error(self, value: Sequence[float]) -> float:
        """The squared error of an answer about everybody who was asked."""
        return float(((np.array(value) - self.truth / self._users) ** 2).sum())


def _vectors(size: int, stream: np.random.Generator, count: int) -> tuple[Collections, Floats]:
    """Users alike in an ℓ2 ball, a tenth of its radius from a point half-way to the edge."""
    held = stream.standard_normal((count, size), dtype=np.float32) * np.float32(0.1 / math.sqrt(size))
    held[:, 0] += 0.5
    return Collections(held, np.arange(count + 1)), held


def _categories(size: int, stream: np.random.Generator, count: int) -> tuple[Collections, Floats]:
    """Fifty observations each, of categories whose shares fall like 1/j."""
    edges = np.cumsum(1 / np.arange(1, size + 1))
    items = np.minimum(np.searchsorted(edges, edges[-1] * stream.random((count, 50))), size - 1)
    shares = np.zeros((1, size))
    shares[0] = np.bincount(items.ravel(), minlength=size) / 50
    return Collections(items.ravel().astype(np.int16), 50 * np.arange(count + 1)), shares


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is asked, what is declared for so many coordinates or categories, and the largest shape."""

    problem: str
    declared: Callable[[int], dict[str, Any]]
    make: Callable[[int, np.random.Generator, int], tuple[Collections, Floats]]
    size: int
    users: int


CASES = {
    "vector, ℓ2": Case(
        problem="vector",
        declared=lambda size: {"dimension": size, "ball": "l2", "radius": 1.0, "observations": 100},
        make=_vectors,
        size=10_000,
        users=50_000,
    ),
    "histogram": Case(
        problem="histogram",
        declared=lambda size: {"low": -0.5, "high": size - 0.5, "bins": size, "observations": 50},
        make=_categories,
        size=10_000,
        users=100_000,
    ),
}


def shapes(case: str) -> tuple[tuple[int, int], ...]:
    """The largest, a quarter of the size, and a quarter of the users."""
    size, users = CASES[case].size, CASES[case].users
    return (size, users), (size // 4, users), (size, users // 4)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def survey(case: str, size: int, users: int) -> Grown:
    """Run one, in this process."""
    own = CASES[case]
    settings = named(own.problem).settings(epsilon=2.0, users=users, **own.declared(size))
    engine = InBlocks(partial(own.make, size), size)
    before, start, busy = _peak(), time.perf_counter(), time.process_time()
    answer = sv.run(settings, engine)
    return Grown(
        case=case,
        size=size,
        users=users,
        wall=time.perf_counter() - start,
        cpu=time.process_time() - busy,
        megabytes=_peak() - before,
        error=engine.error(answer.value),
        method=answer.method,
    )


def measure(case: str, size: int, users: int) -> Grown:
    """In a process of its own, whose peak is that of this survey alone."""
    command = [sys.executable, "-m", "benchmarks.accuracy.problems.large", case, str(size), str(users)]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[3])
    return Grown(**json.loads(said.stdout))


def known(case: str) -> bool:
    """Whether the registry has what is asked."""
    return CASES[case].problem in {problem.name for problem in problems()}


def exponents(grown: Sequence[Grown], case: str) -> dict[str, float]:
    """How time and memory grow with the size and with the users: slopes between the largest and a quarter of it."""
    found = {(one.size, one.users): one for one in grown if one.case == case}
    largest, smaller, fewer = shapes(case)
    if not {largest, smaller, fewer} <= set(found):
        return {}
    slopes = {}
    for words, other in (("size", smaller), ("users", fewer)):
        for what, name in (("time", "cpu"), ("memory", "megabytes")):
            ratio = max(getattr(found[largest], name), 1e-9) / max(getattr(found[other], name), 1e-9)
            slopes[f"{what} with the {words}"] = math.log(ratio) / math.log(4)
    return slopes


if __name__ == "__main__":
    print(json.dumps(asdict(survey(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))))
