"""Traffic stops in Texas (L937–953), from the file a user downloaded: ``sotto paper police --file FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sottovoce.messages import InvalidInput
from sottovoce.paper.figure import Cell, Figure, Rows, Run, Verdict
from sottovoce.paper.figures import study
from sottovoce.paper.stops import STOPS, load

LENGTHS = tuple(range(100, STOPS + 1, 25))


def cells(run: Run) -> list[Cell]:
    """One cell, since the file is read once; its size and time stand for its contents."""
    if run.file is None:
        raise InvalidInput("the figure police needs the file of traffic stops")
    path = Path(run.file)
    state = path.stat()
    return [
        {
            "file": str(path.resolve()),
            "bytes": state.st_size,
            "changed": state.st_mtime_ns,
            "repetitions": 150 if run.quick else 1000,
        }
    ]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Both panels."""
    held = load(Path(cell["file"]))
    found: Rows = []
    for T in LENGTHS:
        found += study.rows({"panel": "one", "T": T, **cell}, stream, held.searched, held.group)
    found += study.rows({"panel": "four", "T": STOPS, **cell}, stream, held.searched, held.group)
    users = {"users": held.searched.shape[0], "stops_read": held.read, "stops_kept": held.kept}
    return [row | users for row in found]


def draw(rows: Rows, picture: Any) -> None:
    """The paper's two panels."""
    study.draw(rows, picture, one="share of stops that led to a search", four="shares of the races of subjects")


FIGURES = {
    "police": Figure(
        name="police",
        title="Traffic stops in Texas (TX-Statewide)",
        where="L937–953",
        cells=cells,
        compute=compute,
        cost=lambda cell: 60.0,
        keys=("panel", "T", "alpha", "scheme"),
        values=(("mse", "se"),),
        claims=study.claims(
            improve=Verdict.AGREES,
            best=Verdict.DEPENDS,
            four=Verdict.AGREES,
            why="300 stops an officer make Δ narrow enough for localising to pay from α = 1 on",
        ),
        draw=draw,
        notes=(
            "Filters of L941: complete rows, 2015 and 2016, district A, officers with at least 300 stops, permuted, "
            "cut to 300. Complete means that date, officer_id_hash, district, subject_race and search_conducted are "
            "there; the paper does not say which columns it looked at.",
            "The file is not shipped: it is the statewide Texas file of the Stanford Open Policing Project (Pierson et "
            "al. 2020). The expected verdicts are those that the paper states; the file itself is not shipped.",
        ),
        size=(9.4, 4.0),
    )
}
