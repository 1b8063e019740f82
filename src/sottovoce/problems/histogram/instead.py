"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, HistogramEstimate, two_sided
from sottovoce.messages import Fact
from sottovoce.problems.histogram.adaptive import AdaptiveStages
from sottovoce.problems.histogram.assumed import assumed
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
    """From predictions, so known before anyone is asked."""
    if Stages.of(settings).unavailable is not None:
        return None
    if settings.method != OneRound.name:
        return Fact("instead-one-round-shares", halfwidth=OneRound().guarded(settings, Crowd()))
    halfwidths = tuple(
        Fact(
            "instead-halfwidth-shares",
            halfwidth=two_sided(settings.confidence) * AdaptiveStages().predict(settings, crowd).rmse,
            spread=crowd.spread or None,
        )
        for crowd in assumed(settings, Crowd())
    )
    return Fact("instead-adaptive-shares", halfwidths=halfwidths)
