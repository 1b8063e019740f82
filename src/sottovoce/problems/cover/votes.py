"""Everybody votes for the nearest centre, once: what the methods share."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from sottovoce.answers import WHOLE_COLLECTION, Assumes, Chosen, ChosenBy, Note, NoteCode, Privacy
from sottovoce.messages import (
    MAX_QUESTION_BYTES,
    MAX_WORK,
    Average,
    Encoder,
    Fact,
    Grid,
    InvalidInput,
    Malformed,
    Nearest,
    Question,
    Rules,
    Subset,
    Unary,
)
from sottovoce.methods import Script, everybody
from sottovoce.problems.cover.chosen import chosen_share, contenders, leads, may_be_alike
from sottovoce.problems.cover.estimate import Choice, CoverEstimate
from sottovoce.problems.cover.lattices import room_for
from sottovoce.problems.cover.places import place, points, shares
from sottovoce.problems.cover.settings import Centres, CoverSelect, Metric
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction, capture_share, winning_chances
from sottovoce.theory import strength

SHOWN, LISTED = 5, 100
"""Centres whose shares an answer tells, and contenders that it lists."""


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

    def unavailable(self, settings: CoverSelect) -> Fact | None:
        if settings.centres is None:
            return None
        count, width = len(settings.centres), len(settings.centres[0])
        if count * width > MAX_WORK or not self._fits(settings, count, width):
            return Fact(
                "question-too-long", centres=count, coordinates=width, bytes=MAX_QUESTION_BYTES, numbers=MAX_WORK
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
            interval_kind=Fact("guarded-largest"),
            assumes=Assumes.NOTHING_ABOUT_USERS,
            users_per_round=(reports,),
            privacy=Privacy(epsilon=settings.epsilon, protects=WHOLE_COLLECTION, users=settings.users, rounds=1),
            method=self.name,
            chosen=Chosen(by=ChosenBy.METHOD, details=_details(settings)),
            notes=_notes(settings, gap, left),
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

    def words(self, settings: CoverSelect) -> Fact:
        return Fact("votes-over-centres", method=self.name, centres=settings.count)


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


def _details(settings: CoverSelect) -> tuple[Fact, ...]:
    """How it asks, and why the cover is as fine as it is, in the asker's own words or as a fact."""
    asks, why = Fact("one-vote-a-user", centres=settings.count), settings.because
    if isinstance(why, str):
        return (asks, Fact("as-written", text=why)) if why else (asks,)
    return asks, why


def _notes(settings: CoverSelect, gap: float, left: int) -> tuple[Note, ...]:
    found = []
    if left > 1:
        found.append(Note(NoteCode.CENTRE_NOT_SETTLED, gap=gap, others=left - 1))
    needed = 20 * math.log(settings.count)
    if strength(settings.users, settings.epsilon) < needed:
        found.append(Note(NoteCode.THEOREM_PROMISES_NOTHING, needed=needed))
    return tuple(found)
