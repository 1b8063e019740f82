"""Bounds, rates, phase transitions, regimes and exact risk: every result of the paper as a function.

Enters: messages. Every function says the line of the paper it comes from (L###).
"""

from sottovoce.theory.best_delta import PAPER_DELTAS, BestDelta, best_delta
from sottovoce.theory.exact_risk import ExactRisk, exact_risk
from sottovoce.theory.laws import BetaBinomial, Lattice, Law, Point, Rademacher, Uniform, UserMeans
from sottovoce.theory.simulated_risk import SimulatedRisk, simulated_risk

__all__ = [
    "PAPER_DELTAS",
    "BestDelta",
    "BetaBinomial",
    "ExactRisk",
    "Lattice",
    "Law",
    "Point",
    "Rademacher",
    "SimulatedRisk",
    "Uniform",
    "UserMeans",
    "best_delta",
    "exact_risk",
    "simulated_risk",
]
