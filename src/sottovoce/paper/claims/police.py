"""Traffic stops in Texas (L937–953): the verdicts that the paper states, since the file is not shipped."""

from __future__ import annotations

from sottovoce.paper.claims import study
from sottovoce.paper.figure import Verdict

CLAIMS = study.claims(
    improve=Verdict.AGREES,
    best=Verdict.DEPENDS,
    four=Verdict.AGREES,
    why="300 stops an officer make Δ narrow enough for localising to pay from α = 1 on",
)
