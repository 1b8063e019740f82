"""What a device is asked for in a group: the statistic, its symbols, and the one more that says nothing."""

from __future__ import annotations

from sottovoce.design import subset
from sottovoce.messages import (
    Categories,
    Category,
    Encoder,
    Grid,
    Joint,
    Question,
    Slots,
    Statistic,
    Within,
    exact,
)
from sottovoce.problems.groups.settings import ByGroup

COLUMN = 1
"""Where the number of the group stands; the number that is observed stands first."""


def statistic(settings: ByGroup) -> Statistic:
    """One number from ½ on for each symbol of a group."""
    if settings.of == "mean":
        assert settings.low is not None and settings.high is not None
        half = (settings.high - settings.low) / 2
        return Joint(centres=(settings.low + half,), reach=half, levels=settings.size)
    return Category(vector=vector(settings))


def vector(settings: ByGroup) -> Categories:
    """The categories of an observation: those of the histogram, or bins between the thresholds of quantiles."""
    if settings.of == "histogram":
        found: Categories = settings.asked.vector
        return found
    axis = settings.asked.axis
    around = 0.0 if axis.step is None else axis.step / 2
    return Categories(places=Grid(low=(axis.low - around,), high=(axis.high + around,), count=settings.size))


def question(settings: ByGroup, *, drawn: bool) -> Question:
    """Everybody at once: about the group that falls to them, or one of their own that they draw."""
    copies = settings.count if drawn else 1
    symbols = copies * settings.size + 1
    within = None
    if settings.groups:
        stride = settings.size if drawn else 0
        within = Within(column=COLUMN, count=settings.count, stride=stride, labels=settings.digest)
    return Question(
        survey=settings.survey,
        round=0,
        role="drawn" if drawn else "dealt",
        slots=Slots(first=0, count=settings.users),
        encoder=Encoder(
            statistic=statistic(settings),
            placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols),
            empty="last",
            within=within,
        ),
        channel=subset(exact(settings.epsilon), symbols),
        epsilon=settings.epsilon,
        groups=1 if drawn else settings.count,
    )
