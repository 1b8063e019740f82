"""A vector most of whose coordinates are zero: the few that were selected, and the rest."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.answers.vector import VectorEstimate


@dataclass(frozen=True, kw_only=True, repr=False)
class SparseEstimate(VectorEstimate):
    """A vector that is zero outside `support`, the selected coordinates, counted from 0 and best first.

    `left_out` says what is claimed of the coordinates that were not selected, whose value is zero.
    """

    support: tuple[int, ...]
    left_out: str

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
        from sottovoce.answers.vector_pictures import text_intervals

        shown = self.support or (0,)
        part = VectorEstimate(
            confidence=self.confidence,
            interval_kind=self.interval_kind,
            users_per_round=self.users_per_round,
            privacy=self.privacy,
            method=self.method,
            reason=self.reason,
            value=tuple(self.value[index] for index in shown),
            intervals=tuple(self.intervals[index] for index in shown),
            simultaneous=tuple(self.simultaneous[index] for index in shown),
            standard_error=tuple(self.standard_error[index] for index in shown),
            low=tuple(self.low[index] for index in shown),
            high=tuple(self.high[index] for index in shown),
            names=tuple(self.names[index] for index in shown),
        )
        kept = None if truth is None else tuple(truth[index] for index in shown)
        return text_intervals(part, truth=kept, width=width, rows=rows)
