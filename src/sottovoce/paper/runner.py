"""Computes the cells of figures on all cores, keeps what is finished, and carries on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from sottovoce.paper import named, versions
from sottovoce.paper.figure import Cell, Figure, Rows, Run, stream_for

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
        code = versions.digest(named(self.figure).compute)
        text = json.dumps([code, self.figure, self.cell, self.seed], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def compute(job: Job) -> tuple[Rows, float]:
    """The rows of a cell, and the CPU seconds it took."""
    wanted = named(job.figure)
    start = process_time()
    rows = wanted.compute(job.cell, stream_for(wanted.name, job.cell, job.seed))
    return rows, process_time() - start


def results(
    figures: Sequence[Figure], run: Run, *, folder: Path | None, workers: int = 0, seed: int = SEED
) -> dict[str, Rows]:
    """The rows of every figure, in the order of its cells, whoever computed them and when."""
    jobs = [
        Job(figure=wanted.name, cell=cell, seed=seed, cost=wanted.cost(cell))
        for wanted in figures
        for cell in wanted.cells(run)
    ]
    found: dict[int, Rows] = {}
    store = None if folder is None else folder / "cells"
    for place, job in enumerate(jobs):
        kept = _kept(store, job)
        if kept is not None:
            found[place] = kept
    left = sorted((place for place in range(len(jobs)) if place not in found), key=lambda p: -jobs[p].cost)
    for place, rows in _computed(jobs, left, workers=workers, store=store):
        found[place] = rows
    together: dict[str, Rows] = {wanted.name: [] for wanted in figures}
    for place, job in enumerate(jobs):
        together[job.figure].extend(found[place])
    return {wanted.name: wanted.gather(together[wanted.name]) for wanted in figures}


def _computed(
    jobs: Sequence[Job], left: Sequence[int], *, workers: int, store: Path | None
) -> Iterator[tuple[int, Rows]]:
    from tqdm import tqdm

    workers = workers or os.cpu_count() or 1
    start = perf_counter()
    with tqdm(
        total=round(sum(jobs[place].cost for place in left), 3),
        desc="cells",
        bar_format="{desc} {percentage:3.0f}% |{bar}| {elapsed} gone, {remaining} left",
        leave=False,
        file=sys.stderr,
        disable=not sys.stderr.isatty(),
    ) as bar:
        for place, (rows, seconds) in _spread(jobs, left, workers):
            _keep(store, jobs[place], rows, seconds)
            bar.set_description_str(f"{jobs[place].figure:24s}")
            bar.update(jobs[place].cost)
            yield place, rows
    if store is not None and left:
        _log(store, f"{len(left)} cells in {perf_counter() - start:.1f} s on {workers} processes")


def _spread(jobs: Sequence[Job], left: Sequence[int], workers: int) -> Iterator[tuple[int, tuple[Rows, float]]]:
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
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _kept(store: Path | None, job: Job) -> Rows | None:
    if store is None:
        return None
    try:
        document = json.loads((store / job.figure / f"{job.digest}.json").read_text())
    except (OSError, ValueError):  # not there, or cut short: compute it again
        return None
    rows: Rows = document["rows"]
    return rows


def _keep(store: Path | None, job: Job, rows: Rows, seconds: float) -> None:
    if store is None:
        return
    target = store / job.figure / f"{job.digest}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    half_done = target.with_suffix(".part")
    half_done.write_text(json.dumps({"cell": job.cell, "seed": job.seed, "cpu_seconds": seconds, "rows": rows}))
    half_done.replace(target)  # a reader never sees half a file


def _log(store: Path, line: str) -> None:
    with (store / "log.txt").open("a") as log:
        log.write(line + "\n")
