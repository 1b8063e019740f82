"""Computes the cells of figures on all cores, keeps what is finished, and carries on where it was stopped.

A kept cell is named by a digest of what it depends on: the code that `compute` reaches inside this room, and its
constants. Changing the words of a claim or the colour of a line keeps finished cells; changing a simulation does not,
nor does changing a room that surveys are made of: figures ask the protocols themselves.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from types import CodeType, FunctionType, ModuleType
from typing import Any

from sottovoce.paper import figure_of
from sottovoce.paper.figure import Cell, Figure, Rows, Run, stream_for
from sottovoce.paper.progress import Progress

ROOM = "sottovoce.paper"
ROOMS_BELOW = (
    "messages", "theory", "device", "design", "answers", "risk", "methods", "baselines", "problems", "engines", "data",
)  # fmt: skip
"""Rooms that protocols and their simulation are made of."""


@cache
def code_digest(function: Callable[..., Any]) -> str:
    """Hexadecimal; the same for the same code, constants and called code."""
    parts: dict[str, str] = {"below": _digest_of_rooms()}
    _collect_code(function, parts)
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()


@cache
def _digest_of_rooms() -> str:
    home = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in ROOMS_BELOW:
        for path in sorted((home / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _collect_code(value: Any, parts: dict[str, str], name: str = "") -> None:
    if isinstance(value, ModuleType):
        if value.__name__.startswith(ROOM) and value.__file__ and value.__name__ not in parts:
            parts[value.__name__] = Path(value.__file__).read_text(encoding="utf-8")
        return
    if not isinstance(value, FunctionType):
        parts.setdefault(name, repr(value) if isinstance(value, (int, float, str, tuple, list, dict)) else "")
        return
    label = f"{value.__module__}.{value.__qualname__}"
    if label in parts or not value.__module__.startswith(ROOM):
        return
    codes = list(_nested_codes(value.__code__))
    parts[label] = repr([(code.co_code, [c for c in code.co_consts if not isinstance(c, CodeType)]) for code in codes])
    for code in codes:
        for used in code.co_names:
            if used in value.__globals__:
                _collect_code(value.__globals__[used], parts, f"{value.__module__}.{used}")


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_codes(constant)


SEED = 20241


@dataclass(frozen=True, kw_only=True)
class Job:
    """One cell of one figure."""

    figure: str
    cell: Cell
    seed: int
    cost: float

    @property
    def digest(self) -> str:
        """What the result depends on: the code of the figure, its parameters and its seed."""
        code = code_digest(figure_of(self.figure).compute)
        text = json.dumps([code, self.figure, self.cell, self.seed], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be computed, after what is kept: cells, about how many CPU seconds, and on how many processes."""

    cells: int
    cpu_seconds: float
    workers: int

    @property
    def cores(self) -> int:
        """How many of them are busy."""
        return max(min(self.workers, os.cpu_count() or 1, self.cells), 1)

    @property
    def seconds(self) -> float:
        """About how long that takes."""
        return self.cpu_seconds / self.cores


def plan(figures: Sequence[Figure], run: Run, *, workers: int = 0) -> Plan:
    """What figures cost, were nothing kept."""
    jobs = _jobs(figures, run, SEED)
    return _plan_for(jobs, range(len(jobs)), workers)


def compute(job: Job) -> tuple[Rows, float]:
    """The rows of a cell, and the CPU seconds it took."""
    wanted = figure_of(job.figure)
    start = process_time()
    rows = wanted.compute(job.cell, stream_for(wanted.name, job.cell, job.seed))
    return rows, process_time() - start


def results(
    figures: Sequence[Figure],
    run: Run,
    *,
    folder: Path | None,
    workers: int = 0,
    seed: int = SEED,
    announce: Callable[[Plan], None] = lambda plan: None,
) -> dict[str, Rows]:
    """The rows of every figure, in the order of its cells, whoever computed them and when.

    `announce` is told the plan before anything is computed.
    """
    jobs = _jobs(figures, run, seed)
    rows_at: dict[int, Rows] = {}
    store = None if folder is None else folder / "cells"
    for place, job in enumerate(jobs):
        stored = _stored_rows(store, job)
        if stored is not None:
            rows_at[place] = stored
    left = sorted((place for place in range(len(jobs)) if place not in rows_at), key=lambda p: -jobs[p].cost)
    ahead = _plan_for(jobs, left, workers)
    announce(ahead)
    for place, rows in _compute_left(jobs, left, ahead, store):
        rows_at[place] = rows
    together: dict[str, Rows] = {wanted.name: [] for wanted in figures}
    for place, job in enumerate(jobs):
        together[job.figure].extend(rows_at[place])
    return {wanted.name: wanted.gather(together[wanted.name]) for wanted in figures}


def _jobs(figures: Sequence[Figure], run: Run, seed: int) -> list[Job]:
    return [
        Job(figure=wanted.name, cell=cell, seed=seed, cost=wanted.cost(cell))
        for wanted in figures
        for cell in wanted.cells(run)
    ]


def _plan_for(jobs: Sequence[Job], left: Sequence[int], workers: int) -> Plan:
    seconds = sum(jobs[place].cost for place in left)
    return Plan(cells=len(left), cpu_seconds=seconds, workers=workers or os.cpu_count() or 1)


def _compute_left(
    jobs: Sequence[Job], left: Sequence[int], ahead: Plan, store: Path | None
) -> Iterator[tuple[int, Rows]]:
    start = perf_counter()
    with Progress(cells=ahead.cells, total=ahead.cpu_seconds, planned=ahead.seconds) as progress:
        for place, (rows, seconds) in _compute_on_workers(jobs, left, ahead.workers):
            _store_rows(store, jobs[place], rows, seconds)
            progress.done(jobs[place].figure, jobs[place].cost)
            yield place, rows
    if store is not None and left:
        with (store / "log.txt").open("a") as log:
            log.write(f"{len(left)} cells in {perf_counter() - start:.1f} s on {ahead.workers} processes\n")


def _compute_on_workers(
    jobs: Sequence[Job], left: Sequence[int], workers: int
) -> Iterator[tuple[int, tuple[Rows, float]]]:
    if workers == 1 or len(left) < 2:
        yield from ((place, compute(jobs[place])) for place in left)
        return
    from multiprocessing import get_context

    # One thread for linear algebra in each process: the processes are what is spread over the cores.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    pool = ProcessPoolExecutor(max_workers=workers, mp_context=get_context("spawn"))
    try:
        pending = {pool.submit(compute, jobs[place]): place for place in left}
        for done in as_completed(pending):
            yield pending[done], done.result()
    except BaseException:  # stopped, or failed: cells under way are dropped, what is finished is kept already
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _stored_rows(store: Path | None, job: Job) -> Rows | None:
    if store is None:
        return None
    try:
        document = json.loads((store / job.figure / f"{job.digest}.json").read_text())
    except (OSError, ValueError):  # not there, or cut short: compute it again
        return None
    rows: Rows = document["rows"]
    return rows


def _store_rows(store: Path | None, job: Job, rows: Rows, seconds: float) -> None:
    if store is None:
        return
    target = store / job.figure / f"{job.digest}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    half_done = target.with_suffix(".part")
    half_done.write_text(json.dumps({"cell": job.cell, "seed": job.seed, "cpu_seconds": seconds, "rows": rows}))
    half_done.replace(target)  # a reader never sees half a file
