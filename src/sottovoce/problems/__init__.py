"""One folder a problem: its settings, its methods, made-up users to try it on. `problems()` lists them."""

from __future__ import annotations

from sottovoce.problems import ruling
from sottovoce.problems.announced import Announced, announce, settle
from sottovoce.problems.base import AUTO, UNKNOWNS, ChosenMethod, Example, Problem, Settings, choose
from sottovoce.problems.cover import SPACES, Cover, CoverSelect, covers, is_space
from sottovoce.problems.density import Density
from sottovoce.problems.ending import UNDECIDABLE, cannot_be_asked, silent_groups, too_few
from sottovoce.problems.fields import Described, Help, described
from sottovoce.problems.groups import ByGroup, takes_by_group
from sottovoce.problems.histogram import Histogram, coefficients_found
from sottovoce.problems.mean import Mean
from sottovoce.problems.method import Method
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.problems.quantiles import Cdf, Quantiles
from sottovoce.problems.range import Range
from sottovoce.problems.ranged import Ranged
from sottovoce.problems.registry import named, problems
from sottovoce.problems.several import SPLITS, Several
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
from sottovoce.problems.worlds import Distribution, Figure, Score, World, with_error

__all__ = [
    "AUTO",
    "SPACES",
    "SPLITS",
    "UNDECIDABLE",
    "UNKNOWNS",
    "Announced",
    "ByGroup",
    "Cdf",
    "ChosenMethod",
    "Cover",
    "CoverSelect",
    "Density",
    "Described",
    "Distribution",
    "Example",
    "Figure",
    "Help",
    "Histogram",
    "Mean",
    "Method",
    "MixtureMeans",
    "Problem",
    "Quantiles",
    "Range",
    "Ranged",
    "Score",
    "Settings",
    "Several",
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
    "named",
    "problems",
    "ruling",
    "settle",
    "silent_groups",
    "takes_by_group",
    "too_few",
    "with_error",
]
