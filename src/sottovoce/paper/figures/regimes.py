"""The regime diagram (L666–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d."""

from __future__ import annotations

from sottovoce.paper.claims.regimes import CLAIMS
from sottovoce.paper.experiments.regimes import cells, compute
from sottovoce.paper.figure import Figure
from sottovoce.paper.pictures.regimes import draw

FIGURES = {
    "regimes": Figure(
        name="regimes",
        title="User level against nT items: the regime diagram",
        where="L664–746",
        cells=cells,
        compute=compute,
        cost=lambda cell: 0.01,
        keys=("panel", "T", "y", "region"),
        values=(),
        claims=CLAIMS,
        draw=draw,
        size=(10, 4.6),
    )
}
