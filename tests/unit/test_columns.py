"""Reports as columns in Parquet: small, streamed, counted by the same rule as rows; broken files are named."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.engines import stored
from sottovoce.messages import (
    Batch,
    InvalidInput,
    Malformed,
    MissingExtra,
    Question,
    Report,
    SetAside,
    Slots,
    Tally,
    columns,
)
from tests.support.transcripts import mean
from tests.unit.test_tally import LAPLACE, QUESTIONS, TABLE, UNARY, reports_to, unary

pyarrow = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(path: Path, question: Question, slots: Any, payloads: Any, **changes: bytes) -> Path:
    table = columns.table_of(question, np.asarray(slots), np.asarray(payloads))
    told = columns.metadata_of(question) | {f"sottovoce.{name}".encode(): data for name, data in changes.items()}
    pq.write_table(table.replace_schema_metadata(told), path, row_group_size=7)
    return path


def asked(question: Question, count: int) -> Question:
    return replace(question, slots=Slots(first=question.slots.first, count=count))


def in_order(question: Question, count: int) -> Batch:
    batch = reports_to(question, count)
    order = np.argsort(batch.slots)
    return Batch.of_payloads(question, batch.slots[order], batch.payloads[order])


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    question = asked(QUESTIONS[name], 300)
    batch = in_order(question, 200)
    with columns.Writer(tmp_path, question, rows_per_file=90) as writer:
        for first in range(0, 200, 33):
            writer(Batch.of_payloads(question, batch.slots[first : first + 33], batch.payloads[first : first + 33]))
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"part-0000{part}.parquet" for part in range(3)]
    held = [columns.header(path) for path in sorted(tmp_path.iterdir())]
    assert [one.rows for one in held] == [90, 90, 20]
    assert all(Question.from_bytes(one.question, digest=one.digest) == question for one in held)
    read = [block for path in sorted(tmp_path.iterdir()) for block in columns.blocks(path, rows=64)]
    assert max(len(block.slots) for block in read) <= 64
    assert (np.concatenate([block.slots for block in read]) == batch.slots).all()
    assert (np.concatenate([block.payloads for block in read]) == batch.payloads).all()
    ask = stored(tmp_path)
    assert ask(question) == Tally.of(batch) and ask.aside([question.digest]).total == 0


@pytest.mark.parametrize(("users", "most"), [(10**6, 1.0), (2 * 10**5, 0.5)], ids=["one in ten", "half"])
@pytest.mark.parametrize("question", [TABLE, unary(64), LAPLACE], ids=["one byte", "64 bits", "laplace"])
def test_a_report_takes_its_payload_and_little_for_its_slot(
    question: Question, users: int, most: float, tmp_path: Path
) -> None:
    question = asked(question, users)
    slots = np.sort(np.random.default_rng(2).choice(users, 10**5, replace=False)) + question.slots.first
    payloads = np.resize(reports_to(question, 500).payloads, (10**5, question.payload_bytes))
    with columns.Writer(tmp_path, question) as writer:
        writer.write(slots, payloads)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert size <= 10**5 * (question.payload_bytes + most)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(["table", "unary", "groups of bits", "subset"]))
def test_columns_are_counted_by_the_rule_of_rows(
    data: st.DataObject, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    question, folder = QUESTIONS[name], tmp_path_factory.mktemp("columns")
    good = reports_to(question, 4, seed=data.draw(st.integers(0, 5)))
    size = question.payload_bytes
    payload = st.sampled_from([row.tobytes() for row in good.payloads] + [b"\xff" * size])
    row = st.tuples(st.sampled_from([4, 5, 6, 7, 8, 44, 45]), payload)
    parts = data.draw(st.lists(st.lists(row, max_size=9), min_size=1, max_size=3))
    reports = []
    for number, part in enumerate(parts):
        payloads = np.frombuffer(b"".join(bits for _, bits in part), dtype=np.uint8).reshape(-1, size)
        write(folder / f"{number}.parquet", question, np.array([slot for slot, _ in part], dtype=np.uint32), payloads)
        reports.append([Report(question=question.digest, slot=slot, payload=bits.hex()) for slot, bits in part])
    by_rows, by_columns = stored(reports), stored(folder)
    try:
        expected = by_rows(question)
    except InvalidInput:
        with pytest.raises(InvalidInput, match="none of the stored reports"):
            by_columns(question)
    else:
        assert by_columns(question) == expected
    assert by_columns.set_aside.counts == by_rows.set_aside.counts
    for reason, places in by_rows.set_aside.places.items():
        moved = [f"{int(place.split()[1]) - 1}.parquet row {place.split()[3]}" for place in places]
        assert sorted(by_columns.set_aside.places[reason]) == sorted(moved)


def test_slots_that_came_again_are_looked_at_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sottovoce.engines.stored_reports._GATHERED", 2000)
    question = asked(TABLE, 400)
    batch = in_order(question, 400)
    other = batch.payloads.copy()
    other[::4] ^= 1
    write(tmp_path / "a.parquet", question, batch.slots, batch.payloads)
    write(tmp_path / "b.parquet", question, batch.slots[::-1], other[::-1])
    ask = stored([tmp_path / "a.parquet", str(tmp_path / "b.parquet")])
    kept = np.arange(400) % 4 != 0
    assert ask(question) == Tally.of(Batch.of_payloads(question, batch.slots[kept], batch.payloads[kept]))
    assert ask.set_aside.counts == {columns.REASONS[columns.DIFFERENT]: 200, columns.REASONS[columns.COPY]: 300}
    assert ask.set_aside.places[columns.REASONS[columns.COPY]][0].startswith("b.parquet row ")


@pytest.mark.parametrize("copies", [1, 5])
def test_slots_that_came_again_side_by_side_are_held_in_parts(
    copies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sottovoce.engines.stored_reports._GATHERED", 2000)
    rule = Mock(side_effect=columns.faults_of_repeats)
    monkeypatch.setattr(columns, "faults_of_repeats", rule)
    question = asked(TABLE, 400)
    batch = in_order(question, 400)
    write(tmp_path / "a.parquet", question, batch.slots, batch.payloads)
    for copy in range(copies):
        write(tmp_path / f"b{copy}.parquet", question, batch.slots[:80], batch.payloads[:80])
    ask = stored(tmp_path)
    assert ask(question) == Tally.of(batch)
    assert ask.set_aside.counts == {columns.REASONS[columns.COPY]: 80 * copies}
    assert ask.set_aside.places[columns.REASONS[columns.COPY]][0] == "b0.parquet row 1"
    held = [len(call.args[0]) for call in rule.call_args_list]
    assert sum(held) == 80 * (copies + 1) and max(held) <= 2000 // 85


def test_places_are_kept_for_the_first_thousand_and_all_are_counted(tmp_path: Path) -> None:
    question = asked(TABLE, 5000)
    payloads = np.full((3000, 1), 7, dtype=np.uint8)
    payloads[0] = 0
    write(tmp_path / "a.parquet", question, np.arange(3000) + 5, payloads)
    ask = stored(tmp_path)
    ask(question)
    (reason,) = ask.set_aside.counts
    assert ask.set_aside.counts[reason] == 2999 and len(ask.set_aside.places[reason]) == 1000
    doubled = ask.set_aside + SetAside.of([("x", reason), ("y", "another")])
    assert doubled.counts == {reason: 3000, "another": 1} and len(doubled.places[reason]) == 1000


def test_a_writer_refuses_disorder_and_slots_beyond_32_bits(tmp_path: Path) -> None:
    batch = in_order(TABLE, 10)
    for slots in ([3, 2], [4, 4]):
        with pytest.raises(InvalidInput, match="in the order of slots"), columns.Writer(tmp_path, TABLE) as writer:
            writer.write(np.array(slots), batch.payloads[:2])
    writer = columns.Writer(tmp_path, TABLE)
    writer(batch)
    with pytest.raises(InvalidInput, match="in the order of slots"):
        writer(batch)
    assert not list(tmp_path.glob("*.parquet"))
    with pytest.raises(InvalidInput, match=r"below 2\^32 = 4294967296: split the survey"):
        columns.Writer(tmp_path, replace(TABLE, slots=Slots(first=2**32 - 5, count=6)))
    columns.Writer(tmp_path, replace(TABLE, slots=Slots(first=2**32 - 5, count=5))).close()
    with pytest.raises(InvalidInput, match="split the survey"):
        stored(tmp_path)(replace(TABLE, slots=Slots(first=0, count=2**40)))
    assert columns.header(tmp_path / "part-00000.parquet").rows == 0


def test_a_rehearsal_keeps_its_reports_as_columns(tmp_path: Path) -> None:
    people = np.random.default_rng(1).uniform(1, 5, (1200, 20))
    with columns.Keep(tmp_path / "kept") as keep:
        told = sv.run(mean(), sv.local(sv.collections(people), keep=keep))
    again = sv.run(mean(), sv.stored(tmp_path / "kept"))
    assert again == told
    assert [path.name for path in sorted((tmp_path / "kept").iterdir())] == ["round-1", "round-2", "round-3"]
    with pytest.raises(InvalidInput, match="is not empty"):
        columns.Keep(tmp_path / "kept")


def test_a_round_that_an_error_cut_short_is_not_kept(tmp_path: Path) -> None:
    first, second = asked(TABLE, 40), asked(UNARY, 40)
    with pytest.raises(RuntimeError), columns.Keep(tmp_path / "kept") as keep:  # noqa: PT012 - it is cut short
        keep(in_order(first, 30))
        keep(in_order(second, 30))
        keep._writer.close()  # as if so many had come that a file was full
        raise RuntimeError
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["round-1"]
    assert [path.stat().st_mode & 0o077 for path in (tmp_path / "kept", tmp_path / "kept" / "round-1")] == [0, 0]
    with columns.Keep(tmp_path / "again") as other:
        other(in_order(first, 30))
        other(in_order(second, 30))
        with pytest.raises(InvalidInput, match="a round that has ended"):
            other(in_order(first, 30))


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "part-00000.parquet").write_bytes(b"")
    with pytest.raises(MissingExtra, match=r'pip install "sottovoce\[columns\]"'):
        stored(tmp_path)


def test_a_folder_without_columns_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there are no columns of reports"):
        stored(tmp_path)
    with pytest.raises(InvalidInput, match="there is no file"):
        stored([tmp_path / "nothing.parquet"])


@settings(max_examples=100, deadline=None)
@given(blocks=st.lists(st.lists(st.integers(3, 400), max_size=40), max_size=5), ordered=st.booleans())
def test_slots_seen(blocks: list[list[int]], ordered: bool) -> None:
    seen, known = columns.SlotSet(Slots(first=3, count=398)), set[int]()
    for block in blocks:
        slots = sorted(set(block)) if ordered else block
        expected = []
        for slot in slots:
            expected.append(slot in known)
            known.add(slot)
        assert seen.add(np.array(slots, dtype=np.uint32)).tolist() == expected
    everybody = np.arange(3, 401)
    assert seen.has(everybody).tolist() == [slot in known for slot in everybody.tolist()]


def test_broken_files_are_found_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question, batch = asked(UNARY, 400), in_order(asked(UNARY, 400), 300)
    with columns.Writer(tmp_path, question, rows_per_file=50) as writer:
        writer(batch)
    for number in (1, 2, 4, 5):
        place = tmp_path / f"part-0000{number}.parquet"
        data, rows = place.read_bytes(), batch.payloads[50 * number : 50 * number + 50].tobytes()
        place.write_bytes(data.replace(rows, bytes(50)))
    blocks = Mock(side_effect=columns.blocks)
    monkeypatch.setattr(columns, "blocks", blocks)
    ask = stored(tmp_path)
    assert sum(ask(question).reports) == 100
    assert [call.args[0].name for call in blocks.call_args_list].count("part-00000.parquet") == 3
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
    claimed = {"question.digest": question.digest.encode()}
    for name, told in (("wide", claimed), ("other", {})):
        write(tmp_path / f"{name}.parquet", wide, [7], np.zeros((1, 8), np.uint8), **told)
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
    fails = Mock(side_effect=kind(*error.args))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_, **__: map(fails, [0]))
    with pytest.raises(type(error)):
        list(columns.blocks(place))
    monkeypatch.setattr(pq, "ParquetFile", fails)
    with pytest.raises(type(error)):
        columns.header(place)
