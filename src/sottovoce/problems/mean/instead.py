"""What the other choice of method would have promised, for an answer to say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Answer, Estimate
from sottovoce.messages import Fact
from sottovoce.problems.alternatives import other_promise
from sottovoce.problems.mean.adaptive import AdaptiveRounds, enough
from sottovoce.problems.mean.one_round import OneRound
from sottovoce.problems.mean.settings import Mean


def completed(settings: Mean, answer: Answer) -> Answer:
    """An answer with what the other choice would have promised."""
    assert isinstance(answer, Estimate)
    alone = len(answer.users_per_round) == 1 and settings.method != OneRound.name  # one round is what ran
    return answer if alone else replace(answer, instead=_instead(settings))


@lru_cache(maxsize=256)
def _instead(settings: Any) -> Fact | None:
    one_round, adaptive = OneRound(), AdaptiveRounds()
    cannot = not enough(settings) or adaptive.unavailable(settings) is not None
    if settings.method == one_round.name and cannot:
        return None
    return other_promise(settings, one_round, adaptive, most=(settings.high - settings.low) / 2)
