"""How many waves are asked for, and as which vector."""

from __future__ import annotations

from sottovoce.messages import MAX_WAVES, Cosines, Fact
from sottovoce.methods import response
from sottovoce.problems.density.rounds import table_variance
from sottovoce.problems.density.settings import Density

FEWEST = 3
_SCALE, _IN_CASE = 1.3, 1.5
"""J for a known smoothness, in units of (information)^(1/(2β+2)); and how many more for one that is not known."""


def waves_of_adaptive(settings: Density) -> int:
    """By what all observations say through directions."""
    return max(1, round(wanted_by_adaptive(settings)))


def waves_of_one_round(settings: Density) -> int:
    """By what one report a user says, however many observations there are."""
    return max(1, round(wanted_by_one_round(settings)))


def wanted_by_adaptive(settings: Density) -> float:
    """Before it is rounded: predictions should not jump."""
    return _wanted(settings, settings.users * settings.observations * response(settings.epsilon) ** 2)


def wanted_by_one_round(settings: Density) -> float:
    """The same of one round."""
    return _wanted(settings, settings.users / table_variance(settings.epsilon))


def _wanted(settings: Density, information: float) -> float:
    if settings.coefficients is not None:
        return float(settings.coefficients - 1)
    found: float = _SCALE * max(1.0, information) ** (1 / (2 * settings.trusted + 2))
    found *= 1.0 if settings.smoothness is not None else _IN_CASE
    return min(settings.most - 1, MAX_WAVES, max(FEWEST, found))


def too_many(settings: Density) -> Fact | None:
    """Why so many waves cannot be asked for."""
    if settings.coefficients is None or settings.coefficients - 1 <= MAX_WAVES:
        return None
    return Fact("too-many-waves", most=MAX_WAVES, coefficients=MAX_WAVES + 1)


def vector(settings: Density, size: int) -> Cosines:
    """What users hold."""
    return Cosines(low=settings.low, high=settings.high, size=size)
