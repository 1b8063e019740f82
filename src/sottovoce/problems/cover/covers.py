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
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from sottovoce.messages import MAX_ITEMS, MAX_QUESTION_BYTES, MAX_WORK, Fact, InvalidInput, nearest_power
from sottovoce.methods import Floats, check_at_least, check_positive, experiment_delta, is_whole
from sottovoce.theory import bin_count, cover_risk


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Centres, and the distance within which every point of the space has one.

    `functions` names the trigonometric basis functions (L316) whose averages the coordinates are, for densities on
    [0, 1]; it is empty for vectors. `diameter` is the largest distance of a point of the space from another or from a
    centre. `why` says why it is as fine as it is, where that was not asked for.
    """

    space: str
    centres: tuple[tuple[float, ...], ...]
    radius: float
    diameter: float
    metric: Literal["l2", "linf"]
    functions: tuple[int, ...] = ()
    why: Fact | None = None

    def __len__(self) -> int:
        return len(self.centres)

    def __repr__(self) -> str:
        return f"<Cover of {self.space}: {len(self):,} centres, radius {self.radius:g} in {self.metric}>"


def box_diameter(centres: tuple[tuple[float, ...], ...], metric: str) -> float:
    """The diameter of the box around the centres: at least theirs."""
    sides = np.ptp(np.asarray(centres, dtype=np.float64), axis=0)
    return float(sides.max()) if metric == "linf" else math.sqrt(float((sides**2).sum()))


_BYTES_EACH = 24
"""A centre's coordinate takes at most so many bytes in a question: 17 digits, sign, point, exponent, comma."""
_BYTES_BESIDES = 8192
"""All else in a question: names, the channel, a survey's name."""


def cells_of(radius: float, half: float) -> int:
    """How many cells of half-side `half` or less the axis [−radius, radius] needs."""
    return bin_count(max(half / radius, 1e-300))


def power_or_infinity(base: int, exponent: int) -> float:
    """base^exponent, infinite where it is far too large."""
    return math.inf if exponent * math.log(max(base, 1)) > 300 else float(base) ** exponent


def cell_middles(radius: float, cells: int) -> Floats:
    """The middles of so many cells of [−radius, radius]."""
    return np.asarray((2 * np.arange(cells) + 1 - cells) * (radius / cells), dtype=np.float64)


def as_tuples(grid: Floats) -> tuple[tuple[float, ...], ...]:
    """An array as the tuples that settings hold."""
    return tuple(tuple(row) for row in grid.tolist())


def most_centres(columns: int, zeros: int = 0) -> int:
    """The most centres that fit in a question, each with so many coordinates and so many zeros besides."""
    numbers, letters = MAX_WORK // (columns + zeros), MAX_QUESTION_BYTES - _BYTES_BESIDES
    return min(MAX_ITEMS, numbers, letters // (_BYTES_EACH * columns + 2 * zeros + 3))


def cubes_that_meet(cells: list[int], halves: list[float], weights: Floats, radius: float) -> Floats | None:
    """Centres of the cubes that meet {x : Σ (weights·x)² ≤ radius²}, axis by axis; None when there are too many."""
    limit = most_centres(len(cells))
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


_RATIO = 1.06
"""Between one Δ that is tried and the next."""


@dataclass(frozen=True, kw_only=True)
class Space:
    """What can be covered: `build` makes the cover for a Δ, or None where it does not fit in a question."""

    build: Callable[[float], Cover | None]
    limit: float
    """From this Δ on one centre does."""
    room: int
    """How many centres fit in a question."""
    blur: Callable[[Cover], float]
    """How far Δ reaches here where it is 1 on [−1, 1]: the paper's Δ for T observations is that of one coordinate."""

    def cover(
        self, delta: float | None, *, users: int | None, epsilon: float | None, observations: int | None
    ) -> Cover:
        """The cover for `delta`, or for the best Δ for so many users, at this ε, with so many observations each."""
        if delta is None:
            if users is None or epsilon is None:
                raise InvalidInput(fix="give delta, or users and epsilon for the delta that suits them")
            return self._chosen(users, epsilon, observations)
        if users is not None or epsilon is not None or observations is not None:
            raise InvalidInput("delta is given: users, epsilon and observations have nothing to decide")
        if (made := self.build(delta)) is None:
            raise self._refusal(delta)
        return made

    def _chosen(self, users: int, epsilon: float, observations: int | None) -> Cover:
        """From coarse to fine while the theorem's bound may fall, it fits, and T observations tell cells apart."""
        delta_of_observations = 0.0 if observations is None else experiment_delta(users, observations, epsilon)

        def bound(made: Cover, delta: float) -> float:
            return cover_risk(delta=delta, diameter=made.diameter, centres=len(made), users=users, epsilon=epsilon)

        delta, stopped = 0.999 * self.limit, ""
        made = self.build(delta)
        if made is None:
            raise self._refusal(delta)
        best = last = made
        risk = bound(best, best.radius)
        while not stopped and bound(last, 0.0) < risk:  # finer ones have more centres
            coarser, delta = delta, delta / _RATIO
            made = self.build(delta)
            if made is None:
                made, stopped = self._finest(coarser, delta), "question"
            if self.blur(made) * delta_of_observations > made.radius:
                stopped = "observations"
                break
            last = made
            if (finer_risk := bound(made, made.radius)) < risk:
                best, risk = made, finer_risk
        decided_by = stopped if stopped and len(best) == len(last) else "theorem"
        if risk >= best.diameter**2:
            decided_by = "nothing"
        numbers = {"users": users, "epsilon": epsilon, "observations": observations}
        return replace(best, why=Fact(f"cover-width-by-{decided_by}", delta=best.radius, **numbers))

    def _finest(self, fits: float, does_not: float) -> Cover:
        """The smallest Δ between the two whose cover fits a question, by bisection."""
        made = self.build(fits)
        assert made is not None
        for _ in range(12):
            middle = math.sqrt(fits * does_not)
            finer = self.build(middle)
            if finer is None:
                does_not = middle
            else:
                made, fits = finer, middle
        return made

    def _refusal(self, delta: float) -> InvalidInput:
        """Say which delta would do, to three digits, by bisection."""
        low, high = delta, self.limit * 0.999
        if self.build(high) is None:
            return InvalidInput(
                "no delta gives more than one centre and still fits a question, which has room for "
                f"{max(0, self.room):,} centres of so many coordinates",
                fix="give fewer dimensions",
            )
        for _ in range(24):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.build(middle) is None else (low, middle)
        digits = 10 ** (2 - math.floor(math.log10(high)))
        fits = math.ceil(high * digits) / digits
        return InvalidInput(
            rule=f"delta = {delta:g} needs more centres than fit in a question", wrong=f"about {fits:g} fits"
        )


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
    room = most_centres(dimension)

    def build(delta: float) -> Cover | None:
        cells = cells_of(radius, delta / shrink)
        if power_or_infinity(cells, dimension) > room:
            return None
        axis = cell_middles(radius, cells)
        grid = np.stack(np.meshgrid(*[axis] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
        reached = shrink * radius / len(axis)
        space = f"the ℓ∞ ball, d = {dimension}"
        return Cover(space=space, centres=as_tuples(grid), radius=reached, diameter=2 * wide, metric=metric)

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
        grid = cubes_that_meet([cells] * dimension, [radius / cells] * dimension, np.ones(dimension), radius)
        if grid is None:
            return None
        norm = np.sqrt((grid**2).sum(axis=1, keepdims=True))
        grid = grid * np.minimum(1.0, radius / np.maximum(norm, 1e-300))
        reached = root * radius / cells
        space = f"the ℓ2 ball, d = {dimension}"
        return Cover(space=space, centres=as_tuples(grid), radius=reached, diameter=2 * radius, metric="l2")

    space = Space(build=build, limit=root * radius, room=most_centres(dimension), blur=lambda made: radius)
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
    room = most_centres(sparsity, dimension - sparsity)

    def size(cells: int) -> float:
        if cells % 2 == 0:
            return math.comb(dimension, sparsity) * power_or_infinity(cells, sparsity)
        return sum(math.comb(dimension, k) * power_or_infinity(cells - 1, k) for k in range(sparsity + 1))

    def build(delta: float) -> Cover | None:
        cells = cells_of(radius, delta / root)
        cells = min(cells, cells + 1, key=size)
        if size(cells) > room:
            return None
        axis = cell_middles(radius, cells)
        block = np.stack(np.meshgrid(*[axis] * sparsity, indexing="ij"), axis=-1).reshape(-1, sparsity)
        parts = []
        for support in combinations(range(dimension), sparsity):
            part = np.zeros((len(block), dimension))
            part[:, support] = block
            parts.append(part)
        grid = np.unique(np.concatenate(parts), axis=0)
        return Cover(
            space=f"{sparsity}-sparse vectors, d = {dimension}",
            centres=as_tuples(grid),
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
        return cubes_that_meet(cells, halves, weights, rho), halves

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
            centres=as_tuples(grid),
            radius=math.sqrt(sum(half * half for half in halves) + tail(last) * tail(last)),
            diameter=limit + max(limit, float(np.sqrt((grid**2).sum(axis=1)).max())),  # centres may lie outside
            metric="l2",
            functions=tuple(range(2, last + 1)),
        )

    def blur(made: Cover) -> float:
        return math.sqrt(2 * len(made.functions))  # each average lies in [−√2, √2]

    space = Space(build=build, limit=limit, room=most_centres(2), blur=blur)
    return space.cover(delta, users=users, epsilon=epsilon, observations=observations)


def _check(*, dimension: int, delta: float | None, radius: float) -> None:
    check_at_least("dimension", dimension, 1)
    check_positive("delta", delta)
    check_positive("radius", radius)
