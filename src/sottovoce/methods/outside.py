"""Does everybody lie inside the radius? A check that anybody far away would show in, and what to do when it fires.

The check is one bit a user, at position x = clip((|v| − r)/r, 0, 1). Cutting vectors to length r moves their mean by at
most E[(|v| − r)⁺], and that is at most E[x]·max(r, far − r) when nobody can lie farther than `far`: the check bounds
what it does not see.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.design import one_bit, subset
from sottovoce.messages import Bins, Encoder, Norm, Position, Question, Subset, Tally, Vector
from sottovoce.methods.asking import Asking
from sottovoce.methods.bins import inner_edges, rounded, to_31_bits
from sottovoce.methods.directions import response

CHECKED = 0.05
"""Part of the users who are asked whether they lie outside."""
FIRST = 0.8
"""The part of what may go wrong that the first check has, where everybody who is left is asked in one way."""
_MAPPED = 0.06
_LEAST_LEFT = 0.4
_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class Outside:
    """The mean position of a check, and its standard error."""

    mean: float
    error: float
    most: float = 1.0
    """What a report stands for that says outside."""

    def bias(self, radius: float, far: float, *, errors: float = 1.645) -> float:
        """How far cutting may have moved the mean vector, but for one time in twenty."""
        if far <= radius:
            return 0.0
        return (max(0.0, self.mean) + errors * self.error) * max(radius, far - radius)


@dataclass(frozen=True, kw_only=True)
class Widened:
    """A radius that was checked. `lost`: users lie outside wherever one looks; only the full range is left.

    A check may pass by chance although users lie outside, and so may each of several: `errors` shares out what may go
    wrong, the part `first` of it to the first check and a tenth to each further one.
    """

    radius: float
    fired: bool
    lost: bool
    outside: Outside | None
    first: float = FIRST

    def errors(self, confidence: float = 0.95) -> float:
        """How many standard errors of the last check to allow for."""
        share = 0.1 if self.fired else self.first
        return two_sided(1 - 2 * min(0.5, share * (1 - confidence)))

    def bias(self, far: float) -> float:
        return 0.0 if self.outside is None else self.outside.bias(self.radius, far, errors=self.errors())


def outside_question(
    asking: Asking, count: float, *, vector: Vector, centre: Sequence[float], radius: float
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


def outside(asked: Question, tally: Tally) -> Outside:
    """Read a check."""
    ones, reports = tally.cells[0][1], tally.reports[0]
    zero, one = asked.channel.decode  # type: ignore[union-attr]  # a table: see above
    share = (ones + 2) / (reports + 4)
    return Outside(
        mean=zero + (one - zero) * ones / reports,
        error=(one - zero) * math.sqrt(share * (1 - share) / reports),
        most=one,
    )


def widen(
    asking: Asking,
    *,
    vector: Vector,
    centre: Sequence[float],
    radius: float,
    far: float,
    stop: float = math.inf,
    part: float = CHECKED,
    first: float = FIRST,
) -> Generator[Question, Tally, Widened]:
    """Check the radius with a `part` of the users; when some lie outside learn where, move it beyond them, check again.

    It fires when the mean position is two standard errors above zero and what it cuts off would matter beside the
    noise of those who are left. Beyond `stop` or near `far` nothing is gained by a radius. `first` is the first check's
    part of what may go wrong.
    """
    fired, found, far = False, None, to_31_bits(far)
    for _ in range(_TRIES):
        asked = outside_question(asking, part * asking.users, vector=vector, centre=centre, radius=radius)
        found = outside(asked, (yield asked))
        noise = math.sqrt(vector.size / max(1, asking.left)) * radius / response(asking.epsilon)
        if found.mean < 2 * found.error or (found.mean - found.error) * radius < 0.5 * noise:
            return Widened(radius=radius, fired=fired, lost=False, outside=found, first=first)
        if asking.left < _LEAST_LEFT * asking.users:
            break
        if fired:
            wider = 1.5 * radius
        else:
            wider = yield from _beyond(asking, vector=vector, centre=centre, radius=radius, far=far)
        (radius,) = rounded((min(far, wider),), 0.0, 2 * far)
        fired = True
        if radius > stop or radius >= 0.95 * far:
            break
    return Widened(radius=radius, fired=True, lost=True, outside=found, first=first)


def _beyond(
    asking: Asking, *, vector: Vector, centre: Sequence[float], radius: float, far: float
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
