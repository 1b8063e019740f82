"""A standalone master and two workers on loopback: one is killed while it counts, and the tally is the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.engines.spark import Spark, spark
from sottovoce.messages import Batch, Question, Tally, columns
from tests.spark.rows import good_rows, one_by_one, payloads, question, spoiled, told, write
from tests.support.patience import eventually
from tests.support.spark import Cluster, cluster, driver

pytestmark = pytest.mark.filterwarnings(  # py4j and pyspark leave sockets to the collector of garbage
    "ignore:unclosed <socket:ResourceWarning", "ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning"
)
SECONDS = 1800


@pytest.fixture
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with (
        cluster(tmp_path_factory.mktemp("cluster"), workers=2, seconds=SECONDS) as made,
        driver(tmp_path_factory.mktemp("driver"), seconds=SECONDS),
    ):
        yield made


def executors(session: Any) -> int:
    return int(session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()) - 1  # the driver is listed too


def wait_for(true: Any) -> None:
    assert eventually(true, seconds=600), "it did not happen in time"


def progress(session: Any) -> tuple[int, int]:
    """Tasks of the stage that is running: done, and in all."""
    tracker = session.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return max(((stage.numCompletedTasks, stage.numTasks) for stage in stages if stage is not None), default=(0, 0))


class Asking(threading.Thread):
    """A question, asked in the background."""

    def __init__(self, ask: Spark, asked: Question) -> None:
        super().__init__(daemon=True)
        self._ask, self._asked, self.tally, self.error = ask, asked, None, None
        self.start()

    def run(self) -> None:
        try:
            self.tally = self._ask(self._asked)
        except BaseException as error:
            self.error = error

    def answer(self) -> Tally:
        self.join(timeout=SECONDS)
        if self.error is not None:
            raise self.error
        assert self.tally is not None, "no answer in time"
        return self.tally


def counted_with_a_worker_killed(ask: Spark, asked: Question, machines: Cluster) -> Tally:
    """Two executors count; when some tasks are done and most are not, one machine is gone."""
    session = ask.session
    wait_for(lambda: executors(session) == 2)
    asking, seen = Asking(ask, asked), [(0, 0)]

    def begun() -> bool:
        seen.append(progress(session))
        return seen[-1][0] >= 3 or not asking.is_alive()

    wait_for(begun)
    machines.kill_worker(0)
    done, tasks = seen[-1]
    assert 0 < done < tasks, "killed in the middle"
    wait_for(lambda: executors(session) == 1)
    return asking.answer()


def test_a_worker_is_killed_while_it_counts(machines: Cluster, tmp_path: Path) -> None:
    asked = question(users=1600)
    rows = good_rows(asked)
    extra = spoiled(asked, rows)
    parts = [[*rows[index::16], *extra[index::16]] for index in range(16)]
    tally, aside = one_by_one(asked, parts)
    with spark(write(tmp_path, asked, parts), master=machines.url) as ask:
        ask.session.conf.set("spark.sql.files.maxPartitionBytes", "8192")
        counted = counted_with_a_worker_killed(ask, asked, machines)
        assert counted == tally and counted.to_bytes() == tally.to_bytes()
        assert told(ask.set_aside) == aside and sum(aside[0].values()) == 17


@pytest.mark.soak
def test_ten_million_reports_and_a_worker_killed(machines: Cluster, tmp_path: Path) -> None:
    asked = question(users=10**7, items=64)
    tally = Tally.empty(asked)
    with columns.Writer(tmp_path, asked, rows_per_file=10**6) as out:
        for number, slots in enumerate(np.array_split(np.arange(10**7) + asked.slots.first, 40)):
            packed = payloads(asked, len(slots), number)
            tally += Tally.of(Batch.of_payloads(asked, slots, packed))
            out.write(slots, packed)
    with spark(tmp_path, master=machines.url) as ask:
        ask.session.conf.set("spark.sql.files.maxPartitionBytes", str(2**21))
        counted = counted_with_a_worker_killed(ask, asked, machines)
        assert counted == tally and counted.to_bytes() == tally.to_bytes()
        assert sum(counted.reports) == 10**7 and ask.set_aside.total == 0
