"""Bounds, rates, phase transitions, regimes and exact risk: every result of the paper as a function.

Enters: messages. Every function says the line of the paper it comes from (L###), or what else is cited.
"""

from sottovoce.theory import complexity, notation
from sottovoce.theory.balanced_delta import balanced_bounds, cover_risk, delta_lower, delta_upper
from sottovoce.theory.best_delta import PAPER_DELTAS, BestDelta, best_delta
from sottovoce.theory.constants import experiment_constant, recipe, tabled
from sottovoce.theory.exact_risk import ExactRisk, exact_risk
from sottovoce.theory.finite_rates import (
    SWITCH_CONSTANT,
    density,
    discrete,
    mean_l2,
    mean_linf,
    mixture,
    sparse,
    sparse_misspecified,
    sparse_procedure,
    sparse_switch,
)
from sottovoce.theory.general_bounds import approximate_lower_bound, general_bounds, t_independent_lower_bound
from sottovoce.theory.infinite_rates import infinite_density, infinite_mean_l2, infinite_mean_linf, infinite_sparse
from sottovoce.theory.laws import BetaBinomial, Lattice, Law, Point, Rademacher, Uniform, UserMeans
from sottovoce.theory.le_cam import example_finite, example_infinite, example_lower_bound
from sottovoce.theory.limit import central_cuts, limit
from sottovoce.theory.metric_entropy import MetricEntropy, l2_ball, linf_ball, sobolev, sparse_cube
from sottovoce.theory.rate import LOCALISABLE, Bounds, Condition, Constants, Rate, bin_count, log1, strength
from sottovoce.theory.regime_plot import plot_regime, plot_regimes
from sottovoce.theory.regimes import REGIMES, Boundary, Panel, Region, boundaries, regime, regime_of
from sottovoce.theory.simulated_risk import SimulatedRisk, simulated_risk
from sottovoce.theory.sparse_regimes import sparse_few_users, sparse_many_users
from sottovoce.theory.tables import COMPLEXITY, RATE_TABLES, Cell, RateTable
from sottovoce.theory.transitions import (
    Transition,
    observations_help,
    transition_in_epsilon,
    transition_in_observations,
    transition_in_users,
)
from sottovoce.theory.truncation import PROOF_CONSTANT, density_t_zero, density_terms, t_star, targets

__all__ = [
    "COMPLEXITY",
    "LOCALISABLE",
    "PAPER_DELTAS",
    "PROOF_CONSTANT",
    "RATE_TABLES",
    "REGIMES",
    "SWITCH_CONSTANT",
    "BestDelta",
    "BetaBinomial",
    "Boundary",
    "Bounds",
    "Cell",
    "Condition",
    "Constants",
    "ExactRisk",
    "Lattice",
    "Law",
    "MetricEntropy",
    "Panel",
    "Point",
    "Rademacher",
    "Rate",
    "RateTable",
    "Region",
    "SimulatedRisk",
    "Transition",
    "Uniform",
    "UserMeans",
    "approximate_lower_bound",
    "balanced_bounds",
    "best_delta",
    "bin_count",
    "boundaries",
    "central_cuts",
    "complexity",
    "cover_risk",
    "delta_lower",
    "delta_upper",
    "density",
    "density_t_zero",
    "density_terms",
    "discrete",
    "exact_risk",
    "example_finite",
    "example_infinite",
    "example_lower_bound",
    "experiment_constant",
    "general_bounds",
    "infinite_density",
    "infinite_mean_l2",
    "infinite_mean_linf",
    "infinite_sparse",
    "l2_ball",
    "limit",
    "linf_ball",
    "log1",
    "mean_l2",
    "mean_linf",
    "mixture",
    "notation",
    "observations_help",
    "plot_regime",
    "plot_regimes",
    "recipe",
    "regime",
    "regime_of",
    "simulated_risk",
    "sobolev",
    "sparse",
    "sparse_cube",
    "sparse_few_users",
    "sparse_many_users",
    "sparse_misspecified",
    "sparse_procedure",
    "sparse_switch",
    "strength",
    "t_independent_lower_bound",
    "t_star",
    "tabled",
    "targets",
    "transition_in_epsilon",
    "transition_in_observations",
    "transition_in_users",
]
