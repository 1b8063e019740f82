"""The answer about a mixture: the mean and the share of every component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import Answer, Line, StandardError, StatedNumbers, check_lengths, fixed_ends, line
from sottovoce.messages import Fact, decimals, half_width
from sottovoce.pictures import Mark, Marks


def _component(number: int) -> Fact:
    return Fact("component", number=number)


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
    least_share: float | None = None
    """Of a component that would be found, as far as `assumes` needs it; None where so few reports do not show any."""

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
        parts = zip(self.means, self.shares, strict=True)
        return str(
            Fact(
                "mixture",
                means=tuple(Fact("mean-and-share", mean=mean, share=share) for mean, share in parts),
                method=self.method,
            )
        )

    def words(self, *, of: str = "") -> Fact:
        whole = (self.low, self.high)
        if all(ends == whole for ends in self.intervals):
            return Fact("mixture-cannot-tell", of=of)
        kinds = tuple(
            Fact("kind-of-users", share=share, mean=mean, interval=ends if ends != whole else None)
            for mean, ends, share in zip(self.means, self.intervals, self.shares, strict=True)
        )
        return Fact(
            "mixture-answer", of=of, components=self.components, kinds=kinds, unless=self.interval_condition(each=True)
        )

    def assumed_numbers(self) -> dict[str, Any]:
        return super().assumed_numbers() | {"least_share": self.least_share}

    def headline(self) -> list[Line]:
        digits = decimals(min(map(half_width, self.intervals)))
        wide = max(len(f"{mean:z.{digits}f}") for mean in self.means)
        lines: list[Line] = [
            (
                _component(number),
                Fact(
                    "component-line",
                    mean=Fact("padded-without-minus-zero", value=mean, digits=digits, width=wide),
                    interval=fixed_ends(ends, digits, joined="comma"),
                    share=self.shares[number - 1],
                    share_interval=self.share_intervals[number - 1] if self.share_intervals else None,
                    share_error=self.share_errors[number - 1],
                ),
            )
            for number, (mean, ends) in enumerate(zip(self.means, self.intervals, strict=True), start=1)
        ]
        kind = Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind)
        return [*lines, line("intervals", kind)]

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        names = [_component(number) for number in range(1, self.components + 1)]
        own = StatedNumbers(
            what="mean", names=names, values=self.means, intervals=self.intervals, low=self.low, high=self.high
        )
        if not self.share_intervals:
            return (own,)
        return own, StatedNumbers(
            what="share", names=names, values=self.shares, intervals=self.share_intervals, low=0, high=1
        )

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
