"""A report: what leaves a device. One user's, or many side by side in their packed form.

`faults` says which packed rows no device could have sent, by the checks for one report, without unpacking them;
`cells_of` what the others add up to, to the bit what unpacked symbols add up to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import canonical
from sottovoce.messages.array_types import Array, Bytes, Flags, Integers
from sottovoce.messages.bit_counts import count_bits
from sottovoce.messages.canonical import from_plain
from sottovoce.messages.channels import Channel, Laplace, Subset, Table, Unary
from sottovoce.messages.errors import Malformed
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_REPORT, MAX_REPORT_BYTES, check, check_digest
from sottovoce.messages.question import Question

REASONS = ("", "not-asked", "padding-not-zero", "never-sent", "different-reports", "copy-of-counted")
"""Why a row is set aside, by its number; 0 is a row that counts. Of several reasons a row has the first."""
NOT_ASKED, _PADDING, _NEVER_SENT, DIFFERENT, COPY = range(1, 6)


def refusal(fault: int) -> Malformed:
    """The error of a single report, which says why by its code."""
    reason = REASONS[fault]
    return Malformed(str(Fact("set-aside-reason", reason=reason)), code=reason)


def faults(question: Question, slots: Array, payloads: Bytes) -> Bytes:
    """For every row 0, when a device could have sent it, else a place in `REASONS`.

    `slots` are integers of any size, `payloads` have the shape ``(n, payload_bytes)``. Rows are looked at one by one:
    that a slot appears twice is no fault of either row.
    """
    size = question.payload_bytes
    check(payloads.shape == (len(slots), size), f"a report to this question has {size} bytes")
    row_faults = np.zeros(len(slots), dtype=np.uint8)
    if not len(slots):
        return row_faults
    code, wrong = _impossible_parts(question.channel, payloads, question.uses)
    if wrong is not None:
        row_faults[wrong.reshape(len(slots), -1).any(axis=1)] = code
    first, last = question.slots.first, question.slots.first + question.slots.count - 1
    if int(slots.min()) < first or int(slots.max()) > last:
        row_faults[(slots < first) | (slots > last)] = NOT_ASKED
    return row_faults


def _impossible_parts(channel: Channel, payloads: Bytes, uses: int) -> tuple[int, Flags | None]:
    """The parts of a payload that the channel cannot give, and the reason for that; None when there are none."""
    if isinstance(channel, Table):
        wrong = payloads >= channel.cells if int(payloads.max()) >= channel.cells else None
        return _NEVER_SENT, wrong
    if isinstance(channel, Subset):
        items = items_of(payloads).reshape(-1, channel.size)
        outside = items >= channel.items if int(items.max()) >= channel.items else None
        if channel.size == 1:
            return _NEVER_SENT, outside
        again = np.asarray((items[:, 1:] <= items[:, :-1]).any(axis=1))
        return _NEVER_SENT, again if outside is None else again | outside.any(axis=1)
    if isinstance(channel, Laplace):
        values, low, high = values_of(payloads), -channel.bound, channel.steps + channel.bound
        inside = low <= int(values.min()) and int(values.max()) <= high
        return _NEVER_SENT, None if inside else (values < low) | (values > high)
    padding = 8 * channel.payload_bytes - channel.items
    if not padding:
        return _PADDING, None
    return _PADDING, (payloads[:, channel.payload_bytes - 1 :: channel.payload_bytes] & (2**padding - 1)) != 0


def items_of(payloads: Bytes) -> NDArray[np.uint16]:
    """The items of subset reports, one after another."""
    return np.ascontiguousarray(payloads).reshape(-1).view(">u2").astype(np.uint16)


def values_of(payloads: Bytes) -> Integers:
    """The values of laplace reports, one after another."""
    return np.ascontiguousarray(payloads).reshape(-1).view(">i8").astype(np.int64)


_BLOCK = 2**18  # numbers held at once while symbols are counted
_BITS = 2**22
_ALONE = 128  # rows from which on a group of unary reports is worth a call of its own
_SUMS = 2**15  # numbers below 2^47 whose sum fits 64 bits


def cells_of(question: Question, slots: Integers, payloads: Bytes) -> Array:
    """For each group how many answers, then the channel's cells: ``(groups, 1 + cells)``.

    Reports are taken as valid. Integers of 64 bits, or Python's own for the sums of a laplace channel.
    """
    channel, groups = question.channel, question.groups
    answers = payloads.reshape(len(slots) * question.uses, channel.payload_bytes)
    if groups == 1:
        cells = _cells_of_all(channel, answers)
        return np.concatenate((np.array([len(answers)], dtype=cells.dtype), cells))[None, :]
    group = question.group_of(slots).ravel()
    reports = np.bincount(group, minlength=groups)
    if isinstance(channel, (Table, Subset)):
        return np.column_stack((reports, _count_symbols(channel, answers, group, groups)))
    order = np.argsort(group.astype(np.uint16), kind="stable")  # groups are at most 2^16: a sort by their digits
    group = group[order]
    if isinstance(channel, Laplace):
        return np.column_stack((reports.astype(object), _sum_values(values_of(answers)[order], group, groups)))
    return np.column_stack((reports, _count_set_bits(channel, answers[order], group, reports)))


def _cells_of_all(channel: Channel, answers: Bytes) -> Array:
    """The cells of one group with all answers."""
    if isinstance(channel, Unary):
        return count_bits(answers)[: channel.items]
    if isinstance(channel, Laplace):
        return np.array(channel.accumulate(values_of(answers)[:, None]), dtype=object)
    return np.asarray(_count_symbols(channel, answers, None, 1)[0])


def _count_symbols(channel: Table | Subset, answers: Bytes, group: Integers | None, groups: int) -> Integers:
    """How often each group sent each symbol. Symbols stay as small as they came until they are counted."""
    total = np.zeros(groups * channel.cells, dtype=np.int64)
    block = max(_BLOCK // channel.width, total.size // channel.width)
    for first in range(0, len(answers), block):
        part = answers[first : first + block]
        symbols: Array = part if isinstance(channel, Table) else items_of(part).reshape(-1, channel.size)
        if group is not None:
            symbols = symbols + channel.cells * group[first : first + block, None]
        total += np.bincount(symbols.ravel(), minlength=total.size)
    return total.reshape(groups, channel.cells)


def _count_set_bits(channel: Unary, answers: Bytes, group: Integers, reports: Integers) -> Integers:
    """How many answers of each group set each bit; answers are in the order of groups."""
    total = np.zeros((len(reports), 8 * channel.payload_bytes), dtype=np.int64)
    if len(answers) >= _ALONE * len(reports):
        ends = np.cumsum(reports)
        for number, (end, count) in enumerate(zip(ends.tolist(), reports.tolist(), strict=True)):
            total[number] = count_bits(answers[end - count : end])
        return total[:, : channel.items]
    block = max(1, _BITS // total.shape[1])
    for first in range(0, len(answers), block):
        part = np.unpackbits(answers[first : first + block], axis=1)
        starts = _group_starts(group[first : first + block])
        total[group[first + starts]] += np.add.reduceat(part, starts, axis=0, dtype=np.int64)
    return total[:, : channel.items]


def _sum_values(values: Integers, group: Integers, groups: int) -> Array:
    """The sum and the sum of squares of each group, exactly; values are in the order of groups."""
    total = np.zeros((groups, 2), dtype=object)
    for first in range(0, len(values), _SUMS):
        part, of = values[first : first + _SUMS], group[first : first + _SUMS]
        starts = _group_starts(of)
        high, low = part >> 24, part & (2**24 - 1)  # halves: no sum of products wraps around
        plain, upper, cross, lower = (
            np.add.reduceat(terms, starts).astype(object) for terms in (part, high * high, high * low, low * low)
        )
        total[of[starts]] += np.column_stack((plain, (upper << 48) + (cross << 25) + lower))
    return total


def _group_starts(group: Integers) -> Integers:
    """Where each group begins."""
    return np.concatenate(([0], np.flatnonzero(np.diff(group)) + 1))


@dataclass(frozen=True, kw_only=True)
class Report:
    """The answer of one slot to one question. `payload` is hexadecimal and of one length for everybody."""

    question: str
    slot: int
    payload: str
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == 1, "version 1 is the one this software speaks")
        check_digest("question", self.question)
        check(self.slot >= 0, "slot counts from 0")
        check(
            len(self.payload) % 2 == 0 and _HEXADECIMAL.fullmatch(self.payload) is not None,
            "payload: lower-case hexadecimal",
        )

    def to_bytes(self) -> bytes:
        return f'{{"payload":"{self.payload}","question":"{self.question}","slot":{self.slot},"version":1}}'.encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Report:
        """Read a report; anything but the canonical form of one is `Malformed`."""
        if len(data) <= MAX_REPORT_BYTES and (match := _CANONICAL.fullmatch(data)) is not None:
            payload, question, slot = match.groups()
            if len(payload) % 2 == 0 and (number := int(slot)) <= canonical.SAFE_INTEGER:
                made: Report = object.__new__(cls)  # the pattern has checked all that the constructor would
                vars(made).update(question=question.decode(), slot=number, payload=payload.decode(), version=1)
                return made
        return from_plain(cls, canonical.loads(data, size=MAX_REPORT))  # says what is wrong with it


_CANONICAL = re.compile(
    rb'\{"payload":"([0-9a-f]*+)","question":"([0-9a-f]{64})","slot":(0|[1-9][0-9]{0,15}),"version":1\}'
)
_HEXADECIMAL = re.compile(r"[0-9a-f]*")


def check_report_size(question: Question, size: int) -> None:
    """Refuse reports of another size than that of the answers to a question."""
    check(size == question.payload_bytes, f"a report to this question has {question.payload_bytes} bytes")


class Batch:
    """Reports of many slots to one question, side by side. A frozen value.

    They are held as `payloads` ``(n, payload_bytes)``, as they are stored and sent, or as `symbols`
    ``(n, uses, channel.width)``, as a channel speaks; the other form is made when it is first asked for.
    """

    __slots__ = ("_payloads", "_symbols", "question", "slots")

    question: Question
    slots: Integers

    def __init__(self, *, question: Question, slots: Integers, symbols: Integers) -> None:
        check(symbols.shape == (len(slots), question.uses, question.channel.width), "symbols of another shape")
        self._hold(question, slots, symbols=symbols)

    def _hold(
        self,
        question: Question,
        slots: Integers,
        *,
        payloads: Bytes | None = None,
        symbols: Integers | None = None,
    ) -> None:
        self.question, self.slots, self._payloads, self._symbols = question, slots, payloads, symbols

    @property
    def payloads(self) -> Bytes:
        """What the reports carry: ``(n, payload_bytes)``."""
        if self._payloads is None:
            packed = self.question.channel.pack(self._symbols)  # type: ignore[arg-type]  # one of the two is there
            self._payloads = packed.reshape(len(self), self.question.payload_bytes)
        return self._payloads

    @property
    def symbols(self) -> Integers:
        """What they say: ``(n, uses, channel.width)``; padding that is not zero is `Malformed`."""
        if self._symbols is None:
            question = self.question
            rows = self.payloads.reshape(len(self), question.uses, question.channel.payload_bytes)
            self._symbols = question.channel.unpack(rows).reshape(len(self), question.uses, question.channel.width)
        return self._symbols

    def __len__(self) -> int:
        return len(self.slots)

    def reports(self) -> list[Report]:
        """The same answers as separate reports."""
        return [
            Report(question=self.question.digest, slot=int(slot), payload=payload.tobytes().hex())
            for slot, payload in zip(self.slots, self.payloads, strict=True)
        ]

    @classmethod
    def of_payloads(cls, question: Question, slots: Integers, payloads: Bytes) -> Batch:
        """From packed payloads ``(n, payload_bytes)`` of whoever made or checked them: only the shape is looked at."""
        check(payloads.shape == (len(slots), question.payload_bytes), "payloads of another shape")
        made: Batch = object.__new__(cls)
        made._hold(question, slots, payloads=payloads)
        return made

    @classmethod
    def of(cls, question: Question, reports: Iterable[Report], *, slots_once: bool = True) -> Batch:
        """Put reports side by side; one that is not an answer to this question is `Malformed`.

        Without `slots_once` a slot may appear more than once: to look at rows before they are counted.
        """
        rows = list(reports)
        for report in rows:
            check(report.question == question.digest, "a report to another question")
            if report.slot not in question.slots:
                raise refusal(NOT_ASKED)
            check_report_size(question, len(report.payload) // 2)
        given = [report.slot for report in rows]
        check(not slots_once or len(set(given)) == len(given), "a slot reports once")
        slots = np.array(given, dtype=np.int64)
        return cls.packed(question, slots, bytes.fromhex("".join(report.payload for report in rows)))

    @classmethod
    def packed(cls, question: Question, slots: Integers, payloads: bytes) -> Batch:
        """From payloads one after another, as they are stored; what no device could have sent is `Malformed`."""
        count, size = len(slots), question.payload_bytes
        check(len(payloads) == count * size, f"a report to this question has {size} bytes")
        batch = cls.of_payloads(question, slots, np.frombuffer(payloads, dtype=np.uint8).reshape(count, size))
        row_faults = faults(question, slots, batch.payloads)
        if row_faults.any():
            raise refusal(int(row_faults[row_faults > 0].min()))
        return batch
