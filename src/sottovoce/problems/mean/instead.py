"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, Estimate, two_sided
from sottovoce.messages import few
from sottovoce.problems.mean.adaptive import AdaptiveRounds, enough
from sottovoce.problems.mean.assumed import assumed
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Crowd


def completed(settings: Mean, answer: Answer) -> Answer:
    """An answer with the sentence about the other choice."""
    assert isinstance(answer, Estimate)
    alone = len(answer.users_per_round) == 1 and settings.method != OneRound.name  # one round is what ran
    return answer if alone else replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> str:
    """From predictions, so known before anyone is asked; the guaranteed one is that of one round."""
    if settings.method != OneRound.name:
        widest = max(OneRound().predict(settings, crowd).rmse for crowd in assumed(settings, Crowd()))
        reach = min(_reach(settings, widest), (settings.high - settings.low) / 2)
        return f"one-round: about ± {few(reach)}, guaranteed"
    if not enough(settings) or AdaptiveRounds().unavailable(settings) is not None:
        return ""
    said = []
    for crowd in assumed(settings, Crowd()):
        users = f"if users' means differ by {few(crowd.spread, 3)}" if crowd.spread else "if users are alike"
        said.append(f"± {few(_reach(settings, AdaptiveRounds().predict(settings, crowd).rmse))} {users}")
    return f"adaptive: {', '.join(said)}; its guaranteed interval is usually wider than this"


def _reach(settings: Mean, error: float) -> float:
    return two_sided(settings.confidence) * error
