"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

from __future__ import annotations

from sottovoce.paper.claims.sparse import CLAIMS
from sottovoce.paper.experiments.sparse import GRID, cells, compute, cost
from sottovoce.paper.figure import Figure, gathered
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.sparse import draw

FIGURES = {
    "sparse": Figure(
        name="sparse",
        title="Sparse means: item level and user level against d",
        where="L899–935",
        cells=cells,
        compute=compute,
        gather=gathered,
        cost=cost,
        keys=("d", "p", "alpha", "rule"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            f"The paper does not state its grid of d; here d = {', '.join(map(str, GRID))}.",
            "Item level: the cube mechanism of Duchi, Jordan and Wainwright (2018) on all nT observations, then a soft "
            "threshold at √(2 ln d) standard deviations; the paper does not state its threshold.",
            "Constant in ε: √2 for the printed rule, 1 for the ranking by votes, as sottovoce.problems.sparse has it.",
            "default is sv.sparse_mean with method auto, told s = 4 as the paper's rules are: 60 whole surveys of the "
            f"users' averages up to d = 800, 30 at 1600 and 20 at 3200 ({QUICK} at one d in a quick look).",
        ),
        size=(11, 6),
    )
}
