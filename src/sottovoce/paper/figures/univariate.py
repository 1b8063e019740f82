"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

from sottovoce.paper.claims.univariate import CLAIMS
from sottovoce.paper.experiments.univariate import cells, compute
from sottovoce.paper.figure import Figure
from sottovoce.paper.pictures.univariate import draw

FIGURES = {
    "univariate": Figure(
        name="univariate",
        title="One mean, four schemes (n = 500, Unif[0, 1] + U)",
        where="L860–877",
        cells=cells,
        compute=compute,
        cost=lambda cell: cell["repetitions"] / 500,
        keys=("T", "alpha", "scheme"),
        values=(("mse", "se"),),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "The bins cover [−1, 1] while shifted observations reach 1.3: nothing is clipped but user means, which "
            "stay inside (ERRATA P5).",
            "Sums of Laplace noise are drawn as Gamma − Gamma, means of uniforms digit by digit.",
        ),
        size=(11, 6.2),
    )
}
