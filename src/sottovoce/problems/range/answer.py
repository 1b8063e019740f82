"""A range as an answer: where the users are, by doublings, and how many may be elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import Answer, Line, StatedNumbers, check_lengths, line
from sottovoce.messages import Fact, InvalidInput, short_number
from sottovoce.pictures import Mark, Marks


@dataclass(frozen=True, kw_only=True, repr=False)
class RangeEstimate(Answer):
    """Ends to declare in another survey; both are None where nothing was found, and `notes` say why.

    `outside` is the estimated share of the users who are not between the ends, and at the answer's confidence it is at
    most `detection_limit`: users below that may lie anywhere unseen. `edges` are those of the bins, one more bin than
    edges; `shares` the unbiased share of the users in each, with `standard_error` for a bin without users.
    """

    kind: ClassVar[str] = "range"
    several: ClassVar[bool] = False

    low: float | None
    high: float | None
    of: str
    outside: float
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    standard_error: float

    def __post_init__(self) -> None:
        check_lengths("a range", "bins", len(self.edges) + 1, self.shares)
        if (self.low is None) != (self.high is None):
            raise InvalidInput("a range has two ends or none")

    @property
    def found(self) -> bool:
        """Whether there is a range."""
        return self.low is not None

    @property
    def value(self) -> tuple[float, float] | tuple[()]:
        """Both ends; nothing where nothing was found."""
        return () if self.low is None or self.high is None else (self.low, self.high)

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        """The share outside, of which is known what it is at most."""
        return (StatedNumbers(what="share-outside", names=(), values=max(0.0, self.outside), intervals=(0.0, 1.0)),)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The range as a pair, for whoever holds a mean against it."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def _named(self) -> Fact:
        return Fact("range", interval=self.interval, method=self.method)

    def __str__(self) -> str:
        return str(self._named())

    def words(self, *, of: str = "") -> Fact:
        most = min(1.0, self.detection_limit or 0.0)
        return Fact("range-answer", of=of, held=self.of, interval=self.interval, most=most)

    def headline(self) -> list[Line]:
        if not self.value:
            return [line("range", Fact("range-none"))]
        unseen = {"outside": self.outside, "most": self.detection_limit, "confidence": self.confidence}
        return [
            line("range", Fact("range-ends", interval=self.interval, kind=self.interval_kind)),
            line("outside", Fact("range-outside", **unseen)),
        ]

    def basis_lines(self) -> list[Line]:
        """How many may be outside stands in the headline."""
        return []

    def bins_shown(self) -> range:
        """Bins inside the range and two more at either end; where there is none, the largest share's neighbours."""
        if not self.value:
            largest = max(range(len(self.shares)), key=lambda place: self.shares[place])
            first, last = largest - 3, largest + 3
        else:
            first = sum(edge <= self.value[0] for edge in self.edges) - 2
            last = sum(edge < self.value[1] for edge in self.edges) + 2
        return range(max(0, first), min(len(self.edges), last) + 1)

    def bin_name(self, place: int) -> str:
        """Its ends."""
        low, high = (-math.inf, *self.edges)[place], (*self.edges, math.inf)[place]
        return f"{short_number(low, 6)} … {short_number(high, 6)}"

    def _middle(self, place: int) -> float:
        low = self.edges[place - 1] if place > 0 else 2 * self.edges[0]
        high = self.edges[place] if place < len(self.edges) else 2 * self.edges[-1]
        return (low + high) / 2

    def drawing(self, *, truth: Any = None) -> Marks:
        marks = (
            Mark(
                name=self.bin_name(at),
                value=self.shares[at],
                error=self.standard_error,
                inside=self.interval is not None and self.interval[0] <= self._middle(at) <= self.interval[1],
                beside=f"{self.shares[at]:.3f}",
            )
            for at in self.bins_shown()
        )
        up = Fact("picture-axis-share-of-users")
        return Marks(marks=tuple(marks), bars=True, up=up, title=self._title(self._named()))
