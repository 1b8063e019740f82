"""Spark on this machine: tallies to the bit, whatever stands twice or is bad, in whatever partition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sottovoce import Mean, run
from sottovoce.cli import main
from sottovoce.engines import stored
from sottovoce.engines.spark import spark
from sottovoce.engines.spark.engine import session_for
from sottovoce.messages import InvalidInput, Question, Tally, columns
from tests.spark.rows import good_rows, one_by_one, question, spoiled, told, write
from tests.support.spark import driver

pytestmark = pytest.mark.filterwarnings(  # py4j and pyspark leave sockets to the collector of garbage
    "ignore:unclosed <socket:ResourceWarning", "ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning"
)
ASKED = question(users=1200)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with driver(tmp_path_factory.mktemp("spark"), seconds=3600):
        made, ours = session_for("local[2]")
        assert ours
        made.conf.set("spark.sql.files.maxPartitionBytes", "4096")
        yield made
        made.stop()


def test_good_rows_give_the_same_tally(session: Any, tmp_path: Path) -> None:
    rows = sorted(good_rows(ASKED))
    with columns.Writer(tmp_path / "a b [1]" / "c%20d", ASKED, rows_per_file=700) as out:
        slots, packed = (np.array(side) for side in zip(*rows, strict=True))
        out.write(slots, packed.view(np.uint8).reshape(len(rows), -1))
    ask = spark(tmp_path / "a b [1]", session=session)
    tally, _ = one_by_one(ASKED, [rows])
    counted = ask(ASKED)
    assert counted == tally and counted.to_bytes() == tally.to_bytes()
    assert str(ask.set_aside) == "no row set aside"


def test_what_stands_twice_or_is_bad_is_treated_as_one_by_one(session: Any, tmp_path: Path) -> None:
    rows = good_rows(ASKED)
    extra = spoiled(ASKED, rows)
    parts = [rows[:800], extra[:4], rows[800:], extra[4:]]
    tally, aside = one_by_one(ASKED, parts)
    folder = write(tmp_path / "reports", ASKED, parts)
    (folder / "question.json").write_text("not looked at")
    ask = spark(folder, session=session)
    assert ask(ASKED) == tally and ask(ASKED).to_bytes() == tally.to_bytes()  # and again: nothing is told twice
    assert told(ask.set_aside) == told(ask.aside([ASKED.digest])) == aside
    assert len(aside[0]) == 4 and sum(aside[0].values()) == 17
    assert ask.aside([]).total == 0
    columned = stored(folder)
    assert columned(ASKED) == tally and told(columned.set_aside) == aside


def test_all_files_twice_count_once(session: Any, tmp_path: Path) -> None:
    """As when an export ran twice into one folder: every slot is there twice, and nobody counts twice."""
    rows = good_rows(ASKED)[:600]
    parts = [rows, rows[::-1]]
    tally, _ = one_by_one(ASKED, parts)
    ask = spark(write(tmp_path, ASKED, parts), session=session)
    assert ask(ASKED) == tally
    assert ask.set_aside.counts == {"copy-of-counted": 600}
    (places,) = ask.set_aside.places.values()
    assert places == tuple(f"part-001.parquet row {row}" for row in range(1, 101))  # the first are named


def test_files_that_do_not_count_are_named(session: Any, tmp_path: Path) -> None:
    """As over columns on this machine: reports to other questions are passed over, what is no column is set aside."""
    other = question(users=50, items=30)
    write(tmp_path / "good", ASKED, [good_rows(ASKED)[:50]])
    write(tmp_path / "other", other, [good_rows(other)])
    wide = write(tmp_path / "wide", other, [good_rows(other)[:20]]) / "part-000.parquet"
    wide.write_bytes(wide.read_bytes().replace(other.digest.encode(), ASKED.digest.encode()))
    plain = pa.table({"slot": [1], "payload": [b"1"]})
    pq.write_table(plain, tmp_path / "plain.parquet")
    pq.write_table(plain.replace_schema_metadata({"sottovoce.columns": "1"}), tmp_path / "loose.parquet")
    pq.write_table(plain.replace_schema_metadata({"sottovoce.columns": "2"}), tmp_path / "later.parquet")
    (tmp_path / "half.parquet").write_bytes(wide.read_bytes()[:-20])
    ask, columned = spark(tmp_path, session=session), stored(tmp_path)
    counted = ask(ASKED)
    assert counted == columned(ASKED) and sum(counted.reports) == 50
    assert ask.set_aside.files == 4 and ask.set_aside.total == 4 + 20
    assert told(ask.set_aside) == told(columned.set_aside) and str(ask.set_aside) == str(columned.set_aside)
    assert ask.files_of_other_questions(ASKED) == columned.files_of_other_questions(ASKED)
    assert ask.files_of_other_questions(ASKED).counts == {"other-question": 50}
    assert ask(other) == columned(other)


def test_it_is_an_engine(session: Any, tmp_path: Path) -> None:
    """A survey of several rounds, kept by a rehearsal, answers on Spark what it answers over files."""
    survey = Mean(epsilon=2.0, low=0.0, high=1.0, users=600, observations=5, method="adaptive")
    rng = np.random.default_rng(3)
    ask = stored_rounds(survey, tmp_path, rng)
    over_files, on_spark = run(survey, ask), run(survey, spark(tmp_path, session=session))
    assert over_files.to_json() == on_spark.to_json()


def stored_rounds(survey: Any, folder: Path, rng: np.random.Generator) -> Any:
    """Reports to every question that the survey comes to ask, a folder a round."""
    tallies: tuple[Tally, ...] = ()
    while isinstance(asked := survey.decide(tallies), Question):
        rows = good_rows(asked, seed=int(rng.integers(100)))
        write(folder / f"round-{len(tallies)}", asked, [rows, rows[:3]])
        tallies = (*tallies, one_by_one(asked, [rows])[0])
    assert len(tallies) > 1
    return stored(folder)


def test_the_command_writes_the_same_tally_with_both_engines(session: Any, tmp_path: Path) -> None:
    rows = good_rows(ASKED)
    write(tmp_path / "round-1", ASKED, [rows, rows[:5]])
    write(tmp_path / "round-1" / "other", other := question(users=50, items=30), [good_rows(other)])
    (tmp_path / "round-1" / "question.json").write_bytes(ASKED.to_bytes())
    assert main(["tally", str(tmp_path)]) == 0
    told = {name: (tmp_path / "round-1" / name).read_bytes() for name in ("tally.json", "set-aside.json")}
    for name in told:
        (tmp_path / "round-1" / name).unlink()
    assert main(["tally", str(tmp_path), "--engine", "spark", "--master", "local[2]"]) == 0
    assert told == {name: (tmp_path / "round-1" / name).read_bytes() for name in told}


def test_a_file_that_is_broken_inside_is_an_error_that_names_it(session: Any, tmp_path: Path) -> None:
    """Not a smaller tally: its pages carry checksums, and Spark looks at them."""
    with columns.Writer(tmp_path, ASKED) as out:
        slots, packed = (np.array(side) for side in zip(*sorted(good_rows(ASKED)), strict=True))
        out.write(slots, packed.view(np.uint8).reshape(len(slots), -1))
    (file,) = tmp_path.glob("*.parquet")
    held = bytearray(file.read_bytes())
    held[held.index(packed[600])] ^= 1  # one bit of one payload, which would be a report as good as another
    file.write_bytes(held)
    with pytest.raises(InvalidInput, match=r"Spark did not finish counting; it says: .*part-00000\.parquet"):
        spark(tmp_path, session=session)(ASKED)


def test_what_cannot_be_counted_is_said(session: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no columns of reports"):
        spark(tmp_path / "nowhere", session=session)
    with pytest.raises(InvalidInput, match="no columns of reports"):
        spark(tmp_path, session=session)
    folder = write(tmp_path, ASKED, [[(1, b"123"), (2, b"123")]])
    with pytest.raises(InvalidInput, match=r"none of the stored reports.*2 × a report from a slot that was not asked"):
        spark(folder, session=session)(ASKED)
    with pytest.raises(InvalidInput, match="Spark Connect"):
        spark(folder, session=object())
    with pytest.raises(InvalidInput, match=r"on local\[2\] is active"):
        spark(folder, master="local[3]")
