"""Made-up users, from plain data and a seed: numbers, vectors, members of a mixture, labels, members of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import sottovoce as sv

Floats = NDArray[np.float64]


def make_people(
    *,
    kind: str,
    users: int,
    held: int,
    seed: int,
    low: float = -1.0,
    high: float = 1.0,
    dimension: int = 1,
    nonzero: int = 0,
    components: int = 1,
    labels: int = 2,
    groups: int = 0,
    memberships: int = 1,
    whole: bool = False,
    ragged: bool = False,
    missing: bool = False,
    infinite: bool = False,
) -> sv.Collections:
    """`held` observations a user; ragged ones hold 0 … 2·held, a tenth is missing, one in 200 infinite.

    With `groups` another column says in which group an observation is, one of `memberships` of its user.
    """
    stream = np.random.Generator(np.random.PCG64(seed))
    shape = (users, 2 * held if ragged else held)
    values = _positions(stream, kind, shape, dimension=dimension, nonzero=nonzero, components=components, labels=labels)
    if kind != "labels":
        values = low + (high - low) * values
    if whole:
        values = np.rint(values)
    if missing:
        values = np.where(stream.random(values.shape) < 0.1, np.nan, values)
    if infinite:
        values = np.where(stream.random(values.shape) < 0.005, np.inf, values)
    if groups:
        offset = stream.integers(0, groups, size=(users, 1))
        code = (offset + stream.integers(0, memberships, size=shape)) % groups
        values = np.stack((values, code.astype(np.float64)), axis=2)
    if ragged:
        sizes = stream.integers(0, 2 * held + 1, size=users)
        return sv.collections([list(values[user, :size]) for user, size in enumerate(sizes)])
    return sv.collections(values)


def _positions(
    stream: np.random.Generator,
    kind: str,
    shape: tuple[int, int],
    *,
    dimension: int,
    nonzero: int,
    components: int,
    labels: int,
) -> Floats:
    """Observations on [0, 1] and a little beyond; labels as they are."""
    users = shape[0]
    match kind:
        case "numbers":
            return np.asarray(0.62 + 0.05 * stream.random((users, 1)) + 0.3 * (stream.random(shape) - 0.5))
        case "wide":  # some observations lie outside the range
            return np.asarray(0.4 + 0.3 * stream.standard_normal((users, 1)) + 0.2 * stream.standard_normal(shape))
        case "peaks":
            left = stream.random(shape) < 0.6
            return np.asarray(np.where(left, 0.3, 0.7) + 0.16 * (stream.random(shape) - 0.5))
        case "mixture":
            own = stream.integers(0, components, size=users)
            return np.asarray(((own + 0.5) / components)[:, None] + 0.1 * (stream.random(shape) - 0.5))
        case "labels":
            return np.asarray(np.floor(labels * stream.random(shape) ** 2))
        case "vectors":
            centre = 0.5 + 0.0625 * (
                7 * np.arange(dimension) % 11 - 5
            )  # no function whose last bit depends on the machine
        case "sparse":
            centre = np.full(dimension, 0.5)
            centre[1 : 1 + 2 * nonzero : 2] = 0.85
        case _:
            raise ValueError(f"no such kind of people: {kind!r}")
    return np.asarray(centre + 0.3 * (stream.random((*shape, dimension)) - 0.5))


def describe(**people: Any) -> dict[str, Any]:
    """The same arguments without what is left as it is, so that a line of the file stays short."""
    return {name: value for name, value in people.items() if value is not False}
