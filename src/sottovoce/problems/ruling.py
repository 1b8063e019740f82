"""The parts of a method's rules that many methods share: runs of slots, and waves that are dealt out on the way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sottovoce.messages import Wave
from sottovoce.schemes import WAVES


def in_turn(rounds: Iterable[tuple[int, Iterable[str]]], *, epsilon: float) -> tuple[Wave, ...]:
    """One wave after another: how many users each has, and the roles that it may be asked in."""
    made: list[Wave] = []
    for count, roles in rounds:
        first = made[-1].end if made else 0
        made.append(Wave(first=first, count=count, epsilon=epsilon, roles=tuple(roles)))
    return tuple(made)


def dealt(users: int, roles: Iterable[str], *, epsilon: float) -> tuple[Wave, ...]:
    """The waves of `schemes.Asking`, which takes as many as it needs for each round: any of them in any role."""
    cuts = sorted({wave * users // WAVES for wave in range(WAVES + 1)})
    names = tuple(roles)
    return in_turn(((after - before, names) for before, after in pairwise(cuts)), epsilon=epsilon)
