"""How far from a public point the users lie, and a check that nobody lies beyond the radius chosen from it."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import one_bit, subset
from sottovoce.messages import Bins, Encoder, Floats, Norm, Position, Question, Subset, Tally, Vector, nearest_log
from sottovoce.methods.bins import inner_edges, on_lattice, to_31_bits, worth_of_several
from sottovoce.methods.likelihood import normal_below
from sottovoce.methods.vector_reports import direction_response
from sottovoce.methods.waves_and_folds import RoundMaker

# How far from a public point do the users lie? Subset selection over bins of the logarithm, and the law behind it.

_HALF_OCTAVE = nearest_log(2) / 2
_SPREADS = np.array([0.06, 0.085, 0.12, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0])
_PRIOR = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.85, 0.7, 0.55, 0.4])
_PLACES = 80
_ANYWHERE = 0.01
"""A part of the users may lie anywhere."""


ONE_IN_TWENTY = 1.645
"""Standard errors to one side that chance exceeds one time in twenty."""


def users_for_lengths(users: int, epsilon: float) -> float:
    """How many are asked for their length: 3 to 6 % of the users."""
    return min(0.06 * users, max(0.03 * users, 60 / math.tanh(epsilon / 2) ** 2))


def usual_quantile(users: int) -> float:
    """The radius holds all but this part of the users, as far as they follow one law."""
    return 1 - min(0.03, 2 / math.sqrt(users))


def length_question(
    asking: RoundMaker, count: float, *, vector: Vector, centre: Sequence[float], low: float, high: float
) -> Question:
    """`count` users say how far they lie from the centre, in bins from below `low` to above `high`, ratio √2."""
    bins = max(4, math.ceil(nearest_log(high / low) / _HALF_OCTAVE) + 1)
    edges = inner_edges((low * math.exp(_HALF_OCTAVE * place) for place in range(bins - 1)), 0.0, 2 * high)
    return asking.question(
        count,
        role="length",
        encoder=Encoder(statistic=Norm(vector=vector, centre=tuple(centre)), placement=Bins(edges=edges)),
        channel=subset(asking.epsilon, len(edges) + 1),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class LengthLaw:
    """The users' lengths, as the next one would be drawn: a law over a grid of logarithms."""

    places: Floats
    below: Floats

    def quantile(self, share: float) -> float:
        return math.exp(float(np.interp(share, self.below, self.places)))

    @property
    def median(self) -> float:
        return self.quantile(0.5)


def share_beyond(asked: Question, tally: Tally, radius: float, *, errors: float = ONE_IN_TWENTY) -> float:
    """The most users who may lie beyond a radius, as a part of all, but for one time in twenty: no law is assumed."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Subset) and isinstance(placement, Bins)
    first = int(np.searchsorted(placement.edges, radius, side="right"))  # the bin that the radius falls in counts too
    shares = channel.shares(tally.counts()[0], tally.reports[0])
    variance = channel.share_variance(np.clip(shares, 0.0, 1.0)) / tally.reports[0]
    most = max(0.0, float(shares[first:].sum())) + errors * math.sqrt(float(variance[first:].sum()))
    return min(1.0, most)


def length_law(asked: Question, tally: Tally, *, claimed: float = 0.0) -> LengthLaw:
    """What a tally of `length_question` says: lognormal laws, each by its likelihood.

    `claimed`: as if this share of the users had named the outermost bins, whatever they hold.
    """
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Subset) and isinstance(placement, Bins)
    edges, reports = np.log(placement.edges), tally.reports[0]
    counts = (1 - claimed) * tally.counts()[0]
    counts[-channel.size :] += claimed * reports
    own, other = channel.inclusion
    centres = np.linspace(edges[0] - 0.5, edges[-1] + 0.5, _PLACES)
    middle, width = np.repeat(centres, len(_SPREADS)), np.tile(_SPREADS, _PLACES)
    inside = normal_below((edges[None, :] - middle[:, None]) / width[:, None])
    ends = np.ones((len(middle), 1))
    shares = np.diff(np.hstack((0 * ends, inside, ends)), axis=1)
    rate = other + (own - other) * ((1 - _ANYWHERE) * shares + _ANYWHERE / channel.items)
    support = np.log(rate) @ counts
    if channel.size > 1:
        support = worth_of_several(channel.items) * (support + np.log1p(-rate) @ (reports - counts))
    support = support + np.tile(np.log(_PRIOR), _PLACES)
    weight = np.exp(support - support.max())
    places = np.linspace(centres[0] - 0.5, centres[-1] + 2.5, 300)
    below = normal_below((places[:, None] - middle[None, :]) / width[None, :]) @ (weight / weight.sum())
    return LengthLaw(places=places, below=below)


# Does everybody lie inside the radius? A check that anybody far away would show in, and what to do when it fires.
#
# The check is one bit a user, at position x = clip((|v| − r)/r, 0, 1). Cutting vectors to length r moves their mean by
# at most E[(|v| − r)⁺], and that is at most E[x]·max(r, far − r) when nobody can lie farther than `far`: the check
# bounds what it does not see.
#
# A vector v = X − centre longer than r counts as r·v/|v|, so that entry j loses (1 − r/|v|)·|v_j|. That is at most
# x·r·|v_j|/|v| up to |v| = 2r, and (1 − r/|v|)·|v_j| beyond, where x = 1: never more than E[x] times the farthest that
# anybody can lie from the centre in entry j. In a box this is far less than the farthest that anybody can lie away in
# length.

CHECKED = 0.05
"""Part of the users who are asked whether they lie outside."""
FIRST = 0.8
"""The part of what may go wrong that the first check has, where everybody who is left is asked in one way."""
_MAPPED = 0.06
_LEAST_LEFT = 0.4
_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class OutsideCheck:
    """The mean position of a check, and its standard error."""

    mean: float
    error: float
    most: float = 1.0
    """What a report stands for that says outside."""

    def bias(self, radius: float, far: float, *, errors: float = ONE_IN_TWENTY) -> float:
        """How far cutting may have moved the mean vector, but for one time in twenty."""
        if far <= radius:
            return 0.0
        return (max(0.0, self.mean) + errors * self.error) * max(radius, far - radius)


@dataclass(frozen=True, kw_only=True)
class CheckedRadius:
    """A radius that was checked. `lost`: users lie outside wherever one looks; only the full range is left.

    A check may pass by chance although users lie outside, and so may each of several: `errors` shares out what may go
    wrong, the part `first` of it to the first check and a tenth to each further one.
    """

    radius: float
    fired: bool
    lost: bool
    outside: OutsideCheck | None
    first: float = FIRST

    def errors(self, confidence: float = 0.95) -> float:
        """How many standard errors of the last check to allow for."""
        share = 0.1 if self.fired else self.first
        return two_sided(1 - 2 * min(0.5, share * (1 - confidence)))

    def bias(self, far: float) -> float:
        return 0.0 if self.outside is None else self.outside.bias(self.radius, far, errors=self.errors())


def check_question(
    asking: RoundMaker, count: float, *, vector: Vector, centre: Sequence[float], radius: float
) -> Question:
    """`count` users say, with one bit, whether they lie outside."""
    return asking.question(
        count,
        role="check",
        encoder=Encoder(
            statistic=Norm(vector=vector, centre=tuple(centre)), placement=Position(low=(radius,), high=(2 * radius,))
        ),
        channel=one_bit(asking.epsilon),
    )


def read_check(asked: Question, tally: Tally) -> OutsideCheck:
    """Read a check."""
    ones, reports = tally.cells[0][1], tally.reports[0]
    zero, one = asked.channel.decode  # type: ignore[union-attr]  # a table: see above
    share = (ones + 2) / (reports + 4)
    return OutsideCheck(
        mean=zero + (one - zero) * ones / reports,
        error=(one - zero) * math.sqrt(share * (1 - share) / reports),
        most=one,
    )


def check_radius(
    asking: RoundMaker,
    *,
    vector: Vector,
    centre: Sequence[float],
    radius: float,
    far: float,
    stop: float = math.inf,
    part: float = CHECKED,
    first: float = FIRST,
) -> Generator[Question, Tally, CheckedRadius]:
    """Check the radius with a `part` of the users; when some lie outside learn where, move it beyond them, check again.

    It fires when the mean position is two standard errors above zero and what it cuts off would matter beside the
    noise of those who are left. Beyond `stop` or near `far` nothing is gained by a radius. `first` is the first check's
    part of what may go wrong.
    """
    fired, check, far = False, None, to_31_bits(far)
    for _ in range(_TRIES):
        asked = check_question(asking, part * asking.users, vector=vector, centre=centre, radius=radius)
        check = read_check(asked, (yield asked))
        noise = math.sqrt(vector.size / max(1, asking.users_left)) * radius / direction_response(asking.epsilon)
        if check.mean < 2 * check.error or (check.mean - check.error) * radius < 0.5 * noise:
            return CheckedRadius(radius=radius, fired=fired, lost=False, outside=check, first=first)
        if asking.users_left < _LEAST_LEFT * asking.users:
            break
        if fired:
            wider = 1.5 * radius
        else:
            wider = yield from _beyond(asking, vector=vector, centre=centre, radius=radius, far=far)
        (radius,) = on_lattice((min(far, wider),), 0.0, 2 * far)
        fired = True
        if radius > stop or radius >= 0.95 * far:
            break
    return CheckedRadius(radius=radius, fired=True, lost=True, outside=check, first=first)


def _beyond(
    asking: RoundMaker, *, vector: Vector, centre: Sequence[float], radius: float, far: float
) -> Generator[Question, Tally, float]:
    """A radius beyond the users who can be seen outside: the first edge with hardly anybody behind it."""
    bins = max(3, math.ceil(2 * math.log2(far / radius)) + 1)
    edges = inner_edges((radius * 2 ** (place / 2) for place in range(bins - 1)), 0.0, 2 * far)
    asked = asking.question(
        _MAPPED * asking.users,
        role="outside",
        encoder=Encoder(statistic=Norm(vector=vector, centre=tuple(centre)), placement=Bins(edges=edges)),
        channel=subset(asking.epsilon, len(edges) + 1),
    )
    tally = yield asked
    channel = asked.channel
    assert isinstance(channel, Subset)
    shares = channel.shares(tally.counts()[0], tally.reports[0])
    variance = channel.share_variance(np.clip(shares, 0.0, 1.0)) / tally.reports[0]
    behind = np.cumsum(shares[::-1])[::-1][1:]
    error = np.sqrt(np.cumsum(variance[::-1])[::-1][1:])
    clear = np.flatnonzero(behind < 1.5 * error)
    return max(edges[int(clear[0]) if len(clear) else len(edges) - 1], 1.42 * radius)
