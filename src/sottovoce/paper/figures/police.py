"""Traffic stops in Texas (L937–953), from the file a user downloaded: ``sotto paper police --file FILE``.

The file is TX-Statewide of the Stanford Open Policing Project, read as a stream with the paper's filters: only the
stops that pass are kept, a byte each; the file itself (27 million rows) never is in memory. It is not shipped, so
nothing was measured: of the expected verdicts AGREES is what the paper states, DEPENDS what ERRATA 17 leads one to
expect of its second claim.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput
from sottovoce.paper import our_methods
from sottovoce.paper.figure import Cell, Figure, Rows, Run, Verdict
from sottovoce.paper.figures import study
from sottovoce.paper.our_methods import QUICK

COLUMNS = ("date", "officer_id_hash", "district", "subject_race", "search_conducted")
"""The columns that are used; a row counts as complete when it has all of them (the paper does not say which it
looked at, L941)."""
YEARS = ("2015", "2016")
DISTRICT = "A"
STOPS = 300
GROUPS = ("white", "black", "hispanic", "other")
RACES = {"white": 0, "black": 1, "hispanic": 2, "asian/pacific islander": 3, "other": 3, "unknown": 3}
ANSWERS = {"true": 1, "t": 1, "1": 1, "false": 0, "f": 0, "0": 0}
MISSING = frozenset({"", "NA", "N/A", "NULL", "NAN"})


@dataclass(frozen=True, kw_only=True, repr=False)
class Stops:
    """Officers by stops: whether each led to a search, and the group of its subject; `read` and `kept` are rows."""

    searched: NDArray[np.int64]
    group: NDArray[np.int64]
    read: int
    kept: int

    def __repr__(self) -> str:
        return f"<Stops: {self.searched.shape[0]} officers with {self.searched.shape[1]} stops each>"


def load(path: Path, *, stops: int = STOPS, seed: int = 1) -> Stops:
    """The officers with at least `stops` stops, each permuted and cut to `stops` (L941)."""
    stops_of: dict[str, bytearray] = {}
    read = 0
    opener: Callable[..., IO[str]] = gzip.open if path.suffix.lower() == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines)
        header = [name.strip().strip('"') for name in next(rows, [])]
        missing = [name for name in COLUMNS if name not in header]
        if missing:
            raise InvalidInput(
                f"{path.name!r} has no column {', '.join(missing)}; TX-Statewide has {', '.join(COLUMNS)}"
            )
        day, officer, district, race, search = (header.index(name) for name in COLUMNS)
        longest = max(day, officer, district, race, search)
        for row in rows:
            read += 1
            if len(row) <= longest or row[day][:4] not in YEARS or row[district] != DISTRICT:
                continue
            group, answer = RACES.get(row[race].lower()), ANSWERS.get(row[search].lower())
            who = row[officer]
            if group is None or answer is None or who.upper() in MISSING:
                continue
            stops_of.setdefault(who, bytearray()).append(2 * group + answer)
    stops_kept = sum(map(len, stops_of.values()))
    stream = np.random.default_rng(seed)
    chosen = [
        stream.permutation(np.frombuffer(bytes(stops_of[who]), dtype=np.uint8))[:stops]
        for who in sorted(stops_of)
        if len(stops_of[who]) >= stops
    ]
    if len(chosen) < 8:
        raise InvalidInput(
            f"{path.name!r}: {len(chosen)} officers have {stops} complete stops in {' and '.join(YEARS)} in district "
            f"{DISTRICT}; at least 8 are needed"
        )
    codes = np.stack(chosen).astype(np.int64)
    return Stops(searched=codes % 2, group=codes // 2, read=read, kept=stops_kept)


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
            "own": our_methods.QUICK if run.quick else 60,
        }
    ]


def compute(cell: Cell, stream: Generator) -> Rows:
    """Both panels."""
    officers = load(Path(cell["file"]))
    rows: Rows = []
    mine = {"series": "ours", "repetitions": cell["own"]}
    for T in LENGTHS:
        panel = cell | {"panel": "one", "T": T}
        rows += study.rows_of_cell(panel, stream, officers.searched, officers.group)
        rows += study.rows_of_cell(panel | mine, stream, officers.searched, officers.group)
    panel = cell | {"panel": "four", "T": STOPS}
    rows += study.rows_of_cell(panel, stream, officers.searched, officers.group)
    rows += study.rows_of_cell(panel | mine, stream, officers.searched, officers.group)
    users = {"users": officers.searched.shape[0], "stops_read": officers.read, "stops_kept": officers.kept}
    return [row | users for row in rows]


CLAIMS = study.claims(
    improve=Verdict.AGREES,
    best=Verdict.DEPENDS,
    four=Verdict.AGREES,
    why="300 stops an officer make Δ narrow enough for localising to pay from α = 1 on",
)


def draw(rows: Rows, picture: Any) -> None:
    """The paper's two panels."""
    study.draw(rows, picture, one="share of stops that led to a search", four="shares of four races")


FIGURES = {
    "police": Figure(
        name="police",
        title="Traffic stops in Texas (TX-Statewide)",
        where="L937–953",
        cells=cells,
        compute=compute,
        cost=lambda cell: 60.0,
        keys=("panel", "T", "alpha", "scheme"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Filters of L941: complete rows, 2015 and 2016, district A, officers with at least 300 stops, permuted, "
            "cut to 300. Complete means that date, officer_id_hash, district, subject_race and search_conducted are "
            "there; the paper does not say which columns it looked at.",
            "The file is not shipped: it is the statewide Texas file of the Stanford Open Policing Project (Pierson et "
            "al. 2020). The expected verdicts are those that the paper states and, for the mapping of 0 and 1, what "
            "ERRATA 17 leads one to expect: nothing was measured.",
            "default is sv.mean with method auto on [−1, 1], and for four shares sv.histogram: 60 whole surveys of "
            f"each ({QUICK} in a quick look).",
        ),
        size=(11, 3.9),
    )
}
