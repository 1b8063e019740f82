"""The paper's five tables of rates and its table of running times, made from the functions they stand for."""

from __future__ import annotations

from sottovoce.paper.claims.tables import CLAIMS
from sottovoce.paper.experiments.tables import cells, compute
from sottovoce.paper.figure import Figure
from sottovoce.paper.pictures.tables import draw

FIGURES = {
    "tables": Figure(
        name="tables",
        title="The tables of rates",
        where="L346, L527, L646, L815, L960, L1866",
        cells=cells,
        compute=compute,
        cost=lambda cell: 0.01,
        keys=("table", "row", "column", "formula"),
        values=(("value", ""),),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "In brackets: the value at n = 100, T = 1000, α = 0.5, d = 10, s = 3, β = 2, constants left out; in the "
            "column of α > 1 at α = 4.",
        ),
        size=(11, 11),
    )
}
