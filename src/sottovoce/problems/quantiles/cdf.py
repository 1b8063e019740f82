"""A distribution function as an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from sottovoce.answers import Answer, Assumes, Falls, Line, Stated, check_lengths, fixed_ends, line
from sottovoce.messages import Fact, decimals, half
from sottovoce.pictures import Ribbon
from sottovoce.problems.quantiles.curve import Curve, Interval

_SHOWN = 12


@dataclass(frozen=True, kw_only=True, repr=False)
class CdfEstimate(Answer):
    """The average over users of the share of their own observations up to each point of `curve`.

    The band of the `curve` is guarded: with probability `confidence` it holds at all points at once, whatever the users
    are. `model_band` does so under `model_assumes` only.
    """

    kind: ClassVar[str] = "cdf"
    several: ClassVar[bool] = False

    curve: Curve
    model_band: tuple[Interval, ...] | None = None

    def __post_init__(self) -> None:
        if self.model_band is not None:
            check_lengths("a distribution", "points", len(self.curve.points), self.model_band)

    def __len__(self) -> int:
        return len(self.curve.points)

    @property
    def value(self) -> tuple[float, ...]:
        """The shares up to each point."""
        return self.curve.below

    def _named(self) -> Fact:
        return Fact("cdf", points=len(self), low=self.curve.low, high=self.curve.high, method=self.method)

    def __str__(self) -> str:
        return str(self._named())

    def words(self, *, of: str = "") -> Fact:
        curve, middle = self.curve, len(self) // 2
        places = sorted({0, middle, len(self) - 1}) if len(self) > 2 else range(len(self))
        parts = tuple(
            Fact("share-at-most", share=curve.below[at], interval=curve.band[at], point=curve.points[at])
            for at in places
        )
        return Fact("cdf-answer", of=of, parts=parts, unless=self.unless())

    def headline(self) -> list[Line]:
        digits = decimals(max(map(half, self.curve.band)))
        rows: list[Line] = [
            (
                Fact("up-to", point=self.curve.points[at]),
                Fact(
                    "cdf-line",
                    share=self.curve.below[at],
                    digits=digits,
                    ends=fixed_ends(self.curve.band[at], digits),
                    truth=None if self.truth is None else self.truth[at],
                ),
            )
            for at in range(min(len(self), _SHOWN))
        ]
        if len(self) > _SHOWN:
            rows.append(("…", Fact("more-points", count=len(self) - _SHOWN)))
        return [*rows, line("band", Fact("band-at-once", confidence=self.confidence, kind=self.interval_kind))]

    def model(self) -> Fact | None:
        if self.model_band is None:
            return None
        widest = max(map(half, self.model_band))
        return Fact("cdf-model", halfwidth=widest, assumes=self.assumed(self.model_assumes, "model_assumes"))

    def per_percent_empty(self) -> Fact:
        return Fact("empty-moves-share")

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        curve = self.curve.allowing_for_empty(at_most)
        return replace(self, assumes=Assumes.FEW_WITHOUT_DATA, empty_at_most=at_most, curve=curve, model_band=None)

    def stated(self) -> tuple[Stated, ...]:
        own = self.curve.stated()
        if self.model_band is None:
            return (own,)
        return own, replace(own, model=True, intervals=self.model_band)

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Ribbon:
        known = truth is not None or self.truth is not None
        truths = self._truths(truth, len(self), "points") if known else ()
        return replace(self.curve.drawing(), truth=truths, title=self._title(self._named()))
