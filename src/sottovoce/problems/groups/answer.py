"""The answer about all groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sottovoce.answers import Colluders, Group, GroupedEstimate, Privacy
from sottovoce.problems.groups.found import declared, names
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.problems.reasons import says_little
from sottovoce.risk import Poisoning
from sottovoce.schemes import COLLUDING

KIND = "guarded (Fieller)"
WHATEVER = "nothing: they hold whatever the users are"
IN_ONE = "that nobody has something in more than one group"
OF = {
    "mean": "of the mean of their observations in it",
    "histogram": "of the shares of their observations in it",
    "quantiles": "of the distribution of their observations in it",
}
SMALL = "{groups}: too small to say; the reports cannot tell {them} from a group that nobody has anything in"
PROTECTS = {
    True: "its whole collection, and in which groups it has something",
    False: "its whole collection, and whether it has anything",
}
_LISTED = 6


def estimand(settings: ByGroup, *, drawn: bool) -> str:
    """Whose average it is, in one sentence."""
    own = OF[settings.of]
    if not settings.groups:
        return f"the average over users who have any observation {own.removesuffix(' in it')}"
    told = f"for each group, the average over users who have an observation in it {own}"
    return f"{told}; who has some in several groups counts in one of them, drawn at random" if drawn else told


def answered(
    settings: ByGroup,
    method: str,
    groups: Sequence[Group],
    users: int,
    *,
    drawn: bool,
    nothing: tuple[float, tuple[float, float]] | None,
    poisoning: Poisoning,
) -> GroupedEstimate:
    """All groups, with what is to be said of the small ones."""
    low, high = declared(settings)
    small = [group.label for group in groups if not group.known]
    listed = ", ".join(small[:_LISTED]) + (f" and {len(small) - _LISTED} more" if len(small) > _LISTED else "")
    warnings = (SMALL.format(groups=listed, them="them" if len(small) > 1 else "it"),) if small else ()
    found = GroupedEstimate(
        of=settings.of,
        groups=tuple(groups),
        names=names(settings),
        low=low,
        high=high,
        estimand=estimand(settings, drawn=drawn),
        nothing=None if nothing is None else nothing[0],
        nothing_interval=None if nothing is None else nothing[1],
        assumes=IN_ONE if drawn and settings.count > 1 else WHATEVER,
        confidence=settings.confidence,
        interval_kind=KIND,
        users_per_round=(users,),
        privacy=Privacy(
            epsilon=settings.epsilon,
            protects=PROTECTS[bool(settings.groups)],
            users=settings.users,
            rounds=1,
        ),
        method=method,
        reason="asked for",
        warnings=(*warnings, *says_little(round(settings.reports), settings.epsilon)),
    )
    most = high - low
    shifts = tuple((share, min(most, poisoning.shift(share))) for share in COLLUDING)
    colluders = Colluders(share=poisoning.share_for(found.halfwidth), shifts=shifts)
    return replace(found, colluders=colluders)
