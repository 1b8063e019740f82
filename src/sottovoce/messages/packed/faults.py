"""What is wrong with packed reports, row by row: the same checks as for one report, without unpacking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.channels import Channel, Laplace, Subset, Table
from sottovoce.messages.errors import Malformed
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import check
from sottovoce.messages.question import Question

REASONS = ("", "not-asked", "padding-not-zero", "never-sent", "different-reports", "copy-of-counted")
"""Why a row is set aside, by its number; 0 is a row that counts. Of several reasons a row has the first."""
NOT_ASKED, _PADDING, _NEVER_SENT, DIFFERENT, COPY = range(1, 6)


def refusal(fault: int) -> Malformed:
    """The error of a single report, which says why by its code."""
    reason = REASONS[fault]
    return Malformed(str(Fact("set-aside-reason", reason=reason)), code=reason)


def faults(question: Question, slots: NDArray[Any], payloads: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """For every row 0, when a device could have sent it, else a place in `REASONS`.

    `slots` are integers of any size, `payloads` have the shape ``(n, payload_bytes)``. Rows are looked at one by one:
    that a slot appears twice is no fault of either row.
    """
    size = question.payload_bytes
    check(payloads.shape == (len(slots), size), f"a report to this question has {size} bytes")
    found = np.zeros(len(slots), dtype=np.uint8)
    if not len(slots):
        return found
    code, wrong = _never_sent(question.channel, payloads, question.uses)
    if wrong is not None:
        found[wrong.reshape(len(slots), -1).any(axis=1)] = code
    first, last = question.slots.first, question.slots.first + question.slots.count - 1
    if int(slots.min()) < first or int(slots.max()) > last:
        found[(slots < first) | (slots > last)] = NOT_ASKED
    return found


def _never_sent(channel: Channel, payloads: NDArray[np.uint8], uses: int) -> tuple[int, NDArray[np.bool_] | None]:
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


def items_of(payloads: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The items of subset reports, one after another."""
    return np.ascontiguousarray(payloads).reshape(-1).view(">u2").astype(np.uint16)


def values_of(payloads: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The values of laplace reports, one after another."""
    return np.ascontiguousarray(payloads).reshape(-1).view(">i8").astype(np.int64)
