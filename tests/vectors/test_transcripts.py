"""Transcripts that were made under another numpy and scipy are found right under these, and the other way round.

``make soak`` makes both anew. What differs is told with the step. Between these two versions only answers differ, those
of the homogeneous mean and of mixtures (sums in another order, and a fit), by at most 2e-12 of a number.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from tests.support.make_transcripts import verdicts

FILE = Path(__file__).with_name("transcripts-numpy-2.0.2.zip")
REMAKE = "remake it: python -m tests.support.make_transcripts, under another numpy and scipy than the locked ones"


def test_every_method_verifies_what_another_numpy_made() -> None:
    assert np.__version__ != "2.0.2", "the point is another version"
    found = verdicts(FILE)
    assert len(found) >= 120
    different = {name: verdict.headline for name, verdict in found.items() if not verdict.ok}
    assert not different, REMAKE
    assert not [line for verdict in found.values() for line in verdict.lines if line.endswith("equal up to rounding")]
    assert Counter(verdict.kind for verdict in found.values())["identical"] >= 0.9 * len(found)
