"""From fitted kinds to an answer: intervals that say what they assume, and what the reader should know."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Assumes,
    Chosen,
    ChosenBy,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    two_sided,
    within,
)
from sottovoce.messages import Fact, Joint
from sottovoce.methods import leaning_doubt
from sottovoce.problems.mixture.decode import may_be_missed
from sottovoce.problems.mixture.design import strength
from sottovoce.problems.mixture.estimate import MixtureEstimate
from sottovoce.problems.mixture.fit import Fitted
from sottovoce.problems.mixture.kinds import Floats
from sottovoce.problems.mixture.learned import Answered
from sottovoce.problems.mixture.search import Explained
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.reasons import says_little

WIDER = 1.1
"""Standard errors are raised by so much, and by what the spread of a kind may be larger than it was fitted."""
VISIBLE = 2.5
"""Standard errors by which a kind must stand out."""
MISSED = 0.4
"""The part of the chance of an error, 1 − confidence, that is left to places where a kind is not looked for."""
_FEW = 0.05
"""Of the users, who are near no component: more are worth a word."""
_HIDDEN = 0.1
"""Where larger components than this could be missed, their number is not reliable."""


def estimate(settings: MixtureMeans, method: str, told: Explained, rounds: tuple[Answered, ...]) -> MixtureEstimate:
    """The answer on the declared range."""
    fitted, half = told.best, (settings.high - settings.low) / 2
    middle, kinds = settings.low + half, told.best.kinds
    share_errors, _, _ = fitted.deviations()
    shares = kinds.shares / kinds.shares.sum()
    share_errors = WIDER * share_errors
    seen = shares > VISIBLE * share_errors
    z, error, least = two_sided(settings.confidence), deviation(fitted), least_share(settings, rounds[0][2])
    means, intervals, errors = [], [], []
    for own, mean in enumerate(kinds.means.tolist()):
        reach = z * float(error[own]) + leaning_doubt(kinds.observations, mean, float(kinds.ratios[own]))[0]
        low, high = _also(told, own, mean - reach, mean + reach, MISSED * (1 - settings.confidence))
        if kinds.count > 1 and not seen[own]:
            low, high = -1.0, 1.0
        means.append(middle + half * mean)
        intervals.append(
            within((middle + half * max(-1.0, low), middle + half * min(1.0, high)), settings.low, settings.high)
        )
        sampling = float(kinds.spreads[own]) / math.sqrt(settings.users * float(shares[own]))
        errors.append(
            StandardError(
                sampling=half * min(sampling, float(error[own])),
                privacy=half * math.sqrt(max(0.0, float(error[own]) ** 2 - sampling**2)),
                localisation=half * math.sqrt(float(told.chances[own] @ (told.places - mean) ** 2)),
            )
        )
    return MixtureEstimate(
        means=tuple(means),
        intervals=tuple(intervals),
        standard_errors=tuple(errors),
        shares=tuple(shares.tolist()),
        share_errors=tuple(share_errors.tolist()),
        share_intervals=tuple(
            within((share - z * off, share + z * off), 0.0, 1.0)
            for share, off in zip(shares.tolist(), share_errors.tolist(), strict=True)
        ),
        centres=_centres(rounds[-1], means),
        low=settings.low,
        high=settings.high,
        confidence=settings.confidence,
        interval_kind=Fact("by-model"),
        assumes=Assumes.MODEL_OF_COMPONENTS,
        least_share=least if least < 1 else None,
        users_per_round=tuple(reports for _, _, reports in rounds),
        privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=len(rounds)),
        method=method,
        chosen=Chosen(
            by=ChosenBy.CALLER, details=(Fact("components-were-counted"),) if settings.components is None else ()
        ),
        notes=_notes(settings, told, share_errors, rounds[0][2]),
    )


def least_share(settings: MixtureMeans, voters: float) -> float:
    """Of the users, whom a component must have to be found by so many voters; above 1 nothing is found for sure."""
    return VISIBLE / strength(settings, voters)


def deviation(fitted: Fitted) -> Floats:
    """Standard errors of the means on [−1, 1], the doubt about each spread included."""
    _, means, ratios = fitted.deviations()
    return np.asarray(WIDER * means * np.exp(np.minimum(ratios, 1.0) ** 2))


def _also(told: Explained, own: int, low: float, high: float, missed: float) -> tuple[float, float]:
    """The interval, stretched to where else the component may be, until the chance of what is left out is small."""
    chances = np.where((told.places > low) & (told.places < high), 0.0, told.chances[own])
    left = float(chances.sum())
    for place in np.argsort(-chances, kind="stable").tolist():
        if left <= missed:
            break
        left -= float(chances[place])
        low, high = min(low, float(told.places[place])), max(high, float(told.places[place]))
    return low, high


def _centres(last: Answered, means: list[float]) -> tuple[float, ...]:
    """Where the last round looked; the means themselves if some component was found or dropped after it."""
    statistic = last[0].encoder.statistic
    assert isinstance(statistic, Joint)
    return statistic.centres if len(statistic.centres) == len(means) else tuple(means)


def _notes(settings: MixtureMeans, told: Explained, share_errors: Floats, voters: int) -> tuple[Note, ...]:
    found, kinds, epsilon = [], told.best.kinds, settings.epsilon
    shares = kinds.shares / kinds.shares.sum()
    smallest, half = float(shares.min()), (settings.high - settings.low) / 2
    for own in range(kinds.count):
        share, off, elsewhere = float(shares[own]), float(share_errors[own]), float(told.chances[own].sum())
        if kinds.count > 1 and share < VISIBLE * off:
            found.append(Note(NoteCode.COMPONENT_MAY_NOT_EXIST, number=own + 1, share=share, error=off))
        elif elsewhere > 1 - settings.confidence:
            found.append(Note(NoteCode.COMPONENT_MAY_BE_ELSEWHERE, number=own + 1, chance=elsewhere))
    found += says_little(settings.users, epsilon)
    visible = least_share(settings, voters)
    if kinds.count > 1 and smallest < visible:
        found.append(may_be_missed(visible, voters, epsilon, smallest, others_move=True))
    differ = _differing(told.best)
    for own in differ:
        spread = {"spread": half * float(kinds.spreads[own]), "observations": settings.observations}
        found.append(Note(NoteCode.COMPONENT_OF_USERS_WHO_DIFFER, number=own + 1, **spread))
    for left, right in pairwise(range(kinds.count)):
        if kinds.means[right] - kinds.means[left] < 2 * (kinds.spreads[left] + kinds.spreads[right]):
            found.append(Note(NoteCode.COMPONENTS_OVERLAP, first=left + 1, second=right + 1))
    if kinds.elsewhere > _FEW:
        found.append(Note(NoteCode.USERS_NEAR_NO_COMPONENT, share=kinds.elsewhere))
    if settings.components is None:
        doubtful = bool(differ) or kinds.elsewhere > _FEW or smallest < visible or visible > _HIDDEN
        counted = {"count": kinds.count, "visible": min(1.0, visible), "doubtful": doubtful}
        found.append(Note(NoteCode.COMPONENTS_COUNTED, **counted))
    return tuple(found)


def _differing(fitted: Fitted) -> list[int]:
    """Components that are wider than any observations on the range can make them, beyond doubt."""
    doubt = fitted.deviations()[2]
    return np.flatnonzero(np.log(fitted.kinds.ratios) > np.log(1.25) + 2 * doubt).tolist()
