"""One folder a problem: its settings, its methods, made-up users to try it on. `problems()` lists them."""

from __future__ import annotations

from sottovoce.answers import read
from sottovoce.problems import ruling
from sottovoce.problems.announced import Announced, announce, settle
from sottovoce.problems.base import AUTO, UNKNOWNS, ChosenMethod, Problem, Settings, choose
from sottovoce.problems.cover import SPACES, Choice, Cover, CoverEstimate, CoverSelect, covers, is_space
from sottovoce.problems.density import Density, DensityEstimate, waves
from sottovoce.problems.ending import UNDECIDABLE, cannot_be_asked, silent_groups, too_few
from sottovoce.problems.fields import Described, Help, described
from sottovoce.problems.groups import EVERYBODY, ByGroup, Group, GroupedEstimate, takes_by_group
from sottovoce.problems.histogram import Histogram, HistogramEstimate, Ranked, coefficients_found, of_shares
from sottovoce.problems.mean import Mean
from sottovoce.problems.method import Example, Method
from sottovoce.problems.mixture import MixtureEstimate, MixtureMeans
from sottovoce.problems.quantiles import Cdf, CdfEstimate, Curve, Quantiles, QuantilesEstimate, level_name
from sottovoce.problems.range import Range, RangeEstimate
from sottovoce.problems.ranged import Ranged
from sottovoce.problems.registry import named, problems, taking
from sottovoce.problems.several import SPLITS, Several
from sottovoce.problems.sparse import SparseEstimate, SparseMean
from sottovoce.problems.vector import VectorMean
from sottovoce.problems.worlds import Distribution, Figure, Score, World, with_error

__all__ = [
    "AUTO",
    "EVERYBODY",
    "SPACES",
    "SPLITS",
    "UNDECIDABLE",
    "UNKNOWNS",
    "Announced",
    "ByGroup",
    "Cdf",
    "CdfEstimate",
    "Choice",
    "ChosenMethod",
    "Cover",
    "CoverEstimate",
    "CoverSelect",
    "Curve",
    "Density",
    "DensityEstimate",
    "Described",
    "Distribution",
    "Example",
    "Figure",
    "Group",
    "GroupedEstimate",
    "Help",
    "Histogram",
    "HistogramEstimate",
    "Mean",
    "Method",
    "MixtureEstimate",
    "MixtureMeans",
    "Problem",
    "Quantiles",
    "QuantilesEstimate",
    "Range",
    "RangeEstimate",
    "Ranged",
    "Ranked",
    "Score",
    "Settings",
    "Several",
    "SparseEstimate",
    "SparseMean",
    "VectorMean",
    "World",
    "announce",
    "cannot_be_asked",
    "choose",
    "coefficients_found",
    "covers",
    "described",
    "is_space",
    "level_name",
    "named",
    "of_shares",
    "problems",
    "read",
    "ruling",
    "settle",
    "silent_groups",
    "takes_by_group",
    "taking",
    "too_few",
    "waves",
    "with_error",
]
