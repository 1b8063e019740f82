"""The disk fails: a sync returns an error, or there is no space left, for a while or for good; or the power is cut.

It counts as failure: a report or a closed round that was acknowledged and is not on the disk, also if the power is cut
right after the acknowledgement and everything that a failed sync was for is lost; a group acknowledged although its
commit failed; a store that does not open, or is not sound afterwards; a slot counted twice, or with other bytes; a
collector that neither goes on once the disk does, nor stops.

The driver runs once over the shim; then the disk is rebuilt as it would be found after a cut at many moments, half of
them right after an acknowledgement: with nothing that was not synced, with all of it, and with parts of it. A weaker
setting of SQLite runs beside it, which must lose reports: so the test can see.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sottovoce.service.store import open_store
from tests.service.faults.disk import Disk, records
from tests.service.faults.driving import drive, failed, kept, lost, preloaded
from tests.support.surveys import begin

COUNT = 240
FOR_GOOD = 10**6
SYNCS = [3, 20]
BYTES = [9_000, 60_000]
SOAK = range(1, 29)


class Run:
    """One life of the driver on a disk that fails, from a survey that is open already."""

    def __init__(self, shim: Path, tmp_path: Path, fault: dict[str, str], **told: object) -> None:
        self.tmp_path, self.folder, self.log = tmp_path, tmp_path / "disk", tmp_path / "log"
        self.folder.mkdir()
        self.url = f"sqlite:{self.folder / 'store.db'}"
        with open_store(self.url) as store:
            begin(store)
        self.held = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        before = preloaded(shim, self.folder, self.log, **fault)
        self.said = drive(self.url, 0, COUNT, shim=before, together=8, **told)

    def check_nothing_is_lost(self) -> None:
        """As the process left it, and after a cut at the end, at the fault, and after acknowledgements."""
        done = list(records(self.log))
        spoken = [number for number, (op, *_) in enumerate(done) if op == "A"]
        faults = [number for number, (op, *_) in enumerate(done) if op in "EN"]
        assert faults, "the fault was met"
        after = [number for number in spoken if number > faults[-1]]
        moments = {*after[:3], *faults[-1:], *spoken[-1:], spoken[len(spoken) // 2], len(done) - 1}
        disk = Disk(self.folder, held=self.held)
        for number, record in enumerate(done):
            disk.follow(*record)
            if number in moments:
                found = self.tmp_path / f"found{number}"
                disk.cut(found, kept=0, draw=random.Random(number))
                assert lost(f"sqlite:{found / 'store.db'}", disk.said) == 0
        assert disk.said == self.said
        assert lost(self.url, self.said) == 0


@pytest.mark.parametrize("first", [*SYNCS, *[pytest.param(k, marks=pytest.mark.soak) for k in SOAK if k not in SYNCS]])
def test_a_sync_that_fails_is_no_acknowledgement_and_the_next_is_tried(shim: Path, tmp_path: Path, first: int) -> None:
    run = Run(shim, tmp_path, {"SHIM_SYNC": f"{first}:2"})
    if first in SYNCS:
        assert failed(run.said), "the fault was met by a commit"
        assert kept(run.said) == set(range(COUNT)), "and those who tried again were heard"
    run.check_nothing_is_lost()


@pytest.mark.parametrize("first", [1, 2])
def test_a_log_whose_name_cannot_be_synced_acknowledges_nothing(shim: Path, tmp_path: Path, first: int) -> None:
    """SQLite ignores it when the folder's sync fails, so a cut would take the whole log; the store looks for itself."""
    run = Run(shim, tmp_path, {"SHIM_SYNC": f"{first}:{FOR_GOOD}", "SHIM_ONLY": "/disk"})
    assert run.said == ["stopped"] if first == 1 else kept(run.said) == set(range(COUNT))
    run.check_nothing_is_lost()


def test_when_no_sync_works_any_more_nothing_more_is_acknowledged(shim: Path, tmp_path: Path) -> None:
    run = Run(shim, tmp_path, {"SHIM_SYNC": f"16:{FOR_GOOD}"})
    first = run.said.index(next(line for line in run.said if line.startswith("- ")))
    assert 0 < first and not kept(run.said[first:])
    run.check_nothing_is_lost()


@pytest.mark.parametrize("size", [*BYTES, *[pytest.param(3_100 * k, marks=pytest.mark.soak) for k in SOAK]])
def test_a_full_disk_is_no_acknowledgement_and_goes_on_when_there_is_space(
    shim: Path, tmp_path: Path, size: int
) -> None:
    run = Run(shim, tmp_path, {"SHIM_FULL": f"{size}:2"})
    if size in BYTES:
        assert failed(run.said) and kept(run.said) == set(range(COUNT))
    run.check_nothing_is_lost()


def test_a_disk_that_stays_full_acknowledges_nothing_more_and_reads_back(shim: Path, tmp_path: Path) -> None:
    run = Run(shim, tmp_path, {"SHIM_FULL": f"80000:{FOR_GOOD}"})
    first = run.said.index(next(line for line in run.said if line.startswith("- ")))
    assert 0 < first and not kept(run.said[first:])
    run.check_nothing_is_lost()
    again = drive(run.url, 0, COUNT)
    assert kept(again) == set(range(COUNT)), "with space again, all are heard"
    assert lost(run.url, run.said + again) == 0


@pytest.mark.parametrize("fault", [{"SHIM_SYNC": "1:1"}, {"SHIM_FULL": "3000:1"}, {"SHIM_SYNC": f"1:{FOR_GOOD}"}])
def test_a_failure_while_the_log_is_carried_over_into_the_file(
    shim: Path, tmp_path: Path, fault: dict[str, str]
) -> None:
    """Each session ends with it: closing a store moves what is in its log."""
    run = Run(shim, tmp_path, {**fault, "SHIM_ONLY": "/store.db"}, sessions=2, close="yes")
    assert kept(run.said) == set(range(2 * COUNT)) and not failed(run.said)
    run.check_nothing_is_lost()


# ---- the power is cut ------------------------------------------------------------------------------------------------


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
