"""From fitted kinds to an answer: intervals that say what they assume, and what the reader should know."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from sottovoce.answers import MixtureEstimate, Privacy, StandardError, two_sided, within
from sottovoce.messages import Joint, counted
from sottovoce.problems.mixture.design import strength
from sottovoce.problems.mixture.fit import Fitted
from sottovoce.problems.mixture.kinds import Floats
from sottovoce.problems.mixture.learned import Answered
from sottovoce.problems.mixture.search import Explained
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.reasons import says_little
from sottovoce.schemes import leaning_doubt

WIDER = 1.1
"""Standard errors are raised by so much, and by what the spread of a kind may be larger than it was fitted."""
VISIBLE = 2.5
"""Standard errors by which a kind must stand out."""
MISSED = 0.4
"""The part of the chance of an error, 1 − confidence, that is left to places where a kind is not looked for."""
ASSUMES = (
    "the model, without which components are not defined: users of a component form one bell around its mean, "
    "components are apart, their number is right, and "
)


def estimate(settings: MixtureMeans, method: str, told: Explained, rounds: tuple[Answered, ...]) -> MixtureEstimate:
    """The answer on the declared range."""
    fitted, half = told.best, (settings.high - settings.low) / 2
    middle, kinds = settings.low + half, told.best.kinds
    share_errors, _, _ = fitted.deviations()
    shares = kinds.shares / kinds.shares.sum()
    share_errors = WIDER * share_errors
    seen = shares > VISIBLE * share_errors
    z, error = two_sided(settings.confidence), deviation(fitted)
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
        interval_kind="model",
        assumes=ASSUMES + _large_enough(least_share(settings, rounds[0][2])),
        users_per_round=tuple(reports for _, _, reports in rounds),
        privacy=Privacy(
            epsilon=settings.epsilon, protects="its whole collection", users=settings.users, rounds=len(rounds)
        ),
        method=method,
        reason="asked for" + ("; the number of components was chosen" if settings.components is None else ""),
        warnings=_warnings(settings, told, share_errors, rounds[0][2]),
    )


def least_share(settings: MixtureMeans, voters: float) -> float:
    """Of the users, whom a component must have to be found by so many voters; above 1 nothing is found for sure."""
    return VISIBLE / strength(settings, voters)


def _large_enough(least: float) -> str:
    if least >= 1:
        return "all can be found, which so few reports do not show"
    return f"none has less than {least:.2g} of the users: a smaller one may be missed, and another told in its place"


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


def _warnings(settings: MixtureMeans, told: Explained, share_errors: Floats, voters: int) -> tuple[str, ...]:
    found, kinds, epsilon = [], told.best.kinds, settings.epsilon
    shares = kinds.shares / kinds.shares.sum()
    half = (settings.high - settings.low) / 2
    for own in range(kinds.count):
        share, off, elsewhere = float(shares[own]), float(share_errors[own]), float(told.chances[own].sum())
        if kinds.count > 1 and share < VISIBLE * off:
            found.append(
                f"component {own + 1}: its share, {share:.3f} ± {off:.3f}, cannot be told from zero; it may not exist, "
                f"and its interval is the whole range: try fewer components"
            )
        elif elsewhere > 1 - settings.confidence:
            found.append(
                f"component {own + 1} may be elsewhere, with a chance of {elsewhere:.0%}: its interval holds the "
                f"likely places; more users or a larger epsilon would settle it"
            )
    found += says_little(settings.users, epsilon)
    visible = least_share(settings, voters)
    if kinds.count > 1 and float(shares.min()) < visible:
        found.append(
            f"components with a share below {min(1.0, visible):.3g} cannot be told from noise by "
            f"{counted(voters, 'voter')} at ε = {epsilon:g}, and the smallest share found is {shares.min():.3g}: if "
            f"one was missed, the others have moved by a place, and their intervals may belong to their neighbours"
        )
    differ = _differing(told.best)
    for own in differ:
        found.append(
            f"component {own + 1}: its users differ, by about {half * float(kinds.spreads[own]):.3g} (standard "
            f"deviation), more than {settings.observations:,} observations explain: it may be several components"
        )
    for left, right in pairwise(range(kinds.count)):
        if kinds.means[right] - kinds.means[left] < 2 * (kinds.spreads[left] + kinds.spreads[right]):
            found.append(f"components {left + 1} and {right + 1} overlap: they may be one")
    if kinds.elsewhere > _FEW:
        found.append(f"about {kinds.elsewhere:.0%} of the users are near none of the components: there may be more")
    if settings.components is None:
        doubtful = bool(differ) or kinds.elsewhere > _FEW or float(shares.min()) < visible or visible > _HIDDEN
        found.append(_number(kinds.count, min(1.0, visible), doubtful))
    return tuple(found)


_FEW = 0.05
"""Of the users, who are near no component: more are worth a word."""
_HIDDEN = 0.1
"""Where larger components than this could be missed, their number is not reliable."""


def _number(count: int, visible: float, doubtful: bool) -> str:
    said = f"the number of components, {count}, was chosen from the reports"
    said += f", which hardly show one with a share below {visible:.2g}"
    return said + (
        ", and is unreliable here: state components= if you know it"
        if doubtful
        else "; users who differ within a component would change it, too"
    )


def _differing(fitted: Fitted) -> list[int]:
    """Components that are wider than any observations on the range can make them, beyond doubt."""
    doubt = fitted.deviations()[2]
    return np.flatnonzero(np.log(fitted.kinds.ratios) > np.log(1.25) + 2 * doubt).tolist()
