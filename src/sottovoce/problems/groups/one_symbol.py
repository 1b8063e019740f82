"""What both methods do: everybody sends one symbol, once, about a group or for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import two_sided
from sottovoce.design import subset
from sottovoce.messages import Encoder, Grid, Question, Rules, Slots, Subset, Tally, Within, exact
from sottovoce.methods import Script, Symbols
from sottovoce.problems.groups.answer import answered
from sottovoce.problems.groups.estimate import GroupedEstimate
from sottovoce.problems.groups.found import groups_found, nothing
from sottovoce.problems.groups.settings import COLUMN, ByGroup
from sottovoce.problems.method import Method
from sottovoce.problems.ruling import only
from sottovoce.risk import Crowd, Poisoning, Prediction

Integers = NDArray[np.int64]


class OneSymbol(Method[ByGroup]):
    """One question. Groups share one alphabet, or each has its own."""

    joint: ClassVar[bool]
    """Whether one alphabet is for all groups."""
    guaranteed = True

    def variants(self, settings: ByGroup, crowd: Crowd) -> tuple[ByGroup, ...]:
        return (replace(settings, method=self.name).with_table(),)

    def script(self, settings: ByGroup) -> Script[GroupedEstimate]:
        asked = self.question(settings)
        tally = yield asked
        assert isinstance(asked.channel, Subset)
        each = self.by_group(settings, tally, asked.channel)
        known = self.joint or not settings.groups
        return answered(
            settings,
            self.name,
            groups_found(settings, each),
            sum(tally.reports),
            joint=self.joint,
            nothing=nothing(each[0][0], two_sided(settings.confidence)) if known else None,
            poisoning=self.poisoning(settings, Crowd()),
        )

    def by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> Sequence[tuple[Symbols, Integers]]:
        """For each group the counts of symbols, and at which places its own stand."""
        raise NotImplementedError("each method has its own alphabet")

    def alphabets(self, settings: ByGroup) -> int:
        """How many groups share one alphabet."""
        return settings.count if self.joint else 1

    def question(self, settings: ByGroup) -> Question:
        """Everybody at once: about the group that falls to them, or one of their own that they draw."""
        symbols = self.alphabets(settings) * settings.size + 1
        within = None
        if settings.groups:
            stride = settings.size if self.joint else 0
            within = Within(column=COLUMN, count=settings.count, stride=stride, labels=settings.digest)
        return Question(
            survey=settings.survey,
            round=0,
            role="drawn" if self.joint else "dealt",
            slots=Slots(first=0, count=settings.users),
            encoder=Encoder(
                statistic=settings.in_group.statistic(settings),
                placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols),
                empty="last",
                within=within,
            ),
            channel=subset(exact(settings.epsilon), symbols),
            epsilon=settings.epsilon,
            groups=1 if self.joint else settings.count,
        )

    def predict(self, settings: ByGroup, crowd: Crowd) -> Prediction:
        """Of a group's mean, of a share on average, or of a quantile in the middle of evenly spread observations."""
        alphabets = self.alphabets(settings)
        reports = settings.users if self.joint else settings.users / settings.count
        return settings.in_group.predicted(settings, crowd, alphabets, reports)

    def rules(self, settings: ByGroup) -> Rules:
        return only(self.question(settings))

    def poisoning(self, settings: ByGroup, crowd: Crowd) -> Poisoning:
        """Whoever colludes sends the symbol that pulls the most, over the users who have something in the group."""
        symbols = self.alphabets(settings) * settings.size + 1
        own, other = subset(exact(settings.epsilon), symbols).inclusion
        return Poisoning(reach=settings.width * max(own, 1 - other) / (own - other) / settings.assumed_share)
