"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, Estimate, two_sided
from sottovoce.messages import Fact
from sottovoce.problems.mean.adaptive import AdaptiveRounds, enough
from sottovoce.problems.mean.assumed import assumed
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Crowd


def completed(settings: Mean, answer: Answer) -> Answer:
    """An answer with what the other choice would have promised."""
    assert isinstance(answer, Estimate)
    alone = len(answer.users_per_round) == 1 and settings.method != OneRound.name  # one round is what ran
    return answer if alone else replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> Fact | None:
    """From predictions, so known before anyone is asked; the guaranteed one is that of one round."""
    if settings.method != OneRound.name:
        widest = max(OneRound().predict(settings, crowd).rmse for crowd in assumed(settings, Crowd()))
        reach = min(_reach(settings, widest), (settings.high - settings.low) / 2)
        return Fact("instead-one-round", halfwidth=reach)
    if not enough(settings) or AdaptiveRounds().unavailable(settings) is not None:
        return None
    halfwidths = (
        Fact(
            "instead-halfwidth",
            halfwidth=_reach(settings, AdaptiveRounds().predict(settings, crowd).rmse),
            spread=crowd.spread or None,
        )
        for crowd in assumed(settings, Crowd())
    )
    return Fact("instead-adaptive", halfwidths=tuple(halfwidths))


def _reach(settings: Mean, error: float) -> float:
    return two_sided(settings.confidence) * error
