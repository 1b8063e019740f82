"""One item, unary encoding (L954): each user sends the category of one random observation as flipped bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.answers import Privacy, StandardError, VectorEstimate, two_sided, within
from sottovoce.design import unary
from sottovoce.messages import MAX_ITEMS, Encoder, Grid, InvalidInput, Item, Question, check_epsilon
from sottovoce.schemes import Script, Scripted, check_confidence, check_users, everybody, is_whole


@dataclass(frozen=True, kw_only=True)
class OneCategory(Scripted):
    """Shares of `categories` numbered 0 … K−1, from one random own observation of each user.

    Privacy: ε for the whole collection, since nothing but this one item is looked at. Accuracy: no better with more
    observations. The shares are unbiased, so they may leave [0, 1] and need not sum to one; `names` names them.
    """

    name: ClassVar[str] = "one-category"

    epsilon: float
    categories: int
    users: int
    confidence: float = 0.95
    survey: str = "rehearsal"
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_users(self.users)
        check_confidence(self.confidence)
        if not is_whole(self.categories) or self.categories < 2:
            raise InvalidInput(f"categories must be a whole number, at least 2; got {self.categories!r}")
        if self.categories > MAX_ITEMS:
            raise InvalidInput(f"at most {MAX_ITEMS} categories; got {self.categories}")
        if self.names and len(self.names) != self.categories:
            raise InvalidInput(f"names has {len(self.names)} entries for {self.categories} categories")

    def script(self) -> Script[VectorEstimate]:
        """Ask once; decode the counts of bits."""
        size, channel = self.categories, unary(self.epsilon, self.categories)
        tally = yield Question(
            survey=self.survey,
            round=0,
            role=self.name,
            slots=everybody(self.users),
            encoder=Encoder(statistic=Item(), placement=Grid(low=(-0.5,), high=(size - 0.5,), count=size)),
            channel=channel,
            epsilon=self.epsilon,
        )
        reports = tally.reports[0]
        shares = channel.shares(tally.counts()[0], reports)
        total = channel.share_variance(np.clip(shares, 0.0, 1.0)) / reports
        sampling = np.minimum(np.clip(shares, 0.0, 1.0) * (1 - np.clip(shares, 0.0, 1.0)) / reports, total)
        rows = list(zip(shares.tolist(), np.sqrt(total).tolist(), strict=True))
        each, joint = (
            tuple(within((share - reach * one, share + reach * one), 0.0, 1.0) for share, one in rows)
            for reach in (two_sided(self.confidence), two_sided(1 - (1 - self.confidence) / size))
        )
        parts = zip(np.sqrt(sampling).tolist(), np.sqrt(total - sampling).tolist(), strict=True)
        return VectorEstimate(
            value=tuple(shares.tolist()),
            intervals=each,
            simultaneous=joint,
            standard_error=tuple(StandardError(sampling=own, privacy=noise) for own, noise in parts),
            low=(0.0,) * size,
            high=(1.0,) * size,
            names=self.names or tuple(map(str, range(size))),
            confidence=self.confidence,
            interval_kind="normal approximation",
            users_per_round=(reports,),
            privacy=Privacy(epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=1),
            method=self.name,
            reason="baseline",
        )
