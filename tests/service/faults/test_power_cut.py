"""The power is cut at some moment of a collector's life.

It counts as failure: a report or a closed round that was acknowledged before the cut and is not there afterwards; a
store that does not open, or is not sound; a slot counted twice, or with other bytes.

The driver runs once over the shim; then the disk is rebuilt as it would be found after a cut at many moments, half of
them right after an acknowledgement: with nothing that was not synced, with all of it, and with parts of it. A weaker
setting of SQLite runs beside it, which must lose reports: so the test can see.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.service.faults.disk import Disk, records
from tests.service.faults.driving import drive, failed, kept, lost, preloaded

KEPT = (0.0, 0.5, 1.0)


def lost_in_cuts(shim: Path, tmp_path: Path, *, cuts: int, count: int, seed: int, synchronous: str) -> tuple[int, int]:
    """How many acknowledged things were lost, over all cuts, and how many were acknowledged by the end."""
    folder, log = tmp_path / "disk", tmp_path / "log"
    folder.mkdir()
    before = preloaded(shim, folder, log)
    said = drive(
        f"sqlite:{folder / 'store.db'}", 0, count, shim=before, sessions=3, synchronous=synchronous, close="yes"
    )
    assert not failed(said) and len(kept(said)) == 3 * count
    done = list(records(log))
    draw = random.Random(seed)
    moments = set(draw.sample(range(len(done)), cuts // 2))
    moments |= set(draw.sample([number for number, (op, *_) in enumerate(done) if op == "A"], cuts // 2))
    disk, missed = Disk(folder), 0
    for number, record in enumerate(done):
        disk.follow(*record)
        if number in moments:
            found = tmp_path / f"found{number}"
            disk.cut(found, kept=KEPT[number % 3], draw=draw)
            missed += lost(f"sqlite:{found / 'store.db'}", disk.said)
    assert disk.said == said
    return missed, len(said)


@pytest.mark.parametrize(
    "cuts, count, seed",
    [(60, 400, 1), *[pytest.param(400, 3000, seed, marks=pytest.mark.soak) for seed in range(2, 7)]],
)
def test_nothing_acknowledged_is_lost(shim: Path, tmp_path: Path, cuts: int, count: int, seed: int) -> None:
    missed, _ = lost_in_cuts(shim, tmp_path, cuts=cuts, count=count, seed=seed, synchronous="FULL")
    assert missed == 0


def test_a_weaker_setting_loses_reports_here(shim: Path, tmp_path: Path) -> None:
    missed, said = lost_in_cuts(shim, tmp_path, cuts=30, count=200, seed=1, synchronous="NORMAL")
    assert missed > said / 10
