"""Find the users, then ask where they are; no assumption that they are alike."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sottovoce.problems.method import Method
from sottovoce.problems.vector.assumed import AdaptiveWay
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.vector.side_by_side import SideBySide
from sottovoce.problems.vector.zooming import Zooming
from sottovoce.risk import Crowd


class AdaptiveRounds(AdaptiveWay):
    """Directions of the whole vector, or on boxes of few sides one coordinate a user, whichever promises more."""

    def replacement(self, settings: VectorMean) -> Method[VectorMean]:
        return _best(settings)


@lru_cache(maxsize=256)
def _best(settings: Any) -> Method[VectorMean]:
    """The better of the two by the error to expect: it follows from the settings alone."""
    zooming, side_by_side = Zooming().running(settings), SideBySide()
    if not side_by_side.fits(settings):
        return zooming
    nothing = Crowd()
    alone, whole = side_by_side.expect(settings, nothing), zooming.expect(settings, nothing)
    return side_by_side if alone.mse <= whole.mse else zooming
