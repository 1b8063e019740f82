"""A distribution function as an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sottovoce.answers.base import Answer, check_lengths
from sottovoce.answers.curve import Curve, Interval
from sottovoce.answers.intervals import percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import decimals, half, listed, share, unless
from sottovoce.messages import counted, few
from sottovoce.pictures import Ribbon

_SHOWN = 12


@dataclass(frozen=True, kw_only=True, repr=False)
class CdfEstimate(Answer):
    """The average over users of the share of their own observations up to each point of `curve`.

    The band of the `curve` is guarded: with probability `confidence` it holds at all points at once, whatever the users
    are. `model_band` does so under `model_assumes` only. A group of users below the share `detection_limit` may hide
    from the reports: what is guarded allows for it.
    """

    kind: ClassVar[str] = "cdf"

    curve: Curve
    assumes: str = ""
    model_band: tuple[Interval, ...] | None = None
    model_assumes: str = ""
    detection_limit: float | None = None

    def __post_init__(self) -> None:
        if self.model_band is not None:
            check_lengths("a distribution", "points", len(self.curve.points), self.model_band)

    def __len__(self) -> int:
        return len(self.curve.points)

    @property
    def value(self) -> tuple[float, ...]:
        """The shares up to each point."""
        return self.curve.below

    def __str__(self) -> str:
        return (
            f"distribution at {counted(len(self), 'point')} of [{self.curve.low:g}, {self.curve.high:g}], {self.method}"
        )

    def __repr__(self) -> str:
        return f"<CdfEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        curve, middle = self.curve, len(self) // 2
        places = sorted({0, middle, len(self) - 1}) if len(self) > 2 else range(len(self))
        parts = [f"{share(curve.below[at], curve.band[at])} are at most {few(curve.points[at], 4)}" for at in places]
        what = f"observations of {of}" if of else "observations"
        told = f"Of a user's {what}, on average, {listed(parts)}"
        return f"{told}. The whole curve lies in its band, {unless(self.confidence, self.assumes)}"

    def headline(self) -> list[tuple[str, str]]:
        digits = decimals(max(map(half, self.curve.band)))
        rows = [
            (f"≤{few(point, 4)}", f"{below:.{digits}f}  {low:.{digits}f} … {high:.{digits}f}")
            for point, below, (low, high) in zip(self.curve.points, self.curve.below, self.curve.band, strict=True)
        ]
        if self.truth is not None:
            rows = [
                (name, f"{text}  (truth {true:.{digits}f})")
                for (name, text), true in zip(rows, self.truth, strict=True)
            ]
        if len(rows) > _SHOWN:
            rows[_SHOWN:] = [("…", f"{len(rows) - _SHOWN} more points")]
        return [*rows, ("band", f"{percent(self.confidence)} for all points at once, {self.interval_kind}")]

    def model(self) -> str:
        if self.model_band is None:
            return ""
        widest = max(map(half, self.model_band))
        return f"± {widest:.2g} at most for all points at once, {self.model_assumes}"

    def per_percent_empty(self) -> str:
        return "a share by up to 0.01"

    def stated(self) -> tuple[Stated, ...]:
        own = self.curve.stated()
        if self.model_band is None:
            return (own,)
        return own, replace(own, what="share (model)", intervals=self.model_band)

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Ribbon:
        known = truth is not None or self.truth is not None
        truths = self._truths(truth, len(self), "points") if known else ()
        return replace(self.curve.drawing(), truth=truths, title=self._title(str(self)))
