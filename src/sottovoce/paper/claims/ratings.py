"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval)."""

from __future__ import annotations

from sottovoce.paper.claims import study
from sottovoce.paper.figure import Verdict

CLAIMS = study.on_other_data(
    study.claims(
        improve=Verdict.AGREES,
        best=Verdict.DOES_NOT,
        four=Verdict.DOES_NOT,
        why="20 observations make Δ ≥ 0.19: localising does not pay (ERRATA 6), and students differ more than their "
        "sampling does; 300 stops an officer are another matter",
    )
)
