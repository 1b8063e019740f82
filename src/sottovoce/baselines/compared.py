"""How a baseline for simulation only stands beside the methods of a problem: its settings, and its answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.answers import StandardError, VectorEstimate
from sottovoce.messages import Fact
from sottovoce.problems.density import DensityEstimate


def ball_or_cube(settings: Any) -> dict[str, Any]:
    """The declared ball, or the smallest cube that holds the declared box."""
    if settings.ball == "l2":
        return {"ball": "l2", "radius": settings.radius, "centre": settings.centre}
    ends = list(zip(*settings.ranges, strict=True))
    centre = tuple((low + high) / 2 for low, high in ends)
    return {"ball": "linf", "radius": max(high - low for low, high in ends) / 2, "centre": centre}


def cube_about_zero(settings: Any) -> dict[str, Any]:
    """The smallest cube about zero that holds the declared range of every column."""
    return {"radius": settings.farthest}


def as_many_functions(settings: Any) -> dict[str, Any]:
    """As many coefficients as were given, or as the paper's rule takes."""
    return {"functions": settings.size}


def as_density(found: VectorEstimate, settings: Any) -> DensityEstimate:
    """Estimated coefficients as a density; the first is known."""
    return DensityEstimate(
        coefficients=(1.0, *found.value),
        coefficient_intervals=((1.0, 1.0), *found.intervals),
        coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), *found.standard_error),
        low=settings.low,
        high=settings.high,
        smoothness=settings.trusted,
        confidence=found.confidence,
        interval_kind=found.interval_kind,
        users_per_round=found.users_per_round,
        privacy=found.privacy,
        method=found.method,
        chosen=replace(found.chosen, details=(Fact("so-many-coefficients", n=len(found.value) + 1),)),
        notes=found.notes,
    )


def as_categories(settings: Any) -> dict[str, Any]:
    """The declared categories or bins."""
    return {"categories": settings.size, "names": settings.labels, "places": settings.vector.places}
