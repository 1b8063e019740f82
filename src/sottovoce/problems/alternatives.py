"""What a choice of method is judged by: the users that are assumed, and what the other choice would have promised."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import Note, NoteCode
from sottovoce.messages import Fact
from sottovoce.risk import Crowd
from sottovoce.theory import LOCALISABLE, strength

# When no method can say much.


def notes_on_few_reports(users: int, epsilon: float, *, of: str = "reports") -> tuple[Note, ...]:
    """A note where reports, or the votes among them, say little, whatever is asked."""
    total = strength(users, epsilon)
    return (Note(NoteCode.FEW_REPORTS, strength=total, enough=LOCALISABLE, of=of),) if total < LOCALISABLE else ()


def stated_crowd(settings: Any, crowd: Crowd) -> Crowd:
    """The users as the caller describes them: in a plan, else in the survey."""
    return crowd if crowd.spread is not None else replace(crowd, spread=settings.spread)


@lru_cache(maxsize=64)
def assumed_crowds(crowd: Crowd, spread: float | None, differing: float) -> tuple[Crowd, ...]:
    """What auto decides by: users as a plan, else as the survey's `spread` states them.

    Where neither does, users alike and users who differ by `differing`, who count alike.
    """
    if crowd.spread is not None or (crowd.law is not None and spread is None):
        return (crowd,)
    return tuple([replace(crowd, spread=one) for one in ((0.0, differing) if spread is None else (spread,))])


@lru_cache(maxsize=256)
def promise_of_other_method(settings: Any, most: float, of: str = "") -> Fact:
    """What adaptive would have had, where one round ran; else what one round guarantees, at `most` this."""
    one_round, adaptive = map(settings.problem.method, ("one-round", "adaptive"))
    confidence, crowds = float(settings.confidence), one_round.assumed_users(settings, Crowd())
    if settings.method != one_round.name:
        halfwidths = [
            one_round.guarded_halfwidth(settings, crowd) or one_round.predict(settings, crowd).halfwidth(confidence)
            for crowd in crowds
        ]
        return Fact(f"instead-one-round{of}", halfwidth=min(max(halfwidths), most))
    runs = adaptive.method_that_runs(settings)
    promised = (
        Fact(
            f"instead-halfwidth{of}",
            halfwidth=runs.predict(settings, crowd).halfwidth(confidence),
            spread=crowd.spread or None,
        )
        for crowd in crowds
    )
    return Fact(f"instead-adaptive{of}", halfwidths=tuple(promised))
