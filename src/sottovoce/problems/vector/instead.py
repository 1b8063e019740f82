"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, VectorEstimate
from sottovoce.messages import Fact
from sottovoce.problems.alternatives import other_promise
from sottovoce.problems.vector.adaptive import AdaptiveRounds
from sottovoce.problems.vector.one_round import OneRound
from sottovoce.problems.vector.settings import VectorMean


def completed(settings: VectorMean, answer: Answer) -> Answer:
    """An answer of adaptive or one round with what the other choice would have promised."""
    assert isinstance(answer, VectorEstimate)
    if settings.method not in (OneRound.name, AdaptiveRounds.name):
        return answer
    return replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> Fact | None:
    one_round = OneRound()
    if settings.method != one_round.name and one_round.unavailable(settings) is not None:
        return None
    return other_promise(settings, one_round, AdaptiveRounds(), most=settings.widest / 2, of="-each")
