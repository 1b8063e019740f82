"""Traffic stops in Texas (L937–953). The file is not shipped: nothing is measured here.

AGREES is what the paper states; DEPENDS is what ERRATA 17 leads one to expect of its second claim.
"""

from __future__ import annotations

from sottovoce.paper.claims import study
from sottovoce.paper.figure import Verdict

CLAIMS = study.claims(
    improve=Verdict.AGREES,
    best=Verdict.DEPENDS,
    four=Verdict.AGREES,
    why="300 stops an officer make Δ narrow enough for localising to pay from α = 1 on",
)
