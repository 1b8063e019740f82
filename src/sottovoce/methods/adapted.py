"""What comes out when the users were found first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Adapted:
    """What came out, in units of the observations."""

    value: float
    sampling: float
    """A variance, as `privacy`."""
    privacy: float
    clipping: float
    """A deviation."""
    low: float
    high: float
    """Between which ends the last question was."""
    below: float
    above: float
    """How far the guarded interval reaches to each side of the value."""
    jointly: tuple[float, float]
    """The same for all means side by side at once."""
    answered: tuple[int, ...]
    hidden: float
    """The share of the users that would be found beyond the ends 95 times in 100; fewer may hide. Zero: nobody can."""
    pulls: tuple[tuple[float, float], ...]
    """How far colluders could have moved the value: pairs of a share of the users and a distance."""
