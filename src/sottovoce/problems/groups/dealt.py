"""Every slot is dealt a group beforehand, and answers for that one: with a level, or with the symbol for nothing."""

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


class Dealt(Method[ByGroup]):
    """One question, each slot about a group of its own."""

    name = "dealt"
    help = "deals every slot a group; it answers for that one, or that it has nothing there"
    guaranteed = True

    def unavailable(self, settings: ByGroup) -> Fact | None:
        users, groups = settings.users, settings.count
        return Fact("too-few-users-for-groups", users=users, groups=groups) if users < groups else None

    def variants(self, settings: ByGroup, crowd: Crowd) -> tuple[ByGroup, ...]:
        return (replace(settings, method=self.name).with_table(),)

    def script(self, settings: ByGroup) -> Script[GroupedEstimate]:
        asked = question(settings, drawn=False)
        tally = yield asked
        assert isinstance(asked.channel, Subset)
        counts, places = tally.counts(), np.arange(settings.size)
        each = [
            Symbols(channel=asked.channel, counts=counts[row], reports=reports)
            for row, reports in enumerate(tally.reports)
        ]
        return answered(
            settings,
            self.name,
            groups_found(settings, [(symbols, places) for symbols in each]),
            sum(tally.reports),
            drawn=False,
            nothing=None if settings.groups else nothing(each[0], two_sided(settings.confidence)),
            poisoning=poisoned(settings, drawn=False),
        )

    def predict(self, settings: ByGroup, crowd: Crowd) -> Prediction:
        return predicted(settings, crowd, drawn=False)

    def rules(self, settings: ByGroup) -> Rules:
        return only(question(settings, drawn=False))

    def poisoning(self, settings: ByGroup, crowd: Crowd) -> Poisoning:
        return poisoned(settings, drawn=False)

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-dealt", groups=len(settings.groups), symbols=settings.size)
