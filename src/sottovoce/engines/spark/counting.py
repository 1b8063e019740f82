"""The one place that counts: what a block of rows adds up to, and which of them no device could have sent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Batch, Malformed, Question, Tally

Bad = list[tuple[int, str]]
NOT_A_REPORT = "not a report"
NOT_ASKED = "a report from a slot that was not asked"


def counted(question: Question, slot: Any, payload: Any) -> tuple[Tally, NDArray[np.int64], Bad]:
    """Arrow columns of a block: the tally of the rows that hold, which ones these are, and why not the others.

    Rows are named by number. A slot that appears twice counts twice here.
    """
    size = question.payload_bytes
    slots = np.asarray(slot.fill_null(-1), dtype=np.int64)
    lengths, raw = _payloads(payload)
    whole = np.asarray(slot.is_valid()) & (lengths >= 0)
    asked = (slots >= question.slots.first) & (slots < question.slots.first + question.slots.count)
    bad = [(row, NOT_A_REPORT) for row in np.flatnonzero(~whole).tolist()]
    bad += [(row, NOT_ASKED) for row in np.flatnonzero(whole & ~asked).tolist()]
    fits = lengths == size
    bad += [
        (row, f"a report to this question has {size} bytes") for row in np.flatnonzero(whole & asked & ~fits).tolist()
    ]
    good = np.flatnonzero(whole & asked & fits)
    if len(raw) != len(slots) * size or bad:  # the good ones side by side
        ends = np.cumsum(np.maximum(lengths, 0))[good]
        raw = raw[(ends - size)[:, None] + np.arange(size)] if len(good) else raw[:0]
    tally, broken = _count(question, slots[good], raw.reshape(len(good), size))
    bad += [(int(good[row]), reason) for row, reason in broken]
    if broken:
        good = np.delete(good, [row for row, _ in broken])
    return tally, good, sorted(bad)


def _payloads(column: Any) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """How long each payload is (−1: there is none), and all of them one after another."""
    import pyarrow as pa

    column = column.cast(pa.large_binary())
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    lengths = np.where(np.asarray(column.is_valid()), np.diff(ends), -1)
    raw = np.frombuffer(data if data is not None else b"", dtype=np.uint8)
    return lengths, raw[ends[0] : ends[-1]]


def _count(question: Question, slots: NDArray[np.int64], payloads: NDArray[np.uint8]) -> tuple[Tally, Bad]:
    """All at once where all hold, in halves where not."""
    if not len(slots):
        return Tally.empty(question), []
    try:
        return Tally.of(Batch.packed(question, slots, payloads.tobytes())), []
    except Malformed as error:
        if len(slots) == 1:
            return Tally.empty(question), [(0, str(error))]
    half = len(slots) // 2
    left, bad = _count(question, slots[:half], payloads[:half])
    right, more = _count(question, slots[half:], payloads[half:])
    return left + right, bad + [(row + half, reason) for row, reason in more]
