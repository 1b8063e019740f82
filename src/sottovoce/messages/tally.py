"""A tally: reports added up, in integers. Merging is ``+``: any partition, any order, the same bits.

Addition does not know slots: whoever partitions the reports makes sure that a slot counts once
(`engines.stored_reports` and the collector do).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.messages import canonical
from sottovoce.messages.array_types import Array, Integers
from sottovoce.messages.canonical import Big, from_plain, to_plain
from sottovoce.messages.channels import Laplace, exact_dot, why_sums_impossible
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_TALLY, check
from sottovoce.messages.public_randomness import signs
from sottovoce.messages.question import Question
from sottovoce.messages.report import Batch, cells_of
from sottovoce.messages.statistics import FINE, Direction, Hashed, Residual

_WORD = 2**63
_new = object.__new__


@dataclass(frozen=True, kw_only=True)
class _WrittenTally:
    """A tally on the wire: every integer a decimal string."""

    title: ClassVar[str] = "Tally"

    question: str
    reports: tuple[Big, ...]
    cells: tuple[tuple[Big, ...], ...]
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")


class Tally:
    """For each group: how many answers, and the channel's cells (counts of symbols, or sums). A frozen value.

    Inside is one array with a row for each group, the answers first: 64-bit integers, or Python's own where the sums
    of squares of a laplace channel outgrow them. No entry ever wraps around.
    """

    __slots__ = ("_cells", "_key", "_largest", "_reports", "_rows")

    _key: str  # what two tallies must share to add up: shape and digest, one object for all that do
    _rows: Array
    _largest: int  # no entry is larger in absolute value

    def __init__(self, *, question: str, reports: Sequence[int], cells: Sequence[Sequence[int]]) -> None:
        check(len(reports) == len(cells) >= 1, "a tally has a row for each group")
        check(len({len(row) for row in cells}) == 1, "a tally has as many cells for every group")
        rows = _integer_rows([(count, *row) for count, row in zip(reports, cells, strict=True)])
        check(not (rows[:, 0] < 0).any(), "a tally counts reports")
        self._hold(question, rows)

    def _hold(self, question: str, rows: Array) -> None:
        self._key, self._rows = sys.intern("{} {} {}".format(*rows.shape, question)), rows
        self._largest = max(-int(rows.min()), int(rows.max()))

    @classmethod
    def _of_rows(cls, question: str, rows: Array) -> Tally:
        made: Tally = _new(cls)
        made._hold(question, rows)
        return made

    @property
    def question(self) -> str:
        """The digest of the question that was answered."""
        return self._key.split(" ", 2)[2]

    @property
    def reports(self) -> tuple[int, ...]:
        """How many answers each group has."""
        try:
            return self._reports
        except AttributeError:  # made when it is first asked for: adding up never needs it
            self._reports: tuple[int, ...] = tuple(self._rows[:, 0].tolist())
            return self._reports

    @property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The channel's cells of each group."""
        try:
            return self._cells
        except AttributeError:
            self._cells: tuple[tuple[int, ...], ...] = tuple(map(tuple, self._rows[:, 1:].tolist()))
            return self._cells

    @classmethod
    def build(cls, question: Question, reports: Sequence[int], cells: Sequence[Sequence[int]]) -> Tally:
        return cls(question=question.digest, reports=reports, cells=cells)

    @classmethod
    def empty(cls, question: Question) -> Tally:
        """The tally of no reports: the zero of ``+``."""
        return cls._of_rows(question.digest, np.zeros((question.groups, 1 + question.cells), dtype=np.int64))

    @classmethod
    def of(cls, batch: Batch) -> Tally:
        """Add up a batch, in its packed form."""
        question = batch.question
        if question.encoder.statistic.signed:
            return cls.build(question, [len(batch)], [_signed_sums(batch)])
        if isinstance(question.encoder.statistic, Direction):
            return cls.build(question, [len(batch)], [_direction_sums(question.encoder.statistic, batch)])
        return cls._of_rows(question.digest, _as_int64(cells_of(question, batch.slots, batch.payloads)))

    def of_group(self, question: Question, group: int) -> Tally:
        """What one group answered, as a tally of `question`, which asks that group alone."""
        return Tally.build(question, [self.reports[group]], [self.cells[group]])

    def as_of(self, question: Question) -> Tally:
        """The same counts as a tally of `question`, for whoever asked it inside a larger survey."""
        return Tally.build(question, self.reports, self.cells)

    def __add__(self, other: Tally) -> Tally:
        key, largest = self._key, self._largest + other._largest
        if key is not other._key and key != other._key:
            same = self.question == other.question
            raise Malformed(f"tallies of different {'shapes' if same else 'questions'} do not add up")
        if largest >= _WORD:  # the bound grows with every sum: look again at what is there
            return Tally._of_rows(self.question, _as_int64(self._rows.astype(object) + other._rows.astype(object)))
        made: Tally = _new(Tally)
        made._key = key
        made._largest = largest
        made._rows = self._rows + other._rows
        return made

    def without(self, other: Tally) -> Tally:
        """What is left when reports that were added up are taken out again."""
        check(self._key == other._key, "tallies of one question can be taken from each other")
        return Tally._of_rows(self.question, _as_int64(self._rows.astype(object) - other._rows.astype(object)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._key == other._key and bool((self._rows == other._rows).all())

    def __hash__(self) -> int:
        return hash((self._key, self.reports))

    def __repr__(self) -> str:
        groups, width = self._rows.shape
        return f"Tally(question={self.question!r}, reports={sum(self.reports)}, groups={groups}, cells={width - 1})"

    def counts(self) -> Integers:
        """All cells as an array ``(groups, cells)``, for channels that count."""
        return self._rows[:, 1:].astype(np.int64)

    def check(self, question: Question) -> None:
        """Refuse a tally that no reports to `question` add up to.

        Raises
        ------
        Malformed
            Another question, another shape, more answers than were asked for, or cells that the channel cannot give
            for so many answers; with the survey, the round, the role, what was expected and what came.
        """
        problem = self.why_impossible(question)
        if problem is not None:
            raise Malformed(f"survey {question.survey!r} round {question.round} ({question.role}): {problem}")

    def why_impossible(self, question: Question) -> str | None:
        """Why no reports to `question` add up to this, or None: what `check` raises, without the survey."""
        digest, shape = self.question, self._rows.shape
        if digest != question.digest:
            return f"a tally of question {digest[:12]}… came; expected one of {question.digest[:12]}…"
        if shape != (question.groups, 1 + question.cells):
            return (
                f"a tally of {shape[0]} groups with {shape[1] - 1} cells came; "
                f"expected {question.groups} with {question.cells}"
            )
        reports, cells = self._rows[:, 0], self._rows[:, 1:]
        if (excess := np.flatnonzero(reports > (most := question.most_answers()))).size:
            group = int(excess[0])
            return f"group {group} has {reports[group]} answers; expected at most {most[group]}"
        if sum(self.reports) % question.uses:
            return f"{sum(self.reports)} answers came; expected {question.uses} from everybody who reports"
        if question.encoder.statistic.signed:
            assert isinstance(question.channel, Laplace)  # a question makes sure
            reach = question.channel.steps + 2 * question.channel.bound  # of 2 z − steps
            return why_sums_impossible(reports, cells, low=-reach, high=reach)
        if isinstance(question.encoder.statistic, Direction):
            return _why_directions_impossible(question.encoder.statistic, reports, cells)
        return question.channel.why_impossible(reports, cells)

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(_WrittenTally(question=self.question, reports=self.reports, cells=self.cells)))

    @classmethod
    def from_bytes(cls, data: bytes) -> Tally:
        """Read a tally; anything but the canonical form of one is `Malformed`."""
        written = from_plain(_WrittenTally, canonical.loads(data, size=MAX_TALLY))
        return cls(question=written.question, reports=written.reports, cells=written.cells)


def _integer_rows(rows: list[tuple[int, ...]]) -> Array:
    check(all(isinstance(entry, (int, np.integer)) for row in rows for entry in row), "a tally holds whole numbers")
    try:
        return np.array(rows, dtype=np.int64)
    except OverflowError:
        return _as_int64(np.array([[int(entry) for entry in row] for row in rows], dtype=object))


def _as_int64(rows: Array) -> Array:
    """Python's integers as 64-bit ones, where all fit."""
    fits = max(-int(rows.min()), int(rows.max())) < _WORD
    return rows.astype(np.int64) if fits else rows


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


def _direction_sums(statistic: Direction, batch: Batch) -> list[int]:
    """The reported directions added up, entry by entry, then their squares; see `Direction.directions`."""
    size, block = statistic.vector.size, max(1, 2**20 // statistic.rotated_size)
    sums, squares = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for first in range(0, len(batch), block):  # at most 8,192 entries of at most 2^16: squares are exact as floats
        rows = slice(first, first + block)
        entries = statistic.directions(batch.slots[rows], batch.symbols[rows, 0, 0]).astype(np.float64)
        sums += entries.sum(axis=0).astype(np.int64)
        squares += np.einsum("ij,ij->j", entries, entries).astype(np.int64)
    return [*sums.tolist(), *squares.tolist()]


def _why_directions_impossible(statistic: Direction, reports: Array, cells: Array) -> str | None:
    """Why no reports add up to these directions, or None: a direction has a length, and sums have squares."""
    size, answers = statistic.vector.size, int(reports[0])
    sums, squares = cells[0, :size].tolist(), cells[0, size:].tolist()
    for total, square in zip(sums, squares, strict=True):
        if square < abs(total) or total**2 > answers * square:
            return f"a sum of {answers} directions is {total}; its squares, {square}, are too few for that"
        if (total - square) % 2:
            return f"a sum of {answers} directions is {total}, its squares {square}; expected both even or both odd"
    most = (
        FINE if statistic.rotated_size <= FINE else FINE + 1
    ) ** 2 * statistic.rotated_size  # its length, and for rounding
    if sum(squares) > answers * most:
        return f"the squares of {answers} directions sum to {sum(squares)}; expected at most {answers * most}"
    return None
