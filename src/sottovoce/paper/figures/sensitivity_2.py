"""Sensitivity, setting 2 (L1034): Rademacher + U, the constant in Δ against n (2a) and against T (2b)."""

from __future__ import annotations

from sottovoce.messages import has_numba
from sottovoce.paper.claims.sensitivity_2 import CLAIMS
from sottovoce.paper.experiments.sensitivity_2 import cells_of, compute
from sottovoce.paper.figure import Cell, Figure
from sottovoce.paper.pictures.sensitivity_2 import draw_of


def _cost(cell: Cell) -> float:
    each = 0.05 if has_numba() else 0.4
    return float(cell["repetitions"] / 500 * (cell["n"] / 1800 + each / cell["step"]))


def _figure(name: str, vary: str, fixed: str) -> Figure:
    return Figure(
        name=name,
        title=f"Sensitivity to the constant in Δ: Rademacher + U, {fixed} = 100, {vary} = 100 … 500",
        where="L1034, L1050–1072",
        cells=cells_of(vary),
        compute=compute,
        cost=_cost,
        keys=("n", "T", "alpha", "C"),
        claims=CLAIMS[name],
        draw=draw_of(vary),
        size=(11, 3.6),
    )


FIGURES = {
    "sensitivity-2a": _figure("sensitivity-2a", "n", "T"),
    "sensitivity-2b": _figure("sensitivity-2b", "T", "n"),
}
