"""Covers of the spaces of the paper: centres such that every point lies within the radius of one.

All are lattices of cubes. A cube of half-side h around its centre lies within h of it in the largest-coordinate
distance and within h√d in the Euclidean one; cubes side by side leave no point out. Nothing here is random, and the
radius is a guarantee, not an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_ITEMS, MAX_QUESTION_BYTES, MAX_WORK, InvalidInput
from sottovoce.schemes import is_whole
from sottovoce.theory import bin_count

Floats = NDArray[np.float64]
_BYTES_EACH = 24
"""A centre's coordinate takes at most so many bytes in a question: 17 digits, sign, point, exponent, comma."""
_BYTES_BESIDES = 8192
"""All else in a question: names, the channel, a survey's name."""


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Centres, and the distance within which every point of the space has one.

    `functions` names the trigonometric basis functions (L316) whose averages the coordinates are, for densities on
    [0, 1]; it is empty for vectors.
    """

    space: str
    centres: tuple[tuple[float, ...], ...]
    radius: float
    metric: Literal["l2", "linf"]
    functions: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def diameter(self) -> float:
        """At least the largest distance between two points of the space: the box around the centres, and 2 radii."""
        return box_diameter(self.centres, self.metric) + 2 * self.radius

    def __repr__(self) -> str:
        return f"<Cover of {self.space}: {len(self):,} centres, radius {self.radius:g} in {self.metric}>"


def box_diameter(centres: tuple[tuple[float, ...], ...], metric: str) -> float:
    """The diameter of the box around the centres: at least theirs."""
    sides = np.ptp(np.asarray(centres, dtype=np.float64), axis=0)
    return float(sides.max()) if metric == "linf" else math.sqrt(float((sides**2).sum()))


def linf_ball(*, dimension: int, delta: float, radius: float = 1.0, metric: Literal["l2", "linf"] = "linf") -> Cover:
    """A cover of [−radius, radius]^d.

    Proof. Each axis is cut into N = ⌈radius/h⌉ cells of half-side radius/N ≤ h, where h = Δ for the
    largest-coordinate distance and h = Δ/√d for the Euclidean one. A point lies in a cell of every axis, hence within
    h of the cell's middle in every coordinate, hence within Δ of the centre. N^d centres.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    shrink = 1.0 if metric == "linf" else math.sqrt(dimension)

    def count(delta: float) -> float:
        return _power(_cells(radius, delta / shrink), dimension)

    _check_fits(count, room_for(dimension), delta, limit=shrink * radius)
    axis = _middles(radius, _cells(radius, delta / shrink))
    grid = np.stack(np.meshgrid(*[axis] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    reached = shrink * radius / len(axis)
    return Cover(space=f"the ℓ∞ ball, d = {dimension}", centres=_rows(grid), radius=reached, metric=metric)


def l2_ball(*, dimension: int, delta: float, radius: float = 1.0) -> Cover:
    """A cover of the Euclidean ball of `radius`.

    Proof. Cubes of half-side h = Δ/√d or less cover the box around the ball. A point x of the ball lies in a cube,
    with centre c, that meets the ball, and |x − c| ≤ h√d ≤ Δ. Cubes that do not meet the ball are left out. Centres
    outside the ball are moved to its nearest point; the projection on a convex set brings no two points apart, and x
    stays where it is, so |x − P(c)| ≤ |x − c| ≤ Δ.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    root = math.sqrt(dimension)

    def lattice(delta: float) -> Floats | None:
        cells = _cells(radius, delta / root)
        return _meeting([cells] * dimension, [radius / cells] * dimension, np.ones(dimension), radius)

    grid = _fitting(lattice, room_for(dimension), delta, limit=root * radius)
    norm = np.sqrt((grid**2).sum(axis=1, keepdims=True))
    grid = grid * np.minimum(1.0, radius / np.maximum(norm, 1e-300))
    reached = root * radius / _cells(radius, delta / root)
    return Cover(space=f"the ℓ2 ball, d = {dimension}", centres=_rows(grid), radius=reached, metric="l2")


def sparse_vectors(*, dimension: int, sparsity: int, delta: float, radius: float = 1.0) -> Cover:
    """A cover of the vectors of [−radius, radius]^d with at most `sparsity` coordinates that are not zero.

    Proof. Such a vector lies in the span of some s axes. In each such span the cubes of half-side h = Δ/√s or less
    cover [−radius, radius]^s, so the vector lies within h√s ≤ Δ of a centre of its own span. C(d, s)·N^s centres
    for even N; for odd N the middle of an axis is zero and spans share centres: Σ_{k ≤ s} C(d, k)(N − 1)^k.
    N is ⌈radius/h⌉ or one more, whichever makes fewer.
    """
    _check(dimension=dimension, delta=delta, radius=radius)
    if not is_whole(sparsity) or not 1 <= sparsity <= dimension:
        raise InvalidInput(f"sparsity must be a whole number from 1 to dimension={dimension}; got {sparsity!r}")
    root = math.sqrt(sparsity)

    def size(cells: int) -> float:
        if cells % 2 == 0:
            return math.comb(dimension, sparsity) * _power(cells, sparsity)
        return sum(math.comb(dimension, k) * _power(cells - 1, k) for k in range(sparsity + 1))

    def best(delta: float) -> int:
        cells = _cells(radius, delta / root)
        return min(cells, cells + 1, key=size)

    room = room_for(sparsity, dimension - sparsity)
    _check_fits(lambda delta: size(best(delta)), room, delta, limit=root * radius)
    axis = _middles(radius, best(delta))
    block = np.stack(np.meshgrid(*[axis] * sparsity, indexing="ij"), axis=-1).reshape(-1, sparsity)
    parts = []
    for support in combinations(range(dimension), sparsity):
        part = np.zeros((len(block), dimension))
        part[:, support] = block
        parts.append(part)
    grid = np.unique(np.concatenate(parts), axis=0)
    return Cover(
        space=f"{sparsity}-sparse vectors, d = {dimension}",
        centres=_rows(grid),
        radius=root * radius / len(axis),
        metric="l2",
    )


def sobolev_densities(*, smoothness: float, radius: float, delta: float) -> Cover:
    """A cover of the densities on [0, 1] with Σ j^(2β) θ_j² ≤ radius² (L314), by their coefficients 2 … M.

    Proof. θ₁ = 1 for every density, which leaves Σ_{j ≥ 2} j^(2β) θ_j² ≤ ρ² = radius² − 1 (so radius 1 holds the
    uniform density alone). Coefficients above M have Σ θ_j² ≤ ρ²/(M + 1)^(2β) = τ². The others lie in an ellipsoid
    with half-axes ρ/j^β; cubes of half-side h with h²(M − 1) + τ² ≤ Δ², those that meet the ellipsoid, hold them. The
    basis is orthonormal, so the L² distance to a centre, taken as zero above M, is at most √(h²(M − 1) + τ²) ≤ Δ.
    Densities are positive; the cover holds without using it. M is the one that makes the fewest centres.
    """
    _check(dimension=1, delta=delta, radius=radius)
    if not 0 < smoothness < math.inf:
        raise InvalidInput(f"smoothness must be positive and finite; got {smoothness!r}")
    if radius <= 1:
        raise InvalidInput(f"radius must be above 1: the uniform density alone takes 1 of it; got {radius!r}")
    rho = math.sqrt(radius**2 - 1)
    if delta >= rho / 2**smoothness:
        raise InvalidInput(
            f"delta = {delta:g}: one centre, the uniform density, is within {rho / 2**smoothness:.3g} of all; "
            f"take delta below that"
        )

    def axes(last: int, delta: float) -> tuple[list[int], list[float], Floats]:
        weights = np.arange(2, last + 1, dtype=np.float64) ** smoothness
        half = math.sqrt((delta**2 - (rho / (last + 1) ** smoothness) ** 2) / (last - 1))
        cells = [_cells(rho / weight, half) for weight in weights]
        return cells, [rho / weight / cell for weight, cell in zip(weights, cells, strict=True)], weights

    def lattice(delta: float) -> Floats | None:
        first = max(2, math.floor((rho / delta) ** (1 / smoothness)))
        tried = [_meeting(*axes(last, delta), rho) for last in range(first, first + 8) if _tail(last, delta)]
        grids = [grid for grid in tried if grid is not None]
        return min(grids, key=len) if grids else None

    def _tail(last: int, delta: float) -> bool:
        return bool(rho / (last + 1) ** smoothness < delta * (1 - 1e-9))

    grid = _fitting(lattice, room_for(2), delta, limit=rho / 2**smoothness)
    last = grid.shape[1] + 1
    halves = axes(last, delta)[1]
    reached = math.sqrt(sum(half**2 for half in halves) + (rho / (last + 1) ** smoothness) ** 2)
    return Cover(
        space=f"Sobolev densities, β = {smoothness:g}, radius {radius:g}",
        centres=_rows(grid),
        radius=reached,
        metric="l2",
        functions=tuple(range(2, last + 1)),
    )


def _check(*, dimension: int, delta: float, radius: float) -> None:
    if not is_whole(dimension) or dimension < 1:
        raise InvalidInput(f"dimension must be a whole number, at least 1; got {dimension!r}")
    for name, value in (("delta", delta), ("radius", radius)):
        if not 0 < value < math.inf:
            raise InvalidInput(f"{name} must be positive and finite; got {value!r}")


def _cells(radius: float, half: float) -> int:
    """How many cells of half-side `half` or less the axis [−radius, radius] needs."""
    return bin_count(max(half / radius, 1e-300))


def _power(base: int, exponent: int) -> float:
    return math.inf if exponent * math.log(max(base, 1)) > 300 else float(base) ** exponent


def _middles(radius: float, cells: int) -> Floats:
    return np.asarray((2 * np.arange(cells) + 1 - cells) * (radius / cells), dtype=np.float64)


def _rows(grid: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in grid.tolist())


def room_for(columns: int, zeros: int = 0) -> int:
    """The most centres that fit in a question, each with so many coordinates and so many zeros besides."""
    numbers, letters = MAX_WORK // (columns + zeros), MAX_QUESTION_BYTES - _BYTES_BESIDES
    return min(MAX_ITEMS, numbers, letters // (_BYTES_EACH * columns + 2 * zeros + 3))


def _meeting(cells: list[int], halves: list[float], weights: Floats, radius: float) -> Floats | None:
    """Centres of the cubes that meet {x : Σ (weights·x)² ≤ radius²}, axis by axis; None when there are too many."""
    limit = room_for(len(cells))
    grid, nearest = np.zeros((1, 0)), np.zeros(1)
    for count, half, weight in zip(cells, halves, weights, strict=True):
        if count * len(nearest) > 2**24:
            return None
        axis = (2 * np.arange(count) + 1 - count) * half
        close = (weight * np.maximum(np.abs(axis) - half, 0.0)) ** 2
        reach = nearest[:, None] + close[None, :]
        rows, columns = np.nonzero(reach <= radius**2 * (1 + 1e-9))
        if len(rows) > limit:
            return None
        grid, nearest = np.column_stack((grid[rows], axis[columns])), reach[rows, columns]
    return grid


def _check_fits(count: Callable[[float], float], room: int, delta: float, *, limit: float) -> None:
    if count(delta) > room:
        raise _refusal(lambda value: count(value) <= room, room, delta, limit)


def _fitting(lattice: Callable[[float], Floats | None], room: int, delta: float, *, limit: float) -> Floats:
    grid = lattice(delta)
    if grid is None:
        raise _refusal(lambda value: lattice(value) is not None, room, delta, limit)
    return grid


def _refusal(fits: Callable[[float], bool], room: int, delta: float, limit: float) -> InvalidInput:
    """Say which delta would do, to three digits, by bisection."""
    low, high = delta, limit * 0.999
    if not fits(high):
        return InvalidInput(
            f"no delta gives more than one centre and still fits a question, which has room for {max(0, room):,} "
            f"centres of so many coordinates; give fewer dimensions"
        )
    for _ in range(24):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    digits = 10 ** (2 - math.floor(math.log10(high)))
    return InvalidInput(
        f"delta = {delta:g} needs more centres than fit in a question; about {math.ceil(high * digits) / digits:g} fits"
    )
