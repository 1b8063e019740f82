"""Spaces by name: ``l2-ball``, ``sparse-vectors:2``; the cover is made for the users at hand."""

from __future__ import annotations

import math
from typing import Any

from sottovoce.messages import InvalidInput
from sottovoce.problems.cover import covers
from sottovoce.problems.cover.cover import Cover

SPACES = {
    "linf-ball": "linf-ball[:RADIUS]",
    "l2-ball": "l2-ball[:RADIUS]",
    "sparse-vectors": "sparse-vectors:S[:RADIUS]",
    "densities": "densities:SMOOTHNESS:RADIUS",
}
"""What each is called, and what may follow; radii of balls are 1 unless given."""


def is_space(name: str) -> bool:
    """Whether a text names a space, and no file."""
    return name.partition(":")[0] in SPACES


def named_cover(name: str, *, dimension: int, users: int, epsilon: float, observations: int) -> Cover:
    """The cover of a space by its name, as fine as suits so many users with so many observations at this ε."""
    kind, *rest = name.split(":")
    shown = ", ".join(SPACES.values())
    if kind not in SPACES:
        raise InvalidInput(f"there is no space {kind!r}; there are {shown}")
    try:
        numbers = [float(text) for text in rest]
    except ValueError:
        raise InvalidInput(rule=f"{name!r} must have numbers after its colons: {SPACES[kind]}") from None
    least, most = {"linf-ball": (0, 1), "l2-ball": (0, 1), "sparse-vectors": (1, 2), "densities": (2, 2)}[kind]
    if not least <= len(numbers) <= most or not all(map(math.isfinite, numbers)):
        raise InvalidInput(rule=f"{name!r} must read {SPACES[kind]}")
    asked: dict[str, Any] = {"users": users, "epsilon": epsilon, "observations": observations}
    if kind == "densities":
        return covers.sobolev_densities(smoothness=numbers[0], radius=numbers[1], **asked)
    radius = numbers[least] if len(numbers) > least else 1.0
    if kind == "linf-ball":
        return covers.linf_ball(dimension=dimension, radius=radius, **asked)
    if kind == "l2-ball":
        return covers.l2_ball(dimension=dimension, radius=radius, **asked)
    if not (numbers[0].is_integer() and 1 <= numbers[0] <= dimension):
        raise InvalidInput(
            rule=f"{name!r}: S must be a whole number from 1 to dimension={dimension}", wrong=f"got {rest[0]}"
        )
    return covers.sparse_vectors(dimension=dimension, sparsity=int(numbers[0]), radius=radius, **asked)
