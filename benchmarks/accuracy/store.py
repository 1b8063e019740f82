"""Finished blocks, one line of JSON each, in a directory that is not committed. A run that was stopped goes on."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce
from benchmarks.accuracy import blocks, pools, populations, reference, trial
from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import Cell
from benchmarks.accuracy.pools import Floats

DIRECTORY = Path(__file__).parent / "blocks"
ROOMS = ("messages", "device", "design", "answers", "risk", "methods", "problems/base.py", "engines")
Key = tuple[Any, ...]
"""Of a block: that of its cell, then method, stage, number and repetitions."""
METHOD, STAGE, NUMBER = -4, -3, -2

OWN = ("methods/likelihood.py",)
OWN += ("problems/mean/centring.py", "problems/mean/homogeneous.py")
"""Code that `homogeneous` alone runs; faces bind names and run nothing."""


def digest(files: Iterable[Path], rooms: Iterable[str], spared: Iterable[str] = ()) -> str:
    """Of the code whose accuracy is measured: blocks of other code are not mixed with its own."""
    root = Path(sottovoce.__file__).parent
    found = list(files)
    for room in rooms:
        place = root / room
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place]
    left = {root / name for name in spared}
    kept = [file for file in found if file not in left and file.name != "__init__.py"]
    return sha256(b"".join(file.read_bytes() for file in kept)).hexdigest()[:12]


@cache
def _mean_source(spared: tuple[str, ...]) -> str:
    files = [Path(module.__file__ or "") for module in (blocks, pools, populations, trial)]
    return digest(files, (*ROOMS, "problems/mean"), spared)


def source(key: Key) -> str:
    """Of the code that a block of the mean runs."""
    return _mean_source(() if key[METHOD] == "homogeneous" else OWN)


@dataclass
class Runs:
    """All repetitions of one method in one cell, of one stage."""

    errors: Floats = field(default_factory=lambda: np.empty(0))
    headline: str = ""
    halfwidth: float = 0.0
    model: str = ""
    model_halfwidth: float = 0.0

    @classmethod
    def of(cls, lines: Iterable[dict[str, Any]]) -> Runs:
        """Blocks put together, in order."""
        found = sorted(lines, key=lambda line: line["block"][NUMBER])
        if not found:
            return cls()
        sizes = [len(line["errors"]) for line in found]
        modelled = [len(line["model"]) for line in found]
        return cls(
            errors=np.concatenate([line["errors"] for line in found]),
            headline="".join(line["headline"] for line in found),
            halfwidth=float(np.average([line["halfwidth"] for line in found], weights=sizes)),
            model="".join(line["model"] for line in found),
            model_halfwidth=float(np.average([line["model_halfwidth"] for line in found], weights=modelled))
            if any(modelled)
            else 0.0,
        )

    @property
    def repetitions(self) -> int:
        return len(self.errors)

    def first(self, count: int) -> Runs:
        """Only so many of them, as coverage after fewer repetitions was."""
        return Runs(errors=self.errors[:count], headline=self.headline[:count], model=self.model[:count])

    def covered(self, interval: str) -> tuple[int, int]:
        """How many intervals held the truth, and of how many."""
        flags = self.headline if interval == "headline" else self.model
        return flags.count("1"), len(flags)

    def coverage(self, interval: str) -> float:
        inside, count = self.covered(interval)
        return inside / count if count else float("nan")


class Store:
    """Blocks on disk. One process writes; a line that was cut off is run again."""

    def __init__(
        self,
        directory: Path = DIRECTORY,
        *,
        name: str = "blocks.jsonl",
        source_of: Callable[[Key], str] = source,
        accept_older: bool = False,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._file = directory / name
        self._source = source_of
        self._lines: dict[Key, dict[str, Any]] = {}
        self._by_cell: dict[Key, list[dict[str, Any]]] = defaultdict(list)
        self.older = 0
        for line in self._read():
            if accept_older or line["source"] == self._source(tuple(line["block"])):
                self._keep(line)
            else:
                self.older += 1

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self._file.exists():
            return
        text = self._file.read_text(encoding="utf-8")
        for line in text.splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue
        if text and not text.endswith("\n"):
            with self._file.open("a", encoding="utf-8") as file:
                file.write("\n")

    def _keep(self, line: dict[str, Any]) -> None:
        key = tuple(line["block"])
        if key not in self._lines:
            self._by_cell[key[:NUMBER]].append(line)
        self._lines[key] = line

    def __contains__(self, block: Block | _Task) -> bool:
        return block.key in self._lines

    def line(self, key: Key) -> dict[str, Any]:
        """What was kept of one block."""
        return self._lines[key]

    def add(self, line: dict[str, Any]) -> None:
        """Keep a finished block, on disk at once."""
        line = {"source": self._source(tuple(line["block"])), **line}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._keep(line)

    def lines(self, cell: Any, method: str, stage: str = "base") -> list[dict[str, Any]]:
        """The blocks of a method in a cell."""
        return self._by_cell[(*cell.key, method, stage)]

    def runs(self, cell: Cell, method: str, stage: str = "base") -> Runs:
        """What is known of a method of the mean in a cell."""
        return Runs.of(self.lines(cell, method, stage))


@dataclass(frozen=True)
class _Task:
    key: Key


def finished(
    name: str,
    work: Callable[[Any], list[Any]],
    tasks: Iterable[Key],
    row: type[Any],
    *,
    workers: int,
    accept_older: bool,
) -> Iterator[list[Any]]:
    """The rows of each task, in order: those that this code has run before from the disk, the others from `work`."""
    own = [Path(sys.modules[work.__module__].__file__ or ""), *map(Path, (reference.__file__, pools.__file__))]
    code = digest([*own, Path(populations.__file__)], (*ROOMS, "problems", "planning", "baselines"))
    store = Store(name=f"{name}.jsonl", source_of=lambda key: code, accept_older=accept_older)
    wanted = list(tasks)
    missing = [task for task in wanted if _Task(task) not in store]
    with get_context("spawn").Pool(workers) as processes:
        for task, found in zip(missing, processes.imap(work, missing), strict=True):
            store.add({"block": list(task), "rows": [asdict(one) for one in found]})
            print(f"{name}: {task}", file=sys.stderr, flush=True)
    for task in wanted:
        yield [row(**one) for one in store.line(task)["rows"]]
