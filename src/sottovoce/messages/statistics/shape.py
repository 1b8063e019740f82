"""What every statistic says of itself."""

from __future__ import annotations

from typing import ClassVar, Literal

from sottovoce.messages.facts import Fact

MIDDLE = Fact("nothing-middle", group=False)
NOT_LARGE = Fact("nothing-large", group=False)
Needs = Literal["averages", "sums", "rows"]
"""What a statistic needs of a collection: averages of its columns, sums of its own over all observations, or all."""


class Plain:
    """One part, narrow, without signs: what most statistics are."""

    parts: ClassVar[int] = 1
    breadth: ClassVar[int] = 1
    signed: ClassVar[int] = 0
    cells: ClassVar[int | None] = None
    draws: ClassVar[bool] = False
    kind: ClassVar[str]
    nothing: ClassVar[Fact] = MIDDLE
    silent: ClassVar[bool] = True
    needs: ClassVar[Needs] = "averages"

    @property
    def fact(self) -> Fact:
        """What is computed, for the owner of a device."""
        return Fact(f"computes-{self.kind}")

    @property
    def lone(self) -> bool:
        """Whether it looks at one column, the last of its `dimension`, and gives one number of it."""
        return self.parts == 1 and hasattr(getattr(self, "vector", self), "column")


class OneColumn(Plain):
    """Looks at one column only."""

    column: int

    @property
    def dimension(self) -> int:
        return self.column + 1
