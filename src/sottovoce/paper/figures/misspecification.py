"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

from sottovoce.paper.claims.misspecification import CLAIMS
from sottovoce.paper.experiments.misspecification import REPETITIONS, cells, compute, cost
from sottovoce.paper.figure import Figure, gathered
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.misspecification import draw

FIGURES = {
    "misspecification": Figure(
        name="misspecification",
        title="A wrong sparsity (d = 100, s = 4, n = 1000, T = 200)",
        where="L1092–1099",
        cells=cells,
        compute=compute,
        gather=gathered,
        cost=cost,
        keys=("p", "rule", "alpha", "assumed"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Constant in ε: 1 (unstated in the paper). η = √s with the assumed s. Assumed s = 1 … 8 is our grid.",
            f"default is sv.sparse_mean with method auto, which is told no sparsity: {REPETITIONS} whole surveys of "
            f"the users' averages ({QUICK} for one p in a quick look).",
        ),
        size=(11, 5.6),
    )
}
