"""Estimates in each of some groups: a line for every group, and how many users have something in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from sottovoce.answers import Answer, Line, StatedNumbers, check_lengths, line, table
from sottovoce.messages import Fact, Interval
from sottovoce.methods import check_choice
from sottovoce.pictures import Mark, Marks
from sottovoce.problems.group_support import GROUP_SUPPORTS, GroupSupport, asked_in_groups

_SHOWN = 40
_LABEL = 24
_COLUMNS = 6
_TOLD = 3
_WITH_ENDS = 3
"""So many numbers of a group at most stand in a line with their intervals."""
EVERYBODY = "everybody"
"""What the only group is called where no groups are asked for: the users who have anything."""
_UNKNOWN = Fact("group-unknown")
_NOBODY = Fact("group-nobody")


@dataclass(frozen=True, kw_only=True)
class Group:
    """What is known of one group.

    `share` of the users have something in it. `value` and `intervals` have an entry for each of the answer's `names`;
    where `known` is false the group cannot be told from an empty one: there is no value, and intervals are the whole
    range.
    """

    label: str
    share: float
    share_interval: Interval
    value: tuple[float, ...]
    intervals: tuple[Interval, ...]
    standard_error: tuple[float, ...]
    reports: int

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return bool(self.value)


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupedEstimate(Answer):
    """A mean, shares of categories or quantiles in each group: ``answer["math"].value``.

    `estimand` says whose average it is. `names` say what the numbers of a group are: its mean, categories, or levels.
    `nothing` is the share of the users who are in no group, where the method tells it. Each interval holds with the
    answer's confidence by itself, whatever the users are.
    """

    kind: ClassVar[str] = "groups"
    counts_empty_apart: ClassVar[bool] = True

    of: str
    groups: tuple[Group, ...]
    names: tuple[str | Fact, ...]
    low: float
    high: float
    estimand: Fact
    nothing: float | None = None
    nothing_interval: Interval | None = None

    def __post_init__(self) -> None:
        check_choice("of", self.of, asked_in_groups())
        for group in self.groups:
            check_lengths("a group", "numbers", len(self.names), group.intervals)
            if group.known:
                check_lengths("a group", "numbers", len(self.names), group.value, group.standard_error)

    @property
    def _kind(self) -> GroupSupport:
        return GROUP_SUPPORTS[self.of]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(group.label for group in self.groups)

    @property
    def value(self) -> tuple[tuple[float, ...], ...]:
        """The numbers of every group; nothing for one that is too small to say."""
        return tuple(group.value for group in self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    def __getitem__(self, label: str) -> Group:
        """A group by its label."""
        for group in self.groups:
            if group.label == label:
                return group
        raise KeyError(label)

    @property
    def halfwidth(self) -> float:
        """Half the width of an interval, on average."""
        widths = [high - low for group in self.groups for low, high in group.intervals]
        return sum(widths) / len(widths) / 2 if widths else 0.0

    def __str__(self) -> str:
        groups = tuple(
            Fact(
                "group-values",
                label=group.label,
                values=tuple(Fact("number-short", value=value) for value in group.value[:_COLUMNS]),
            )
            for group in self.groups[:4]
        )
        return str(Fact("groups", groups=groups, more=len(self) > 4, of=self.of, method=self.method))

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        known = [group for group in self.groups if group.known]
        numbers = StatedNumbers(
            what="number",
            names=[Fact("in-group", name=name, group=group.label) for group in known for name in self.names],
            values=[value for group in known for value in group.value],
            intervals=[ends for group in known for ends in group.intervals],
            low=self.low,
            high=self.high,
        )
        shares = StatedNumbers(
            what="share",
            names=self.labels,
            values=[group.share for group in self.groups],
            intervals=[group.share_interval for group in self.groups],
            low=0.0,
            high=1.0,
        )
        return (numbers, shares) if known else (shares,)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The intervals of all numbers of all groups, one after the other; so stands the truth in a rehearsal."""
        return tuple(ends for group in self.groups for ends in group.intervals)

    def words(self, *, of: str = "") -> Fact:
        known = sorted((group for group in self.groups if group.known), key=lambda group: -group.share)
        if not known:
            return Fact("groups-cannot-tell")
        common = {"of": of, "what": self.of, "elsewhere": not self._kind.shares and self.range_misses}
        if self.labels == (EVERYBODY,):
            return self._of_all(known[0], common)
        parts = tuple(self._told(group) for group in known[:_TOLD])
        rest = len(self) - len(parts)
        level = self.names[0] if len(self.names) == 1 and self._kind.levels else None
        return Fact(
            "groups-answer", **common, level=level, parts=parts, rest=rest, unless=self.interval_condition(each=True)
        )

    def _of_all(self, group: Group, common: dict[str, Any]) -> Fact:
        """Without groups: of those who have anything, in one sentence, each number after its name where it has one."""
        places = _largest(group) if self._kind.shares else range(len(group.value))
        named = self._kind.shares or self._kind.levels
        code = "share-with-ends" if self._kind.shares else "value-with-ends"
        parts = tuple(
            Fact(code, label=self.names[at] if named else "", share=group.value[at], interval=group.intervals[at])
            for at in (places[:_TOLD] if named else places)
        )
        return Fact(
            "groups-answer-of-all",
            **common,
            parts=parts,
            left=len(group.value) - len(parts),
            each=len(group.intervals) > 1,
            unless=self.interval_condition(each=True),
        )

    def _told(self, group: Group) -> Fact:
        place = _largest(group)[0] if self._kind.shares else len(group.value) // 2
        named = {"name": self.names[place], "group": group.label}
        ends = {"value": group.value[place], "interval": group.intervals[place]}
        if self._kind.shares:
            return Fact("group-share", **named, **ends)
        level = self._kind.levels and len(self.names) > 1
        return Fact("group-value", then=Fact("group-value-then", **named, level=level), **ends)

    def headline(self) -> list[Line]:
        names = self.names[:_COLUMNS]
        beside = self.truth is not None
        wide = beside and len(self.names) <= _WITH_ENDS  # else the truth stands in brackets
        rows = [
            [group.label[:_LABEL], *self._cells(group, self.truth_of(at)), Fact("cell-share", share=group.share)]
            for at, group in enumerate(self.groups[:_SHOWN])
        ]
        truth = [Fact("column-truth")] * wide
        header = [
            "",
            *(cell for name in names for cell in (Fact("cut", text=name, length=_LABEL), *truth)),
            Fact("column-users"),
        ]
        lines = [table("groups", header, rows)]
        if len(self) > _SHOWN:
            lines.append(("", Fact("more-groups", count=len(self) - _SHOWN)))
        if len(self.names) > _COLUMNS:
            lines.append(("", Fact("more-numbers-in-each", count=len(self.names) - _COLUMNS)))
        if beside and not wide:
            lines.append(("", Fact("truth-in-brackets")))
        kind = Fact("intervals-each", confidence=self.confidence, kind=self.interval_kind)
        lines += [line("intervals", kind), line("estimand", self.estimand)]
        if self.nothing is not None and self.nothing_interval is not None:
            lines.append(line("nothing", Fact("groups-nothing", share=self.nothing, interval=self.nothing_interval)))
        return lines

    def truth_of(self, at: int) -> tuple[float, ...]:
        """What the numbers of a group are in truth, in a rehearsal; else nothing."""
        count = len(self.names)
        return () if self.truth is None else tuple(self.truth[at * count : (at + 1) * count])

    def _truth_facts(self) -> tuple[Fact, ...]:
        names = [group.label for at, group in enumerate(self.groups) if _deserted(self.truth_of(at))]
        more = [Fact("so-many-more-groups", count=len(names) - _TOLD)] if len(names) > _TOLD else []
        nobody = [Fact("nobody-has-anything", groups=(*names[:_TOLD], *more))] if names else []
        clamped = [Fact("truth-of-clamped")] if self._kind.levels and self.range_misses else []
        return (*clamped, *nobody)

    def _cells(self, group: Group, truth: tuple[float, ...]) -> list[Fact | str]:
        """The numbers of a group: intervals and truths beside them where there is room, else truths in brackets."""
        wide = len(self.names) <= _WITH_ENDS
        cells: list[Fact | str] = []
        for place, ends in enumerate(group.intervals[:_COLUMNS]):
            true = _cell(truth[place], ends) if truth and not _deserted(truth) else _NOBODY
            if not group.known:
                cells.append("" if place else _UNKNOWN)
            elif wide:
                cells.append(Fact("cell-with-ends", value=group.value[place], interval=ends))
            else:
                value = _cell(group.value[place], ends)
                cells.append(Fact("cell-with-truth", value=value, truth=true) if truth else value)
            if wide and truth:
                cells.append(true)
        return cells

    def drawing(self, *, truth: tuple[float, ...] | None = None) -> Marks:
        truths = self._truths(truth, len(self) * len(self.names), "numbers")
        places = [(group, place) for group in self.groups for place in range(len(self.names))]
        return Marks(
            marks=tuple(
                Mark(
                    name=group.label,
                    title="" if len(self.names) == 1 else f"{group.label}: {self.names[place]}",
                    value=group.value[place] if group.known else None,
                    interval=group.intervals[place],
                    truth=None if true is None or math.isnan(true) else true,  # NaN: nobody is in the group
                    ends=(self.low, self.high),
                )
                for (group, place), true in zip(places, truths, strict=True)
            ),
            bars=self._kind.shares,
            per_row=len(self.names),
            title=self._title(Fact("picture-title-groups", of=self.of)),
        )


def _deserted(truth: tuple[float, ...]) -> bool:
    """Whether a rehearsal found nobody in a group: there is no truth about it then, which is NaN."""
    return bool(truth) and truth[0] != truth[0]


def _largest(group: Group) -> list[int]:
    """Places of its numbers, from the largest down."""
    return sorted(range(len(group.value)), key=lambda place: -group.value[place])


def _cell(value: float, ends: Interval) -> Fact:
    return Fact("cell-value", value=value, interval=ends)
