"""Made-up users who hold observations in groups, and the truth about given ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.fields import Help
from sottovoce.problems.groups.estimate import GroupedEstimate
from sottovoce.problems.groups.found import names
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.groups.symbols import COLUMN, vector
from sottovoce.problems.worlds import Figure, Score, made_up

Floats = NDArray[np.float64]
Truth = list[float]
_APART = 0.3
"""How far the first group lies below the last, as a part of the range; within a group users are spread evenly."""
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class GroupsWorld:
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
        own = self.settings
        groups = own.count if own.groups else None
        return made_up("made-up-of-groups", own, groups=groups, each=self._each, empty=self.empty)

    @property
    def _each(self) -> int:
        return min(self.settings.count, self.settings.memberships or 2)

    @property
    def values(self) -> int:
        return 2 * self.settings.users * self.settings.observations

    def _begins(self, group: int) -> float:
        return _APART * group / max(1, self.settings.count - 1)

    @property
    def truth(self) -> Truth:
        return [one for group in range(self.settings.count) for one in self._true(self._begins(group))]

    def _true(self, begins: float) -> list[float]:
        """Of a law that is uniform from here on, over the rest of the range but for what other groups need."""
        own, wide = self.settings, 1 - _APART
        if own.of == "mean":
            assert own.low is not None and own.high is not None
            return [own.low + (own.high - own.low) * (begins + wide / 2)]
        if own.of == "histogram":
            edges = np.linspace(0.0, 1.0, own.size + 1)
            return [float(share) for share in np.diff(np.clip((edges - begins) / wide, 0.0, 1.0))]
        axis = own.asked.axis
        if axis.steps is None:
            return [axis.low + axis.width * (begins + wide * q) for q in own.asked.levels]
        below = np.clip(((np.arange(axis.steps + 1) + 0.5) / axis.steps - begins) / wide, 0.0, 1.0)
        below[-1] = 1.0
        return [float(axis.at(int(np.argmax(below >= q - _CLOSE)))) for q in own.asked.levels]

    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        own = self.settings
        shape = (own.users, own.observations)
        mine = stream.permuted(np.tile(np.arange(own.count), (own.users, 1)), axis=1)[:, : self._each]
        code = np.take_along_axis(mine, stream.integers(0, mine.shape[1], size=shape), axis=1)
        unit = _APART * code / max(1, own.count - 1) + (1 - _APART) * stream.random(shape)
        values = self._placed(unit)
        values[stream.random(own.users) < self.empty] = np.nan
        return np.stack((values, code.astype(np.float64)), axis=2) if own.groups else values

    def _placed(self, unit: Floats) -> Floats:
        """From [0, 1] to the declared range, bins or categories."""
        own = self.settings
        if own.of == "histogram":
            number = np.minimum(np.floor(unit * own.size), own.size - 1).astype(np.int64)
            if own.asked.bounds is None:
                return number.astype(np.float64)
            edges = np.asarray(own.asked.bounds)
            return np.asarray(edges[number] + (edges[number + 1] - edges[number]) * 0.5)
        assert own.low is not None and own.high is not None
        values = own.low + (own.high - own.low) * unit
        if own.step is None:
            return np.asarray(values)
        return np.asarray(own.low + own.step * np.floor((values - own.low) / own.step + 0.5))

    @staticmethod
    def score(answer: GroupedEstimate, truth: Truth) -> Score:
        squares: list[float] = []
        held: list[bool] = []
        least, count = 1.0, len(answer.names)
        for place, group in enumerate(answer.groups):
            true = truth[place * count : (place + 1) * count]
            if any(one != one for one in true):  # a group that nobody has anything in has no truth
                continue
            own = [low - _CLOSE <= one <= high + _CLOSE for one, (low, high) in zip(true, group.intervals, strict=True)]
            held += own
            least = min(least, sum(own) / count)
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

    @staticmethod
    def observed(means: Floats) -> None:
        """Means do not tell groups; see `truth_of`."""
        return


def truth_of(settings: ByGroup, people: Any) -> Truth | None:
    """What is asked for about given users, group by group; NaN where nobody has anything in it."""
    own = people.values[:, 0].astype(np.float64)
    sizes = np.diff(people.offsets)
    user = np.repeat(np.arange(len(sizes)), sizes)
    code = people.values[:, COLUMN].astype(np.float64) if settings.groups else np.zeros(len(own))
    there = [(code == group) & ~np.isnan(own) for group in range(settings.count)]
    found = [one for here in there for one in _within(settings, own, user, here)]
    return found if any(one == one for one in found) else None


def _within(settings: ByGroup, own: Floats, user: NDArray[np.int64], here: NDArray[np.bool_]) -> list[float]:
    values, whose = own[here], user[here]
    held = np.bincount(whose, minlength=int(user.max(initial=0)) + 1)
    people = int(np.count_nonzero(held))
    if not people:
        return [math.nan] * len(names(settings))
    weights = 1 / held[whose] / people
    if settings.of == "mean":
        averages = np.bincount(whose, weights=values) / np.maximum(1, np.bincount(whose))
        return [float(averages[held[: len(averages)] > 0].mean())]
    if settings.of == "histogram":
        index = vector(settings).places.index(values)
        return [float(share) for share in np.bincount(index, weights=weights, minlength=settings.size)]
    axis = settings.asked.axis
    at = np.clip(values, axis.low, axis.high)
    if axis.step is not None:
        at = axis.low + axis.step * np.floor((at - axis.low) / axis.step + 0.5)
    order = np.argsort(at, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), np.array(settings.asked.levels) - _CLOSE)
    return [float(place) for place in at[order][np.minimum(reached, len(at) - 1)]]
