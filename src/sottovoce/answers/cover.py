"""The answer of a choice: one centre of a cover, and how clearly it was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers.base import Answer
from sottovoce.answers.intervals import percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import share, unless
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
    `contender_count` centres, the chosen one among them; `contenders` lists at most a hundred of these, and `meaning`
    says it in words. `share_interval` covers the share of the users whose own best centre is the chosen one, whatever
    the users are, although it was chosen for being large; `share` is corrected for that too, and lies inside; the
    shares in `top` are as they were found. `error_bound` is the theorem's bound on the expected squared distance
    (L186), for users who all see the same point: None where the radius of the cover is not known, the bound says
    nothing, or the votes tell that users differ.
    """

    kind: ClassVar[str] = "cover"
    pictured: ClassVar[tuple[str, ...]] = ("top",)

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
    assumes: str = ""

    @property
    def value(self) -> tuple[float, ...] | int:
        """The chosen centre: its coordinates, or its index where it has none."""
        return self.index if self.centre is None else self.centre

    @property
    def meaning(self) -> str:
        """What the lead means, in words."""
        lead = f"{self.gap:.1f} standard errors ahead of the next"
        if self.contender_count == 1:
            return f"{lead}: with {percent(self.confidence)} confidence no other centre has more users"
        others = self.contender_count - 1
        listed = ", ".join(map(str, self.contenders[1:6])) + ", …" * (others > 5)
        return f"{lead}: {others:,} of the others may have more users ({listed}; {percent(self.confidence)} confidence)"

    def __str__(self) -> str:
        where = "" if self.centre is None else f" at ({', '.join(f'{value:.4g}' for value in self.centre[:6])}"
        where += "" if self.centre is None else ", …)" if len(self.centre) > 6 else ")"
        return f"centre {self.index} of {self.size}{where}, share {self.share:.3f}, {self.gap:.1f} se ahead"

    def __repr__(self) -> str:
        return f"<CoverEstimate {self}>"

    def words(self, *, of: str = "") -> str:
        told = f"More users are nearest to {self._named()} than to any other place"
        if self.contender_count > 1:
            told = f"{self._named()[:1].upper()}{self._named()[1:]} has the most votes, but others may have more users"
        near = f"about {share(self.share, self.share_interval)} of the users are"
        return f"{told}: {near}, {unless(self.confidence, self.assumes)}"

    def _named(self) -> str:
        if self.centre is None:
            return f"place {self.index} of {self.size:,}"
        ends = ", …" if len(self.centre) > _COORDINATES else ""
        return f"place {self.index} at ({', '.join(f'{value:.4g}' for value in self.centre[:_COORDINATES])}{ends})"

    def headline(self) -> list[tuple[str, str]]:
        low, high = self.share_interval
        lines = [
            ("chosen", str(self)),
            ("share", f"{self.share:.4f}  [{low:.4f}, {high:.4f}]  ({percent(self.confidence)}, {self.interval_kind})"),
            *([("lead", self.meaning)] if self.contender_count else []),
            ("top", ", ".join(f"{one.index}: {one.share:.3f} ± {one.standard_error:.3f}" for one in self.top)),
        ]
        if self.radius is not None:
            lines.append(("cover", f"every point has a centre within {self.radius:.4g}"))
        if self.error_bound is not None:
            most = f"expected squared distance at most {self.error_bound:.4g}"
            lines.append(("bound", f"{most} if all users see the same point, radius {self.radius:g}"))
        return lines

    def stated(self) -> tuple[Stated, ...]:
        return (Stated(what="share", names=(), values=self.share, intervals=self.share_interval, low=0.0, high=1.0),)

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
