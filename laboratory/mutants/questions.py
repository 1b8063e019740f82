"""Mistakes in what is asked: the device would decline these; here it is made to answer."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from sottovoce.audit.device_paths import Rebuilt, Subject
from sottovoce.design import laplace, one_bit, unary
from sottovoce.messages import Average, Channel, Encoder, Grid, Placement, Position, Question, Slots, Unary, exact

UNIT = Position(low=(0.0,), high=(1.0,))
FOUR = Grid(low=(0.0,), high=(1.0,), count=4)
TRUSTING = Rebuilt()
"""A device that does not recompute what it spends."""


def question(channel: Channel, placement: Placement, *, epsilon: float, role: str = "ask", **more: int) -> Question:
    """A small question to ten users."""
    first = more.pop("first", 0)
    return Question(
        survey="mutant",
        round=more.pop("round", 0),
        role=role,
        slots=Slots(first=first, count=10),
        encoder=Encoder(statistic=Average(columns=tuple(range(more.get("groups", 1)))), placement=placement),
        channel=channel,
        epsilon=epsilon,
        **more,
    )


def _subject(name: str, *questions: Question, epsilon: float) -> Subject:
    return Subject(name=name, epsilon=epsilon, questions=questions, path=TRUSTING)


def alpha_for_half(name: str, epsilon: float) -> Subject:
    """Votes kept with ω_α where two differing bits need ω_{α/2}."""
    channel = unary(2 * exact(epsilon), 4)
    return _subject(name, question(channel, FOUR, epsilon=epsilon), epsilon=epsilon)


def half_width(name: str, epsilon: float) -> Subject:
    """Laplace noise of scale (width / 2) / ε."""
    return _subject(name, question(laplace(2 * exact(epsilon)), UNIT, epsilon=epsilon), epsilon=epsilon)


def both_rounds(name: str, epsilon: float) -> Subject:
    """The voters refine as well: every question is within ε, the users are not."""
    vote = question(unary(epsilon, 4), FOUR, epsilon=epsilon, role="vote")
    refine = question(laplace(epsilon), UNIT, epsilon=epsilon, role="refine", round=1)
    return _subject(name, vote, refine, epsilon=epsilon)


def one_fold_too_many(name: str, epsilon: float) -> Subject:
    """⌊α⌋ + 1 folds of budget 1 for each user (ERRATA P1)."""
    folds = int(epsilon) + 1
    asked = question(one_bit(1.0), UNIT, epsilon=epsilon, groups=4, uses=folds)
    return _subject(name, asked, epsilon=epsilon)


def overspent(percent: int) -> Overspend:
    """A budget that is overspent by a few per cent."""
    return Overspend(percent)


@dataclasses.dataclass(frozen=True)
class Overspend:
    """Everything right but the budget."""

    percent: int

    def __call__(self, name: str, epsilon: float) -> Subject:
        spent = exact(epsilon) * (1 + Fraction(self.percent, 100))
        return _subject(name, question(one_bit(spent), UNIT, epsilon=epsilon), epsilon=epsilon)


def three_hot_bits(name: str, epsilon: float) -> Subject:
    """Votes for three bins, each bit kept with ω_{α/2}: six bits may differ (ERRATA P2)."""
    threshold = unary(epsilon, 7).threshold
    channel = Unary(items=7, reach=1, threshold=threshold)
    placement = Grid(low=(0.0,), high=(1.0,), count=7)
    return _subject(name, question(channel, placement, epsilon=epsilon), epsilon=epsilon)


class _Understated(Unary):
    def epsilon_bound(self) -> Fraction:
        return super().epsilon_bound() / 2


def understated(name: str, epsilon: float) -> Subject:
    """A channel whose own account forgets that two bits differ: the device would believe it."""
    honest = unary(2 * exact(epsilon), 4)
    channel = _Understated(items=4, reach=0, threshold=honest.threshold)
    return _subject(name, question(channel, FOUR, epsilon=epsilon), epsilon=epsilon)
