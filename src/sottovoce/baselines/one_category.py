"""One item from each user: the category of one random observation, as flipped bits (L954) or by k-ary response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Chosen,
    ChosenBy,
    Privacy,
    StandardError,
    VectorEstimate,
    two_sided,
    within,
)
from sottovoce.baselines.simulation import NORMAL, People, generator
from sottovoce.design import subset, unary
from sottovoce.messages import (
    MAX_ITEMS,
    Bins,
    Encoder,
    Floats,
    Grid,
    InvalidInput,
    Item,
    Question,
    Subset,
    Unary,
    check_epsilon,
)
from sottovoce.methods import Script, Scripted, all_slots, check_at_least, check_confidence, check_users


@dataclass(frozen=True, kw_only=True)
class _OneCategory:
    """What they share. `places` says in which category an observation lies, left out numbers 0 … K−1."""

    name: ClassVar[str]

    epsilon: float
    categories: int
    users: int
    confidence: float = 0.95
    survey: str = "rehearsal"
    names: tuple[str, ...] = ()
    places: Grid | Bins | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_users(self.users)
        check_confidence(self.confidence)
        check_at_least("categories", self.categories, 2)
        if self.categories > MAX_ITEMS:
            raise InvalidInput(rule=f"at most {MAX_ITEMS} categories", wrong=f"got {self.categories}")
        if self.names and len(self.names) != self.categories:
            raise InvalidInput(f"names has {len(self.names)} entries for {self.categories} categories")

    @property
    def placement(self) -> Grid | Bins:
        """Where observations lie."""
        size = self.categories
        return Grid(low=(-0.5,), high=(size - 0.5,), count=size) if self.places is None else self.places

    def answered(self, shares: Floats, total: Floats, reports: int, by: ChosenBy = ChosenBy.BASELINE) -> VectorEstimate:
        """Unbiased shares and the variance of each, with normal intervals."""
        clipped = np.clip(shares, 0.0, 1.0)
        sampling = np.minimum(clipped * (1 - clipped) / reports, total)
        rows = list(zip(shares.tolist(), np.sqrt(total).tolist(), strict=True))
        each, joint = (
            tuple(within((share - reach * one, share + reach * one), 0.0, 1.0) for share, one in rows)
            for reach in (two_sided(self.confidence), two_sided(1 - (1 - self.confidence) / self.categories))
        )
        parts = zip(np.sqrt(sampling).tolist(), np.sqrt(total - sampling).tolist(), strict=True)
        return VectorEstimate(
            value=tuple(shares.tolist()),
            intervals=each,
            simultaneous=joint,
            standard_error=tuple(StandardError(sampling=sampled, privacy=noise) for sampled, noise in parts),
            low=(0.0,) * self.categories,
            high=(1.0,) * self.categories,
            names=self.names or tuple(map(str, range(self.categories))),
            confidence=self.confidence,
            interval_kind=NORMAL,
            users_per_round=(reports,),
            privacy=Privacy(epsilon=self.epsilon, protects=WHOLE_COLLECTION, users=self.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=by),
        )


@dataclass(frozen=True, kw_only=True)
class OneCategory(_OneCategory, Scripted):
    """Shares of `categories` numbered 0 … K−1, from one random own observation of each user, as flipped bits.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations. The shares are unbiased, so they may leave [0, 1] and need not sum to one; `names` names them.
    """

    name: ClassVar[str] = "one-category"

    @property
    def channel(self) -> Unary | Subset:
        """Through which the category is sent."""
        return unary(self.epsilon, self.categories)

    def script(self) -> Script[VectorEstimate]:
        """Ask once; decode the counts."""
        channel = self.channel
        tally = yield Question(
            survey=self.survey,
            round=0,
            role=self.name,
            slots=all_slots(self.users),
            encoder=Encoder(statistic=Item(), placement=self.placement),
            channel=channel,
            epsilon=self.epsilon,
        )
        reports = tally.reports[0]
        shares = channel.shares(tally.counts()[0], reports)
        return self.answered(shares, channel.share_variance(np.clip(shares, 0.0, 1.0)) / reports, reports)


@dataclass(frozen=True, kw_only=True)
class KaryCategory(OneCategory):
    """Shares of categories by k-ary randomised response: the own category, or with what ε leaves of chance another."""

    name: ClassVar[str] = "one-kary"

    @property
    def channel(self) -> Subset:
        return subset(self.epsilon, self.categories, size=1)


@dataclass(frozen=True, kw_only=True)
class OptimisedUnary(_OneCategory):
    """Shares by optimised unary encoding (Wang et al. 2017): the own bit is kept with ½, others lit with 1/(1 + e^ε).

    For simulation only: bits are drawn from a seed. Its law is that of the scheme.
    """

    name: ClassVar[str] = "one-oue"

    def simulate(self, people: People, *, seed: int, repetition: int = 0) -> VectorEstimate:
        """What the reports of these people would give."""
        stream = generator(seed, repetition)
        observations = people.values[:, 0].astype(np.float64)
        present = np.flatnonzero(~np.isnan(observations))
        starts = np.searchsorted(present, people.offsets)
        sizes = np.diff(starts)
        chosen = starts[:-1] + np.floor(stream.random(len(sizes)) * sizes).astype(np.int64)
        picked = np.full(len(sizes), np.nan)
        picked[sizes > 0] = observations[present[chosen[sizes > 0]]]
        holders = np.bincount(self.placement.index(picked), minlength=self.categories)
        users, lit = len(sizes), 1 / (1 + math.exp(self.epsilon))
        counts = stream.binomial(holders, 0.5) + stream.binomial(users - holders, lit)
        shares = (counts / users - lit) / (0.5 - lit)
        rate = lit + (0.5 - lit) * np.clip(shares, 0.0, 1.0)
        return self.answered(shares, rate * (1 - rate) / (0.5 - lit) ** 2 / users, users, ChosenBy.SIMULATION)
