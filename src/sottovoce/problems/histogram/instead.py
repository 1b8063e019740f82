"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, HistogramEstimate, two_sided
from sottovoce.problems.histogram.adaptive import AdaptiveStages
from sottovoce.problems.histogram.assumed import assumed
from sottovoce.problems.histogram.one_round import OneRound
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.stages import Stages
from sottovoce.risk import Crowd


def completed(settings: Histogram, answer: Answer) -> Answer:
    """An answer with the sentence about the other choice."""
    assert isinstance(answer, HistogramEstimate)
    return replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> str:
    """From predictions, so known before anyone is asked."""
    if Stages.of(settings).unavailable is not None:
        return ""
    if settings.method != OneRound.name:
        return f"one-round: about ± {OneRound().guarded(settings, Crowd()):.2g} a share, guaranteed"
    said = []
    for crowd in assumed(settings, Crowd()):
        users = f"if users' shares differ by {crowd.spread:.3g}" if crowd.spread else "if users are alike"
        reach = two_sided(settings.confidence) * AdaptiveStages().predict(settings, crowd).rmse
        said.append(f"± {reach:.2g} {users}")
    return f"adaptive: {', '.join(said)}; its guaranteed intervals are usually wider than these"
