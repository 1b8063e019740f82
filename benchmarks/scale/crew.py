"""Processes that take turns: with everything, with NumPy alone, for the peers, and with an earlier commit."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "4f060ed"
"""The last commit before reports were columns."""
EXTRAS = ("numba",)
"""What the extra `fast` brings."""
PATIENCE = 900.0


class NotMeasuredError(Exception):
    """A case could not be prepared or run: a package is missing, or something is wrong with it."""


class Worker:
    """One such process; started when it is first needed."""

    def __init__(self, *, tree: Path = ROOT, without: Sequence[str] = (), patience: float = PATIENCE) -> None:
        self._tree, self._without, self._patience = tree, tuple(without), patience
        self._process: subprocess.Popen[bytes] | None = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            path = os.pathsep.join((str(self._tree / "src"), str(ROOT)))
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.scale.worker", "--without", *self._without],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": path},
            )
        return self._process

    def _ask(self, **told: Any) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(told).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            self.end()
            raise NotMeasuredError("its process has ended") from None
        if not select.select([process.stdout], [], [], self._patience)[0]:
            self.end()
            raise NotMeasuredError(f"no answer within {self._patience:g} s")
        line = process.stdout.readline()
        if not line:
            self.end()
            raise NotMeasuredError("its process has ended")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise NotMeasuredError(reply["error"])
        return reply

    def prepare(self, key: str, case: str, **arguments: Any) -> None:
        self._ask(do="prepare", key=key, case=case, **{"with": arguments})

    def run(self, key: str, calls: int = 1, *, tells: bool = False) -> dict[str, Any]:
        return self._ask(do="run", key=key, calls=calls, tells=tells)

    def forget(self) -> None:
        if self._process is not None:
            self._ask(do="forget")

    def peak(self) -> float:
        """Megabytes at most, so far."""
        return float(self._ask(do="peak")["megabytes"])

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@dataclass(frozen=True, kw_only=True)
class Contender:
    """Who does what, and how much of it: CPU time is divided by `work`. A turn makes the call `calls` times.

    With `tells` what the call returns is JSON, and kept.
    """

    by: str  # "fast", "numpy", "peers" or "before"
    case: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    work: float = 1.0
    calls: int = 1
    tells: bool = False


@dataclass(frozen=True)
class Times:
    """Seconds of CPU for one unit of work, turn by turn; or why there are none."""

    seconds: tuple[float, ...] = ()
    said: Any = None
    why: str = ""


class Crew:
    """The processes of one run, by name."""

    def __init__(self, workers: Mapping[str, Worker], folder: Path) -> None:
        self.workers, self.folder = workers, folder

    def _worker(self, name: str) -> Worker:
        if name not in self.workers:
            raise NotMeasuredError(f"commit {BEFORE} is not in this repository")
        return self.workers[name]

    def turns(self, contenders: Mapping[str, Contender], repetitions: int) -> dict[str, Times]:
        """Everybody once to warm up, then in turns, forwards and backwards."""
        seconds: dict[str, list[float]] = {name: [] for name in contenders}
        said: dict[str, Any] = {}
        why: dict[str, str] = {}
        for name, one in contenders.items():
            try:
                self._worker(one.by).prepare(name, one.case, **one.arguments)
                self._worker(one.by).run(name)
            except NotMeasuredError as error:
                why[name] = str(error)
        for turn in range(repetitions):
            names = [name for name in contenders if name not in why]
            for name in names if turn % 2 == 0 else reversed(names):
                one = contenders[name]
                try:
                    told = self._worker(one.by).run(name, one.calls, tells=one.tells)
                except NotMeasuredError as error:
                    why[name] = str(error)
                    continue
                seconds[name].append(told["cpu"] / one.work)
                said[name] = told["said"]
        for worker in {one.by for one in contenders.values()}:
            try:
                self._worker(worker).forget()
            except NotMeasuredError:
                continue  # it is started again when it is needed
        return {
            name: Times(why=why[name]) if name in why else Times(tuple(seconds[name]), said[name])
            for name in contenders
        }

    def once(self, case: str, *, by: str = "fast", **arguments: Any) -> None:
        """One call that is not timed, in a process that is there."""
        worker = self._worker(by)
        worker.prepare("once", case, **arguments)
        worker.run("once")

    def alone(self, case: str, *, by: str = "fast", **arguments: Any) -> dict[str, Any]:
        """One call in a process of its own: its CPU time, what it said, and the most memory it took."""
        like = self._worker(by)
        worker = Worker(tree=like._tree, without=like._without)
        try:
            worker.prepare("alone", case, **arguments)
            return worker.run("alone", tells=True) | {"megabytes": worker.peak()}
        finally:
            worker.end()


@contextmanager
def crew(folder: Path | None = None) -> Iterator[Crew]:
    """All processes, ended at the end; the earlier commit is a worktree for as long as it is needed."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        before = Path(own) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        there = not subprocess.run([*git, "add", "-q", "--detach", str(before), BEFORE], check=False).returncode
        workers = {
            "fast": Worker(),
            "numpy": Worker(without=EXTRAS),
            "peers": Worker(),
        }
        if there:
            workers["before"] = Worker(tree=before)
        try:
            yield Crew(workers, Path(own))
        finally:
            for worker in workers.values():
                worker.end()
            if there:
                subprocess.run([*git, "remove", "--force", str(before)], check=False)
