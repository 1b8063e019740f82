"""Two contenders' times as one figure."""

from __future__ import annotations

from benchmarks.scale.arithmetic import ratio, spread
from benchmarks.scale.crew import Times
from benchmarks.scale.figures import Figure

ROLES = {"fast": "with `fast`", "numpy": "NumPy alone"}
LARGE = 0.1


def compared(key: str, what: str, ours: Times, theirs: Times, *, faster: bool = True, note: str = "") -> Figure:
    """How many times as fast we are, or with ``faster=False`` how many times their time we take."""
    why = ours.why or theirs.why
    if why:
        return Figure(key=key, what=what, value=None, note=why)
    above, below = (theirs, ours) if faster else (ours, theirs)
    found = ratio(above.seconds, below.seconds)
    return Figure(
        key=key,
        what=what,
        value=found.median,
        low=found.low,
        high=found.high,
        ours=spread(ours.seconds).median,
        theirs=spread(theirs.seconds).median,
        note=note,
    )
