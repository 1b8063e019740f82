"""One call from data to answer: a rehearsal of a survey. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from sottovoce.calls.cdf import cdf
from sottovoce.calls.compare import compare
from sottovoce.calls.cover import cover_select
from sottovoce.calls.density import density
from sottovoce.calls.groups import by_group
from sottovoce.calls.histogram import histogram
from sottovoce.calls.mean import mean
from sottovoce.calls.mixture import mixture_means
from sottovoce.calls.populations import made_up, observed, of_users
from sottovoce.calls.quantiles import quantiles
from sottovoce.calls.range import find_range
from sottovoce.calls.several import Ask, ask, several
from sottovoce.calls.sparse import sparse_mean
from sottovoce.calls.vector import vector_mean

__all__ = [
    "Ask",
    "ask",
    "by_group",
    "cdf",
    "compare",
    "cover_select",
    "density",
    "find_range",
    "histogram",
    "made_up",
    "mean",
    "mixture_means",
    "observed",
    "of_users",
    "quantiles",
    "several",
    "sparse_mean",
    "vector_mean",
]
