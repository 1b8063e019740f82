"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.claims.mixture import CLAIMS
from sottovoce.paper.experiments.mixture import REPETITIONS, cells_of, compute, cost
from sottovoce.paper.figure import Figure
from sottovoce.paper.ours import QUICK
from sottovoce.paper.pictures.mixture import draw_of

_SHARED: dict[str, Any] = {
    "compute": compute,
    "cost": cost,
    "keys": ("method", "vary", "n", "T", "alpha", "component"),
    "values": (("mean", "mean_se"),),
    "recorded": ("truth", "sd", "sd_se", "mse", "se"),
    "notes": (
        "Δ has C_α in place of √4 (ERRATA 14); shares below 1/(100m) are not used (L1123); votes of the second fold "
        "are one-hot for the nearest centre: exactly α (ERRATA P3).",
        "Components are matched to centres in increasing order.",
        f"default is sv.mixture_means with method auto and the number of components: {REPETITIONS} whole surveys of "
        f"the users' averages at each of a few sizes ({QUICK} at one in a quick look).",
    ),
}


FIGURES = {
    "mixture-1": Figure(
        name="mixture-1",
        title="Mixture of four equal components",
        where="L1104–1136",
        cells=cells_of(1),
        draw=draw_of(1),
        claims=CLAIMS["mixture-1"],
        size=(11, 3.6),
        **_SHARED,
    ),
    "mixture-2": Figure(
        name="mixture-2",
        title="Mixture of three components, two of them rare",
        where="L1114–1146",
        cells=cells_of(2),
        draw=draw_of(2),
        claims=CLAIMS["mixture-2"],
        size=(7.5, 3.6),
        **_SHARED,
    ),
}
