"""What the toy declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sottovoce.methods import check_observations
from sottovoce.problems import Help, Settings


@dataclass(frozen=True, kw_only=True)
class UpTo(Settings):
    """The share of observations that are at most `threshold`."""

    threshold: Annotated[float, Help(text="observations up to here count", metavar="X")]
    observations: Annotated[int, Help(text="observations per user", metavar="T", group="data")]

    def check(self) -> None:
        super().check()
        check_observations(self.observations)
