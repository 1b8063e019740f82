"""Files of columns that are broken, foreign, or cannot be read: each is named, and the others are counted."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sottovoce.engines import stored
from sottovoce.messages import (
    Malformed,
    Tally,
    columns,
)
from tests.unit.test_columns import asked, in_order, write
from tests.unit.test_packed import TABLE, UNARY, unary

pyarrow = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_broken_files_are_found_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question, batch = asked(UNARY, 400), in_order(asked(UNARY, 400), 300)
    with columns.Writer(tmp_path, question, rows_per_file=50) as writer:
        writer(batch)
    for number in (1, 2, 4, 5):
        place = tmp_path / f"part-0000{number}.parquet"
        data, rows = place.read_bytes(), batch.payloads[50 * number : 50 * number + 50].tobytes()
        place.write_bytes(data.replace(rows, bytes(50)))
    reads, read = [], columns.blocks

    def blocks(path: Path) -> Any:
        reads.append(path.name)
        return read(path)

    monkeypatch.setattr(columns, "blocks", blocks)
    ask = stored(tmp_path)
    assert sum(ask(question).reports) == 100
    assert reads.count("part-00000.parquet") == 3
    assert ask.set_aside.counts == {"a file that is broken inside": 200}
    assert str(ask.set_aside).startswith("200 rows set aside: 200 × a file that is broken inside (part-00001.parquet, ")


def test_what_is_no_file_of_a_folder(tmp_path: Path) -> None:
    batch = in_order(TABLE, 10)
    for place in (tmp_path, tmp_path / "x.parquet", tmp_path / ".round-2.part"):
        place.mkdir(exist_ok=True)
    write(tmp_path / "a.parquet", TABLE, batch.slots, batch.payloads)
    write(tmp_path / ".round-2.part" / "b.parquet", TABLE, batch.slots, batch.payloads)
    (tmp_path / "gone.parquet").symlink_to(tmp_path / "nothing")
    ask = stored(tmp_path)
    assert ask(TABLE) == Tally.of(batch)
    assert ask.set_aside.places == {"broken-link": ("gone.parquet",)}
    assert str(ask.set_aside).startswith("1 file set aside: ")


def test_files_that_cannot_be_counted_are_named_and_the_others_counted(tmp_path: Path) -> None:
    question, batch = asked(UNARY, 400), in_order(asked(UNARY, 400), 300)
    wide = asked(unary(64), 400)
    with columns.Writer(tmp_path, question, rows_per_file=100) as writer:
        writer(batch)
    third = (tmp_path / "part-00002.parquet").read_bytes()
    (tmp_path / "short.parquet").write_bytes(third[:-20])
    (tmp_path / "text.parquet").write_bytes(b"slot,payload\n1,2\n")
    place = third.index(batch.payloads[200:].tobytes()[:50])
    (tmp_path / "bits.parquet").write_bytes(third[:place] + b"\x00\x01\x02" + third[place + 3 :])
    write(tmp_path / "later.parquet", question, [1, 2], batch.payloads[:2], columns=b"2")
    write(
        tmp_path / "wide.parquet",
        wide,
        [7],
        np.zeros((1, 8), np.uint8),
        **{"question.digest": question.digest.encode()},
    )
    write(tmp_path / "other.parquet", wide, [7], np.zeros((1, 8), np.uint8))
    table = columns.table_of(question, batch.slots, batch.payloads)
    told = columns.metadata_of(question)
    pq.write_table(table.rename_columns(["slots", "payload"]).replace_schema_metadata(told), tmp_path / "names.parquet")
    pq.write_table(table.select(["payload"]).replace_schema_metadata(told), tmp_path / "none.parquet")
    ask = stored(tmp_path)
    assert ask(question) == Tally.of(batch)
    assert ask.set_aside.places == {
        "not columns of reports, or a file that is not whole": ("short.parquet", "text.parquet"),
        "columns of version '2'; this software reads version 1": ("later.parquet",),
        "columns other than slot and payload": ("names.parquet", "none.parquet"),
        "a report to this question has 1 bytes": ("wide.parquet",),
        "a file that is broken inside": ("bits.parquet",),
    }
    assert ask.set_aside.counts["a file that is broken inside"] == 100
    assert str(ask.set_aside).startswith("101 rows and 5 files set aside: ")
    assert ask.files_of_other_questions(question).counts == {"other-question": 1}


def test_a_file_that_says_it_has_more_rows_than_it_has_is_broken(tmp_path: Path) -> None:
    question, batch = asked(TABLE, 400), in_order(asked(TABLE, 400), 400)
    place = write(tmp_path / "a.parquet", question, batch.slots, batch.payloads)
    footer, data = pq.ParquetFile(place).metadata.serialized_size, bytearray(place.read_bytes())
    rows = data.index(b"\x16\xa0\x06", len(data) - 8 - footer)  # 400 as the footer writes it, a varint
    data[rows + 1] ^= 0x02
    place.write_bytes(data)
    assert columns.header(place).rows == 401
    with pytest.raises(Malformed, match="broken inside"):
        list(columns.blocks(place))


def test_a_column_name_that_is_no_text_is_malformed(tmp_path: Path) -> None:
    batch = in_order(TABLE, 5)
    place = write(tmp_path / "a.parquet", TABLE, batch.slots, batch.payloads)
    place.write_bytes(place.read_bytes().replace(b"payload", b"payl\xffad"))
    with pytest.raises(Malformed):
        columns.header(place)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "a disk"), PermissionError(errno.EACCES, "no"), MemoryError()])
def test_a_disk_that_fails_is_no_broken_file(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = in_order(TABLE, 5)
    place = write(tmp_path / "a.parquet", TABLE, batch.slots, batch.payloads)
    kind = pyarrow.ArrowMemoryError if isinstance(error, MemoryError) else type(error)
    raised = kind(*error.args)

    def fails(*_: object, **__: object) -> Any:
        raise raised

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_, **__: map(fails, [0]))
    with pytest.raises(type(error)):
        list(columns.blocks(place))
    monkeypatch.setattr(pq.ParquetFile, "__init__", fails)
    with pytest.raises(type(error)):
        columns.header(place)
