"""A tally: reports added up, in integers. Merging is ``+``: any partition, any order, the same bits.

Addition does not know slots: whoever partitions the reports makes sure that a slot counts once (`engines.stored` and
the collector do).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import canonical
from sottovoce.messages.channels.laplace import Laplace, exact_dot
from sottovoce.messages.codec import Big, from_plain, to_plain
from sottovoce.messages.limits import check
from sottovoce.messages.public import signs
from sottovoce.messages.question import Question
from sottovoce.messages.report import Batch
from sottovoce.messages.statistics import Hashed, Residual

MAX_TALLY_BYTES = 64 * 2**20


@dataclass(frozen=True, kw_only=True)
class Tally:
    """For each group: how many answers, and the channel's cells (counts of symbols, or sums)."""

    question: str
    reports: tuple[Big, ...]
    cells: tuple[tuple[Big, ...], ...]
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")
        check(len(self.reports) == len(self.cells) >= 1, "a tally has a row for each group")
        check(all(count >= 0 for count in self.reports), "a tally counts reports")
        check(len({len(row) for row in self.cells}) == 1, "a tally has as many cells for every group")

    @classmethod
    def build(cls, question: Question, reports: list[int], cells: list[list[int]]) -> Tally:
        return cls(
            question=question.digest,
            reports=tuple(map(int, reports)),
            cells=tuple(tuple(map(int, row)) for row in cells),
        )

    @classmethod
    def empty(cls, question: Question) -> Tally:
        """The tally of no reports: the zero of ``+``."""
        return cls.build(question, [0] * question.groups, [[0] * question.cells for _ in range(question.groups)])

    @classmethod
    def of(cls, batch: Batch) -> Tally:
        """Add up a batch."""
        question = batch.question
        if question.encoder.statistic.signed:
            return cls.build(question, [len(batch)], [_signed_sums(batch)])
        groups = question.group_of(batch.slots).ravel()
        symbols = batch.symbols.reshape(len(groups), question.channel.width)
        reports = np.bincount(groups, minlength=question.groups)
        order = np.argsort(groups, kind="stable")
        bounds = np.concatenate(([0], np.cumsum(reports)))
        rows = [
            question.channel.accumulate(symbols[order[bounds[group] : bounds[group + 1]]])
            for group in range(question.groups)
        ]
        return cls.build(question, [int(count) for count in reports], rows)

    def __add__(self, other: Tally) -> Tally:
        check(self.question == other.question, "tallies of different questions do not add up")
        shape, other_shape = (len(self.cells), len(self.cells[0])), (len(other.cells), len(other.cells[0]))
        check(shape == other_shape, "tallies of different shapes do not add up")
        return Tally(
            question=self.question,
            reports=tuple(mine + yours for mine, yours in zip(self.reports, other.reports, strict=True)),
            cells=tuple(
                tuple(mine + yours for mine, yours in zip(row, others, strict=True))
                for row, others in zip(self.cells, other.cells, strict=True)
            ),
        )

    def check(self, question: Question) -> None:
        """Refuse a tally that is not of this question."""
        check(self.question == question.digest, "a tally of another question")

    def counts(self) -> NDArray[np.int64]:
        """All cells as an array ``(groups, cells)``, for channels that count."""
        return np.array(self.cells, dtype=np.int64)

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Tally:
        return from_plain(cls, canonical.loads(data, limit=MAX_TALLY_BYTES))


def _signed_sums(batch: Batch) -> list[int]:
    """``Σ_i r_ij·(2 z_i − steps)`` for every sign j, then ``Σ_i (2 z_i − steps)²``: zero means zero."""
    statistic, channel = batch.question.encoder.statistic, batch.question.channel
    assert isinstance(statistic, (Hashed, Residual)) and isinstance(channel, Laplace)
    centred = 2 * batch.symbols[:, 0, 0] - channel.steps
    totals, block = np.zeros((2, statistic.signed)), max(1, 2**22 // statistic.signed)
    high, low = centred >> 24, centred & (2**24 - 1)
    for first in range(0, len(batch), block):  # halves of 24 bits: every float here is a whole number below 2^53
        rows = slice(first, first + block)
        spread = signs(statistic.seed, batch.slots[rows], statistic.signed).astype(np.float64)
        totals[0] += high[rows].astype(np.float64) @ spread
        totals[1] += low[rows].astype(np.float64) @ spread
    sums = [(int(upper) << 24) + int(lower) for upper, lower in zip(*totals, strict=True)]
    return [*sums, exact_dot(centred, centred)]
