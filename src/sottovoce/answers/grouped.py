"""Estimates in each of some groups: a line for every group, and how many users have something in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from sottovoce.answers.base import UNSEEN, Answer, check_lengths
from sottovoce.answers.colluders import Colluders
from sottovoce.answers.intervals import part, percent
from sottovoce.answers.stated import Stated
from sottovoce.answers.words import ELSEWHERE, ENDED, listed, missed, rounded, share, unless, with_ends
from sottovoce.messages import Fact
from sottovoce.pictures import Mark, Marks, aligned

Interval = tuple[float, float]
_SHOWN = 40
_LABEL = 24
_COLUMNS = 6
_TOLD = 3
_WITH_ENDS = 3
"""So many numbers of a group at most stand in a line with their intervals."""
EVERYBODY = "everybody"
"""What the only group is called where no groups are asked for: the users who have anything."""
_UNKNOWN = "too small to say"
_NOBODY = "nobody"


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
    """A mean, the shares of a histogram or quantiles in each group: ``answer["math"].value``.

    `estimand` says whose average it is. `names` say what the numbers of a group are: its mean, categories, or levels.
    `nothing` is the share of the users who are in no group, where the method tells it. Each interval holds with the
    answer's confidence by itself, whatever the users are.
    """

    kind: ClassVar[str] = "groups"

    of: str
    groups: tuple[Group, ...]
    names: tuple[str, ...]
    low: float
    high: float
    estimand: str
    nothing: float | None = None
    nothing_interval: Interval | None = None
    assumes: str = ""
    colluders: Colluders | None = None

    def __post_init__(self) -> None:
        for group in self.groups:
            check_lengths("a group", "numbers", len(self.names), group.intervals)
            if group.known:
                check_lengths("a group", "numbers", len(self.names), group.value, group.standard_error)

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
        """Of an interval, on average."""
        widths = [high - low for group in self.groups for low, high in group.intervals]
        return sum(widths) / len(widths) / 2 if widths else 0.0

    def __str__(self) -> str:
        told = [
            f"{group.label}: {', '.join(f'{value:.4g}' for value in group.value[:_COLUMNS]) or _UNKNOWN}"
            for group in self.groups[:4]
        ]
        return f"{'; '.join(told)}{'; …' if len(self) > 4 else ''} ({self.of} by group), {self.method}"

    def __repr__(self) -> str:
        return f"<GroupedEstimate {self}>"

    def stated(self) -> tuple[Stated, ...]:
        known = [group for group in self.groups if group.known]
        own = Stated(
            what="number",
            names=[f"{name} in {group.label}" for group in known for name in self.names],
            values=[value for group in known for value in group.value],
            intervals=[ends for group in known for ends in group.intervals],
            low=self.low,
            high=self.high,
        )
        shares = Stated(
            what="share",
            names=self.labels,
            values=[group.share for group in self.groups],
            intervals=[group.share_interval for group in self.groups],
            low=0.0,
            high=1.0,
        )
        return (own, shares) if known else (shares,)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Of all numbers of all groups, one after the other; so stands the truth in a rehearsal."""
        return tuple(ends for group in self.groups for ends in group.intervals)

    def words(self, *, of: str = "") -> str:
        known = sorted((group for group in self.groups if group.known), key=lambda group: -group.share)
        if not known:
            return "No group is large enough to say anything: this survey cannot tell. Ask more users."
        if self.labels == (EVERYBODY,):
            return self._of_all(known[0], of)
        told = [self._told(group) for group in known[:_TOLD]]
        rest = len(self) - len(told)
        more = f"; {rest:,} more {'group' if rest == 1 else 'groups'} below" if rest else ""
        what = f"{self._what()}{f' of {of}' if of else ''}"
        holds = f"Each interval holds {unless(self.confidence, self.assumes, each=True)}{self._elsewhere()}"
        return f"{what}: {listed(told)}{more}. {holds}"

    def _elsewhere(self) -> str:
        return f" {ELSEWHERE}" if self.of != "histogram" and missed(self.warnings) else ""

    def _of_all(self, group: Group, of: str) -> str:
        """Without groups: of those who have anything, in one sentence."""
        told = [self._number(group, place) for place in range(len(group.value))]
        if self.of == "histogram":
            told = [f"{self.names[place]} {told[place]}" for place in _largest(group)[:_TOLD]]
            what = f"the shares{f' of {of}' if of else ''} are on average"
        elif self.of == "quantiles":
            told = [f"{name} {one}" for name, one in zip(self.names, told, strict=True)][:_TOLD]
            what = f"quantiles{f' of {of}' if of else ''} are on average:"
        else:
            what = f"the average{f' of {of}' if of else ''} is"
        each = len(group.intervals) > 1
        holds = f"{'Each' if each else 'The'} interval holds {unless(self.confidence, self.assumes, each=True)}"
        left = len(group.value) - len(told)
        more = f"; {left:,} more below" if left else ""
        return f"Among users who have any, {what} {listed(told)}{more}. {holds}{self._elsewhere()}"

    def _number(self, group: Group, place: int) -> str:
        value, ends = group.value[place], group.intervals[place]
        return share(value, ends) if self.of == "histogram" else with_ends(value, ends)

    def _what(self) -> str:
        names = {"mean": "The users' average", "histogram": "The most frequent category", "quantiles": "The quantile"}
        return names.get(self.of, self.of) if len(self.names) != 1 or self.of != "quantiles" else self.names[0].title()

    def _told(self, group: Group) -> str:
        place = _largest(group)[0] if self.of == "histogram" else _middle(group)
        value, ends = group.value[place], group.intervals[place]
        if self.of == "histogram":
            return f"{self.names[place]} in {group.label}, {self._number(group, place)}"
        level = f" at {self.names[place]}" if self.of == "quantiles" and len(self.names) > 1 else ""
        return with_ends(value, ends, then=f"{level} in {group.label}")

    def headline(self) -> list[tuple[str, str]]:
        names = self.names[:_COLUMNS]
        beside = self.truth is not None
        wide = beside and len(self.names) <= _WITH_ENDS  # else the truth stands in brackets
        rows = [
            [group.label[:_LABEL], *self._cells(group, self.truth_of(at)), part(group.share)]
            for at, group in enumerate(self.groups[:_SHOWN])
        ]
        header = ["", *(cell for name in names for cell in (name[:_LABEL], *["truth"] * wide)), "users"]
        lines = [("" if at else "groups", text) for at, text in enumerate(aligned(header, rows, left=(0,)))]
        if len(self) > _SHOWN:
            lines.append(("", f"… {len(self) - _SHOWN:,} more groups"))
        if len(self.names) > _COLUMNS:
            lines.append(("", f"… {len(self.names) - _COLUMNS:,} more numbers in each"))
        if beside and not wide:
            lines.append(("", f"the truth in brackets; {UNSEEN}"))
        lines.append(("intervals", f"{percent(self.confidence)} each, {self.interval_kind}"))
        lines.append(("estimand", self.estimand))
        if self.nothing is not None and self.nothing_interval is not None:
            told = share(self.nothing, self.nothing_interval)
            lines.append(("nothing", f"{told} of the users have nothing that counts"))
        return lines

    def truth_of(self, at: int) -> tuple[float, ...]:
        """What the numbers of a group are in truth, in a rehearsal; else nothing."""
        count = len(self.names)
        return () if self.truth is None else tuple(self.truth[at * count : (at + 1) * count])

    def _of_truth(self) -> str:
        names = [group.label for at, group in enumerate(self.groups) if _deserted(self.truth_of(at))]
        more = [f"{len(names) - _TOLD:,} more groups"] if len(names) > _TOLD else []
        nobody = f"; nobody has anything in {listed([*names[:_TOLD], *more])}" if names else ""
        return f"{ENDED if self.of == 'quantiles' and missed(self.warnings) else ''}{nobody}"

    def _cells(self, group: Group, truth: tuple[float, ...]) -> list[str]:
        wide = len(self.names) <= _WITH_ENDS
        cells = []
        for place, ends in enumerate(group.intervals[:_COLUMNS]):
            value = rounded(group.value[place], ends) if group.known else "" if place else _UNKNOWN
            true = "" if not truth else _NOBODY if _deserted(truth) else rounded(truth[place], ends)
            if wide:
                shown = f" [{rounded(ends[0], ends)}, {rounded(ends[1], ends)}]" if group.known else ""
                cells += [f"{value}{shown}", *([true] if truth else [])]
            else:
                cells.append(f"{value} ({true})" if truth and group.known else value)
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
            bars=self.of == "histogram",
            per_row=len(self.names),
            title=self._title(Fact("picture-title-groups", of=self.of)),
        )


def _deserted(truth: tuple[float, ...]) -> bool:
    """Whether a rehearsal found nobody in a group: there is no truth about it then, which is NaN."""
    return bool(truth) and truth[0] != truth[0]


def _largest(group: Group) -> list[int]:
    """Places of its numbers, from the largest down."""
    return sorted(range(len(group.value)), key=lambda place: -group.value[place])


def _middle(group: Group) -> int:
    """The number of a group that is shown where there is room for one."""
    return len(group.value) // 2
