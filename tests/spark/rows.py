"""Columns of reports for the tests of Spark, good and bad, and what a count one by one makes of the same rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce import design
from sottovoce.engines import stored
from sottovoce.messages import Average, Encoder, Grid, Question, Report, SetAside, Slots, Unary, columns

Row = tuple[int, bytes]


def question(*, users: int, items: int = 20) -> Question:
    return Question(
        survey="steps",
        round=1,
        role="vote",
        slots=Slots(first=7, count=users),
        encoder=Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=items)),
        channel=design.unary(1.0, items),
        epsilon=1.0,
    )


def payloads(asked: Question, count: int, seed: int) -> np.ndarray[Any, Any]:
    """Bits of a fair coin: what is counted is no matter here."""
    top = 2 if isinstance(asked.channel, Unary) else asked.channel.cells
    symbols = np.random.default_rng(seed).integers(0, top, (count, asked.uses, asked.channel.width))
    return asked.channel.pack(symbols).reshape(count, asked.payload_bytes)


def good_rows(asked: Question, seed: int = 1) -> list[Row]:
    """One row for every slot, in any order."""
    rows = payloads(asked, asked.slots.count, seed)
    order = np.random.default_rng(seed).permutation(asked.slots.count)
    return [(asked.slots.first + int(index), rows[index].tobytes()) for index in order]


def spoiled(asked: Question, rows: Sequence[Row]) -> list[Row]:
    """Rows to add: copies, other reports of the same slots, and what no device could have sent."""
    padded = b"\xff" * asked.payload_bytes
    turned = [bytes([row[1][0] ^ 128]) + row[1][1:] for row in rows[:3]]
    return [
        *rows[20:26],  # copies
        rows[25],  # and one more
        *((rows[index][0], turned[index]) for index in range(3)),  # three slots that differ
        (rows[2][0], turned[2]),  # twice the same other one
        (rows[8][0], padded),  # bad: the good row of this slot still counts
        (6, rows[0][1]),  # nobody's slot, on either side
        (7 + asked.slots.count, rows[0][1]),
    ]


def write(folder: Path, asked: Question, parts: Sequence[Sequence[Row]]) -> Path:
    """One file a part, whatever its rows; a `Writer` would refuse some of them."""
    from pyarrow.parquet import ParquetWriter

    folder.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(parts):
        packed = np.frombuffer(b"".join(payload for _, payload in rows), dtype=np.uint8)
        table = columns.table_of(asked, np.array([slot for slot, _ in rows]), packed.reshape(len(rows), -1))
        with ParquetWriter(folder / f"part-{number:03}.parquet", table.schema, store_schema=False) as file:
            file.write_table(table, row_group_size=200)
            file.add_key_value_metadata(columns.metadata_of(asked))
    return folder


def one_by_one(asked: Question, parts: Sequence[Sequence[Row]]) -> Any:
    """The tally of single reports, and what was set aside, as if they were in those files."""
    reports = [
        [Report(question=asked.digest, slot=slot, payload=payload.hex()) for slot, payload in rows] for rows in parts
    ]
    ask = stored(reports)
    tally, aside = ask(asked), ask.set_aside
    places = {
        reason: sorted(
            re.sub(r"partition (\d+)", lambda part: f"part-{int(part[1]) - 1:03}.parquet", row) for row in rows
        )
        for reason, rows in aside.places.items()
    }
    return tally, (aside.counts, places)


def told(aside: SetAside) -> Any:
    """The same of an engine over columns."""
    return aside.counts, {reason: sorted(rows) for reason, rows in aside.places.items()}
