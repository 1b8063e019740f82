"""What a device is asked for in a group: the statistic, its symbols, and the one more that says nothing."""

from __future__ import annotations

from sottovoce.design import subset
from sottovoce.messages import Encoder, Grid, Question, Slots, Within, exact
from sottovoce.problems.groups.settings import ByGroup

COLUMN = 1
"""Where the number of the group stands; the number that is observed stands first."""


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
            statistic=settings.in_group.statistic(settings),
            placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols),
            empty="last",
            within=within,
        ),
        channel=subset(exact(settings.epsilon), symbols),
        epsilon=settings.epsilon,
        groups=1 if drawn else settings.count,
    )
