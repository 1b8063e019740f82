"""Spark on this machine: tallies to the bit, whatever stands twice or is bad, in whatever partition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce import Mean, run
from sottovoce.engines.spark import spark
from sottovoce.engines.spark.session import session_for
from sottovoce.messages import InvalidInput
from tests.spark.rows import good_rows, one_by_one, question, spoiled, write
from tests.support.spark import driver

pytestmark = pytest.mark.filterwarnings(  # py4j and pyspark leave sockets to the collector of garbage
    "ignore:unclosed <socket:ResourceWarning", "ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning"
)
ASKED = question(users=3000)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with driver(tmp_path_factory.mktemp("spark"), seconds=180):
        made, ours = session_for("local[2]")
        assert ours
        made.conf.set("spark.sql.files.maxPartitionBytes", "4096")
        yield made
        made.stop()


def test_good_rows_give_the_same_tally(session: Any, tmp_path: Path) -> None:
    rows = good_rows(ASKED)
    parts = [rows[:1700], rows[1700:]]
    ask = spark(write(tmp_path / "a b [1]", parts), session=session)
    tally, _ = one_by_one(ASKED, parts)
    assert ask(ASKED) == tally and ask(ASKED).to_bytes() == tally.to_bytes()
    assert str(ask.set_aside) == "no row set aside"


def test_what_stands_twice_or_is_bad_is_treated_as_one_by_one(session: Any, tmp_path: Path) -> None:
    rows = good_rows(ASKED)
    extra = spoiled(ASKED, rows)
    parts = [rows[:2000], extra[:4], rows[2000:], extra[4:]]
    tally, aside = one_by_one(ASKED, parts)
    folder = write(tmp_path / "reports", parts)
    (folder / "question.json").write_text("not looked at")
    ask = spark(folder, session=session)
    assert ask(ASKED) == tally and ask(ASKED).to_bytes() == tally.to_bytes()
    assert ask.set_aside.counts == aside.counts == ask.aside([ASKED.digest]).counts
    assert len(aside.counts) == 5 and aside.total == 19
    for reason, places in aside.places.items():
        named = {re.sub(r"partition (\d+)", lambda part: f"part-{int(part[1]) - 1:03}.parquet", place) for place in places}
        assert set(ask.set_aside.places[reason]) == named
    assert ask.aside([]).total == 0


def test_all_files_twice_count_once(session: Any, tmp_path: Path) -> None:
    """As when an export ran twice into one folder: every slot is there twice, and nobody counts twice."""
    rows = good_rows(ASKED)[:600]
    parts = [rows, rows[::-1]]
    tally, aside = one_by_one(ASKED, parts)
    ask = spark(write(tmp_path, parts), session=session)
    assert ask(ASKED) == tally
    assert ask.set_aside.counts == aside.counts == {"a copy of a report that was counted": 600}
    (places,) = ask.set_aside.places.values()
    assert places[0] == "part-001.parquet row 1" and len(places) == 20  # the first are named, all are numbered


def test_it_is_an_engine(session: Any, tmp_path: Path) -> None:
    """A survey of one round, asked on Spark, answers what it answers over single reports."""
    survey = Mean(epsilon=1.0, low=0.0, high=1.0, users=400, observations=5, method="one-round")
    asked: Any = survey.decide(())
    symbols = np.random.default_rng(3).integers(0, asked.channel.cells, (400, 1, 1))
    packed = asked.channel.pack(symbols).reshape(400, -1)
    rows = [(slot, packed[slot].tobytes()) for slot in range(400)]
    answer: Any = run(survey, spark(write(tmp_path, [rows, rows[:3]]), session=session))
    assert survey.decide((one_by_one(asked, [rows])[0],)).value == answer.value
    assert "3" in str(answer.collection)


def test_what_cannot_be_counted_is_said(session: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pytest.raises(InvalidInput, match="no Parquet files of reports there"):
        spark(tmp_path / "nowhere", session=session)(ASKED)
    pq.write_table(pa.table({"slot": [1]}), tmp_path / "one.parquet")
    with pytest.raises(InvalidInput, match="payload is missing"):
        spark(tmp_path, session=session)(ASKED)
    folder = write(tmp_path / "others", [[(1, b"12345"), (2, None)]])
    with pytest.raises(InvalidInput, match=r"none of the stored reports.*not asked.*not a report"):
        spark(folder, session=session)(ASKED)
    with pytest.raises(InvalidInput, match=r"on local\[2\] is active"):
        spark(folder, master="local[3]")
