"""Reports to one question as columns: slots and packed payloads, checked and counted many at a time.

`count` adds up the rows that a device could have sent and names the others by `REASONS`; `ruled` has the rule for slots
that appear more than once. `Writer`, `Keep`, `header` and `blocks` write and read the same columns in Parquet files;
pyarrow is loaded when one of them is called.
"""

from __future__ import annotations

from sottovoce.messages.columns.counted import Counted, count
from sottovoce.messages.columns.keeping import Keep
from sottovoce.messages.columns.named import named
from sottovoce.messages.columns.noted import Noted, NotedFile
from sottovoce.messages.columns.parquet import (
    MAX_SLOTS,
    VERSION,
    Block,
    Header,
    Writer,
    blocks,
    check_slots,
    header,
    metadata_of,
    schema_of,
    table_of,
)
from sottovoce.messages.columns.seen import Seen
from sottovoce.messages.columns.twice import repeated, ruled
from sottovoce.messages.packed import COPY, DIFFERENT, REASONS, faults

__all__ = [
    "COPY",
    "DIFFERENT",
    "MAX_SLOTS",
    "REASONS",
    "VERSION",
    "Block",
    "Counted",
    "Header",
    "Keep",
    "Noted",
    "NotedFile",
    "Seen",
    "Writer",
    "blocks",
    "check_slots",
    "count",
    "faults",
    "header",
    "metadata_of",
    "named",
    "repeated",
    "ruled",
    "schema_of",
    "table_of",
]
