"""The answer of a choice: one centre of a cover, and how clearly it was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import Answer, Line, StatedNumbers, line
from sottovoce.messages import Fact
from sottovoce.pictures import Mark, Marks

_COORDINATES = 6


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A centre by its index, the share of the users nearest to it, and the standard error of that share."""

    index: int
    share: float
    standard_error: float


@dataclass(frozen=True, kw_only=True, repr=False)
class CoverEstimate(Answer):
    """The centre with the most votes.

    `centre` holds its coordinates (of a density, its coefficients from the second on), or None when centres are known
    by index only. `top` are the centres with the largest shares, the chosen one first; `gap` is its lead over the next
    in standard errors. With probability `confidence` the centre that most users are nearest to is one of
    `contender_count` centres, the chosen one among them; `contenders` lists at most a hundred of these.
    `share_interval` covers the share of the users whose own best centre is the chosen one, whatever the users are,
    although it was chosen for being large; `share` is corrected for that too, and lies inside; the shares in `top` are
    as they were found. `error_bound` is the theorem's bound on the expected squared distance (L186), for users who all
    see the same point: None where the radius of the cover is not known, the bound says nothing, or the votes tell that
    users differ.
    """

    kind: ClassVar[str] = "cover"
    pictured: ClassVar[tuple[str, ...]] = ("top",)
    several: ClassVar[bool] = False

    index: int
    centre: tuple[float, ...] | None
    size: int
    share: float
    share_interval: tuple[float, float]
    gap: float
    top: tuple[Choice, ...]
    radius: float | None
    error_bound: float | None
    contenders: tuple[int, ...] = ()
    contender_count: int = 0

    @property
    def value(self) -> tuple[float, ...] | int:
        """The chosen centre: its coordinates, or its index where it has none."""
        return self.index if self.centre is None else self.centre

    @property
    def meaning(self) -> Fact:
        """What the lead means."""
        others = self.contender_count - 1
        return Fact(
            "cover-lead",
            gap=self.gap,
            others=others,
            contenders=tuple(Fact("bare", n=index) for index in self.contenders[1:6]),
            more=others > 5,
            confidence=self.confidence,
        )

    def _chosen(self) -> Fact:
        return Fact(
            "cover",
            index=self.index,
            size=self.size,
            centre=_coordinates(self.centre),
            share=self.share,
            gap=self.gap,
        )

    def __str__(self) -> str:
        return str(self._chosen())

    def words(self, *, of: str = "") -> Fact:
        place = Fact("place", index=self.index, size=self.size, centre=_coordinates(self.centre))
        return Fact(
            "cover-answer",
            place=place,
            others=self.contender_count > 1,
            share=self.share,
            interval=self.share_interval,
            unless=self.interval_condition(),
        )

    def headline(self) -> list[Line]:
        share = {"share": self.share, "interval": self.share_interval, "confidence": self.confidence}
        top = tuple(Fact("cover-top", index=one.index, share=one.share, error=one.standard_error) for one in self.top)
        lines = [
            line("chosen", self._chosen()),
            line("share", Fact("cover-share", **share, kind=self.interval_kind)),
            *([line("lead", self.meaning)] if self.contender_count else []),
            line("top", Fact("listed", parts=top)),
        ]
        if self.radius is not None:
            lines.append(line("cover", Fact("cover-radius", radius=self.radius)))
        if self.error_bound is not None:
            lines.append(line("bound", Fact("cover-bound", bound=self.error_bound, radius=self.radius)))
        return lines

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        return (
            StatedNumbers(what="share", names=(), values=self.share, intervals=self.share_interval, low=0.0, high=1.0),
        )

    def drawing(self, *, truth: Any = None) -> Marks:
        marks = (
            Mark(
                name=str(one.index),
                title=Fact("picture-place", index=one.index),
                value=one.share,
                error=one.standard_error,
                beside=f"{one.share:.3f} ± {one.standard_error:.3f}",
            )
            for one in self.top
        )
        return Marks(
            marks=tuple(marks),
            bars=True,
            across=Fact("picture-axis-centre"),
            up=Fact("picture-axis-share-of-users"),
            title=self._title(Fact("picture-title-centre", index=self.index, gap=self.gap)),
        )


def _coordinates(centre: tuple[float, ...] | None) -> Fact | None:
    """A place by its first coordinates."""
    if centre is None:
        return None
    shown = tuple(Fact("number-short", value=value) for value in centre[:_COORDINATES])
    return Fact("coordinates", values=shown, more=len(centre) > _COORDINATES)
