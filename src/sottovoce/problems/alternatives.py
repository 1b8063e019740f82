"""What the other choice of method would have promised, for an answer to say: from predictions, known beforehand."""

from __future__ import annotations

from typing import Any

from sottovoce.answers import two_sided
from sottovoce.messages import Fact
from sottovoce.problems.method import Method
from sottovoce.risk import Crowd


def other_promise(settings: Any, one_round: Method[Any], adaptive: Method[Any], *, most: float, of: str = "") -> Fact:
    """Where one round ran, what `adaptive` would have had; else what one round guarantees, at `most` this."""
    reach, crowds = two_sided(settings.confidence), one_round.assumed(settings, Crowd())
    if settings.method != one_round.name:
        widest = max(one_round.predict(settings, crowd).rmse for crowd in crowds)
        return Fact(f"instead-one-round{of}", halfwidth=min(reach * widest, most))
    halfwidths = (
        Fact(
            f"instead-halfwidth{of}",
            halfwidth=reach * adaptive.running(settings).predict(settings, crowd).rmse,
            spread=crowd.spread or None,
        )
        for crowd in crowds
    )
    return Fact(f"instead-adaptive{of}", halfwidths=tuple(halfwidths))
