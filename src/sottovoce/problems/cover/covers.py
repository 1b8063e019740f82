"""Covers of the spaces of the paper: centres such that every point lies within the radius of one.

All are lattices of cubes. A cube of half-side h around its centre lies within h of it in the largest-coordinate
distance and within h√d in the Euclidean one; cubes side by side leave no point out. Nothing here is random, and the
radius is a guarantee, not an estimate.

Without a `delta` it is chosen for so many `users` at this `epsilon`: the one that minimises the theorem's bound (L186),
or the smallest whose cover fits a question, if that is larger; with `observations` never smaller than what averages of
so many tell apart (L1077). `Cover.why` says which.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Literal

import numpy as np

from sottovoce.messages import InvalidInput, nearest_power
from sottovoce.methods import check_at_least, check_positive, is_whole
from sottovoce.problems.cover.cover import Cover
from sottovoce.problems.cover.lattices import Floats, cells_of, meeting, middles, power, room_for, rows
from sottovoce.problems.cover.widths import Space


def linf_ball(
    *,
    dimension: int,
    delta: float | None = None,
    radius: float = 1.0,
    metric: Literal["l2", "linf"] = "linf",
    users: int | None = None,
    epsilon: float | None = None,
    observations: int | None = None,
) -> Cover:
    """A cover of [−radius, radius]^d.

    Proof. Each axis is cut into N = ⌈radius/h⌉ cells of half-side radius/N ≤ h, where h = Δ for the
    largest-coordinate distance and h = Δ/√d for the Euclidean one. A point lies in a cell of every axis, hence within
    h of the cell's middle in every coordinate, hence within Δ of the centre. N^d centres.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    shrink = 1.0 if metric == "linf" else math.sqrt(dimension)
    room = room_for(dimension)

    def build(delta: float) -> Cover | None:
        cells = cells_of(radius, delta / shrink)
        if power(cells, dimension) > room:
            return None
        axis = middles(radius, cells)
        grid = np.stack(np.meshgrid(*[axis] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
        reached = shrink * radius / len(axis)
        space = f"the ℓ∞ ball, d = {dimension}"
        return Cover(space=space, centres=rows(grid), radius=reached, diameter=2 * wide, metric=metric)

    wide = shrink * radius
    space = Space(build=build, limit=wide, room=room, blur=lambda made: wide)
    return space.cover(delta, users=users, epsilon=epsilon, observations=observations)


def l2_ball(
    *,
    dimension: int,
    delta: float | None = None,
    radius: float = 1.0,
    users: int | None = None,
    epsilon: float | None = None,
    observations: int | None = None,
) -> Cover:
    """A cover of the Euclidean ball of `radius`.

    Proof. Cubes of half-side h = Δ/√d or less cover the box around the ball. A point x of the ball lies in a cube,
    with centre c, that meets the ball, and |x − c| ≤ h√d ≤ Δ. Cubes that do not meet the ball are left out. Centres
    outside the ball are moved to its nearest point; the projection on a convex set brings no two points apart, and x
    stays where it is, so |x − P(c)| ≤ |x − c| ≤ Δ.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    root = math.sqrt(dimension)

    def build(delta: float) -> Cover | None:
        cells = cells_of(radius, delta / root)
        grid = meeting([cells] * dimension, [radius / cells] * dimension, np.ones(dimension), radius)
        if grid is None:
            return None
        norm = np.sqrt((grid**2).sum(axis=1, keepdims=True))
        grid = grid * np.minimum(1.0, radius / np.maximum(norm, 1e-300))
        reached = root * radius / cells
        space = f"the ℓ2 ball, d = {dimension}"
        return Cover(space=space, centres=rows(grid), radius=reached, diameter=2 * radius, metric="l2")

    space = Space(build=build, limit=root * radius, room=room_for(dimension), blur=lambda made: radius)
    return space.cover(delta, users=users, epsilon=epsilon, observations=observations)


def sparse_vectors(
    *,
    dimension: int,
    sparsity: int,
    delta: float | None = None,
    radius: float = 1.0,
    users: int | None = None,
    epsilon: float | None = None,
    observations: int | None = None,
) -> Cover:
    """A cover of the vectors of [−radius, radius]^d with at most `sparsity` coordinates that are not zero.

    Proof. Such a vector lies in the span of some s axes. In each such span the cubes of half-side h = Δ/√s or less
    cover [−radius, radius]^s, so the vector lies within h√s ≤ Δ of a centre of its own span. C(d, s)·N^s centres
    for even N; for odd N the middle of an axis is zero and spans share centres: Σ_{k ≤ s} C(d, k)(N − 1)^k.
    N is ⌈radius/h⌉ or one more, whichever makes fewer.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    if not is_whole(sparsity) or not 1 <= sparsity <= dimension:
        raise InvalidInput(rule=f"sparsity must be a whole number from 1 to dimension={dimension}", got=sparsity)
    root = math.sqrt(sparsity)
    room = room_for(sparsity, dimension - sparsity)

    def size(cells: int) -> float:
        if cells % 2 == 0:
            return math.comb(dimension, sparsity) * power(cells, sparsity)
        return sum(math.comb(dimension, k) * power(cells - 1, k) for k in range(sparsity + 1))

    def build(delta: float) -> Cover | None:
        cells = cells_of(radius, delta / root)
        cells = min(cells, cells + 1, key=size)
        if size(cells) > room:
            return None
        axis = middles(radius, cells)
        block = np.stack(np.meshgrid(*[axis] * sparsity, indexing="ij"), axis=-1).reshape(-1, sparsity)
        parts = []
        for support in combinations(range(dimension), sparsity):
            part = np.zeros((len(block), dimension))
            part[:, support] = block
            parts.append(part)
        grid = np.unique(np.concatenate(parts), axis=0)
        return Cover(
            space=f"{sparsity}-sparse vectors, d = {dimension}",
            centres=rows(grid),
            radius=root * radius / len(axis),
            diameter=2 * wide,
            metric="l2",
        )

    wide = root * radius
    space = Space(build=build, limit=wide, room=room, blur=lambda made: wide)
    return space.cover(delta, users=users, epsilon=epsilon, observations=observations)


def sobolev_densities(
    *,
    smoothness: float,
    radius: float,
    delta: float | None = None,
    users: int | None = None,
    epsilon: float | None = None,
    observations: int | None = None,
) -> Cover:
    """A cover of the densities on [0, 1] with Σ j^(2β) θ_j² ≤ radius² (L314), by their coefficients 2 … M.

    Proof. θ₁ = 1 for every density, which leaves Σ_{j ≥ 2} j^(2β) θ_j² ≤ ρ² = radius² − 1 (so radius 1 holds the
    uniform density alone). Coefficients above M have Σ θ_j² ≤ ρ²/(M + 1)^(2β) = τ². The others lie in an ellipsoid
    with half-axes ρ/j^β; cubes of half-side h with h²(M − 1) + τ² ≤ Δ², those that meet the ellipsoid, hold them. The
    basis is orthonormal, so the L² distance to a centre, taken as zero above M, is at most √(h²(M − 1) + τ²) ≤ Δ.
    Densities are positive; the cover holds without using it. M is the one that makes the fewest centres.
    """
    _check(dimension=1, delta=delta, radius=radius)
    check_positive("smoothness", smoothness)
    if radius <= 1:
        raise InvalidInput(rule="radius must be above 1: the uniform density alone takes 1 of it", got=radius)
    rho = math.sqrt(radius * radius - 1)
    limit = rho / nearest_power(2, smoothness)
    if delta is not None and delta >= limit:
        raise InvalidInput(
            f"delta = {delta:g}: one centre, the uniform density, is within {limit:.3g} of all",
            fix="take delta below that",
        )

    def tail(last: int) -> float:
        return rho / nearest_power(last + 1, smoothness)

    def lattice(last: int, delta: float) -> tuple[Floats | None, list[float]]:
        weights = np.array([nearest_power(number, smoothness) for number in range(2, last + 1)])
        half = math.sqrt((delta * delta - tail(last) * tail(last)) / (last - 1))
        cells = [cells_of(rho / weight, half) for weight in weights]
        halves = [rho / weight / cell for weight, cell in zip(weights, cells, strict=True)]
        return meeting(cells, halves, weights, rho), halves

    def build(delta: float) -> Cover | None:
        first = max(2, math.floor(nearest_power(rho / delta, 1 / smoothness)))
        tried = [lattice(last, delta) for last in range(first, first + 8) if tail(last) < delta * (1 - 1e-9)]
        made = [(grid, halves) for grid, halves in tried if grid is not None]
        if not made:
            return None
        grid, halves = min(made, key=lambda pair: len(pair[0]))
        last = grid.shape[1] + 1
        return Cover(
            space=f"Sobolev densities, β = {smoothness:g}, radius {radius:g}",
            centres=rows(grid),
            radius=math.sqrt(sum(half * half for half in halves) + tail(last) * tail(last)),
            diameter=limit + max(limit, float(np.sqrt((grid**2).sum(axis=1)).max())),  # centres may lie outside
            metric="l2",
            functions=tuple(range(2, last + 1)),
        )

    def blur(made: Cover) -> float:
        return math.sqrt(2 * len(made.functions))  # each average lies in [−√2, √2]

    space = Space(build=build, limit=limit, room=room_for(2), blur=blur)
    return space.cover(delta, users=users, epsilon=epsilon, observations=observations)


def _check(*, dimension: int, delta: float | None, radius: float) -> None:
    check_at_least("dimension", dimension, 1)
    check_positive("delta", delta)
    check_positive("radius", radius)
