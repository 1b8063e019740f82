"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer
from sottovoce.messages import Fact
from sottovoce.problems.alternatives import other_promise
from sottovoce.problems.histogram.adaptive import AdaptiveStages
from sottovoce.problems.histogram.estimate import HistogramEstimate
from sottovoce.problems.histogram.one_round import OneRound
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.stages import Stages
from sottovoce.risk import Crowd


def completed(settings: Histogram, answer: Answer) -> Answer:
    """An answer with what the other choice would have promised."""
    assert isinstance(answer, HistogramEstimate)
    return replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> Fact | None:
    one_round = OneRound()
    if Stages.of(settings).unavailable is not None:
        return None
    if settings.method != one_round.name:
        return Fact("instead-one-round-shares", halfwidth=one_round.guarded(settings, Crowd()))
    return other_promise(settings, one_round, AdaptiveStages(), most=1.0, of="-shares")
