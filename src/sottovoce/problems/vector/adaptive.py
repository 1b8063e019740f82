"""Find the users, then ask where they are; no assumption that they are alike."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Script
from sottovoce.problems.method import Method
from sottovoce.problems.vector.assumed import assumed
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.problems.vector.side_by_side import SideBySide
from sottovoce.problems.vector.zooming import Zooming
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider


class AdaptiveRounds(Method[VectorMean]):
    """Directions of the whole vector, or on boxes of few sides one coordinate a user, whichever promises more."""

    name = "adaptive"
    help = "finds out where users are, then asks there"
    not_empty = None

    def way(self, settings: VectorMean) -> Method[VectorMean]:
        """By the error to expect: it follows from the settings alone."""
        return _way(settings)

    def script(self, settings: VectorMean) -> Script[Answer]:
        return self.way(settings).script(settings)

    def predict(self, settings: VectorMean, crowd: Crowd) -> Prediction:
        return self.way(settings).predict(settings, crowd)

    def wider(self, settings: VectorMean, crowd: Crowd) -> tuple[Wider, ...]:
        return self.way(settings).wider(settings, crowd)

    def assumed(self, settings: VectorMean, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def guarded(self, settings: VectorMean, crowd: Crowd) -> float | None:
        return self.way(settings).guarded(settings, crowd)

    def users_per_round(self, settings: VectorMean) -> tuple[int, ...]:
        return self.way(settings).users_per_round(settings)

    def rules(self, settings: VectorMean) -> Rules:
        return self.way(settings).rules(settings)

    def poisoning(self, settings: VectorMean, crowd: Crowd) -> Poisoning:
        return self.way(settings).poisoning(settings, crowd)

    def words(self, settings: VectorMean) -> Fact:
        return self.way(settings).words(settings)


@lru_cache(maxsize=256)
def _way(settings: Any) -> Method[VectorMean]:
    zooming, side_by_side = Zooming(), SideBySide()
    if not side_by_side.fits(settings):
        return zooming
    nothing = Crowd()
    alone, whole = side_by_side.expect(settings, nothing), zooming.expect(settings, nothing)
    return side_by_side if alone.mse <= whole.mse else zooming
