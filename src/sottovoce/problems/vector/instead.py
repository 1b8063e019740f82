"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, VectorEstimate, two_sided
from sottovoce.messages import Fact
from sottovoce.problems.vector.adaptive import AdaptiveRounds
from sottovoce.problems.vector.assumed import assumed
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Crowd


def completed(settings: VectorMean, answer: Answer) -> Answer:
    """An answer of adaptive or one round with what the other choice would have promised."""
    assert isinstance(answer, VectorEstimate)
    if settings.method not in (OneRound.name, AdaptiveRounds.name):
        return answer
    return replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> Fact | None:
    """From predictions, so known before anyone is asked; the guaranteed one is that of one round."""
    if settings.method != OneRound.name:
        if OneRound().unavailable(settings) is not None:
            return None
        error = max(OneRound().predict(settings, crowd).rmse for crowd in assumed(settings, Crowd()))
        return Fact("instead-one-round-each", halfwidth=min(_reach(settings, error), settings.widest / 2))
    halfwidths = (
        Fact(
            "instead-halfwidth-each",
            halfwidth=_reach(settings, AdaptiveRounds().predict(settings, crowd).rmse),
            spread=crowd.spread or None,
        )
        for crowd in assumed(settings, Crowd())
    )
    return Fact("instead-adaptive-each", halfwidths=tuple(halfwidths))


def _reach(settings: VectorMean, error: float) -> float:
    return two_sided(settings.confidence) * error
