"""The error to expect in a group, before anyone is asked."""

from __future__ import annotations

from sottovoce.design import subset
from sottovoce.messages import exact
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.risk import Crowd, Poisoning, Prediction


def predicted(settings: ByGroup, crowd: Crowd, *, drawn: bool) -> Prediction:
    """Of a group's mean, of a share on average, or of a quantile in the middle of evenly spread observations."""
    copies, reports = (settings.count, settings.users) if drawn else (1, settings.users / settings.count)
    return settings.in_group.predicted(settings, crowd, copies, reports)


def poisoned(settings: ByGroup, *, drawn: bool) -> Poisoning:
    """Whoever colludes sends the symbol that pulls the most, over the users who have something in the group."""
    copies = settings.count if drawn else 1
    own, other = subset(exact(settings.epsilon), copies * settings.size + 1).inclusion
    return Poisoning(reach=settings.width * max(own, 1 - other) / (own - other) / settings.assumed_share)
