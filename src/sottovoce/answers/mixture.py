"""The answer about a mixture: the mean and the share of every component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers.base import Answer, StandardError, check_lengths
from sottovoce.answers.intervals import percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import decimals, half, listed, unless, with_ends
from sottovoce.messages import Fact, counted
from sottovoce.pictures import Mark, Marks


@dataclass(frozen=True, kw_only=True, repr=False)
class MixtureEstimate(Answer):
    """Components in the order of their centres: mean, interval, standard error, share of users, place of the bin.

    Each interval covers its own component's mean with probability `confidence`, and so does each of `share_intervals`
    its share. All of them rely on the model, as `assumes` says: without it there are no components. By ``paper`` and
    ``theory`` shares are unbiased, so a small one may come out negative; by ``adaptive`` they add up to one. `centres`
    are the places around which users were asked in the end.
    """

    kind: ClassVar[str] = "mixture"

    means: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    standard_errors: tuple[StandardError, ...]
    shares: tuple[float, ...]
    share_errors: tuple[float, ...]
    centres: tuple[float, ...]
    low: float
    high: float
    share_intervals: tuple[tuple[float, float], ...] = ()
    assumes: str = ""

    def __post_init__(self) -> None:
        parts = (self.intervals, self.standard_errors, self.shares, self.share_errors, self.centres)
        more = (self.share_intervals,) if self.share_intervals else ()
        check_lengths("a mixture estimate", "components", len(self.means), *parts, *more)

    @property
    def value(self) -> tuple[float, ...]:
        """The components' means."""
        return self.means

    @property
    def components(self) -> int:
        return len(self.means)

    def __str__(self) -> str:
        parts = (f"{mean:.4g} ({share:.0%})" for mean, share in zip(self.means, self.shares, strict=True))
        return f"{', '.join(parts)}, {self.method}"

    def __repr__(self) -> str:
        return f"<MixtureEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        kinds = [
            f"about {share:.0%} of the users {self._around(mean, ends)}"
            for mean, ends, share in zip(self.means, self.intervals, self.shares, strict=True)
        ]
        what = f" in {of}" if of else ""
        if all(ends == (self.low, self.high) for ends in self.intervals):
            return f"This survey cannot tell where kinds of users are{what}. Ask more users, or for fewer kinds."
        told = f"Users are taken to be of {counted(self.components, 'kind')}{what}: {listed(kinds)}"
        return f"{told}. Each interval holds {unless(self.confidence, self.assumes, each=True)}"

    def _around(self, mean: float, ends: tuple[float, float]) -> str:
        """Where the users of a component are; an interval that is the whole range says nothing."""
        told = ends != (self.low, self.high)
        return f"around {with_ends(mean, ends)}" if told else "where this survey cannot tell"

    def headline(self) -> list[tuple[str, str]]:
        digits = decimals(min(map(half, self.intervals)))
        means = [f"{mean:z.{digits}f}" for mean in self.means]
        wide = max(map(len, means))
        shares = [f"{share:.3f} ± {error:.3f}" for share, error in zip(self.shares, self.share_errors, strict=True)]
        if self.share_intervals:
            ends = zip(self.shares, self.share_intervals, strict=True)
            shares = [f"{share:.3f}  [{low:.3f}, {high:.3f}]" for share, (low, high) in ends]
        lines = [
            (
                f"component {number}",
                f"{mean:>{wide}}  [{ends[0]:.{digits}f}, {ends[1]:.{digits}f}]  share {share}",
            )
            for number, (mean, ends, share) in enumerate(zip(means, self.intervals, shares, strict=True), start=1)
        ]
        return [*lines, ("intervals", f"{percent(self.confidence)} each, {self.interval_kind}")]

    def stated(self) -> tuple[Stated, ...]:
        names = [f"component {number}" for number in range(1, self.components + 1)]
        own = Stated(
            what="mean", names=names, values=self.means, intervals=self.intervals, low=self.low, high=self.high
        )
        if not self.share_intervals:
            return (own,)
        return own, Stated(what="share", names=names, values=self.shares, intervals=self.share_intervals, low=0, high=1)

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        parts = enumerate(zip(self.means, self.intervals, self.shares, strict=True), start=1)
        return Marks(
            marks=tuple(
                Mark(
                    title=Fact("picture-component", number=number, share=share),
                    value=mean,
                    interval=ends,
                    ends=(self.low, self.high),
                    place=share,
                    beside=Fact("picture-mean-and-share", mean=mean, share=share),
                )
                for number, (mean, ends, share) in parts
            ),
            truths=truth or (),
            true=Fact("picture-truth"),
            up=Fact("picture-axis-share-of-users"),
            title=self._title(Fact("picture-title-components", count=self.components)),
        )
