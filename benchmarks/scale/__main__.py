"""Measure, show, write: see the package."""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version

from benchmarks.scale import billion, page
from benchmarks.scale.crew import BEFORE, ROOT, crew
from benchmarks.scale.figures import STORED, Figure, Run, lines
from benchmarks.scale.parts import PARTS
from benchmarks.scale.sizes import FULL, QUICK, Sizes

PACKAGES = (
    "numpy",
    "numba",
    "polars",
    "pyarrow",
    "multi-freq-ldpy",
    "pure-ldp",
    "diffprivlib",
    "opendp",
)


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    told = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    found["commit"] = told.stdout.strip() or "unknown"
    found["before"] = BEFORE
    found["machine"] = f"{platform.machine()}, {os.cpu_count()} cores"
    return found


def measured(sizes: Sizes, names: list[str]) -> Run:
    """The parts one after another, each shown when it is done."""
    start, rates, figures = time.monotonic(), dict[str, float](), list[Figure]()
    with crew() as people:
        for name in names:
            began = time.monotonic()
            print(f"-- {name}", flush=True)
            found = PARTS[name](people, sizes, rates)
            figures += found
            print("\n".join(lines(found)), f"\n   {time.monotonic() - began:.0f} s", flush=True)
    minutes = (time.monotonic() - start) / 60
    return Run(versions=versions(), figures=tuple(figures), rates=rates, minutes=round(minutes, 1))


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast it is, beside others; exits with 1 when a limit is missed.")
    parser.add_argument("--quick", action="store_true", help="small sizes; prints only")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="only this part; prints only")
    parser.add_argument("--pages", action="store_true", help="measure nothing; write the pages from the stored figures")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that processes and the worktree are put away
    if chosen.pages:
        write(Run.from_json(STORED.read_text(encoding="utf-8")))
        return 0
    run = measured(QUICK if chosen.quick else FULL, chosen.part or list(PARTS))
    whole = not chosen.quick and not chosen.part
    if whole:
        STORED.write_text(run.to_json(), encoding="utf-8")
        write(run)
    missed = [figure.what for figure in run.missed] + ([f"no figure for {key}" for key in run.absent] if whole else [])
    print(f"\n{run.minutes:g} minutes; {'every limit is met' if not missed else f'{len(missed)} missed:'}")
    print("".join(f"  {what}\n" for what in missed), end="")
    return 1 if missed else 0


def write(run: Run) -> None:
    page.write(run)
    billion.write(run)


if __name__ == "__main__":
    sys.exit(main())
