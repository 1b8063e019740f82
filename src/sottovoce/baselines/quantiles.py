"""Quantiles from one item of each user: in flat bins, or in a tree of ever finer ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.answers import WHOLE_COLLECTION, Chosen, ChosenBy, Privacy, two_sided
from sottovoce.design import subset
from sottovoce.messages import (
    Encoder,
    Fact,
    Floats,
    Grid,
    InvalidInput,
    Item,
    Question,
    Slots,
    Subset,
    Tally,
    check_epsilon,
    check_range,
)
from sottovoce.methods import (
    Script,
    Scripted,
    all_slots,
    check_confidence,
    check_users,
    isotonic,
    split_into_folds,
    to_simplex,
)
from sottovoce.problems.quantiles import Curve, QuantilesEstimate

BINS = 32
LEVELS = 8


@dataclass(frozen=True, kw_only=True)
class _OneItem(Scripted):
    """What they share. With a `step` bins are one step wide."""

    name: ClassVar[str]

    epsilon: float
    low: float
    high: float
    users: int
    q: tuple[float, ...] = (0.5,)
    step: float | None = None
    confidence: float = 0.95
    survey: str = "rehearsal"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_users(self.users)
        check_confidence(self.confidence)
        if not self.q or not all(0 < q < 1 for q in self.q):
            raise InvalidInput(rule="q must hold levels strictly between 0 and 1", got=self.q)

    @property
    def ends(self) -> tuple[float, float]:
        """Where bins start and stop: half a step beyond the range where there are steps."""
        half = 0.0 if self.step is None else self.step / 2
        return self.low - half, self.high + half

    def question(self, bins: int, slots: Slots, number: int) -> Question:
        """The one of so many equal bins where a random item lies."""
        low, high = self.ends
        return Question(
            survey=self.survey,
            round=number,
            role=self.name,
            slots=slots,
            encoder=Encoder(statistic=Item(), placement=Grid(low=(low,), high=(high,), count=bins)),
            channel=subset(self.epsilon, bins),
            epsilon=self.epsilon,
        )

    def answered(self, places: Floats, heights: Floats, variance: Floats, users: list[int]) -> QuantilesEstimate:
        """From F at places, the last of which is the end; intervals as if each place stood alone."""
        heights = np.clip(heights, 0.0, 1.0)
        reach = two_sided(self.confidence) * np.sqrt(variance)
        low, high = np.clip(heights - reach, 0.0, 1.0), np.clip(heights + reach, 0.0, 1.0)
        inner = slice(0, len(places) - 1)
        intervals = [(self._inverted(places, high, q), self._inverted(places, low, q)) for q in self.q]
        value = [self._inverted(places, heights, q) for q in self.q]
        return QuantilesEstimate(
            q=self.q,
            value=tuple(value),
            intervals=tuple((min(ends[0], at), max(ends[1], at)) for ends, at in zip(intervals, value, strict=True)),
            curve=Curve(
                points=tuple(places[inner].tolist()),
                below=tuple(heights[inner].tolist()),
                band=tuple(zip(low[inner].tolist(), high[inner].tolist(), strict=True)),
                errors=tuple(np.sqrt(variance[inner]).tolist()),
                low=self.low,
                high=self.high,
                step=self.step,
            ),
            confidence=self.confidence,
            interval_kind=Fact("normal-approximation-at-places"),
            users_per_round=tuple(users),
            privacy=Privacy(epsilon=self.epsilon, protects=WHOLE_COLLECTION, users=self.users, rounds=len(users)),
            method=self.name,
            chosen=Chosen(by=ChosenBy.BASELINE),
        )

    def _inverted(self, places: Floats, heights: Floats, q: float) -> float:
        """Where heights reach q: straight between places, at the first of them where there are steps."""
        rising = np.maximum.accumulate(np.append(heights[:-1], 1.0))
        if self.step is not None:
            place = float(places[int(np.argmax(rising >= q))])
            steps = np.floor((place - self.low) / self.step + 0.5 - 1e-6)  # a leaf ends shortly above what lies in it
            return min(self.high, max(self.low, self.low + self.step * float(steps)))
        rows = np.concatenate(([0.0], rising)) + 1e-12 * np.arange(len(rising) + 1)
        return float(np.interp(q, rows, np.concatenate(([self.low], places))))


@dataclass(frozen=True, kw_only=True)
class Flat(_OneItem):
    """One random own item in one of 32 equal bins (or a bin a step), by subset selection; shares on the simplex.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations; errors of the shares add up from bin to bin.
    """

    name: ClassVar[str] = "flat"

    def script(self) -> Script[QuantilesEstimate]:
        """Ask once; add the shares up."""
        bins = BINS if self.step is None else max(2, round((self.high - self.low) / self.step) + 1)
        asked = self.question(bins, all_slots(self.users), 0)
        tally = yield asked
        shares, variance = _shares(asked, tally)
        places = np.linspace(*self.ends, bins + 1)[1:]
        if self.step is not None:
            places = np.linspace(self.low, self.high, bins)
        return self.answered(places, np.cumsum(to_simplex(shares)), np.cumsum(variance), [tally.reports[0]])


@dataclass(frozen=True, kw_only=True)
class Tree(_OneItem):
    """Every user answers for one of eight levels of a binary tree (Cormode, Kulkarni, Srivastava 2019).

    F at a place is the sum of one node a level at most, so that errors add up to the height of the tree only.

    Privacy: ε for the whole collection. Accuracy: no better with more observations.
    """

    name: ClassVar[str] = "tree"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.users < LEVELS:
            raise InvalidInput(rule=f"a tree of {LEVELS} levels needs a user for each", wrong=f"got {self.users}")

    def script(self) -> Script[QuantilesEstimate]:
        """A question a level; add up the nodes that lie below each place."""
        leaves = 2**LEVELS
        heights, variances, users = np.zeros(leaves), np.zeros(leaves), []
        number = np.arange(1, leaves + 1)  # leaves below a place
        for level, slots in enumerate(split_into_folds(self.users, LEVELS), start=1):
            assert slots is not None  # there are enough users: see above
            asked = self.question(2**level, slots, level - 1)
            tally = yield asked
            shares, variance = _shares(asked, tally)
            nodes = number >> (LEVELS - level)
            used = nodes % 2 == 1
            heights[used] += shares[nodes[used] - 1]
            variances[used] += variance[nodes[used] - 1]
            users.append(tally.reports[0])
        heights[-1], variances[-1] = 1.0, 0.0
        places = np.linspace(*self.ends, leaves + 1)[1:]
        weights = 1 / np.maximum(variances, variances[:-1].min())
        return self.answered(places, isotonic(heights, weights), variances, users)


def _shares(asked: Question, tally: Tally) -> tuple[Floats, Floats]:
    """Unbiased shares of the bins, and their variances."""
    channel = asked.channel
    assert isinstance(channel, Subset)
    shares = channel.shares(tally.counts()[0], tally.reports[0])
    return shares, channel.share_variance(np.clip(shares, 0.0, 1.0)) / tally.reports[0]
