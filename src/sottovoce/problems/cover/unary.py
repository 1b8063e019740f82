"""Votes as the paper prints them: a bit for each centre."""

from __future__ import annotations

from sottovoce.design import unary
from sottovoce.messages import Unary, exact
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.cover.votes import Votes


class UnaryVotes(Votes):
    """ω_{α/2} for every bit (L222)."""

    name = "unary"
    help = "sends a bit for each centre, as the paper prints it: as accurate, and longer for epsilon above 3"

    def channel(self, settings: CoverSelect) -> Unary:
        return unary(exact(settings.epsilon), settings.count)

    def rates(self, settings: CoverSelect) -> tuple[float, float]:
        keep = self.channel(settings).keep
        return keep, 1 - keep
