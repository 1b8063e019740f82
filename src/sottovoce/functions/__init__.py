"""One call from data to estimate: a rehearsal of a survey, on data that one analyst happens to hold."""

from __future__ import annotations

from sottovoce.functions.common import engine, typical
from sottovoce.functions.cover import cover_select
from sottovoce.functions.density import density
from sottovoce.functions.mean import mean
from sottovoce.functions.mixture import mixture_means
from sottovoce.functions.plan import plan
from sottovoce.functions.sparse import sparse_mean
from sottovoce.functions.vector import vector_mean

__all__ = [
    "cover_select",
    "density",
    "engine",
    "mean",
    "mixture_means",
    "plan",
    "sparse_mean",
    "typical",
    "vector_mean",
]
