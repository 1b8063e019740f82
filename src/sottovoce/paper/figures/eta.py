"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

from sottovoce.paper.claims.eta import CLAIMS
from sottovoce.paper.experiments.eta import CONSTANTS, cells, compute
from sottovoce.paper.figure import Figure
from sottovoce.paper.pictures.eta import draw

FIGURES = {
    "eta": Figure(
        name="eta",
        title="Sensitivity to the truncation of the hashed votes (n = 500, T = 100, s = 4, p = 0.75)",
        where="L1083–1090",
        cells=cells,
        compute=compute,
        cost=lambda cell: cell["repetitions"] / 100 * (0.6 + cell["d"] / 2000),
        keys=("d", "rule", "alpha", "C"),
        values=(("share", "se"),),
        claims=CLAIMS,
        draw=draw,
        notes=(
            f"The paper does not state its grid of C; here C = {', '.join(f'{c:g}' for c in CONSTANTS)}.",
            "Constant in ε: 1 unless said otherwise.",
        ),
        size=(11, 5.4),
    )
}
