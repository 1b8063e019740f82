"""Everybody sends one symbol, once, about a group or for nothing: a group that is dealt, or one of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sottovoce.answers import Assumes, Note, NoteCode, two_sided
from sottovoce.design import subset
from sottovoce.messages import (
    Encoder,
    Fact,
    Floats,
    Grid,
    Integers,
    Interval,
    Question,
    Slots,
    Subset,
    Tally,
    Within,
    exact,
)
from sottovoce.methods import Ratio, Script, SymbolCounts, binomial_limits
from sottovoce.problems.alternatives import notes_on_few_reports
from sottovoce.problems.groups.answer import Group, GroupedEstimate
from sottovoce.problems.groups.settings import COLUMN, JOINT, ByGroup
from sottovoce.problems.method import Method
from sottovoce.risk import Crowd, Poisoning, Prediction, subset_reach

_LISTED = 6
"""Small groups that are named at most."""


class OneSymbol(Method[ByGroup]):
    """One question. Groups share one alphabet, or each has its own."""

    guaranteed = True

    def variants(self, settings: ByGroup, crowd: Crowd) -> tuple[ByGroup, ...]:
        return (replace(settings, method=self.name).with_table(),)

    def counts_by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> list[tuple[SymbolCounts, Integers]]:
        """For each group the counts of symbols, and at which places its own stand."""
        raise NotImplementedError("each method has its own alphabet")

    def script(self, settings: ByGroup) -> Script[GroupedEstimate]:
        question = self.question(settings)
        tally = yield question
        assert isinstance(question.channel, Subset)
        each, errors = self.counts_by_group(settings, tally, question.channel), two_sided(settings.confidence)
        rows = zip(settings.labels, each, _share_intervals(each, errors), strict=True)
        groups = tuple(_group(settings, label, *counted, ends) for label, counted, ends in rows)
        small = [group.label for group in groups if not group.known]
        facts = self.survey_facts(settings, (sum(tally.reports),))
        protects = Fact("collection-and-groups" if settings.groups else "collection-and-whether-any")
        facts["privacy"] = replace(facts["privacy"], protects=protects)
        notes = notes_on_few_reports(round(settings.reports), settings.epsilon)
        if small:
            listed = {"groups": small[:_LISTED], "more": max(0, len(small) - _LISTED), "count": len(small)}
            notes = (Note(NoteCode.GROUPS_TOO_SMALL, **listed), *notes)
        if settings.joint or not settings.groups:  # else who has nothing in the group that was dealt may be in another
            share = min(1.0, max(0.0, float(each[0][0].share[-1])))
            ends = _holding(_limits_of_last([each[0][0]], errors)[0], share)
            facts |= {"nothing": share, "nothing_interval": ends}
        low, high = settings.in_group.declared(settings)
        estimate = GroupedEstimate(
            **facts,
            of=settings.of,
            groups=groups,
            names=settings.in_group.names(settings),
            low=low,
            high=high,
            estimand=Fact("estimand-of-groups", of=settings.of, groups=bool(settings.groups), drawn=settings.joint),
            assumes=Assumes.ONE_GROUP_EACH if settings.joint and settings.count > 1 else Assumes.NOTHING,
            interval_kind=Fact("guarded-fieller"),
            notes=notes,
        )
        colluders = self.poisoning(settings, Crowd()).colluders(estimate.halfwidth, high - low)
        return replace(estimate, colluders=colluders)

    def question(self, settings: ByGroup) -> Question:
        """Everybody at once: about the group that falls to them, or one of their own that they draw."""
        symbols, joint, within = settings.symbols, settings.joint, None
        if settings.groups:
            stride = settings.size if joint else 0
            within = Within(column=COLUMN, count=settings.count, stride=stride, labels=settings.digest)
        return Question(
            survey=settings.survey,
            round=0,
            role="drawn" if joint else "dealt",
            slots=Slots(first=0, count=settings.users),
            encoder=Encoder(
                statistic=settings.in_group.statistic(settings),
                placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols),
                empty="last",
                within=within,
            ),
            channel=subset(exact(settings.epsilon), symbols),
            epsilon=settings.epsilon,
            groups=1 if joint else settings.count,
        )

    def predict(self, settings: ByGroup, crowd: Crowd) -> Prediction:
        """The error of a group's mean, of a share on average, or of a quantile amid evenly spread observations."""
        return settings.in_group.prediction(settings, crowd)

    def poisoning(self, settings: ByGroup, crowd: Crowd) -> Poisoning:
        """Whoever colludes sends the symbol that pulls the most, over the users who have something in the group."""
        reach = subset_reach(subset(exact(settings.epsilon), settings.symbols))
        return Poisoning(reach=settings.width * reach / settings.assumed_share)


class Dealt(OneSymbol):
    """Every slot is dealt a group beforehand, and answers for that one: with a level, or the symbol for nothing."""

    name = "dealt"
    help = "deals every slot a group; it answers for that one, or that it has nothing there"

    def why_unavailable(self, settings: ByGroup) -> Fact | None:
        users, groups = settings.users, settings.count
        return Fact("too-few-users-for-groups", users=users, groups=groups) if users < groups else None

    def counts_by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> list[tuple[SymbolCounts, Integers]]:
        places = np.arange(settings.size)
        rows = zip(tally.counts(), tally.reports, strict=True)
        return [(SymbolCounts(channel=channel, counts=counts, reports=reports), places) for counts, reports in rows]

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-dealt", groups=len(settings.groups), symbols=settings.size)


class JointSymbol(OneSymbol):
    """Everybody sends one symbol that says group and level together, or nothing: one alphabet for all groups."""

    name = JOINT
    help = "asks everybody for group and level in one symbol; for users with something in one group each"

    def considered_by_auto(self, settings: ByGroup) -> bool:
        return bool(settings.groups) and settings.memberships in (None, 1)  # None: to declare it might pay

    def why_unavailable(self, settings: ByGroup) -> Fact | None:
        if not settings.groups:
            return Fact("joint-needs-groups")
        return None if settings.memberships == 1 else Fact("joint-needs-one-membership")

    def counts_by_group(self, settings: ByGroup, tally: Tally, channel: Subset) -> list[tuple[SymbolCounts, Integers]]:
        symbols = SymbolCounts(channel=channel, counts=tally.counts()[0], reports=tally.reports[0])
        places = np.arange(settings.count * settings.size).reshape(settings.count, settings.size)
        return [(symbols, places_of_group) for places_of_group in places]

    def words(self, settings: ByGroup) -> Fact:
        return Fact("symbols-in-one-alphabet", groups=settings.count, symbols=settings.size)


def _ones_at(symbols: SymbolCounts, places: Integers) -> Floats:
    """The weights that add up the shares of some symbols."""
    weights = np.zeros(len(symbols.counts))
    weights[places] = 1.0
    return weights


def _group(settings: ByGroup, label: str, symbols: SymbolCounts, places: Integers, ends: Interval) -> Group:
    """What the symbols of a group say: a mean, shares or quantiles among the users who have something in it."""
    members, kind, errors = _ones_at(symbols, places), settings.in_group, two_sided(settings.confidence)
    has = Ratio.of(symbols, members, members)
    share = min(1.0, max(0.0, has.below))
    value: tuple[float, ...] = ()
    error: tuple[float, ...] = ()
    intervals = (kind.declared(settings),) * len(kind.names(settings))
    if has.sure(errors):
        value, intervals, error = kind.numbers_in_group(settings, symbols, places, members, errors)
        intervals = tuple(_holding(ends, one) for ends, one in zip(intervals, value, strict=True))
    return Group(
        label=label,
        share=share,
        share_interval=_holding(ends, share),
        value=value,
        intervals=intervals,
        standard_error=error,
        reports=symbols.reports,
    )


def _share_intervals(each: Sequence[tuple[SymbolCounts, Integers]], errors: float) -> list[Interval]:
    """Intervals of the shares of the users with one of some symbols: exact for all but the last; else about normal."""
    if all(len(places) == len(symbols.counts) - 1 for symbols, places in each):
        return [(1 - high, 1 - low) for low, high in _limits_of_last([symbols for symbols, _ in each], errors)]
    intervals = []
    for symbols, places in each:
        weights = _ones_at(symbols, places)
        middle, error = float(symbols.share @ weights), symbols.covariance(weights, weights) ** 0.5
        intervals.append((max(0.0, middle - errors * error), min(1.0, middle + errors * error)))
    return intervals


def _limits_of_last(each: Sequence[SymbolCounts], errors: float) -> list[Interval]:
    """Limits of the shares of users with the last symbol, exact for rare ones too; all at once, which is quicker."""
    own, other = each[0].channel.inclusion
    counts, reports = np.array([[one.counts[-1], one.reports] for one in each], dtype=np.int64).T
    limits = [np.clip((limit - other) / (own - other), 0.0, 1.0) for limit in binomial_limits(counts, reports, errors)]
    return list(zip(limits[0].tolist(), limits[1].tolist(), strict=True))


def _holding(ends: Interval, value: float) -> Interval:
    """An interval, widened where it does not hold its value."""
    return min(ends[0], value), max(ends[1], value)
