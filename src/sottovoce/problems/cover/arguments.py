"""What a call is given (a cover, vectors, a space by its name, anything with a distance) as people and settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.methods import typical_observations
from sottovoce.problems.cover.covers import Cover, l2_ball, linf_ball, sobolev_densities, sparse_vectors

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
        return sobolev_densities(smoothness=numbers[0], radius=numbers[1], **asked)
    radius = numbers[least] if len(numbers) > least else 1.0
    if kind == "linf-ball":
        return linf_ball(dimension=dimension, radius=radius, **asked)
    if kind == "l2-ball":
        return l2_ball(dimension=dimension, radius=radius, **asked)
    if not (numbers[0].is_integer() and 1 <= numbers[0] <= dimension):
        raise InvalidInput(
            rule=f"{name!r}: S must be a whole number from 1 to dimension={dimension}", wrong=f"got {rest[0]}"
        )
    return sparse_vectors(dimension=dimension, sparsity=int(numbers[0]), radius=radius, **asked)


Choose = Callable[[NDArray[Any]], float]


def prepare(people: Any, given: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Resolve `centres`, `distance` and `metric`; what else is given is handed on as it is.

    Without a distance, centres are numbers or vectors, or a `Cover`, which brings its metric, radius and diameter, or
    the name of a space, for which one is made; people stay who they are. With one, or for a cover of densities, every
    user's collection becomes the index of the centre that is nearest to it, found where the collection is.
    """
    settings = {name: value for name, value in given.items() if name not in ("centres", "distance", "metric")}
    centres, distance = given["centres"], given.get("distance")
    if centres is None:
        raise InvalidInput(
            "centres are needed: points, a cover such as sv.covers.l2_ball, a space such as 'l2-ball', or items with a "
            "distance"
        )
    if isinstance(centres, str):
        centres = named_cover(
            centres,
            dimension=people.dimension,
            users=people.users,
            epsilon=given["epsilon"],
            observations=typical_observations(people.sizes),
        )
    cover = centres if isinstance(centres, Cover) else None
    items: Sequence[Any] = list(centres) if cover is None else cover.centres
    if cover is not None and distance is None:
        _check_brought(cover, given)
        settings |= {"radius": cover.radius, "diameter": cover.diameter, "because": cover.why or ""}
    if distance is not None:
        return people.indexed(_by_distance(distance, items)), settings | {"size": len(items)}
    if cover is not None and cover.functions:
        if people.dimension != 1:
            raise InvalidInput(f"a cover of densities takes one value column; the data have {people.dimension}")
        why = Fact("cover-of-densities", last=cover.functions[-1], width=cover.why)
        settings |= {"coefficients": cover.centres, "because": why}
        return people.indexed(_nearest_density(cover)), settings | {"size": len(items)}
    metric = given.get("metric") if cover is None else cover.metric
    if metric is not None:
        settings["metric"] = metric
    return people, settings | {"centres": _points(items, people.dimension)}


def _check_brought(cover: Cover, given: dict[str, Any]) -> None:
    """Refuse what a cover would override."""
    twice = [name for name in ("radius", "diameter") if given.get(name) is not None]
    twice += ["metric"] if given.get("metric") not in (None, cover.metric) else []
    if twice:
        brought = f"radius {cover.radius:.3g}, diameter {cover.diameter:.3g}, metric {cover.metric}"
        raise InvalidInput(f"{' and '.join(twice)}: the cover brings its own ({brought})", fix="leave it out")


def _points(items: Sequence[Any], dimension: int) -> tuple[tuple[float, ...], ...]:
    try:
        points = np.asarray(items, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(rule="centres that are no numbers or vectors need a distance") from None
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or points.shape[1] != dimension:
        wanted = f"an array (N, {dimension})" + (", or N numbers" if dimension == 1 else "")
        raise InvalidInput(rule=f"centres must be {wanted}, like the observations", wrong=f"got shape {points.shape}")
    return tuple(tuple(row) for row in points.tolist())


def _by_distance(distance: Callable[[NDArray[Any], Any], float], items: Sequence[Any]) -> Choose:
    def choose(observations: NDArray[Any]) -> int:
        far = np.array([float(distance(observations, centre)) for centre in items])
        return int(np.nanargmin(far))

    return choose


def _nearest_density(cover: Cover) -> Choose:
    """The centre nearest to the averages of the basis functions (L316), which estimate the coefficients."""
    points, functions = np.asarray(cover.centres), np.asarray(cover.functions)

    def choose(observations: NDArray[Any]) -> float:
        numbers = observations[~np.isnan(observations)]
        if not numbers.size:
            return math.nan
        turn = 2 * math.pi * np.clip(numbers, 0.0, 1.0)[:, None] * (functions // 2)
        averages = (math.sqrt(2) * np.where(functions % 2 == 0, np.cos(turn), np.sin(turn))).mean(axis=0)
        return int(np.argmin(((points - averages) ** 2).sum(axis=1)))

    return choose
