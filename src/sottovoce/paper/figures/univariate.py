"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

from sottovoce.paper.claims.univariate import CLAIMS
from sottovoce.paper.experiments.univariate import REPETITIONS, cells, compute, cost
from sottovoce.paper.figure import Figure
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.univariate import draw

FIGURES = {
    "univariate": Figure(
        name="univariate",
        title="One mean, four schemes (n = 500, Unif[0, 1] + U)",
        where="L860–877",
        cells=cells,
        compute=compute,
        cost=cost,
        keys=("T", "alpha", "scheme"),
        values=(("mse", "se"), ("exact", "")),
        recorded=("ratio", "ratio_se", "exact_ratio", "misses", "median"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "The bins cover [−1, 1] while shifted observations reach 1.3: nothing is clipped but user means, which "
            "stay inside (ERRATA P5).",
            "Sums of Laplace noise are drawn as Gamma − Gamma, means of uniforms digit by digit.",
            f"default and homogeneous are sv.mean with method auto and homogeneous on [−1, 1]: {REPETITIONS} whole "
            f"surveys of the users' averages at every fifth T ({QUICK} at one T in a quick look).",
            "default takes nobody to be like anybody else. For α ≥ 1 most of its surveys have two to five times the "
            "limit; in a few of a hundred it does not see how close users are and stays wide, and these make most of "
            "its mean squared error. The column median of the CSV tells the two apart.",
            "limit is what ε-local privacy leaves to any method for users alike (sottovoce.theory.limit), times the "
            "variance of a user's average, over n.",
        ),
        size=(11, 6.2),
    )
}
