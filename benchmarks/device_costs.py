"""What answering, reading a report and adding up cost, here and at an earlier commit, in one run.

The earlier commit is checked out into a temporary worktree; the two trees take turns, each in a new process, so that a
busy moment falls on both alike. Times are CPU times, the smallest within a process, the median over processes. Exits
with 1 when a limit is missed:

- `respond` on the largest table (16 nodes × 256 symbols, ε = 4) costs at most twice what `encode` and `privatise` cost
  for the same question, without the ledger's write;
- `Report.from_bytes` is at least 5 times as fast as before, for short and for long reports;
- ``Tally + Tally`` of 1,024 cells is at least 50 times as fast.

    python benchmarks/device_costs.py [--before COMMIT] [--rounds N]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BEFORE = "7a2602e"
ROUNDS = 5
RESPOND_LIMIT = 2.0
SPEED_UP = {
    "a report of 1 byte": 5.0,
    "a report of 1,024 bytes": 5.0,
    "tallies of 1 × 1,024 cells": 50.0,
    "tallies of 32 × 32 cells": 50.0,
}
LARGEST, SHIPPED = "the largest table", "the best table that is shipped"


def fastest(act: Callable[[], Any], *, repeats: int, calls: int = 1) -> float:
    """Seconds of CPU for one call, the smallest of `repeats` runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            act()
        best = min(best, time.process_time() - start)
    return best / calls


def measure() -> dict[str, float]:
    """All figures of the tree that is on the path, in seconds."""
    from fractions import Fraction

    import numpy as np

    from sottovoce.device import Collections, SystemEntropy, encode, privatise, respond
    from sottovoce.messages import Average, Encoder, Grid, Position, Question, Report, Slots, Tally, canonical

    try:
        from sottovoce import design
    except ImportError:  # where it was before
        from sottovoce.messages import design  # type: ignore[attr-defined, no-redef]

    people, slots, entropy = Collections.of_one([0.3, 0.4]), np.array([3]), SystemEntropy()

    class NoLedger:
        def answer(self, *, make: Callable[[], bytes], **_: Any) -> bytes:
            return make()

    def ask(channel: Any, placement: Any, epsilon: float) -> Question:
        return Question(
            survey="costs",
            round=0,
            role="all",
            slots=Slots(first=0, count=10**6),
            encoder=Encoder(statistic=Average(), placement=placement),
            channel=channel,
            epsilon=epsilon,
        )

    figures = {}
    tables = {LARGEST: design.piecewise(4.0, nodes=16, window=241), SHIPPED: design.best_position_table(Fraction(4))}
    for name, table in tables.items():
        data = ask(table, Position(low=(0.0,), high=(1.0,)), 4.0).to_bytes()
        digest, ledger, bare, whole = canonical.digest(data), NoLedger(), float("inf"), float("inf")
        for _ in range(60):  # in turns; each time with a question that was just read, as on a device
            read = Question.from_bytes(data)
            start = time.process_time()
            privatise(read.channel, encode(read, people, slots, entropy).ravel(), entropy)
            middle = time.process_time()
            respond(
                data,
                people,
                slot=3,
                digest=digest,
                collector="lab",
                source="s",
                ledger=ledger,  # type: ignore[arg-type]
                entropy=entropy,
            )
            bare, whole = min(bare, middle - start), min(whole, time.process_time() - middle)
        figures |= {f"encode and privatise, {name}": bare, f"respond, {name}": whole}
    bins = ask(design.unary(1.0, 1024), Grid(low=(0.0,), high=(1.0,), count=1024), 1.0)
    for size, name in ((1, "a report of 1 byte"), (1024, "a report of 1,024 bytes")):
        report = Report(question=bins.digest, slot=123_456, payload="5a" * size).to_bytes()
        figures[name] = fastest(lambda report=report: Report.from_bytes(report), repeats=20, calls=200)  # type: ignore[misc]
    for groups, name in ((1, "tallies of 1 × 1,024 cells"), (32, "tallies of 32 × 32 cells")):
        width = 1024 // groups
        cells = [[250_000 + 17 * place + group for place in range(width)] for group in range(groups)]
        tally = Tally.build(bins, [500_000] * groups, cells)
        figures[name] = fastest(lambda tally=tally: tally + tally, repeats=20, calls=200)  # type: ignore[misc]
    return figures


def measured(tree: Path) -> dict[str, float]:
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    command = [sys.executable, str(Path(__file__).resolve()), "--measure"]
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def compare(before: str, rounds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "-q", "--detach", str(tree), before], check=True)
        try:
            runs: dict[Path, list[dict[str, float]]] = {tree: [], ROOT: []}
            for number in range(rounds):
                for one in (tree, ROOT) if number % 2 == 0 else (ROOT, tree):
                    runs[one].append(measured(one))
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(tree)], check=True)
    then, now = ({name: statistics.median(run[name] for run in runs[one]) for name in runs[one][0]} for one in runs)
    print(f"CPU time, median of {rounds} processes; before is {before}")
    within = True
    for name, after in now.items():
        limit = SPEED_UP.get(name)
        ratio = then[name] / after
        within &= limit is None or ratio >= limit
        verdict = "" if limit is None else f" (at least {limit:g}){'' if ratio >= limit else '   MISSED'}"
        print(f"{name:<55}{1e6 * then[name]:10.1f} µs → {1e6 * after:8.1f} µs   {ratio:6.1f} × faster{verdict}")
    for table in (LARGEST, SHIPPED):
        parts = f"respond, {table}", f"encode and privatise, {table}"
        earlier, ratio = then[parts[0]] / then[parts[1]], now[parts[0]] / now[parts[1]]
        limit = RESPOND_LIMIT if table == LARGEST else None
        within &= limit is None or ratio <= limit
        verdict = "" if limit is None else f" (at most {limit:g}){'' if ratio <= limit else '   MISSED'}"
        print(f"respond ÷ (encode + privatise), {table}: {earlier:.1f} → {ratio:.2f}{verdict}")
    return 0 if within else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Costs of the device and of reading messages, against a commit.")
    parser.add_argument("--before", default=BEFORE, help=f"the earlier commit (default {BEFORE})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"processes for each tree (default {ROUNDS})")
    parser.add_argument("--measure", action="store_true", help="print the figures of the tree on the path, as JSON")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure()))
        return 0
    return compare(arguments.before, arguments.rounds)


if __name__ == "__main__":
    sys.exit(main())
