"""Everybody votes for the nearest centre, once: what the methods share."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from sottovoce.answers import Choice, CoverEstimate, Privacy
from sottovoce.messages import (
    MAX_QUESTION_BYTES,
    MAX_WORK,
    Average,
    Encoder,
    Grid,
    InvalidInput,
    Malformed,
    Nearest,
    Question,
    Rules,
    Subset,
    Unary,
)
from sottovoce.problems.cover.chosen import chosen_share, contenders, leads, may_be_alike
from sottovoce.problems.cover.lattices import room_for
from sottovoce.problems.cover.places import place, points, shares
from sottovoce.problems.cover.settings import Centres, CoverSelect, Metric
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction, capture_share, winning_chances
from sottovoce.schemes import Script, everybody
from sottovoce.theory import strength

SHOWN, LISTED = 5, 100
"""Centres whose shares an answer tells, and contenders that it lists."""
ASSUMES = (
    "nothing about the users: it is the centre that most of them are nearest to; that it is near a point of interest "
    "assumes that users lie around that point"
)


class Votes(Method[CoverSelect]):
    """One vote a user; the channel is to be given."""

    def channel(self, settings: CoverSelect) -> Unary | Subset:
        """What a vote goes through."""
        raise NotImplementedError("each kind of vote has its channel")

    def rates(self, settings: CoverSelect) -> tuple[float, float]:
        """The chance that a centre is lit by one who holds it, and by one who does not."""
        raise NotImplementedError("each kind of vote has its rates")

    def question(self, settings: CoverSelect) -> Question:
        """The only question."""
        return _asked(
            settings.survey,
            settings.users,
            settings.epsilon,
            settings.centres,
            settings.count,
            settings.metric,
            self.channel(settings),
        )

    def unavailable(self, settings: CoverSelect) -> str | None:
        if settings.centres is None:
            return None
        count, width = len(settings.centres), len(settings.centres[0])
        if count * width > MAX_WORK or not self._fits(settings, count, width):
            return (
                f"{count:,} centres of {width:,} coordinates make a question above {MAX_QUESTION_BYTES:,} "
                f"bytes or {MAX_WORK:,} numbers: take a coarser cover, or size= with an index found on the device"
            )
        return None

    def _fits(self, settings: CoverSelect, count: int, width: int) -> bool:
        asked = self.question(settings)  # refuses what no device would answer
        return count <= room_for(width) or len(asked.to_bytes()) <= MAX_QUESTION_BYTES  # to write it out takes long

    def script(self, settings: CoverSelect) -> Script[CoverEstimate]:
        """Ask once; then the centre with the most votes, ties to the lower index."""
        channel = self.channel(settings)
        tally = yield self.question(settings)
        counts, reports = tally.counts()[0], tally.reports[0]
        found = channel.shares(counts, reports)
        told = np.clip(found, 0.0, 1.0)  # unbiased shares of few reports may be of any size
        order = np.argsort(-counts, kind="stable")
        best, shown = int(order[0]), order[:SHOWN]
        errors = np.sqrt(channel.share_variance(np.clip(found[shown], 0.0, 1.0)) / reports)
        lead = leads(channel, found, reports, order)
        left = contenders(lead, settings.confidence)
        gap = float(lead[0])
        share, ends = chosen_share(channel, found, reports, order, settings.confidence)
        alike = may_be_alike(channel, float(found[best]), reports)
        return CoverEstimate(
            index=best,
            centre=None if settings.told is None else tuple(map(float, settings.told[best])),
            size=settings.count,
            share=share,
            share_interval=ends,
            gap=gap,
            top=tuple(
                Choice(index=int(index), share=float(told[index]), standard_error=float(error))
                for index, error in zip(shown, errors, strict=True)
            ),
            contenders=tuple(map(int, order[: min(left, LISTED)])),
            contender_count=left,
            radius=settings.radius,
            error_bound=settings.error_bound if alike else None,
            confidence=settings.confidence,
            interval_kind="guarded, corrected for being the largest of many",
            assumes=ASSUMES,
            users_per_round=(reports,),
            privacy=Privacy(epsilon=settings.epsilon, protects="its whole collection", users=settings.users, rounds=1),
            method=self.name,
            reason="; ".join(filter(None, (f"one vote a user over {settings.count:,} centres", settings.because))),
            warnings=_warnings(settings, gap, left),
        )

    def predict(self, settings: CoverSelect, crowd: Crowd) -> Prediction:
        """Users alike whose averages spread by `spread` and `within` in every coordinate.

        The distance from the truth to its nearest centre is `omission`, the chance of another centre times its
        distance `localisation`; nothing is averaged, so there is no other cause.
        """
        distances = ((points(settings) - place(settings, crowd)) ** 2).mean(axis=1)
        keep, base = self.rates(settings)
        chances = winning_chances(shares(settings, crowd), voters=settings.users, keep=keep, base=base)
        least = float(distances.min())
        return Prediction(sampling=0.0, privacy=0.0, localisation=float(chances @ (distances - least)), omission=least)

    def rules(self, settings: CoverSelect) -> Rules:
        return only(next(self.script(settings)))

    def poisoning(self, settings: CoverSelect, crowd: Crowd) -> Poisoning:
        """The share that makes a wrong centre win; nothing moves before."""
        keep, base = self.rates(settings)
        fullest = float(shares(settings, crowd).max())
        return Poisoning(reach=0.0, capture=capture_share(keep, fullest, base=base))

    def words(self, settings: CoverSelect) -> str:
        return f"{self.name} votes over {settings.count:,} centres"


@lru_cache(maxsize=8)
def _asked(
    survey: str,
    users: int,
    epsilon: float,
    centres: Centres | None,
    count: int,
    metric: Metric,
    channel: Unary | Subset,
) -> Question:
    """Cached, since a question with many centres is long and its digest is worth keeping."""
    if centres is None:
        # Indices in the middle of their bins, so that no rounding can move them.
        encoder = Encoder(statistic=Average(), placement=Grid(low=(-0.5,), high=(count - 0.5,), count=count))
    else:
        encoder = Encoder(
            statistic=Nearest(centres=centres, metric=metric),
            placement=Grid(low=(0.0,), high=(float(count),), count=count),
        )
    try:
        return Question(
            survey=survey,
            round=0,
            role="vote",
            slots=everybody(users),
            encoder=encoder,
            channel=channel,
            epsilon=epsilon,
        )
    except Malformed as error:
        raise InvalidInput(f"no device would answer this: {error}") from error


def _warnings(settings: CoverSelect, gap: float, left: int) -> tuple[str, ...]:
    found = []
    if left > 1:
        found.append(
            f"the chosen centre leads the next by {gap:.1f} standard errors only, and {left - 1:,} of the others may "
            f"hold more users: more users, a larger epsilon or a coarser cover would settle it"
        )
    if strength(settings.users, settings.epsilon) < 20 * math.log(settings.count):
        found.append(
            f"n·min(ε, ε²) is below 20·log N = {20 * math.log(settings.count):.3g}: the theorem promises nothing here"
        )
    return tuple(found)
