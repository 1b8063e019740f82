"""Reports as Parquet for the tests of Spark, good and bad, and what a count one by one makes of the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce import design
from sottovoce.engines import stored
from sottovoce.messages import Average, Encoder, Grid, Question, Report, Slots

Row = tuple[int | None, bytes | None]


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
    symbols = np.random.default_rng(seed).integers(0, 2, (count, 1, asked.channel.width))
    return asked.channel.pack(symbols).reshape(count, asked.payload_bytes)


def good_rows(asked: Question, seed: int = 1) -> list[Row]:
    """One row for every slot, in any order."""
    rows = payloads(asked, asked.slots.count, seed)
    order = np.random.default_rng(seed).permutation(asked.slots.count)
    return [(asked.slots.first + int(index), rows[index].tobytes()) for index in order]


def spoiled(asked: Question, rows: Sequence[Row]) -> list[Row]:
    """Rows to add: copies, other reports of the same slots, and what no device could have sent."""
    padded = b"\xff" * asked.payload_bytes
    turned = [bytes([row[1][0] ^ 128]) + row[1][1:] for row in rows[:9] if row[1] is not None]
    return [
        *rows[20:26],  # copies
        rows[25],  # and one more
        *((rows[index][0], turned[index]) for index in range(3)),  # three slots that differ
        (rows[2][0], turned[2]),  # twice the same other one
        (rows[8][0], padded),  # bad: the good row of this slot still counts
        (6, rows[0][1]),  # nobody's slot, on either side
        (7 + asked.slots.count, rows[0][1]),
        (rows[3][0], b""),
        (rows[3][0], padded + b"\0"),
    ]


def write(folder: Path, parts: Sequence[Sequence[Row]]) -> Path:
    """One file a part, in the schema of reports where its rows allow it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(parts):
        sizes = {None if payload is None else len(payload) for _, payload in rows}
        size = sizes.pop() if len(sizes) == 1 else None
        kind = pa.binary() if size is None else pa.binary(size)
        slot, payload = (pa.array(column, each) for column, each in zip(zip(*rows, strict=True), (pa.uint32(), kind), strict=True))
        pq.write_table(pa.table({"slot": slot, "payload": payload}), folder / f"part-{number:03}.parquet")
    return folder


def one_by_one(asked: Question, parts: Sequence[Sequence[Row]]) -> Any:
    """The engine over single reports, asked."""
    reports = [
        [Report(question=asked.digest, slot=slot, payload=payload.hex()) for slot, payload in rows] for rows in parts
    ]
    ask = stored(reports)
    return ask(asked), ask.set_aside
