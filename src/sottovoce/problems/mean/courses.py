"""The courses that a survey of users who are alike may take: decided on the way, promised beforehand.

How many users a round has follows from how many are left, and from the rounds to come; which rounds come, reports
decide. There are only a few courses, so that all of them can be gone through.
"""

from __future__ import annotations

from itertools import pairwise

from sottovoce.design import MOST_STEPS, central
from sottovoce.messages import Question, Rules, Table, Wave, Way
from sottovoce.methods import LATTICE, widest_spread
from sottovoce.problems.mean.centring import Design, designs
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.mean.ways import binned, numbers

ROUNDS = 5
SHARES = {1: 1.0, 2: 0.4, 3: 0.2}
"""Of the users left, by rounds left: each is centred anew on what the ones before it found."""
TAIL_SHARE = 0.1


def looks(rounds: int) -> int:
    """How many rounds of bins there are at most before the users are asked at their centre."""
    return 1 + rounds - (2 if rounds < 4 else 3)


def next_users(left: int, more: int) -> int:
    """Users of the next round, where so many are left for so many rounds."""
    return max(1, int(left * SHARES.get(more, 0.15)))


def tail_users(left: int) -> int:
    """Users of a look at the tails."""
    return max(1, int(TAIL_SHARE * left))


def usual(settings: Mean, first: int, look: int) -> tuple[int, ...]:
    """How many users each round asks, where one look settles the spread."""
    rounds = settings.rounds or ROUNDS
    told = [first, look] if rounds > 2 else [first]
    while len(told) < rounds:
        told.append(int((settings.users - sum(told)) * SHARES[rounds - len(told)]))
    return tuple(told)


def rules(settings: Mean, opening: Question, look: int) -> Rules:
    """Of a survey that begins with `opening`, and whose every further look has `look` users."""
    first = opening.slots.count
    runs = _runs(settings.users, settings.rounds or ROUNDS, first, look)
    cuts = sorted({0} | {end for _, end, _ in runs})
    waves = tuple(
        Wave(
            first=start,
            count=stop - start,
            epsilon=settings.epsilon,
            roles=tuple(sorted({role for begin, end, role in runs if begin <= start and stop <= end})),
        )
        for start, stop in pairwise(cuts)
    )
    asked = {role for _, _, role in runs}
    looked = [binned(settings, role=role) for role in ("spread", "tails") if role in asked]
    reach = max(_reach(settings, design) for design in designs(settings.epsilon))
    return Rules(
        waves=waves,
        ways=(
            Way.of(opening, opening=True),
            *looked,
            numbers(settings, role="centre", beyond=reach),
            numbers(settings, role="cover"),
        ),
        tables=tuple(dict.fromkeys((settings.position_table(), *_tables(settings.epsilon)))),
    )


def _runs(users: int, rounds: int, first: int, look: int) -> set[tuple[int, int, str]]:
    """Slots that may be asked together, and the role: all courses at once."""
    found: set[tuple[int, int, str]] = {(0, first, "place")}
    ways = [(first, 1, False)]  # users asked, rounds done, whether the tails were looked at
    while ways:
        asked, done, tails = ways.pop()
        more, left = rounds - done, users - asked
        if done < looks(rounds) and not tails:
            found.add((asked, asked + look, "spread"))
            ways.append((asked + look, done + 1, False))
            if done < 2:
                continue
        if not left:
            continue
        usual = next_users(left, more)
        found |= {(asked, asked + usual, role) for role in ("spread", "centre")}
        ways.append((asked + usual, done + 1, tails))
        if more == 1 or tails:
            found.add((asked, users, "cover"))
        else:
            found.add((asked, asked + tail_users(left), "tails"))
            ways.append((asked + tail_users(left), done + 1, True))
    return found


def _reach(settings: Mean, design: Design) -> float:
    """How far the outermost nodes of a question at the centre may lie from it, however wide users spread."""
    soft, width = 2 / settings.observations, design.width * widest_spread(settings.observations)
    step, between = width / MOST_STEPS + soft, design.bins - 2
    half, unit = (settings.high - settings.low) / 2, (settings.high - settings.low) * LATTICE
    return half * (between * max(step, width + step / 2) + step) / 2 + 2 * unit * (between * MOST_STEPS + 1)


def _tables(epsilon: float) -> list[Table]:
    """Of all questions at the centre."""
    found = {design.bins for design in designs(epsilon)}
    return [
        central(epsilon, bins, steps) for bins in sorted(found) for steps in range(1, MOST_STEPS + 1 if bins > 2 else 2)
    ]
