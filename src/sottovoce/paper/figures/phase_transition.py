"""The phase transition (L1003): the least error over 300 Δ, by the paper's estimate and exactly.

1,248,000,000 surveys: 2 n × 26 T × 4 α × 300 Δ × 20,000 repetitions.
"""

from __future__ import annotations

from sottovoce.paper.claims.phase_transition import CLAIMS
from sottovoce.paper.experiments.phase_transition import REPETITIONS, cells, compute, cost, gathered
from sottovoce.paper.figure import Figure
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.phase_transition import draw

FIGURES = {
    "phase-transition": Figure(
        name="phase-transition",
        title="Phase transition: the least error over Δ as T grows",
        where="L998–1013",
        cells=cells,
        compute=compute,
        gather=gathered,
        cost=cost,
        keys=("kind", "n", "T", "alpha", "delta"),
        values=(("exact", ""), ("exact_of_delta", ""), ("of_default", "of_default_se")),
        recorded=("mse", "se", "picked", "exact_of_picked", "exact_delta"),
        relative_tolerance=2e-3,
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Whether the paper draws new users for every Δ is not stated: here the users of a repetition are the same "
            "for all (α, Δ), votes and noise are new for every Δ and shared by the four α.",
            "Exact risk: sottovoce.theory.exact_risk, minimised over the same Δ.",
            f"default is sv.mean with method auto on [−1, 1], which chooses no Δ: {REPETITIONS} whole surveys at each "
            f"power of ten ({QUICK} at one in a quick look).",
        ),
        size=(11, 4.2),
    )
}
