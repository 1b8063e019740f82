"""Every slot is dealt a group beforehand, and answers for that one: with a level, or with the symbol for nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, Subset, Tally
from sottovoce.methods import Symbols
from sottovoce.problems.groups.one_symbol import OneSymbol
from sottovoce.problems.groups.settings import ByGroup


class Dealt(OneSymbol):
    """One question, each slot about a group of its own."""

    name = "dealt"
    help = "deals every slot a group; it answers for that one, or that it has nothing there"
    joint = False

    def unavailable(self, settings: ByGroup) -> Fact | None:
        users, groups = settings.users, settings.count
        return Fact("too-few-users-for-groups", users=users, groups=groups) if users < groups else None

    def by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> list[tuple[Symbols, NDArray[np.int64]]]:
        places = np.arange(settings.size)
        rows = zip(tally.counts(), tally.reports, strict=True)
        return [(Symbols(channel=channel, counts=counts, reports=reports), places) for counts, reports in rows]

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-dealt", groups=len(settings.groups), symbols=settings.size)
