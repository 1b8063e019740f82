"""A vector most of whose coordinates are zero: the few that were selected, and the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers.vector import VectorEstimate
from sottovoce.messages import InvalidInput


@dataclass(frozen=True, kw_only=True, repr=False)
class SparseEstimate(VectorEstimate):
    """A vector that is zero outside `support`, the selected coordinates, counted from 0 and best first.

    `left_out` says what is claimed of the coordinates that were not selected, whose value is zero.
    """

    kind: ClassVar[str] = "sparse"

    support: tuple[int, ...]
    left_out: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(0 <= index < len(self) for index in self.support):
            raise InvalidInput(f"selected coordinates are counted from 0 to {len(self) - 1}")

    def __str__(self) -> str:
        shown = ", ".join(f"{self.names[index]}: {self.value[index]:.4g}" for index in self.support[:8])
        more = ", …" if len(self.support) > 8 else ""
        return f"{{{shown}{more}}}, {len(self.support)} of {len(self)} selected, {self.method}"

    def __repr__(self) -> str:
        return f"<SparseEstimate {self}>"

    def headline(self) -> list[tuple[str, str]]:
        lines = [
            (
                self.names[index][:11],
                f"{self.value[index]:.4f}  {self.intervals[index][0]:.4f} … {self.intervals[index][1]:.4f}",
            )
            for index in self.support[:16]
        ]
        if len(self.support) > 16:
            lines.append(("…", f"{len(self.support) - 16} more selected"))
        return [
            ("selected", f"{len(self.support)} of {len(self)} coordinates"),
            *lines,
            ("intervals", f"{self.confidence:.0%} each, {self.interval_kind}"),
            ("left out", self.left_out),
        ]

    def picture(self, *, truth: tuple[float, ...] | None = None, width: int = 60, rows: int = 16) -> str:
        """The selected coordinates in characters, the first `rows` of them."""
        return self._lines(self.support or (0,), truth=truth, width=width, rows=rows)
