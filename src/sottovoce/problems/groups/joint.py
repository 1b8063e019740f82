"""Everybody sends one symbol that says group and level together, or nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sottovoce.answers import two_sided
from sottovoce.messages import Fact, Rules, Subset
from sottovoce.problems.groups.answer import answered
from sottovoce.problems.groups.estimate import GroupedEstimate
from sottovoce.problems.groups.found import groups_found, nothing
from sottovoce.problems.groups.predicted import poisoned, predicted
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.groups.symbols import question
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction
from sottovoce.schemes import Script, Symbols


class JointSymbol(Method[ByGroup]):
    """One question, one alphabet for all groups."""

    name = "joint"
    help = "asks everybody for group and level in one symbol; for users with something in one group each"
    guaranteed = True

    def considered(self, settings: ByGroup) -> bool:
        return bool(settings.groups) and settings.memberships in (None, 1)  # None: to declare it might pay

    def unavailable(self, settings: ByGroup) -> Fact | None:
        if not settings.groups:
            return Fact("joint-needs-groups")
        return None if settings.memberships == 1 else Fact("joint-needs-one-membership")

    def variants(self, settings: ByGroup, crowd: Crowd) -> tuple[ByGroup, ...]:
        return (replace(settings, method=self.name).with_table(),)

    def script(self, settings: ByGroup) -> Script[GroupedEstimate]:
        asked = question(settings, drawn=True)
        tally = yield asked
        assert isinstance(asked.channel, Subset)
        symbols = Symbols(channel=asked.channel, counts=tally.counts()[0], reports=tally.reports[0])
        size = settings.size
        return answered(
            settings,
            self.name,
            groups_found(
                settings,
                [(symbols, np.arange(place * size, (place + 1) * size)) for place in range(settings.count)],
            ),
            symbols.reports,
            drawn=True,
            nothing=nothing(symbols, two_sided(settings.confidence)),
            poisoning=poisoned(settings, drawn=True),
        )

    def predict(self, settings: ByGroup, crowd: Crowd) -> Prediction:
        return predicted(settings, crowd, drawn=True)

    def rules(self, settings: ByGroup) -> Rules:
        return only(question(settings, drawn=True))

    def poisoning(self, settings: ByGroup, crowd: Crowd) -> Poisoning:
        return poisoned(settings, drawn=True)

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-in-one-alphabet", groups=settings.count, symbols=settings.size)
