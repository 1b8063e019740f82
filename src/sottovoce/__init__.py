"""Sottovoce: many people are heard, nobody is overheard.

Each user's device sends one randomised report that is ε-locally-private for the user's whole collection of
observations; from the reports a server estimates. Start with `mean`, or with `Mean`, `run` and an engine.

Names are loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sottovoce.renderer import render_with
from sottovoce.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from sottovoce.answers import Answers as Answers
    from sottovoce.answers import Estimate as Estimate
    from sottovoce.answers import VectorEstimate as VectorEstimate
    from sottovoce.baselines import DuchiMean as DuchiMean
    from sottovoce.baselines import Flat as Flat
    from sottovoce.baselines import FullItem as FullItem
    from sottovoce.baselines import ItemDensity as ItemDensity
    from sottovoce.baselines import ItemSparse as ItemSparse
    from sottovoce.baselines import KaryCategory as KaryCategory
    from sottovoce.baselines import OneCategory as OneCategory
    from sottovoce.baselines import OneItem as OneItem
    from sottovoce.baselines import OptimisedUnary as OptimisedUnary
    from sottovoce.baselines import SemiUser as SemiUser
    from sottovoce.baselines import SplitUser as SplitUser
    from sottovoce.baselines import Tree as Tree
    from sottovoce.calls import Ask as Ask
    from sottovoce.calls import ask as ask
    from sottovoce.calls import by_group as by_group
    from sottovoce.calls import cdf as cdf
    from sottovoce.calls import compare as compare
    from sottovoce.calls import cover_select as cover_select
    from sottovoce.calls import density as density
    from sottovoce.calls import find_range as find_range
    from sottovoce.calls import histogram as histogram
    from sottovoce.calls import mean as mean
    from sottovoce.calls import mixture_means as mixture_means
    from sottovoce.calls import quantiles as quantiles
    from sottovoce.calls import several as several
    from sottovoce.calls import sparse_mean as sparse_mean
    from sottovoce.calls import vector_mean as vector_mean
    from sottovoce.checks import Dummy as Dummy
    from sottovoce.client import Device as Device
    from sottovoce.client import Outcome as Outcome
    from sottovoce.data import Records as Records
    from sottovoce.data import collections as collections
    from sottovoce.data import datasets as datasets
    from sottovoce.data import look as look
    from sottovoce.data import people as people
    from sottovoce.data import read as read
    from sottovoce.data import reading_of as reading_of
    from sottovoce.device import Collections as Collections
    from sottovoce.device import Ledger as Ledger
    from sottovoce.engines import local as local
    from sottovoce.engines import run as run
    from sottovoce.engines import simulate as simulate
    from sottovoce.engines import stored as stored
    from sottovoce.engines import verify as verify
    from sottovoce.messages import Declined as Declined
    from sottovoce.messages import InvalidInput as InvalidInput
    from sottovoce.messages import Invitation as Invitation
    from sottovoce.messages import Malformed as Malformed
    from sottovoce.messages import MissingExtra as MissingExtra
    from sottovoce.messages import Question as Question
    from sottovoce.messages import Report as Report
    from sottovoce.messages import SottovoceError as SottovoceError
    from sottovoce.messages import Tally as Tally
    from sottovoce.planning import Plan as Plan
    from sottovoce.planning import plan as plan
    from sottovoce.planning import plan_several as plan_several
    from sottovoce.problems import Several as Several
    from sottovoce.problems.cover import Cover as Cover
    from sottovoce.problems.cover import CoverEstimate as CoverEstimate
    from sottovoce.problems.cover import CoverSelect as CoverSelect
    from sottovoce.problems.cover import covers as covers
    from sottovoce.problems.density import Density as Density
    from sottovoce.problems.density import DensityEstimate as DensityEstimate
    from sottovoce.problems.groups import ByGroup as ByGroup
    from sottovoce.problems.groups import GroupedEstimate as GroupedEstimate
    from sottovoce.problems.histogram import Histogram as Histogram
    from sottovoce.problems.histogram import HistogramEstimate as HistogramEstimate
    from sottovoce.problems.mean import Mean as Mean
    from sottovoce.problems.mixture import MixtureEstimate as MixtureEstimate
    from sottovoce.problems.mixture import MixtureMeans as MixtureMeans
    from sottovoce.problems.quantiles import Cdf as Cdf
    from sottovoce.problems.quantiles import CdfEstimate as CdfEstimate
    from sottovoce.problems.quantiles import Quantiles as Quantiles
    from sottovoce.problems.quantiles import QuantilesEstimate as QuantilesEstimate
    from sottovoce.problems.range import Range as Range
    from sottovoce.problems.range import RangeEstimate as RangeEstimate
    from sottovoce.problems.sparse import SparseEstimate as SparseEstimate
    from sottovoce.problems.sparse import SparseMean as SparseMean
    from sottovoce.problems.vector import VectorMean as VectorMean
    from sottovoce.trials import Comparison as Comparison

_HOMES = {
    "sottovoce.answers": (
        "Answers",
        "Estimate",
        "VectorEstimate",
    ),
    "sottovoce.baselines": (
        "DuchiMean",
        "Flat",
        "FullItem",
        "ItemDensity",
        "ItemSparse",
        "KaryCategory",
        "OneCategory",
        "OneItem",
        "OptimisedUnary",
        "SemiUser",
        "SplitUser",
        "Tree",
    ),
    "sottovoce.calls": (
        "Ask",
        "ask",
        "by_group",
        "cdf",
        "compare",
        "cover_select",
        "density",
        "find_range",
        "histogram",
        "mean",
        "mixture_means",
        "several",
        "quantiles",
        "sparse_mean",
        "vector_mean",
    ),
    "sottovoce.checks": ("Dummy",),
    "sottovoce.client": (
        "Device",
        "Outcome",
    ),
    "sottovoce.data": (
        "Records",
        "collections",
        "datasets",
        "look",
        "people",
        "read",
        "reading_of",
    ),
    "sottovoce.device": (
        "Collections",
        "Ledger",
    ),
    "sottovoce.engines": (
        "local",
        "run",
        "simulate",
        "stored",
        "verify",
    ),
    "sottovoce.messages": (
        "Declined",
        "InvalidInput",
        "Invitation",
        "Malformed",
        "MissingExtra",
        "Question",
        "Report",
        "SottovoceError",
        "Tally",
    ),
    "sottovoce.planning": (
        "Plan",
        "plan",
        "plan_several",
    ),
    "sottovoce.problems": ("Several",),
    "sottovoce.problems.cover": (
        "Cover",
        "CoverEstimate",
        "CoverSelect",
        "covers",
    ),
    "sottovoce.problems.density": (
        "Density",
        "DensityEstimate",
    ),
    "sottovoce.problems.groups": (
        "ByGroup",
        "GroupedEstimate",
    ),
    "sottovoce.problems.histogram": (
        "Histogram",
        "HistogramEstimate",
    ),
    "sottovoce.problems.mean": ("Mean",),
    "sottovoce.problems.mixture": (
        "MixtureEstimate",
        "MixtureMeans",
    ),
    "sottovoce.problems.quantiles": (
        "Cdf",
        "CdfEstimate",
        "Quantiles",
        "QuantilesEstimate",
    ),
    "sottovoce.problems.range": (
        "Range",
        "RangeEstimate",
    ),
    "sottovoce.problems.sparse": (
        "SparseEstimate",
        "SparseMean",
    ),
    "sottovoce.problems.vector": ("VectorMean",),
    "sottovoce.trials": ("Comparison",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sottovoce' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _sentence(fact: Any) -> str:
    """A fact in words; the catalogue is read when the first one is printed.

    One that no message fits, as a manifest or an answer from elsewhere may hold, is shown as it is.
    """
    from sottovoce.words import catalogue

    try:
        return catalogue().tell(fact)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return repr(fact)


render_with(_sentence)
