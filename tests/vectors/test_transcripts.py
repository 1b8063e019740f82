"""Transcripts that were made under another numpy and scipy are found right under these, and the other way round.

``make soak`` makes both anew. Questions are the same to the byte, whatever the version and the processor; answers may
differ in their last digits, by sums in another order.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from tests.support.make_transcripts import verdicts

VERSION = "2.1.3"
FILE = Path(__file__).with_name(f"transcripts-numpy-{VERSION}.zip")
REMAKE = "remake it: python -m tests.support.make_transcripts, under another numpy and scipy than the locked ones"


def test_every_method_verifies_what_another_numpy_made() -> None:
    assert np.__version__ != VERSION, "the point is another version"
    found = verdicts(FILE)
    assert len(found) >= 140
    print(dict(Counter(verdict.kind for verdict in found.values())))
    different = {name: verdict.headline for name, verdict in found.items() if not verdict.ok}
    assert not different, REMAKE
    rounds = [line for verdict in found.values() for line in verdict.lines if line.code == "checked-round"]
    assert rounds and not [line for line in rounds if line["rounded"]]
