"""The answer about a mean."""

from __future__ import annotations

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Assumes,
    Chosen,
    ChosenBy,
    Colluders,
    Estimate,
    Note,
    NoteCode,
    Privacy,
    StandardError,
)
from sottovoce.messages import Fact
from sottovoce.methods import COLLUDING
from sottovoce.problems.mean.settings import Mean
from sottovoce.risk import Poisoning


def answered(
    settings: Mean,
    method: str,
    value: float,
    interval: tuple[float, float],
    kind: Fact,
    error: StandardError,
    users: tuple[int, ...],
    notes: tuple[Note, ...] = (),
    *,
    assumes: Assumes = Assumes.NOTHING,
    model_interval: tuple[float, float] | None = None,
    model_assumes: Assumes | None = None,
    detection_limit: float | None = None,
    hidden_shift: float | None = None,
    poisoning: Poisoning | None = None,
    shrunk: bool = False,
) -> Estimate:
    """One number, moved into the range where noise took it out, with its interval.

    `detection_limit` is the share of the users that may hide from this very method. `poisoning` is what colluders can
    do at this very answer. `shrunk`: what the caller wanted is done, so that no note says otherwise.
    """
    inside = min(settings.high, max(settings.low, value))
    halfwidth = (interval[1] - interval[0]) / 2
    return Estimate(
        value=inside,
        interval=(float(interval[0]), float(interval[1])),
        confidence=settings.confidence,
        interval_kind=kind,
        standard_error=error,
        users_per_round=users,
        privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(users)),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER),
        low=settings.low,
        high=settings.high,
        notes=(*notes, Note(NoteCode.NOT_SHRUNK)) if settings.shrink and not shrunk else notes,
        assumes=assumes,
        model_interval=model_interval,
        model_assumes=model_assumes,
        detection_limit=detection_limit,
        hidden_shift=hidden_shift,
        colluders=None if poisoning is None else _colluders(settings, inside, halfwidth, poisoning),
    )


def _colluders(settings: Mean, value: float, halfwidth: float, poisoning: Poisoning) -> Colluders:
    """An answer never leaves its range, not even when the votes are captured: the farther end is the most."""
    most = max(settings.high - value, value - settings.low)
    return Colluders(
        share=poisoning.share_for(halfwidth),
        shifts=tuple((share, min(most, poisoning.shift(share))) for share in COLLUDING),
    )
