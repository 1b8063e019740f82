"""One call from data to answer: a rehearsal of a survey. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from sottovoce.calls.cdf import cdf
from sottovoce.calls.common import answered, declared, engine, fitting, gathered, named_columns, rehearse, told, typical
from sottovoce.calls.compare import compare
from sottovoce.calls.cover import cover_select
from sottovoce.calls.density import density
from sottovoce.calls.grouped import by_groups, estimate, surveyed_by_group
from sottovoce.calls.groups import by_group
from sottovoce.calls.histogram import histogram
from sottovoce.calls.mean import mean
from sottovoce.calls.mixture import mixture_means
from sottovoce.calls.populations import made_up, observed, of_users
from sottovoce.calls.quantiles import quantiles
from sottovoce.calls.range import find_range
from sottovoce.calls.rehearsed import rehearsed
from sottovoce.calls.several import Ask, ask, several, surveyed
from sottovoce.calls.sparse import sparse_mean
from sottovoce.calls.vector import vector_mean

__all__ = [
    "Ask",
    "answered",
    "ask",
    "by_group",
    "by_groups",
    "cdf",
    "compare",
    "cover_select",
    "declared",
    "density",
    "engine",
    "estimate",
    "find_range",
    "fitting",
    "gathered",
    "histogram",
    "made_up",
    "mean",
    "mixture_means",
    "named_columns",
    "observed",
    "of_users",
    "quantiles",
    "rehearse",
    "rehearsed",
    "several",
    "sparse_mean",
    "surveyed",
    "surveyed_by_group",
    "told",
    "typical",
    "vector_mean",
]
