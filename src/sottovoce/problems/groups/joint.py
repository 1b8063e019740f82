"""Everybody sends one symbol that says group and level together, or nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, Subset, Tally
from sottovoce.methods import Symbols
from sottovoce.problems.groups.one_symbol import OneSymbol
from sottovoce.problems.groups.settings import ByGroup


class JointSymbol(OneSymbol):
    """One question, one alphabet for all groups."""

    name = "joint"
    help = "asks everybody for group and level in one symbol; for users with something in one group each"
    joint = True

    def considered(self, settings: ByGroup) -> bool:
        return bool(settings.groups) and settings.memberships in (None, 1)  # None: to declare it might pay

    def unavailable(self, settings: ByGroup) -> Fact | None:
        if not settings.groups:
            return Fact("joint-needs-groups")
        return None if settings.memberships == 1 else Fact("joint-needs-one-membership")

    def by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> list[tuple[Symbols, NDArray[np.int64]]]:
        symbols = Symbols(channel=channel, counts=tally.counts()[0], reports=tally.reports[0])
        places = np.arange(settings.count * settings.size).reshape(settings.count, settings.size)
        return [(symbols, own) for own in places]

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-in-one-alphabet", groups=settings.count, symbols=settings.size)
