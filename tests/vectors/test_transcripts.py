"""Transcripts that were made under another numpy and scipy are found right under these, and the other way round.

``make soak`` makes both anew. Questions are the same to the byte, whatever the version and the processor; answers may
differ in their last digits, by sums in another order.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sottovoce.engines import Verdict
from tests.support.make_transcripts import verdicts

VERSION = "2.1.3"
FILE = Path(__file__).with_name(f"transcripts-numpy-{VERSION}.zip")
REMAKE = "remake it: python -m tests.support.make_transcripts, under another numpy and scipy than the locked ones"


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_every_method_verifies_what_another_numpy_made(every: int) -> None:
    assert np.__version__ != VERSION, "the point is another version"
    assert len(verified(FILE, every)) >= 140 / every


def verified(path: Path | str, every: int) -> dict[str, Verdict]:
    """What is said of every so many-th transcript: all of them are right, and their questions the same to the byte."""
    found = verdicts(Path(path), every=every)
    print(dict(Counter(verdict.kind for verdict in found.values())))
    different = {name: verdict.headline for name, verdict in found.items() if not verdict.ok}
    assert not different, REMAKE
    rounds = [line for verdict in found.values() for line in verdict.lines if line.code == "checked-round"]
    assert rounds and not [line for line in rounds if line["rounded"]]
    return found
