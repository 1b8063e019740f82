"""Votes by subset selection: a few of the centres."""

from __future__ import annotations

from sottovoce.design import subset
from sottovoce.messages import Subset, exact
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.problems.cover.votes import Votes


class SubsetVotes(Votes):
    """A random subset that likely holds the own centre."""

    name = "subset"
    help = "sends a few of the centres"

    def channel(self, settings: CoverSelect) -> Subset:
        return subset(exact(settings.epsilon), settings.count)

    def rates(self, settings: CoverSelect) -> tuple[float, float]:
        return self.channel(settings).inclusion
