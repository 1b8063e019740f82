"""Traffic stops: TX-Statewide of the Stanford Open Policing Project, read as a stream with the paper's filters.

Only the stops that pass are kept, a byte each: the file itself (27 million rows) never is in memory.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput

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
    held: dict[str, bytearray] = {}
    read = 0
    with _open(path) as lines:
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
            held.setdefault(who, bytearray()).append(2 * group + answer)
    kept = sum(map(len, held.values()))
    stream = np.random.default_rng(seed)
    chosen = [
        stream.permutation(np.frombuffer(bytes(held[who]), dtype=np.uint8))[:stops]
        for who in sorted(held)
        if len(held[who]) >= stops
    ]
    if len(chosen) < 8:
        raise InvalidInput(
            f"{path.name!r}: {len(chosen)} officers have {stops} complete stops in {' and '.join(YEARS)} in district "
            f"{DISTRICT}; at least 8 are needed"
        )
    codes = np.stack(chosen).astype(np.int64)
    return Stops(searched=codes % 2, group=codes // 2, read=read, kept=kept)


def _open(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")
