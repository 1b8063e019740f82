"""How long a collector that was killed (−9) is away, and what of: thirty restarts, with a survey that is running.

Seconds on a clock depend on what else the machine does; the processor's seconds hardly do. First what is loaded, each
in a process of its own, then `sotto serve` until it listens and until it has answered a first request.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from sottovoce.problems import announce
from sottovoce.problems.mean import Mean
from sottovoce.service import Collector, open_store
from tests.support.served import ENVIRONMENT, Served

TIMES = 30
TICKS = os.sysconf("SC_CLK_TCK")
LOADED = {
    "python itself": "pass",
    "numpy": "import numpy",
    "uvicorn, starlette, uvloop": "import uvicorn, starlette.applications, uvloop, httptools, msgspec",
    "problems and methods, with numpy": "import sottovoce.problems",
    "all that serves": "import sottovoce.cli.app, sottovoce.service.server",
}


def loading(code: str, environment: dict[str, str]) -> float:
    """The processor's seconds, the least of five."""
    found = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def used(pid: int) -> float:
    """The processor's seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def restart(store: str, survey: str) -> tuple[float, float, float]:
    """Seconds until it listens, until the first answer, and the processor's seconds until then; then it is killed."""
    started, served = time.monotonic(), Served(store)
    try:
        with urlopen(f"{served.url}/surveys/{survey}/progress", timeout=30) as answer:
            assert answer.status == 200
        return served.seconds, time.monotonic() - started, used(served.process.pid)
    finally:
        served.kill()


def main() -> None:
    """Print it."""
    for name, code in LOADED.items():
        print(f"{name:42} {loading(code, ENVIRONMENT):.2f} s CPU")
    with tempfile.TemporaryDirectory() as folder:
        uncompiled = {**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": folder}
        cold = loading(LOADED["all that serves"], uncompiled)
        print(f"{'the same, nothing compiled, numpy neither':42} {cold:.2f} s CPU")
        store, now = f"sqlite:{folder}/store.db", int(time.time())
        settings = Mean(epsilon=1.0, low=1, high=5, users=3_000, observations=20, method="one-round")
        told = {"purpose": "a benchmark", "collector": "a benchmark", "software": "benchmark"}
        manifest = announce(settings, opens=now, closes=now + 86_400, **told)
        with open_store(store) as kept:
            Collector(kept, clock=time.time).create(manifest)
        found = [restart(store, manifest.digest) for _ in range(TIMES)]
    for number, name in enumerate(("until it listens", "until the first answer", "CPU until then")):
        best, *_, worst = ordered = sorted(one[number] for one in found)
        print(f"{name:42} {best:.2f} s at best, {ordered[TIMES // 2]:.2f} in the middle, {worst:.2f} at worst")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
