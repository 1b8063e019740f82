"""What the prototypes found before the first line of a method: figures to be reached, not code to copy."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.accuracy.problems.cells import Cell
from benchmarks.accuracy.problems.vector import ROWS


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A cell, its mean squared error (part by part where it has parts), and the coverage of its intervals."""

    cell: Cell
    errors: tuple[float, ...]
    model: float
    guarded: float


def _quantiles(population: str, observations: int, *rmse: float) -> Reference:
    cell = Cell("quantiles", population, 0, 5000, observations, 2.0)
    return Reference(cell=cell, errors=tuple(error**2 for error in rmse), model=0.98, guarded=1.0)


def _one(cell: Cell, error: float, model: float, guarded: float) -> Reference:
    return Reference(cell=cell, errors=(error,), model=model, guarded=guarded)


REFERENCES = (
    _one(Cell("histogram", "alike", 16, 5000, 200, 1.0), 9.9e-4, 0.953, 1.0),
    _one(Cell("histogram", "InstEval", 5, 2972, 22, 1.0), 4.0e-3, 0.952, 0.956),
    _one(Cell("histogram", "InstEval", 5, 2972, 22, 4.0), 2.0e-4, 0.954, 0.956),
    _one(Cell("histogram", "Dirichlet 1p", 16, 5000, 200, 2.0), 2.02e-3, 0.951, 0.951),
    _one(Cell("histogram", "alike", 256, 20_000, 200, 2.0), 3.22e-4, 0.954, 1.0),
    _one(Cell("histogram", "5 % far", 5, 50_000, 200, 2.0), 5.1e-5, 0.975, 0.975),
    _one(Cell("vector", "l2 alike", 32, 4000, 400, 2.0), 2.12e-4, 0.949, 1.0),
    _one(Cell("vector", "l2 two camps", 32, 20_000, 400, 4.0), 3.5e-4, 0.951, 1.0),
    _one(Cell("vector", "l2 differ", 8, 4000, 400, 4.0), 2.11e-4, 0.948, 1.0),
    _quantiles("Beta", 100, 0.0072, 0.0031, 0.0134),
    _quantiles("constant", 20, 0.0119, 0.0110, 0.0276),
)
ABOVE, BELOW = 1.15, 0.02
"""How far above an error, and how far below a coverage, is still reached."""

_AT = (2.0, 4.0)
_RATIOS = {  # errors of paper, and of one round, over the zoom's, at ε = 2 and 4
    ("l2", 8, "alike"): ((83, 82), (235, 79)),
    ("l2", 8, "differ"): ((2.0, 3.7), (6.4, 5.6)),
    ("l2", 32, "alike"): ((52, 150), (640, 600)),
    ("l2", 32, "differ"): ((2.3, 3.3), (35, 19)),
    ("l2", 256, "alike"): ((1350, 163), (364, 439)),
    ("l2", 256, "differ"): ((426, 13), (54, 28)),
    ("linf", 8, "alike"): ((2.6, 5.0), (38, 18)),
    ("linf", 8, "differ"): ((0.3, 1.0), (1.6, 1.3)),
    ("linf", 32, "alike"): ((5.3, 8.2), (47, 40)),
    ("linf", 32, "differ"): ((0.6, 1.6), (3.3, 2.1)),
}
SHARE = 0.8
"""Of a ratio, at least."""


def _ratios() -> dict[tuple[Cell, str], float]:
    shapes = {(ball, size): (users, observations) for ball, size, users, observations in ROWS}
    return {
        (Cell("vector", f"{ball} {kind}", size, *shapes[ball, size], epsilon), other): float(ratio)
        for (ball, size, kind), found in _RATIOS.items()
        for other, ratios in zip(("paper", "one-round"), found, strict=True)
        for epsilon, ratio in zip(_AT, ratios, strict=True)
    }


RATIOS = _ratios()
"""By cell and other method."""
