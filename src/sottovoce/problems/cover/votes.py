"""Everybody votes for the nearest centre, once: how it is asked, how sure the choice is, and the error to expect.

Nothing is assumed about the users; shares of many reports are taken for normal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Assumes, Chosen, ChosenBy, Note, NoteCode
from sottovoce.design import subset, unary
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
    Subset,
    Unary,
    exact,
)
from sottovoce.methods import Floats, Script, all_slots
from sottovoce.problems.cover.answer import Choice, CoverEstimate
from sottovoce.problems.cover.covers import most_centres
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.method import Method
from sottovoce.risk import Crowd, Poisoning, Prediction, capture_share, winning_chances
from sottovoce.theory import strength

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.cover.votes:NAME VALUE … --problem cover
CLOSE = 64
"""For so many rivals the lead is reckoned exactly; of the others, whose votes are fewer, as if independent."""
_SIMULTANEOUS = 0.1
"""The part of the chance of an error that goes to the bound for all centres at once."""
_DENIED = 1e-3
"""How often users alike are taken to differ."""


def leads_over_others(channel: Unary | Subset, shares_found: Floats, reports: int, order: NDArray[np.intp]) -> Floats:
    """By how many standard errors the first centre in `order` leads each of the others, in their order."""
    best, others = float(shares_found[order[0]]), shares_found[order[1:]]
    variance = np.empty(len(others))
    for place, other in enumerate(others[:CLOSE].tolist()):
        variance[place] = channel.gap_variance(best, other)
    shares = np.clip(np.append(others[CLOSE:], best), 0.0, 1.0)
    apart = channel.share_variance(shares)
    variance[CLOSE:] = apart[:-1] + apart[-1]
    return np.asarray((best - others) / np.sqrt(variance / reports))


def contenders_among(lead: Floats, confidence: float) -> int:
    """How many centres, the chosen one and the next in order, hold the fullest one with this confidence.

    Gupta's subset selection (1965): the truly fullest centre falls behind another by more than `behind` standard errors
    with a chance of at most 1 − confidence over all others together.
    """
    behind = NormalDist().inv_cdf(1 - (1 - confidence) / len(lead))
    return 1 + int(np.flatnonzero(lead <= behind).max(initial=-1)) + 1


def chosen_share(
    channel: Unary | Subset, shares: Floats, reports: int, order: NDArray[np.intp], confidence: float
) -> tuple[float, tuple[float, float]]:
    """The share of the users nearest to the chosen centre, and an interval, given that it was chosen for its votes.

    Given the votes of the others, its own are normal, cut off where it would not have been chosen: the ends are those
    shares under which what was seen would be rare. Where it leads clearly that is the usual interval. Where it does
    not, no lower end is better than one that holds for all centres at once, so that is the lowest. Votes are whole
    numbers, and of a tie the cut-off law says nothing: the share found always lies inside.

    The share itself is the one under which what was seen is as likely too large as too small (the median of that law),
    or the nearer end of the interval: with a clear lead, the share found.
    """
    best, missed = float(shares[order[0]]), 1 - confidence
    variance = float(channel.share_variance(np.array([min(1.0, max(0.0, best))]))[0]) / reports
    cut = -math.inf
    for other in shares[order[1 : 1 + CLOSE]].tolist():
        own = float(channel.share_variance(np.array([min(1.0, max(0.0, other))]))[0]) / reports
        together = (variance + own - channel.gap_variance(best, other) / reports) / 2 / variance
        cut = max(cut, (other - together * best) / (1 - together))
    deviation, each = math.sqrt(variance), (1 - _SIMULTANEOUS) * missed / 2
    at_once = NormalDist().inv_cdf(1 - _SIMULTANEOUS * missed / len(shares))
    seen, least = best / deviation, min(best, cut) / deviation
    low = max(_mean_for(seen, least, each), seen - at_once)
    high = _mean_for(seen, least, 1 - each)
    ends = min(1.0, max(0.0, deviation * low)), min(1.0, max(0.0, best, deviation * high))
    return min(ends[1], max(ends[0], deviation * _mean_for(seen, least, 0.5))), ends


def may_be_alike(channel: Unary | Subset, share: float, reports: int) -> bool:
    """Whether the votes allow that everybody is nearest to the chosen centre: it has as many as that would give.

    If everybody is, this is denied to one survey in a thousand.
    """
    deviation = math.sqrt(float(channel.share_variance(np.array([1.0]))[0]) / reports)
    return share >= 1 + NormalDist().inv_cdf(_DENIED) * deviation


def _mean_for(seen: float, least: float, tail: float) -> float:
    """The mean of a normal law, cut off below `least`, that exceeds `seen` with chance `tail`; deviation 1."""
    low, high = seen - 40.0, seen + 10.0
    for _ in range(60):
        middle = (low + high) / 2
        above = _log_above(seen - middle) - _log_above(least - middle)
        low, high = (middle, high) if above < math.log(tail) else (low, middle)
    return (low + high) / 2


def _log_above(z: float) -> float:
    """The logarithm of P(N(0, 1) > z), far into the tail."""
    if z < 30:
        return math.log(0.5 * math.erfc(z / math.sqrt(2)))
    return -z * z / 2 - math.log(z * math.sqrt(2 * math.pi))


_DRAWS = 4096
_BLOCK_CELLS = 2**21


def centre_points(settings: CoverSelect) -> Floats:
    """The centres ``(N, d)``; a cover by its size alone has none."""
    if settings.centres is None:
        raise InvalidInput("a cover given by its size alone has no distances", fix="a plan needs centres")
    return np.asarray(settings.centres, dtype=np.float64)


def nearest_centres(settings: CoverSelect, places: Floats) -> NDArray[np.intp]:
    """The index of the centre nearest to each place ``(m, d)``, ties to the lower index."""
    centres = centre_points(settings)
    size = max(1, _BLOCK_CELLS // centres.size)
    nearest = []
    for first in range(0, len(places), size):
        apart = np.abs(places[first : first + size, None, :] - centres[None, :, :])
        far = (apart**2).sum(axis=2) if settings.metric == "l2" else apart.max(axis=2)
        nearest.append(far.argmin(axis=1))
    return np.concatenate(nearest)


def worst_place(settings: CoverSelect) -> Floats:
    """A point about halfway between the middle centre and its nearest neighbour: nearly the worst place."""
    centres = centre_points(settings)
    middle = centres[((centres - centres.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    others = ((centres - middle) ** 2).sum(axis=1)
    next_ = centres[np.where(others > 0, others, np.inf).argmin()]
    return np.asarray(middle + 0.45 * (next_ - middle))


def assumed_point(settings: CoverSelect, crowd: Crowd) -> Floats:
    """Where the users lie: as stated, the same in every coordinate, or the worst place."""
    if crowd.around is None:
        return worst_place(settings)
    return np.full(centre_points(settings).shape[1], crowd.around)


def expected_shares(settings: CoverSelect, crowd: Crowd) -> Floats:
    """How many users are nearest to each centre, from a fixed sample of a bell."""
    deviation = math.hypot(crowd.spread or 0.0, crowd.within or 0.0)
    crowd.check_range(*(float(end) for end in (centre_points(settings).min(), centre_points(settings).max())))
    truth = assumed_point(settings, crowd)
    draws = _DRAWS if deviation else 1
    bell = np.random.Generator(np.random.PCG64(1)).standard_normal((draws, len(truth)))
    nearest = nearest_centres(settings, truth + deviation * bell)
    return np.asarray(np.bincount(nearest, minlength=settings.count) / draws)


def half_width(settings: CoverSelect) -> float:
    """Half the width of the cover."""
    return float(np.ptp(centre_points(settings), axis=0).max()) / 2


def assumed_crowd(crowds: Sequence[Crowd]) -> Fact:
    """What a plan of a cover assumes."""
    crowd = crowds[0]
    spread = math.hypot(crowd.spread or 0.0, crowd.within or 0.0)
    return Fact("crowd-of-centres", around=crowd.around, spread=spread)


SHOWN, LISTED = 5, 100
"""Centres whose shares an answer tells, and contenders that it lists."""


class Votes(Method[CoverSelect]):
    """One vote a user; the channel is to be given."""

    def channel(self, settings: CoverSelect) -> Unary | Subset:
        """What a vote goes through."""
        raise NotImplementedError("each kind of vote has its channel")

    def rates(self, settings: CoverSelect) -> tuple[float, float]:
        """The chance that a centre is lit by one who holds it, and by one who does not."""
        channel = self.channel(settings)
        return channel.inclusion if isinstance(channel, Subset) else (channel.keep, 1 - channel.keep)

    def why_unavailable(self, settings: CoverSelect) -> Fact | None:
        if settings.centres is None:
            return None
        count, width = len(settings.centres), len(settings.centres[0])
        if count * width <= MAX_WORK:
            asked = _question(settings, self.channel(settings))  # refuses what no device would answer
            if (
                count <= most_centres(width) or len(asked.to_bytes()) <= MAX_QUESTION_BYTES
            ):  # to write it out takes long
                return None
        return Fact("question-too-long", centres=count, coordinates=width, bytes=MAX_QUESTION_BYTES, numbers=MAX_WORK)

    def script(self, settings: CoverSelect) -> Script[CoverEstimate]:
        """Ask once; then the centre with the most votes, ties to the lower index."""
        channel = self.channel(settings)
        tally = yield _question(settings, channel)
        counts, reports = tally.counts()[0], tally.reports[0]
        shares = channel.shares(counts, reports)
        shares_inside = np.clip(shares, 0.0, 1.0)  # unbiased shares of few reports may be of any size
        order = np.argsort(-counts, kind="stable")
        best, shown = int(order[0]), order[:SHOWN]
        errors = np.sqrt(channel.share_variance(np.clip(shares[shown], 0.0, 1.0)) / reports)
        lead = leads_over_others(channel, shares, reports, order)
        left = contenders_among(lead, settings.confidence)
        gap = float(lead[0])
        share, ends = chosen_share(channel, shares, reports, order, settings.confidence)
        alike = may_be_alike(channel, float(shares[best]), reports)
        notes = [Note(NoteCode.CENTRE_NOT_SETTLED, gap=gap, others=left - 1)] if left > 1 else []
        if strength(settings.users, settings.epsilon) < settings.strength_for_theorem:
            notes.append(Note(NoteCode.THEOREM_PROMISES_NOTHING, needed=settings.strength_for_theorem))
        # How it asks, and why the cover is as fine as it is, in the asker's own words or as a fact.
        details, why = [Fact("one-vote-a-user", centres=settings.count)], settings.because
        if why:
            details.append(Fact("as-written", text=why) if isinstance(why, str) else why)
        chosen = Chosen(by=ChosenBy.METHOD, details=tuple(details))
        return CoverEstimate(
            index=best,
            centre=None
            if settings.coordinates_of_centres is None
            else tuple(map(float, settings.coordinates_of_centres[best])),
            size=settings.count,
            share=share,
            share_interval=ends,
            gap=gap,
            top=tuple(
                Choice(index=int(index), share=float(shares_inside[index]), standard_error=float(error))
                for index, error in zip(shown, errors, strict=True)
            ),
            contenders=tuple(map(int, order[: min(left, LISTED)])),
            contender_count=left,
            radius=settings.radius,
            error_bound=settings.error_bound if alike else None,
            interval_kind=Fact("guarded-largest"),
            assumes=Assumes.NOTHING_ABOUT_USERS,
            notes=tuple(notes),
            **self.survey_facts(settings, (reports,)) | {"chosen": chosen},
        )

    def predict(self, settings: CoverSelect, crowd: Crowd) -> Prediction:
        """Users alike whose averages spread by `spread` and `within` in every coordinate.

        The distance from the truth to its nearest centre is `omission`, the chance of another centre times its
        distance `localisation`; nothing is averaged, so there is no other cause.
        """
        distances = ((centre_points(settings) - assumed_point(settings, crowd)) ** 2).mean(axis=1)
        keep, base = self.rates(settings)
        chances = winning_chances(expected_shares(settings, crowd), voters=settings.users, keep=keep, base=base)
        least = float(distances.min())
        return Prediction(sampling=0.0, privacy=0.0, localisation=float(chances @ (distances - least)), omission=least)

    def poisoning(self, settings: CoverSelect, crowd: Crowd) -> Poisoning:
        """The share that makes a wrong centre win; nothing moves before."""
        keep, base = self.rates(settings)
        fullest = float(expected_shares(settings, crowd).max())
        return Poisoning(reach=0.0, capture=capture_share(keep, fullest, base=base))

    def words(self, settings: CoverSelect) -> Fact:
        return Fact("votes-over-centres", method=self.name, centres=settings.count)


@lru_cache(maxsize=8)
def _question(settings: Any, channel: Unary | Subset) -> Question:
    """Kept, since a question with many centres is long and its digest is worth keeping."""
    count = settings.count
    if settings.centres is None:
        # Indices in the middle of their bins, so that no rounding can move them.
        encoder = Encoder(statistic=Average(), placement=Grid(low=(-0.5,), high=(count - 0.5,), count=count))
    else:
        encoder = Encoder(
            statistic=Nearest(centres=settings.centres, metric=settings.metric),
            placement=Grid(low=(0.0,), high=(float(count),), count=count),
        )
    try:
        return Question(
            survey=settings.survey,
            round=0,
            role="vote",
            slots=all_slots(settings.users),
            encoder=encoder,
            channel=channel,
            epsilon=settings.epsilon,
        )
    except Malformed as error:
        raise InvalidInput(f"no device would answer this: {error}") from error


class SubsetVotes(Votes):
    """A random subset of the centres that likely holds the own one."""

    name = "subset"
    help = "sends a few of the centres"

    def channel(self, settings: CoverSelect) -> Subset:
        return subset(exact(settings.epsilon), settings.count)


class UnaryVotes(Votes):
    """A bit for each centre, ω_{α/2} for every bit (L222): as the paper prints it."""

    name = "unary"
    help = "sends a bit for each centre, as the paper prints it: as accurate, and longer for epsilon above 3"

    def channel(self, settings: CoverSelect) -> Unary:
        return unary(exact(settings.epsilon), settings.count)
