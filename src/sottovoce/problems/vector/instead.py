"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, VectorEstimate, two_sided
from sottovoce.problems.vector.adaptive import AdaptiveRounds
from sottovoce.problems.vector.assumed import assumed
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.settings import VectorMean
from sottovoce.risk import Crowd


def completed(settings: VectorMean, answer: Answer) -> Answer:
    """An answer of adaptive or one round with the sentence about the other choice."""
    assert isinstance(answer, VectorEstimate)
    if settings.method not in (OneRound.name, AdaptiveRounds.name):
        return answer
    return replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> str:
    """From predictions, so known before anyone is asked; the guaranteed one is that of one round."""
    if settings.method != OneRound.name:
        if OneRound().unavailable(settings) is not None:
            return ""
        error = max(OneRound().predict(settings, crowd).rmse for crowd in assumed(settings, Crowd()))
        return f"one-round: about ± {min(_reach(settings, error), settings.widest / 2):.2g} a coordinate, guaranteed"
    said = []
    for crowd in assumed(settings, Crowd()):
        users = f"if users' means differ by {crowd.spread:.3g}" if crowd.spread else "if users are alike"
        said.append(f"± {_reach(settings, AdaptiveRounds().predict(settings, crowd).rmse):.2g} {users}")
    return f"adaptive: {', '.join(said)}, a coordinate; its guaranteed intervals are wider than that"


def _reach(settings: VectorMean, error: float) -> float:
    return two_sided(settings.confidence) * error
