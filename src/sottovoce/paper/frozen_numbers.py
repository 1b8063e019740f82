"""Frozen numbers: what a figure gave when it was made, and how far a new run may be from it.

They are in ``laboratory/paper`` of a clone of the repository, and in no installed package.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from sottovoce.paper.figure import Figure, Row, Rows
from sottovoce.repository_clone import laboratory

STANDARD_ERRORS = 6.0
"""How many combined standard errors a figure may move: with 2,000 figures a false alarm in about 250,000 runs, were
they normal. Rare failures make some of them less so; a run that sees more of them also has a larger error."""


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """A number that moved too far, or a row that only one side has: `frozen` is None where it is new, `now` if gone."""

    key: str
    name: str = "row"
    frozen: float | None = None
    now: float | None = None
    allowed: float = 0.0

    def __str__(self) -> str:
        if self.frozen is None or self.now is None:
            return f"{self.key}: the {self.name} is {'gone' if self.now is None else 'new'}"
        return f"{self.key}: {self.name} was {self.frozen:.4g}, now {self.now:.4g}, allowed ± {self.allowed:.2g}"


def path_of(figure: Figure, *, quick: bool, folder: Path | None = None) -> Path | None:
    """Where the frozen numbers of a figure are, in `folder` or in the clone that this runs from; None without one."""
    clone = laboratory()
    folder = folder or (clone and clone / "paper")
    return folder and folder / f"{figure.name}{'.quick' if quick else ''}.csv"


def write_csv(path: Path, rows: Rows, columns: list[str] | None = None) -> None:
    """All rows; a column that a row lacks stays empty."""
    names = columns or list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _text(row.get(name)) for name in names} for row in rows)


def _text(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def freeze(figure: Figure, rows: Rows, *, quick: bool, folder: Path | None = None) -> Path:
    """Write the frozen numbers of a figure."""
    names = [*figure.keys, *(name for pair in figure.values for name in pair if name), *figure.recorded]
    path = path_of(figure, quick=quick, folder=folder)
    assert path is not None, "an installed package holds no frozen numbers"
    write_csv(path, rows, names)
    return path


def deviations(figure: Figure, rows: Rows, *, quick: bool, folder: Path | None = None) -> list[Deviation] | None:
    """What moved, or None where nothing is frozen, as in an installed package."""
    path = path_of(figure, quick=quick, folder=folder)
    if path is None or not path.exists():
        return None
    with path.open(newline="") as file:
        frozen = {_row_name(figure, row): row for row in csv.DictReader(file)}
    moved, missing = [], set(frozen)
    for row in rows:
        key = _row_name(figure, {name: str(_text(row.get(name))) for name in figure.keys})
        if key not in frozen:
            moved.append(Deviation(key=key, now=math.nan))
            continue
        missing.discard(key)
        for name, error in figure.values:
            moved += _deviations_of_value(figure, key, frozen[key], row, name, error)
    moved += [Deviation(key=key, frozen=math.nan) for key in sorted(missing)]
    return moved


def _row_name(figure: Figure, row: Row) -> str:
    return " ".join(f"{name}={row.get(name)}" for name in figure.keys if row.get(name) not in (None, ""))


def _deviations_of_value(figure: Figure, key: str, before: Row, row: Row, name: str, error: str) -> list[Deviation]:
    if row.get(name) is None or before.get(name) in (None, ""):
        return []
    was, now = float(before[name]), float(row[name])
    spread = math.hypot(float(before[error] or 0), float(row[error] or 0)) if error else 0.0
    allowed = STANDARD_ERRORS * spread + (figure.relative_tolerance + 1e-5) * abs(was) + 1e-12
    if abs(now - was) <= allowed:
        return []
    return [Deviation(key=key, name=name, frozen=was, now=now, allowed=allowed)]
