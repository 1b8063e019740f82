"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

from sottovoce.messages import has_numba
from sottovoce.paper.claims.sensitivity_1 import CLAIMS
from sottovoce.paper.experiments.sensitivity_1 import cells, compute
from sottovoce.paper.figure import Figure, gathered
from sottovoce.paper.pictures.sensitivity_1 import draw

FIGURES = {
    "sensitivity-1": Figure(
        name="sensitivity-1",
        title="Sensitivity to the constant in Δ: Beta distributions (n = 200, T = 100)",
        where="L1028–1046",
        cells=cells,
        compute=compute,
        gather=gathered,
        cost=lambda cell: cell["repetitions"] / 1000 * (0.9 + (0.4 if has_numba() else 0.95) / cell["step"]),
        keys=("p", "alpha", "C"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "The curves are jagged because nothing is shifted here: as C varies, the mean 0 lies now on an edge of a "
            "bin and now in its middle.",
        ),
        size=(9.6, 3.9),
    )
}
