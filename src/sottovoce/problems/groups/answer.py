"""The answer about all groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sottovoce.answers import Assumes, Chosen, ChosenBy, Colluders, Note, NoteCode, Privacy
from sottovoce.messages import Fact
from sottovoce.methods import COLLUDING
from sottovoce.problems.groups.estimate import Group, GroupedEstimate
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.reasons import says_little
from sottovoce.risk import Poisoning

KIND = Fact("guarded-fieller")
_LISTED = 6


def answered(
    settings: ByGroup,
    method: str,
    groups: Sequence[Group],
    users: int,
    *,
    joint: bool,
    nothing: tuple[float, tuple[float, float]] | None,
    poisoning: Poisoning,
) -> GroupedEstimate:
    """All groups, with what is to be said of the small ones."""
    low, high = settings.in_group.declared(settings)
    small = [group.label for group in groups if not group.known]
    listed = {"groups": small[:_LISTED], "more": max(0, len(small) - _LISTED), "count": len(small)}
    notes = (Note(NoteCode.GROUPS_TOO_SMALL, **listed),) if small else ()
    found = GroupedEstimate(
        of=settings.of,
        groups=tuple(groups),
        names=settings.in_group.names(settings),
        low=low,
        high=high,
        estimand=Fact("estimand-of-groups", of=settings.of, groups=bool(settings.groups), drawn=joint),
        nothing=None if nothing is None else nothing[0],
        nothing_interval=None if nothing is None else nothing[1],
        assumes=Assumes.ONE_GROUP_EACH if joint and settings.count > 1 else Assumes.NOTHING,
        confidence=settings.confidence,
        interval_kind=KIND,
        users_per_round=(users,),
        privacy=Privacy(
            epsilon=settings.epsilon,
            protects=Fact("collection-and-groups" if settings.groups else "collection-and-whether-any"),
            users=settings.users,
            rounds=1,
        ),
        method=method,
        chosen=Chosen(by=ChosenBy.CALLER),
        notes=(*notes, *says_little(round(settings.reports), settings.epsilon)),
    )
    most = high - low
    shifts = tuple((share, min(most, poisoning.shift(share))) for share in COLLUDING)
    colluders = Colluders(share=poisoning.share_for(found.halfwidth), shifts=shifts)
    return replace(found, colluders=colluders)
