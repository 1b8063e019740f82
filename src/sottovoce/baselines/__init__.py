"""The naive schemes that everything is compared with, on the same interface, labelled with what they protect.

`DuchiMean`, `ItemSparse`, `ItemDensity` and `OptimisedUnary` are for simulation only: they have ``simulate`` and no
``decide``.
`BASELINES` lists them all, each with the problem it is compared with.
"""

from __future__ import annotations

from sottovoce.baselines.catalogue import BASELINES, Baseline, baselines
from sottovoce.baselines.duchi import DuchiMean, ItemDensity, ItemSparse, cube_side, sphere_radius, true_side_chance
from sottovoce.baselines.laplace import FullItem, OneItem, SemiUser, SplitUser
from sottovoce.baselines.one_category import KaryCategory, OneCategory, OptimisedUnary
from sottovoce.baselines.quantiles import Flat, Tree

__all__ = [
    "BASELINES",
    "Baseline",
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
    "baselines",
    "cube_side",
    "sphere_radius",
    "true_side_chance",
]
