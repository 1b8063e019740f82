"""How the cost of a mixture survey grows, as exponents, beside what the paper says: max{O(T*), O(mn)} (L1866).

CPU time of this process, the best of several runs; an exponent is the slope of log time on log size over the larger
half of the sizes, where the fixed cost of a call no longer counts. The paper's row leaves out the first fold: its votes
are over N = ⌈1/Δ⌉ bins, of order √T, so that the whole is max{O(T), O(mn), O(n√T)}, as in its rows for means.

``python benchmarks/mixture_complexity.py`` takes about fifteen seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from sottovoce.device import Collections, SystemEntropy, encode, respond_many
from sottovoce.engines import simulate
from sottovoce.messages import Batch, Question, Tally
from sottovoce.problems.mixture import MixtureMeans

RUNS = 5


def best_of(work: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def exponent(sizes: list[int], seconds: list[float]) -> float:
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(seconds[half:]), 1)[0])


def averages(users: int) -> Collections:
    """One number a user: the server's cost does not depend on how many observations it stands for."""
    return Collections(np.random.default_rng(1).uniform(-1, 1, users), np.arange(users + 1))


def asked(users: int, *, observations: int = 10_000, components: int = 4) -> list[Question]:
    """The three questions of a survey."""
    protocol = MixtureMeans(
        epsilon=1.0, low=-1.0, high=1.0, users=users, observations=observations, components=components, delta=None
    )
    questions: list[Question] = []
    engine = simulate(averages(users), seed=1)
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := protocol.decide(tallies), Question):
        questions.append(step)
        tallies += (engine(step),)
    return questions


def answers(question: Question) -> list[Batch]:
    slots = np.arange(question.slots.first, question.slots.first + question.slots.count)
    return list(respond_many(question, averages(len(slots)), slots, SystemEntropy()))


def total(batches: list[Batch]) -> Tally:
    tally = Tally.of(batches[0])
    for batch in batches[1:]:
        tally += Tally.of(batch)
    return tally


def device_in_observations() -> tuple[list[int], list[float]]:
    """One user's share vote, T observations."""
    question = asked(300)[1]
    sizes = [2**power for power in range(18, 25)]
    values = np.random.default_rng(1).uniform(-1, 1, sizes[-1])
    slots = np.array([question.slots.first])
    seconds = []
    for size in sizes:
        held = Collections(values[:size], np.array([0, size]))
        seconds.append(best_of(lambda held=held: encode(question, held, slots, SystemEntropy())))  # type: ignore[misc]
    return sizes, seconds


def server_in_users() -> tuple[list[int], list[float]]:
    """Shares and residuals added up, m = 16, n users."""
    sizes = [3 * 2**power for power in range(11, 19)]
    return sizes, [_last_folds(asked(size, observations=10**5, components=16)) for size in sizes]


def server_in_components() -> tuple[list[int], list[float]]:
    """Shares and residuals added up, n = 48,000, m components."""
    sizes = [8, 16, 32, 64, 128, 256]
    return sizes, [_last_folds(asked(48_000, observations=10**8, components=size)) for size in sizes]


def _last_folds(questions: list[Question]) -> float:
    held = [answers(question) for question in questions[1:]]
    return best_of(lambda: [total(batches) for batches in held])


def server_votes_in_observations() -> tuple[list[int], list[float]]:
    """Votes of the first fold added up, n = 6,000, T observations, hence of order √T bins."""
    sizes = [10**4 * 4**power for power in range(7)]
    held = (answers(asked(6000, observations=size)[0]) for size in sizes)
    return sizes, [best_of(lambda batches=batches: total(batches)) for batches in held]  # type: ignore[misc]


ROWS = {
    "device, one user, in T": (device_in_observations, 1.0),
    "server, folds 2 and 3, in n": (server_in_users, 1.0),
    "server, folds 2 and 3, in m": (server_in_components, 1.0),
    "server, fold 1 (not in the paper's row), in T": (server_votes_in_observations, 0.5),
}


def measured() -> Iterator[tuple[str, float, float, list[int], list[float]]]:
    """A name, the exponent seen, the exponent expected, sizes and seconds."""
    for name, (measure, expected) in ROWS.items():
        sizes, seconds = measure()
        yield name, exponent(sizes, seconds), expected, sizes, seconds


def main() -> None:
    print(f"{'':48}{'fitted':>8}{'at most':>9}   milliseconds, from the smallest to the largest")
    for name, seen, expected, sizes, seconds in measured():
        times = " ".join(f"{1000 * one:.3g}" for one in seconds)
        print(f"{name:48}{seen:8.2f}{expected:9.1f}   {times}   ({sizes[0]:,} … {sizes[-1]:,})", flush=True)


if __name__ == "__main__":
    main()
