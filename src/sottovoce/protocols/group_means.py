"""One mean for each of many groups (coordinates, basis functions): the univariate mean, a fold of users a group.

PrivateMultiDimMean (L458) and its general form (L1765) for any statistic with one part a group, over any run of slots:
the part that sparse means and densities share. Slots are dealt to groups in turn, so that with one use folds differ
by at most one user and every user is in exactly one (ERRATA 16).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Encoder, Position, Question, Slots, Statistic, Table, Tally
from sottovoce.protocols import localise, one_round
from sottovoce.protocols.base import check_answered
from sottovoce.protocols.folds import Share, finest, one_each, several_each
from sottovoce.protocols.mean import Mean

Floats = NDArray[np.float64]
Kind = Literal["one-round", "paper", "theory"]


@dataclass(frozen=True, kw_only=True)
class Means:
    """A mean for each group, and its variance by cause."""

    value: Floats
    sampling: Floats
    privacy: Floats
    localisation: Floats
    uses: int = 1
    """For how many groups each user answered."""

    @property
    def deviation(self) -> Floats:
        return np.asarray(np.sqrt(self.sampling + self.privacy + self.localisation))


@dataclass(frozen=True, kw_only=True)
class GroupMeans:
    """`groups` means on [low, high] from the users in `slots`, in one round or two, numbered from `round` on.

    ``"one-round"``: one group a user, through the best table on the full range. ``"paper"``: one group a user at the
    whole budget, also above α = 1: the reading that agrees with our reference measurements (the paper does not say).
    ``"theory"``: above α = 1 a user answers for ⌊α⌋ groups at α = 1 each, never one more (ERRATA P1), and above α =
    `groups` for all of them at α/groups; T* with exp(nα/Kd) (ERRATA 4). Folds count with their own size (ERRATA 1).
    """

    survey: str
    slots: Slots
    round: int
    groups: int
    low: float
    high: float
    observations: int
    epsilon: float
    kind: Kind
    proof_constant: float = localise.PROOF_CONSTANT
    delta: float | None = None

    @cached_property
    def share(self) -> Share:
        """For how many groups a user answers, and what is spent on each."""
        return (several_each if self.kind == "theory" else one_each)(self.groups, self.epsilon)

    @property
    def kept(self) -> int:
        """T*: how many observations count (L1772); all of them in practice (L1005)."""
        if self.kind != "theory":
            return self.observations
        fold = self.slots.count / self.groups
        return localise.truncated(fold, self.observations, self.epsilon, self.proof_constant)

    @cached_property
    def layout(self) -> localise.Layout:
        """The bins of the votes, the same for every group."""
        fold, each = self.slots.count / self.groups, self.share.each
        rule = localise.proof_delta if self.kind == "theory" else localise.experiment_delta
        delta = rule(fold, self.kept, each) if self.delta is None else self.delta
        theory = self.kind == "theory"
        return localise.Layout(
            low=self.low,
            high=self.high,
            delta=max(delta, finest(self.share)),
            reach=1 if theory and each > 1 else 0,
            clip=theory,
        )

    @property
    def voters(self) -> Slots | None:
        """Who votes first: half of the slots, or nobody when there is nothing to choose from (ERRATA 6)."""
        half = self.slots.count // 2
        if self.kind == "one-round" or self.layout.bins == 1 or half < self.groups - self.share.uses + 1:
            return None
        return Slots(first=self.slots.first, count=half)

    def decide(self, statistic: Statistic, tallies: tuple[Tally, ...]) -> Question | Means:
        """Vote, refine, decode; `tallies` are those of these folds only."""
        asked = self._questions(statistic, tallies)
        for question, tally in zip(asked, tallies, strict=False):
            check_answered(tally, question)
        if len(tallies) < len(asked):
            return asked[-1]
        if self.kind == "one-round":
            return decode_tables(asked[0], tallies[0])
        refined = localise.refined(asked[-1], tallies[-1])
        placed = np.zeros(self.groups) if len(asked) == 1 else localise.misplaced(self.layout, asked[0], tallies[0])
        return Means(
            value=refined.mean,
            sampling=refined.sampling,
            privacy=refined.privacy,
            localisation=placed,
            uses=self.share.uses,
        )

    def _questions(self, statistic: Statistic, tallies: tuple[Tally, ...]) -> list[Question]:
        """Every question up to the first that has no tally yet."""
        voters = self.voters
        low, high = np.array([self.low]), np.array([self.high])
        if voters is None:
            return [self._last(statistic, self.slots, self.round, low, high)]
        asked = [
            localise.vote(
                self.layout,
                survey=self.survey,
                round=self.round,
                slots=voters,
                statistic=statistic,
                epsilon=self.share.spent,
                groups=self.groups,
                uses=self.share.uses,
            )
        ]
        if tallies:
            low, high = self.layout.widened(localise.winners(tallies[0]))
            rest = Slots(first=voters.first + voters.count, count=self.slots.count - voters.count)
            asked.append(self._last(statistic, rest, self.round + 1, low, high))
        return asked

    def _last(self, statistic: Statistic, slots: Slots, number: int, low: Floats, high: Floats) -> Question:
        if self.kind == "one-round":
            return Question(
                survey=self.survey,
                round=number,
                role="mean",
                slots=slots,
                encoder=Encoder(statistic=statistic, placement=Position(low=(self.low,), high=(self.high,))),
                channel=one_round.best_table(self.epsilon),
                epsilon=self.epsilon,
                groups=self.groups,
            )
        return localise.refine(
            low,
            high,
            survey=self.survey,
            round=number,
            slots=slots,
            statistic=statistic,
            epsilon=self.share.spent,
            groups=self.groups,
            uses=self.share.uses,
        )


def better_kind(*, users: int, groups: int, low: float, high: float, observations: int, epsilon: float) -> Mean:
    """The univariate problem of one fold: its `chosen` says which kind has the lower predicted error, and why."""
    fold = max(1, users // groups)
    return Mean(epsilon=epsilon, low=low, high=high, users=fold, observations=observations)


def decode_tables(asked: Question, tally: Tally) -> Means:
    """Unbiased means of every group from counts of table symbols."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    width = placement.high[0] - placement.low[0]
    pairs = zip(tally.cells, tally.reports, strict=True)
    found = np.array([one_round.position(channel, cells, reports) for cells, reports in pairs])
    return Means(
        value=placement.low[0] + width * found[:, 0],
        sampling=width**2 * (found[:, 1] - found[:, 2]),
        privacy=width**2 * found[:, 2],
        localisation=np.zeros(asked.groups),
    )
