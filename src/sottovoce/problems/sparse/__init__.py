"""A mean vector of which only a few coordinates differ from zero."""

from __future__ import annotations

from sottovoce.problems.base import Example, Problem
from sottovoce.problems.sparse.paper import Paper
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.theory import Theory
from sottovoce.problems.sparse.world import SparseWorld

_FEW = {"dimension": 6, "sparsity": 2, "observations": 400}
_SELECTION, _THRESHOLD = _FEW | {"procedure": "selection"}, _FEW | {"procedure": "threshold"}

SPARSE = Problem(
    name="sparse",
    function="sparse_mean",
    settings=SparseMean,
    methods=(Paper(), Theory()),
    automatic=("paper",),
    estimates="the mean of vectors, nearly all of whose coordinates are zero",
    measures="a coordinate that is not zero, on average",
    full_scale=lambda settings: settings.half,
    world=SparseWorld,
    examples=(
        Example(method="auto", more=_FEW),
        Example(method="paper", name="selection", more=_SELECTION),
        Example(method="paper", name="selection-one-round", more=_SELECTION | {"refine": "one-round"}),
        Example(method="paper", name="threshold", more=_THRESHOLD),
        Example(method="theory", name="selection", more=_SELECTION | {"proof_constant": 1.0, "cut": False}),
        Example(method="theory", name="threshold", more=_THRESHOLD | {"proof_constant": 1.0}),
    ),
    diagram=("sparse", lambda settings: settings.dimension),
)

__all__ = ["SPARSE", "SparseMean"]
