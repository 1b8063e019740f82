"""CPU time of `import sottovoce`, `sotto --help`, `sotto estimate --help` and a plan, as multiples of `import numpy`.

The first two load no problem and so not NumPy; a chosen command loads all of them; a plan for a million users solves
for ε besides. Each is a new process; user and system time are added. They take turns, so that a busy moment of the
machine falls on all of them alike, and medians are compared. Exits with 1 when a ratio is above its limit.
"""

import os
import resource
import statistics
import subprocess
import sys
import sysconfig

RUNS = 15
BASE = "import numpy"
_A_MILLION = "--low 1 --high 5 --users 1000000 --observations 365 --halfwidth 0.01"
_SOTTO = os.path.join(sysconfig.get_path("scripts"), "sotto")
COMMANDS = {
    BASE: [sys.executable, "-c", "import numpy"],
    "import sottovoce": [sys.executable, "-c", "import sottovoce"],
    "sotto --help": [_SOTTO, "--help"],
    "sotto estimate --help": [_SOTTO, "estimate", "--help"],
    "sotto plan mean": [_SOTTO, "plan", "mean", *_A_MILLION.split()],
}
LIMITS = {"import sottovoce": 0.5, "sotto --help": 1.0, "sotto estimate --help": 5.0, "sotto plan mean": 15.0}


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    for command in COMMANDS.values():  # fill the caches of compiled files and of the disk
        cpu_seconds(command)
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            seconds[name].append(cpu_seconds(command))
    median = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"CPU time, median of {RUNS} runs")
    print(f"{BASE:<24}{1e3 * median[BASE]:7.1f} ms")
    within = True
    for name, limit in LIMITS.items():
        ratio = median[name] / median[BASE]
        within &= ratio <= limit
        verdict = "" if ratio <= limit else "   too slow"
        print(f"{name:<24}{1e3 * median[name]:7.1f} ms   {ratio:.2f} × (limit {limit}){verdict}")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
