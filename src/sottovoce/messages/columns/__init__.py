"""Reports to one question as columns: slots and packed payloads, checked and counted many at a time.

`count` adds up the rows that a device could have sent and names the others by `REASONS`; `ruled` has the rule for slots
that appear more than once.
"""

from __future__ import annotations

from sottovoce.messages.columns.counted import Counted, count
from sottovoce.messages.columns.twice import repeated, ruled
from sottovoce.messages.packed import COPY, DIFFERENT, REASONS, faults

__all__ = ["COPY", "DIFFERENT", "REASONS", "Counted", "count", "faults", "repeated", "ruled"]
