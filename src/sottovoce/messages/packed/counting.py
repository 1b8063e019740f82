"""Packed reports added up: the cells of every group, to the bit what unpacked symbols add up to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.channels import Channel, Laplace, Subset, Table, Unary
from sottovoce.messages.packed.adders import ones
from sottovoce.messages.packed.faults import items_of, values_of
from sottovoce.messages.question import Question

_BLOCK = 2**18  # numbers held at once while symbols are counted
_BITS = 2**22
_ALONE = 128  # rows from which on a group of unary reports is worth a call of its own
_SUMS = 2**15  # numbers below 2^47 whose sum fits 64 bits


def cells_of(question: Question, slots: NDArray[np.int64], payloads: NDArray[np.uint8]) -> NDArray[Any]:
    """For each group how many answers, then the channel's cells: ``(groups, 1 + cells)``.

    Reports are taken as valid. Integers of 64 bits, or Python's own for the sums of a laplace channel.
    """
    channel, groups = question.channel, question.groups
    answers = payloads.reshape(len(slots) * question.uses, channel.payload_bytes)
    if groups == 1:
        cells = _whole(channel, answers)
        return np.concatenate((np.array([len(answers)], dtype=cells.dtype), cells))[None, :]
    group = question.group_of(slots).ravel()
    reports = np.bincount(group, minlength=groups)
    if isinstance(channel, (Table, Subset)):
        return np.column_stack((reports, _symbols(channel, answers, group, groups)))
    order = np.argsort(group.astype(np.uint16), kind="stable")  # groups are at most 2^16: a sort by their digits
    group = group[order]
    if isinstance(channel, Laplace):
        return np.column_stack((reports.astype(object), _sums(values_of(answers)[order], group, groups)))
    return np.column_stack((reports, _bits(channel, answers[order], group, reports)))


def _whole(channel: Channel, answers: NDArray[np.uint8]) -> NDArray[Any]:
    """The cells of one group with all answers."""
    if isinstance(channel, Unary):
        return ones(answers)[: channel.items]
    if isinstance(channel, Laplace):
        return np.array(channel.accumulate(values_of(answers)[:, None]), dtype=object)
    return np.asarray(_symbols(channel, answers, None, 1)[0])


def _symbols(
    channel: Table | Subset, answers: NDArray[np.uint8], group: NDArray[np.int64] | None, groups: int
) -> NDArray[np.int64]:
    """How often each group sent each symbol. Symbols stay as small as they came until they are counted."""
    total = np.zeros(groups * channel.cells, dtype=np.int64)
    block = max(_BLOCK // channel.width, total.size // channel.width)
    for first in range(0, len(answers), block):
        part = answers[first : first + block]
        symbols: NDArray[Any] = part if isinstance(channel, Table) else items_of(part).reshape(-1, channel.size)
        if group is not None:
            symbols = symbols + channel.cells * group[first : first + block, None]
        total += np.bincount(symbols.ravel(), minlength=total.size)
    return total.reshape(groups, channel.cells)


def _bits(
    channel: Unary, answers: NDArray[np.uint8], group: NDArray[np.int64], reports: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many answers of each group set each bit; answers are in the order of groups."""
    total = np.zeros((len(reports), 8 * channel.payload_bytes), dtype=np.int64)
    if len(answers) >= _ALONE * len(reports):
        ends = np.cumsum(reports)
        for number, (end, count) in enumerate(zip(ends.tolist(), reports.tolist(), strict=True)):
            total[number] = ones(answers[end - count : end])
        return total[:, : channel.items]
    block = max(1, _BITS // total.shape[1])
    for first in range(0, len(answers), block):
        part = np.unpackbits(answers[first : first + block], axis=1)
        starts = _starts(group[first : first + block])
        total[group[first + starts]] += np.add.reduceat(part, starts, axis=0, dtype=np.int64)
    return total[:, : channel.items]


def _sums(values: NDArray[np.int64], group: NDArray[np.int64], groups: int) -> NDArray[Any]:
    """The sum and the sum of squares of each group, exactly; values are in the order of groups."""
    total = np.zeros((groups, 2), dtype=object)
    for first in range(0, len(values), _SUMS):
        part, of = values[first : first + _SUMS], group[first : first + _SUMS]
        starts = _starts(of)
        high, low = part >> 24, part & (2**24 - 1)  # halves: no sum of products wraps around
        plain, upper, cross, lower = (
            np.add.reduceat(terms, starts).astype(object) for terms in (part, high * high, high * low, low * low)
        )
        total[of[starts]] += np.column_stack((plain, (upper << 48) + (cross << 25) + lower))
    return total


def _starts(group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each group begins."""
    return np.concatenate(([0], np.flatnonzero(np.diff(group)) + 1))
