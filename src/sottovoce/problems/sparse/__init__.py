"""A mean vector of which only a few coordinates differ from zero."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.problems.base import CommandHelp, PlanFacts, Problem
from sottovoce.problems.method import Example
from sottovoce.problems.sparse.adaptive import AdaptiveSelection
from sottovoce.problems.sparse.answer import SparseEstimate
from sottovoce.problems.sparse.paper import Paper, Theory
from sottovoce.problems.sparse.settings import SparseMean
from sottovoce.problems.sparse.world import SparseWorld

_FEW = {"dimension": 6, "sparsity": 2, "observations": 400}
_SELECTION, _THRESHOLD = _FEW | {"procedure": "selection"}, _FEW | {"procedure": "threshold"}

SPARSE = Problem(
    name="sparse",
    function="sparse_mean",
    title="Sparse mean",
    settings=SparseMean,
    answer=SparseEstimate,
    methods=(AdaptiveSelection(), Paper(), Theory()),
    automatic=("adaptive", "paper"),
    pays=0.5,
    estimates=Fact("estimates-sparse"),
    example="""\
>>> import numpy as np, sottovoce as sv
>>> likes = np.random.default_rng(1).choice([-1, 1], size=(2000, 100, 50)).astype(np.int8)
>>> likes[:, :, [3, 30]] = 1
>>> sorted(sv.sparse_mean(likes, epsilon=2.0, sparsity=2, seed=7).support)
[3, 30]
""",
    full_scale=lambda settings: settings.half,
    world=SparseWorld,
    examples=(
        Example(method="auto", more=_FEW),
        Example(method="adaptive", more=_FEW),
        Example(method="adaptive", name="unknown", more=_FEW | {"sparsity": None}),
        Example(method="adaptive", name="thresholds", more=_FEW | {"dimension": 300}),
        Example(method="paper", name="selection", more=_SELECTION),
        Example(method="paper", name="selection-one-round", more=_SELECTION | {"refine": "one-round"}),
        Example(method="paper", name="threshold", more=_THRESHOLD),
        Example(method="theory", name="selection", more=_SELECTION | {"proof_constant": 1.0, "cut": False}),
        Example(method="theory", name="threshold", more=_THRESHOLD | {"proof_constant": 1.0}),
    ),
    commands=CommandHelp(
        estimate=(
            "likes.csv --user reader --value 'tag_*' --sparsity 4 --epsilon 2",
            "moods.csv --user who --value a,b,c,d --sparsity 1 --low -10 --high 10 --epsilon 4",
        ),
        simulate=(
            "--users 4000 --observations 200 --dimension 64 --true-sparsity 4 --epsilon 2",
            "--users 4000 --observations 200 --dimension 64 --sparsity 4 --epsilon 4",
            "--users 4000 --observations 200 --dimension 64 --true-sparsity 4 --sparsity 8 --epsilon 4",
        ),
        hints=(
            "Leave --sparsity out where nobody knows it: the columns that stand out are selected, possibly none.",
            "When in doubt about it, choose it rather too large.",
        ),
        plan=("--dimension 64 --sparsity 4 --epsilon 4 --users 4000 --observations 200",),
    ),
    plan=PlanFacts(measures=Fact("measures-sparse"), diagram=("sparse", lambda settings: settings.dimension)),
)

__all__ = ["SPARSE", "SparseEstimate", "SparseMean"]
