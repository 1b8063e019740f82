"""Vector means (L884–898): d = 8, 16, 32, two settings, four procedures; n = 4000, T = 400, 500 repetitions."""

from __future__ import annotations

from sottovoce.paper.claims.multivariate import CLAIMS
from sottovoce.paper.experiments.multivariate import REPETITIONS, cells, compute, cost
from sottovoce.paper.figure import Figure, gathered
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.multivariate import draw

FIGURES = {
    "multivariate": Figure(
        name="multivariate",
        title="Vector means, four procedures (n = 4000, T = 400)",
        where="L884–898",
        cells=cells,
        compute=compute,
        gather=gathered,
        cost=cost,
        keys=("setting", "d", "alpha", "scheme"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Duchi, Jordan and Wainwright's reports (2018, Eq. 25) for full item and semi user level: "
            "sottovoce.baselines.duchi has the mechanism itself.",
            "Setting 2 is the same from every direction: one coordinate a user, rotated or not, has one law, and a "
            "report of Duchi et al. is a uniform point of its sphere.",
            "Averages of 1.6 million item reports are drawn from the central limit with the exact covariance.",
            f"default is sv.vector_mean with method auto on the unit ball: {REPETITIONS} whole surveys of the users' "
            f"average vectors ({QUICK} at one d in a quick look). The average of T points of the sphere is drawn by "
            "its length, a walk of T steps, and a uniform direction: exact in law. Nothing but the paper's methods "
            "assumes users alike here.",
            "4000 users do not divide by 2·32: folds of 62 and 63 (ERRATA 16).",
        ),
        size=(11, 3.9),
    )
}
