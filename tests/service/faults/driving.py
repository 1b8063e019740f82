"""Starting the driver, with and without the shim, and reading what it said."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from sottovoce.service.store import Outcome, RoundRow, Store, open_store
from tests.support.components import missing
from tests.support.surveys import SURVEY, payload, rows

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
SECONDS = 900


def compile_shim(folder: Path) -> Path:
    """The shim, by the compiler from PyPI; without stubs of the C library, which would take half a minute."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the shim stands before Linux's system calls")
    if importlib.util.find_spec("ziglang") is None:
        missing("ziglang", reason="it compiles the shim that cuts the power", command="pip install ziglang")
    made = folder / "shim.so"
    cache = {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig" / "local")}
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-nostdlib", "-fno-sanitize=all"]
    command = [sys.executable, "-m", "ziglang", "cc", *flags, "-o", str(made), str(HERE / "shim.c")]
    subprocess.run(command, env={**os.environ, **cache}, check=True, timeout=SECONDS)
    return made


DRIVER = [sys.executable, "-m", "tests.service.faults.driver"]


def arguments(url: str, first: int, count: int, **told: object) -> list[str]:
    return [url, str(first), str(count), *[f"{name}={value}" for name, value in told.items()]]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1", **more}


def preloaded(shim: Path, folder: Path, log: Path, **fault: str) -> dict[str, str]:
    """The shim before all files of a folder. The loader splits its list at blanks: so its path stands elsewhere."""
    path = os.pathsep.join(filter(None, [str(shim.parent), os.environ.get("LD_LIBRARY_PATH", "")]))
    return {"LD_LIBRARY_PATH": path, "LD_PRELOAD": shim.name, "SHIM_FOLDER": str(folder), "SHIM_LOG": str(log), **fault}


def drive(url: str, first: int, count: int, *, shim: dict[str, str] | None = None, **told: object) -> list[str]:
    """Run it to the end; what it said."""
    done = subprocess.run(
        [*DRIVER, *arguments(url, first, count, **told)],
        env=environment(**(shim or {})),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        timeout=SECONDS,
        check=True,
    )
    return done.stdout.decode().splitlines()


class Workers:
    """Processes to be killed, started one after another."""

    def __init__(self, folder: Path) -> None:
        self._said = folder / "said"
        self._said.touch()
        self._lines: list[str] = []
        self._read = self._kept = 0
        single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # a process with threads does not fork well
        self._parent = subprocess.Popen(
            [*DRIVER, "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment(**single),
            text=True,
        )

    def start(self, url: str, first: int, count: int = 10**6, **told: object) -> int:
        """The number of a new process that goes on until it is killed."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        self._parent.stdin.write(json.dumps([str(self._said), *arguments(url, first, count, **told)]) + "\n")
        self._parent.stdin.flush()
        return int(self._parent.stdout.readline())

    def said(self) -> list[str]:
        """Every whole line, of all processes."""
        with self._said.open("rb") as file:
            file.seek(self._read)
            new = file.read().rpartition(b"\n")[0]
        if new:
            lines = new.decode().splitlines()
            self._read += len(new) + 1
            self._lines += lines
            self._kept += len(kept(lines))
        return self._lines

    def acknowledged(self) -> int:
        """How many reports are acknowledged by now."""
        self.said()
        return self._kept

    def wait_for_more(self, than: int) -> None:
        """Until more reports are acknowledged than so many."""
        end = time.monotonic() + SECONDS
        while self.acknowledged() <= than:
            assert time.monotonic() < end, "the driver acknowledges nothing"
            time.sleep(0.01)

    def end(self) -> None:
        with self._parent:  # waits, once there is nothing more to read
            pass


def kept(said: list[str]) -> set[int]:
    """The slots that were acknowledged."""
    return {int(line[2:]) for line in said if line.startswith("+ ")}


def failed(said: list[str]) -> list[int]:
    return [int(line[2:]) for line in said if line.startswith("- ")]


def lost(url: str, said: list[str]) -> int:
    """How many acknowledged reports and closed rounds a store no longer has. It is sound, none counts twice."""
    with open_store(url) as store:
        rounds = store.rounds(SURVEY)
        number, missed = 0, 0
        acknowledged: dict[int, list[int]] = {}
        for line in said:
            if line.startswith("+ "):
                acknowledged.setdefault(number, []).append(int(line[2:]))
            elif line.startswith("closed "):
                closed, answered, digest = line.split()[1:]
                number = int(closed) + 1
                there = [row for row in rounds if row.number == int(closed)]
                missed += [(row.answered, row.tally.hex()) for row in there] != [(int(answered), digest)]
        for number, slots in acknowledged.items():
            key = rounds[number].key if number < len(rounds) else 0
            missed += sum(result != "same" for result in store.put(rows(key, slots)))
        if rounds and rounds[-1].closed is None:
            check_counted_once(store, rounds[-1])
    if url.startswith("sqlite:"):
        connection = sqlite3.connect(url[7:])
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
    return missed


def check_counted_once(store: Store, row: RoundRow) -> None:
    """What closing would count: every slot once, with the bytes that were sent."""
    counted: list[tuple[int, bytes]] = []

    def settle(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
        counted.extend(reports)
        raise Looked

    with contextlib.suppress(Looked):
        store.close(SURVEY, row.number, because="hand", by="test", now=0, settle=settle)
    slots = [slot for slot, _ in counted]
    assert slots == sorted(set(slots)) and all(data == payload(slot) for slot, data in counted)
    assert len(slots) == store.count(row.key)


class Looked(Exception):  # noqa: N818 - no error: closing is undone after a look
    pass
