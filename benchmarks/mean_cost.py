"""What the default costs: adaptive rounds against one round for a million users, and choosing against `import numpy`.

A million users hold ten observations each. `local` is the code that runs on devices, in process; `simulate` draws the
same law. Every case is a process of its own, one after the other, in turns, so that a busy moment of the machine falls
on all of them alike; CPU time is user and system time of the survey alone, and medians are compared. Choosing is what
`auto` does for a survey that it has not seen, in a fresh process whose imports are not counted. Exits with 1 when a
ratio is above its limit.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time

USERS, OBSERVATIONS, RUNS = 1_000_000, 10, 5
METHODS = ("one-round", "adaptive", "homogeneous")
ENGINES = ("local", "simulate")
CHOICES = (
    {"users": 3000, "observations": 25, "epsilon": 1.0},
    {"users": 10**6, "observations": 10, "epsilon": 2.0},
    {"users": 3000, "observations": 1000, "epsilon": 2.0},
    {"users": 50_000, "observations": 10_000, "epsilon": 1.0},
)
LIMIT_ADAPTIVE, LIMIT_CHOOSING = 3.0, 1.0


def survey(method: str, engine: str) -> dict[str, float]:
    """CPU seconds of one survey, and the most memory that its process ever held, in megabytes."""
    import numpy as np

    import sottovoce as sv

    rng = np.random.default_rng(1)
    own = rng.normal(0.2, 0.2, size=(USERS, 1))
    people = sv.collections(np.clip(own + rng.normal(0, 0.3, size=(USERS, OBSERVATIONS)), -1, 1))
    settings = sv.Mean(low=-1, high=1, epsilon=1.0, users=USERS, observations=OBSERVATIONS, method=method)
    settings.position_table()  # made once for an ε, before anybody is asked
    start = time.process_time()
    answer = sv.run(settings, sv.local(people) if engine == "local" else sv.simulate(people, seed=1))
    seconds = time.process_time() - start
    assert answer.method == method
    return {"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def imported() -> dict[str, float]:
    start = time.process_time()
    import numpy  # noqa: F401  # what is measured

    return {"seconds": time.process_time() - start}


def chosen(number: int) -> dict[str, float]:
    import sottovoce as sv
    from sottovoce.problems import choose

    settings = sv.Mean(low=1, high=5, **CHOICES[number])  # type: ignore[arg-type]
    start = time.process_time()
    choose(settings)
    return {"seconds": time.process_time() - start}


def measured(*words: str) -> dict[str, float]:
    """A case in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *words], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def in_turns(cases: list[tuple[str, ...]], runs: int) -> dict[tuple[str, ...], dict[str, float]]:
    found: dict[tuple[str, ...], list[dict[str, float]]] = {case: [] for case in cases}
    for _ in range(runs):
        for case in cases:
            found[case].append(measured(*case))
    return {
        case: {name: statistics.median(row[name] for row in rows) for name in rows[0]} for case, rows in found.items()
    }


def verdict(ratio: float, limit: float) -> str:
    return f"{ratio:.2f} × (limit {limit:g})" + ("" if ratio <= limit else "   too slow")


def main(runs: int) -> int:
    within = True
    print(f"a mean of {USERS:,} users × {OBSERVATIONS} observations, ε = 1; median of {runs} runs")
    found = in_turns([("survey", method, engine) for engine in ENGINES for method in METHODS], runs)
    for engine in ENGINES:
        base = found["survey", "one-round", engine]["seconds"]
        for method in METHODS:
            row = found["survey", method, engine]
            ratio = row["seconds"] / base
            within &= method != "adaptive" or ratio <= LIMIT_ADAPTIVE
            told = verdict(ratio, LIMIT_ADAPTIVE) if method == "adaptive" else f"{ratio:.2f} ×"
            print(f"  {engine:<9} {method:<12} {row['seconds']:6.2f} s CPU  {row['megabytes']:5.0f} MB  {told}")
    print(f"choosing, in a fresh process; median of {3 * runs} runs")
    cases = [("import",), *(("choose", str(number)) for number in range(len(CHOICES)))]
    found = in_turns(cases, 3 * runs)
    base = found["import",]["seconds"]
    print(f"  import numpy {1e3 * base:6.1f} ms CPU")
    for number, choice in enumerate(CHOICES):
        seconds = found["choose", str(number)]["seconds"]
        within &= seconds <= LIMIT_CHOOSING * base
        told = ", ".join(f"{name} {value:,}" for name, value in choice.items())
        print(f"  auto chooses {1e3 * seconds:6.1f} ms CPU  {verdict(seconds / base, LIMIT_CHOOSING)}  {told}")
    return 0 if within else 1


if __name__ == "__main__":
    if len(sys.argv) < 3 and sys.argv[1:] != ["import"]:
        sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else RUNS))
    kind, *rest = sys.argv[1:]
    print(json.dumps({"survey": survey, "import": imported, "choose": lambda n: chosen(int(n))}[kind](*rest)))  # type: ignore[operator]
