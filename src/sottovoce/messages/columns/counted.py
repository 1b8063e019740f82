"""From packed rows to a tally: those that a device could have sent are added up, the others named."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.packed import faults
from sottovoce.messages.question import Question
from sottovoce.messages.report import Batch
from sottovoce.messages.tally import Tally


class Counted(NamedTuple):
    """The tally of the good rows, and for each row why it is none of them: see `REASONS`."""

    tally: Tally
    faults: NDArray[np.uint8]


def count(question: Question, slots: NDArray[Any], payloads: NDArray[np.uint8]) -> Counted:
    """Add up the rows that a device could have sent. Rows of one slot are all counted: `twice` has the rule for them.

    `slots` are integers of any size, `payloads` have the shape ``(n, payload_bytes)``.
    """
    found = faults(question, slots, payloads)
    if found.any():
        good = found == 0
        slots, payloads = slots[good], payloads[good]
    batch = Batch.of_payloads(question, np.asarray(slots, dtype=np.int64), payloads)
    return Counted(Tally.of(batch), found)
