"""Traffic stops in Texas (L937–953), from the file a user downloaded: ``sotto paper police --file FILE``."""

from __future__ import annotations

from pathlib import Path

from numpy.random import Generator

from sottovoce.messages import InvalidInput
from sottovoce.paper import ours
from sottovoce.paper.experiments import study
from sottovoce.paper.figure import Cell, Rows, Run
from sottovoce.paper.stops import STOPS, load

LENGTHS = tuple(range(100, STOPS + 1, 25))


def cells(run: Run) -> list[Cell]:
    """One cell, since the file is read once; its size and time stand for its contents."""
    if run.file is None:
        raise InvalidInput(rule="the figure police needs the file of traffic stops")
    path = Path(run.file)
    state = path.stat()
    return [
        {
            "file": str(path.resolve()),
            "bytes": state.st_size,
            "changed": state.st_mtime_ns,
            "repetitions": 600 if run.quick else 1000,
            "own": ours.QUICK if run.quick else 60,
        }
    ]


def compute(cell: Cell, stream: Generator) -> Rows:
    """Both panels."""
    held = load(Path(cell["file"]))
    found: Rows = []
    mine = {"series": "ours", "repetitions": cell["own"]}
    for T in LENGTHS:
        panel = cell | {"panel": "one", "T": T}
        found += study.rows(panel, stream, held.searched, held.group)
        found += study.rows(panel | mine, stream, held.searched, held.group)
    panel = cell | {"panel": "four", "T": STOPS}
    found += study.rows(panel, stream, held.searched, held.group)
    found += study.rows(panel | mine, stream, held.searched, held.group)
    users = {"users": held.searched.shape[0], "stops_read": held.read, "stops_kept": held.kept}
    return [row | users for row in found]
