"""The parts of a method's rules that many methods share: runs of slots, and waves that are dealt out on the way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sottovoce.messages import Question, Rules, Table, Wave, Way
from sottovoce.methods import WAVES, VoteThenRefine


def waves_in_turn(rounds: Iterable[tuple[int, Iterable[str]]], *, epsilon: float) -> tuple[Wave, ...]:
    """One wave after another: how many users each has, and the roles that it may be asked in."""
    made: list[Wave] = []
    for count, roles in rounds:
        first = made[-1].end if made else 0
        made.append(Wave(first=first, count=count, epsilon=epsilon, roles=tuple(roles)))
    return tuple(made)


def dealt_waves(users: int, roles: Iterable[str], *, epsilon: float, first: Question | None = None) -> tuple[Wave, ...]:
    """The waves of `methods.Asking`, which takes as many as it needs for each round: any of them in any role.

    The `first` question is known beforehand, and with it the only role of its waves.
    """
    cuts = sorted({wave * users // WAVES for wave in range(WAVES + 1)})
    names, known = tuple(roles), 0 if first is None else first.slots.count
    alone = names if first is None else (first.role,)
    turns = ((after - before, alone if after <= known else names) for before, after in pairwise(cuts))
    return waves_in_turn(turns, epsilon=epsilon)


def rules_of_rounds(first: Question, ways: Iterable[Way], tables: Iterable[Table] = (), *, users: int) -> Rules:
    """The rules of a survey whose waves are dealt out on the way, after the `first` question, in these ways."""
    if first.slots.count == users:
        return rules_of_question(first)
    every_way = (Way.of(first, opening=True), *dict.fromkeys(ways))
    waves = dealt_waves(users, dict.fromkeys(way.role for way in every_way[1:]), epsilon=first.epsilon, first=first)
    return Rules(waves=waves, ways=every_way, tables=tuple(dict.fromkeys(tables)))


def rules_of_votes(scheme: VoteThenRefine) -> Rules:
    """The rules of a survey that votes for places and refines there."""
    turns = zip(scheme.users_per_round, (("vote",), ("refine",)) if scheme.voters else (("refine",),), strict=True)
    return Rules(
        waves=waves_in_turn(turns, epsilon=scheme.budget.spent),
        ways=scheme.ways(),
        tables=() if scheme.table is None else (scheme.table,),
    )


def rules_of_question(question: Question) -> Rules:
    """The rules of a survey that asks one question, known beforehand."""
    tables = (question.channel,) if isinstance(question.channel, Table) else ()
    waves = waves_in_turn([(question.slots.count, (question.role,))], epsilon=question.epsilon)
    return Rules(waves=waves, ways=(Way.of(question, opening=True),), tables=tables)
