"""Choosing from a finite cover: every user votes for the centre nearest to what the collection says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import (
    Average,
    Choice,
    CoverEstimate,
    Encoder,
    Grid,
    InvalidInput,
    Malformed,
    Nearest,
    Privacy,
    Question,
    Slots,
    Subset,
    Tally,
    Unary,
    design,
)
from sottovoce.messages.exact import exact
from sottovoce.messages.limits import MAX_ITEMS, MAX_QUESTION_BYTES, MAX_WORK, check_epsilon
from sottovoce.protocols.base import check_answered, check_confidence, check_users, only, two_sided, within
from sottovoce.protocols.covers import box_diameter

Metric = Literal["l2", "linf"]
Vote = Literal["unary", "subset"]


@dataclass(frozen=True, kw_only=True)
class CoverSelect:
    """The centre that most users are nearest to: CoverSelect (L222), for any finite cover of any metric space.

    `centres` are vectors, and a device takes the one nearest to its average in `metric`, ties to the lower index (the
    paper's first ball that holds the point, where balls overlap, is another such rule with the same radius). A
    coordinate that was never observed counts as zero. For any other space leave `centres` out and give `size`: the
    collection is then a single index 0 … size − 1, found on the device by the participant's own function
    (`Collections.indexed`); one that is missing counts as the middle.

    `vote`: ``"unary"`` as printed, ω_{α/2} for every bit; ``"subset"`` sends a subset of the centres, shorter for
    ε above 3 and equally accurate. `radius` is the Δ of the cover; with it the answer carries the theorem's bound
    Δ² + diam² N e^(−n·min(α, α²)/20) (L186); `diameter` is diam, by default at most that of the centres plus 2Δ.

    Privacy
    -------
    One question; the report is `epsilon`-LDP (α in the paper) for the whole collection. Unary: the hot bits of two
    centres differ in two places, each of which costs ε/2.

    Accuracy
    --------
    Users who all see the same point choose its centre but for a probability N e^(−n·min(ε, ε²)/20). Users who differ
    spread their votes: the winner is then the mode over the cells of the cover, and `share` says how many it speaks
    for.
    """

    epsilon: float
    users: int
    centres: tuple[tuple[float, ...], ...] | None = None
    size: int | None = None
    metric: Metric = "l2"
    vote: Vote = "unary"
    radius: float | None = None
    diameter: float | None = None
    confidence: float = 0.95
    survey: str = "rehearsal"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_users(self.users)
        check_confidence(self.confidence)
        if (self.centres is None) == (self.size is None):
            raise InvalidInput("give either centres (vectors) or size (how many indices there are)")
        if self.metric not in get_args(Metric):
            raise InvalidInput(f"metric must be one of {', '.join(get_args(Metric))}; got {self.metric!r}")
        if self.vote not in get_args(Vote):
            raise InvalidInput(f"vote must be one of {', '.join(get_args(Vote))}; got {self.vote!r}")
        for name, value in (("radius", self.radius), ("diameter", self.diameter)):
            if value is not None and not 0 <= value < math.inf:
                raise InvalidInput(f"{name} must be finite and not negative; got {value!r}")
        if self.size is not None and (isinstance(self.size, bool) or not isinstance(self.size, int)):
            raise InvalidInput(f"size must be a whole number; got {self.size!r}")
        if not 2 <= self.count <= MAX_ITEMS:
            raise InvalidInput(f"a cover has 2 to {MAX_ITEMS:,} centres; got {self.count:,}")
        if self.centres is not None:
            self._check_centres(self.centres)

    def _check_centres(self, centres: tuple[tuple[float, ...], ...]) -> None:
        widths = sorted({len(centre) for centre in centres})
        if len(widths) > 1 or widths[0] < 1:
            raise InvalidInput(f"all centres must have the same number of coordinates, at least 1; got {widths[:5]}")
        if not all(math.isfinite(value) for centre in centres for value in centre):
            raise InvalidInput("centres must be finite")
        if len(centres) * widths[0] > MAX_WORK or len(self._question.to_bytes()) > MAX_QUESTION_BYTES:
            raise InvalidInput(
                f"{len(centres):,} centres of {widths[0]:,} coordinates make a question above {MAX_QUESTION_BYTES:,} "
                f"bytes or {MAX_WORK:,} numbers: take a coarser cover, or size= with an index found on the device"
            )

    @property
    def count(self) -> int:
        """How many centres there are: N(Δ) in the paper."""
        return len(self.centres) if self.centres is not None else self.size or 0

    @cached_property
    def _question(self) -> Question:
        if self.centres is None:
            # Indices in the middle of their bins, so that no rounding can move them.
            encoder = Encoder(
                statistic=Average(), placement=Grid(low=(-0.5,), high=(self.count - 0.5,), count=self.count)
            )
        else:
            encoder = Encoder(
                statistic=Nearest(centres=self.centres, metric=self.metric),
                placement=Grid(low=(0.0,), high=(float(self.count),), count=self.count),
            )
        budget = exact(self.epsilon)
        channel = design.unary(budget, self.count) if self.vote == "unary" else design.subset(budget, self.count)
        try:
            return Question(
                survey=self.survey,
                round=0,
                role="vote",
                slots=Slots(first=0, count=self.users),
                encoder=encoder,
                channel=channel,
                epsilon=self.epsilon,
            )
        except Malformed as error:
            raise InvalidInput(f"no device would answer this: {error}") from error

    def decide(self, tallies: tuple[Tally, ...]) -> Question | CoverEstimate:
        """Ask once; then the centre with the most votes, ties to the lower index."""
        if not tallies:
            return self._question
        check_answered(tallies[0], self._question)
        channel = self._question.channel
        assert isinstance(channel, (Unary, Subset))
        reports, cells = only(tallies[0])
        counts = np.array(cells, dtype=np.int64)
        shares = channel.shares(counts, reports)
        order = np.argsort(-counts, kind="stable")[:5]
        errors = np.sqrt(channel.share_variance(np.clip(shares[order], 0.0, 1.0)) / reports)
        best, next_ = int(order[0]), int(order[1])
        gap = float(shares[best] - shares[next_]) / math.sqrt(_gap_variance(channel, shares[[best, next_]]) / reports)
        reach = two_sided(self.confidence) * float(errors[0])
        share = float(shares[best])
        return CoverEstimate(
            index=best,
            centre=None if self.centres is None else tuple(map(float, self.centres[best])),
            size=self.count,
            share=share,
            share_interval=within((share - reach, share + reach), 0.0, 1.0),
            gap=gap,
            top=tuple(
                Choice(index=int(index), share=float(shares[index]), standard_error=float(error))
                for index, error in zip(order, errors, strict=True)
            ),
            radius=self.radius,
            error_bound=self.error_bound,
            confidence=self.confidence,
            interval_kind="normal approximation for one centre; the largest of many shares is read high",
            users_per_round=(reports,),
            privacy=Privacy(epsilon=self.epsilon, protects="its whole collection", users=self.users, rounds=1),
            method=self.vote,
            reason=f"one vote a user over {self.count:,} centres",
            warnings=self._warnings(gap),
        )

    def _warnings(self, gap: float) -> tuple[str, ...]:
        found = []
        if gap < 2:
            found.append(
                f"the chosen centre leads the next by {gap:.1f} standard errors only: more users, a larger epsilon or "
                f"a coarser cover would settle it"
            )
        if self.users * min(self.epsilon, self.epsilon**2) < 20 * math.log(self.count):
            found.append(
                f"n·min(ε, ε²) is below 20·log N = {20 * math.log(self.count):.3g}: the theorem promises nothing here"
            )
        return tuple(found)

    @cached_property
    def error_bound(self) -> float | None:
        """Φ(Δ) + Φ(diam)·N·e^(−n·min(α, α²)/20) for Φ(x) = x² (L186), never above Φ(diam); None without a radius."""
        diameter = self.diameter
        if self.radius is None or (diameter is None and self.centres is None):
            return None
        if diameter is None:
            assert self.centres is not None
            diameter = box_diameter(self.centres, self.metric) + 2 * self.radius
        failed = self.count * math.exp(-self.users * min(self.epsilon, self.epsilon**2) / 20)
        return min(diameter**2, self.radius**2 + diameter**2 * failed)


def _gap_variance(channel: Unary | Subset, pair: NDArray[np.float64]) -> float:
    """Variance of one report's contribution to the difference of two shares: a user is in one of them at most."""
    first = min(1.0, max(0.0, float(pair[0])))
    second = min(1 - first, max(0.0, float(pair[1])))
    apart = float(channel.share_variance(np.array([first, second])).sum())
    if isinstance(channel, Unary):  # bits are independent given the index: only membership is shared
        return apart + 2 * first * second
    own, other = channel.inclusion
    items, size = channel.items, channel.size
    mine = own * (size - 1) / (items - 1)  # both reported, by one who holds one of the two
    pairs = (items - 1) * max(1, items - 2)
    else_ = (own * (size - 1) * (size - 2) + (1 - own) * size * (size - 1)) / pairs
    both = (first + second) * mine + max(0.0, 1 - first - second) * else_
    rates = [other + (own - other) * share for share in (first, second)]
    return max(1e-300, apart - 2 * (both - rates[0] * rates[1]) / (own - other) ** 2)
