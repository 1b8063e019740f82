"""Made-up users who hold observations in groups, and the truth about given ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.fields import Help
from sottovoce.problems.group_support import ROUNDING
from sottovoce.problems.groups.answer import GroupedEstimate
from sottovoce.problems.groups.settings import COLUMN, ByGroup
from sottovoce.problems.worlds import Figure, Score, World, made_up, numbers_by_user

Truth = list[float]
_APART = 0.3
"""How far the first group lies below the last, as a part of the range; within a group users are spread evenly."""


@dataclass(frozen=True, kw_only=True)
class GroupsWorld(World):
    """Users who are each in some groups, evenly; observations of a group are uniform, of the later ones higher."""

    error: ClassVar[Fact] = Fact("trial-error-groups")
    figures: ClassVar[dict[str, Figure]] = {
        "halfwidth": Figure("label-half-width", "figure-number", "figure-on-average"),
        "least_coverage": Figure("label-figure-least", "figure-share", "figure-worst-group"),
        "unknown": Figure("label-figure-unknown", "figure-share", "figure-groups-too-small"),
    }

    settings: ByGroup
    empty: Annotated[float, Help(text="share of the users who have nothing at all", metavar="P")] = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.empty < 1:
            raise InvalidInput(rule="empty is a share of the users, from 0 to less than 1", got=self.empty)

    @property
    def words(self) -> Fact:
        settings = self.settings
        groups = settings.count if settings.groups else None
        return made_up("made-up-of-groups", settings, groups=groups, each=self._each, empty=self.empty)

    @property
    def _each(self) -> int:
        return min(self.settings.count, self.settings.memberships or 2)

    @property
    def numbers_per_draw(self) -> int:
        return 2 * self.settings.users * self.settings.observations

    @property
    def truth(self) -> Truth:
        settings = self.settings
        begins = (_APART * group / max(1, settings.count - 1) for group in range(settings.count))
        return [one for low in begins for one in settings.in_group.truth_of_made_up(settings, low, 1 - _APART)]

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        settings = self.settings
        shape = (settings.users, settings.observations)
        mine = stream.permuted(np.tile(np.arange(settings.count), (settings.users, 1)), axis=1)[:, : self._each]
        code = np.take_along_axis(mine, stream.integers(0, mine.shape[1], size=shape), axis=1)
        unit = _APART * code / max(1, settings.count - 1) + (1 - _APART) * stream.random(shape)
        values = settings.in_group.place_observations(settings, unit)
        values[stream.random(settings.users) < self.empty] = np.nan
        return np.stack((values, code.astype(np.float64)), axis=2) if settings.groups else values

    @staticmethod
    def score(answer: GroupedEstimate, truth: Truth) -> Score:
        squares: list[float] = []
        held: list[bool] = []
        least, count = 1.0, len(answer.names)
        for place, group in enumerate(answer.groups):
            true = truth[place * count : (place + 1) * count]
            if any(one != one for one in true):  # a group that nobody has anything in has no truth
                continue
            holds = [
                low - ROUNDING <= one <= high + ROUNDING for one, (low, high) in zip(true, group.intervals, strict=True)
            ]
            held += holds
            least = min(least, sum(holds) / count)
            squares += [(value - one) ** 2 for value, one in zip(group.value, true, strict=False)]
        return Score(
            squared_error=sum(squares) / len(squares) if squares else 0.0,
            covered=sum(held) / len(held) if held else None,
            figures={
                "halfwidth": answer.halfwidth,
                "least_coverage": least,
                "unknown": sum(not group.known for group in answer.groups) / len(answer.groups),
            },
        )


def truth_of(settings: ByGroup, people: Any) -> Truth | None:
    """What is asked for about given users, group by group; NaN where nobody has anything in it."""
    values, whose, per_user = numbers_by_user(people)
    kind, truth = settings.in_group, Truth()
    known = ~np.isnan(people.values[:, 0].astype(np.float64))
    codes = people.values[known, COLUMN].astype(np.float64) if settings.groups else np.zeros(len(values))
    for group in range(settings.count):
        here = codes == group
        there = np.bincount(whose[here], minlength=len(per_user))
        nobody = [math.nan] * len(kind.names(settings))
        truth += kind.truth_of_data(settings, values[here], whose[here], there) if there.any() else nobody
    return truth if any(one == one for one in truth) else None
