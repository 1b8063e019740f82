"""The rounds of the adaptive method: measure every wave on its full range, look again from nearer by, check, listen.

The first round asks one wave a user through the table, on the full range: nothing it says depends on what users are
like. It sets a centre. From there users say in which direction they lie, twice: roughly, where the centre is not good
enough yet, and, after a question about lengths has set the radius and checks have shown that nobody to speak of lies
outside, as well as they can. Where users lie so far apart that a direction says less than the table would, the table
asks the rest, too, about as many waves as one round would.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from sottovoce.answers import Note, NoteCode
from sottovoce.messages import MAX_WAVES, Cosines, Fact, Question, Tally
from sottovoce.methods import (
    CHECKED,
    Floats,
    MeanVector,
    RoundMaker,
    best_table,
    check_question,
    check_radius,
    decode_directions,
    decode_entries,
    direction_question,
    direction_response,
    direction_stretch,
    entry_question,
    entry_variance,
    length_law,
    length_question,
    on_lattice,
    pool_mean_vectors,
    read_check,
    users_for_lengths,
    usual_quantile,
)
from sottovoce.problems.density.answer import MeasuredWaves
from sottovoce.problems.density.coefficients import PEAK, belief_about, centre_of_nearest_density, farthest_distance
from sottovoce.problems.density.settings import Density

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.density.rounds:NAME VALUE … --problem density
FIRST, MOST_FIRST = 0.15, 0.35
SECOND, MOST_SECOND = 0.05, 0.25
"""Parts of the users in the first two rounds: at least, at most."""
PLACED = 0.4
"""The centre is good enough when it is uncertain by less than this part of what a user's own observations are."""
ROOM = 1.5
"""How much longer than expected, in squares, a vector may be in the second round."""
LONGEST = 1.25
"""How much longer than usual a vector may be in the last round: few reports say little about the longest."""
WORSE = 0.9
"""A direction must have less than this part of the table's variance."""
_MOST_SAMPLING = 0.9
"""What users differ by is at most this part of a variance: the rest is noise, which there always is."""


_FOUND = 3.645
"""Standard errors of the check: it fires above two, and a share this large is then found 95 times in 100."""


def table_variance(epsilon: float) -> float:
    """The variance of one report about one wave in the middle of its range."""
    return (2 * PEAK) ** 2 * float(best_table(epsilon).variance(np.array([0.5]))[0])


def users_of_first_round(users: int, size: int, epsilon: float) -> float:
    """Users of the first round: as many as place the centre within one."""
    return min(MOST_FIRST * users, max(FIRST * users, size**2 * table_variance(epsilon)))


def second_look_pays(users: int, observations: float, size: int, epsilon: float) -> bool:
    """Whether there are enough users to look twice, and whether nearness can help."""
    noise = 1 / direction_response(epsilon) ** 2
    enough = users >= max(6 * size * noise, 20 * size)
    return enough and ROOM * noise / observations < 0.5 * table_variance(epsilon)


def users_of_second_round(users: int, size: int, epsilon: float, *, uncertain: float, own: float) -> float:
    """Users of the second round; none where the centre is good enough."""
    if uncertain <= PLACED * own:
        return 0.0
    needed = size * ROOM * (uncertain + own) / direction_response(epsilon) ** 2 / (PLACED * own)
    return min(MOST_SECOND * users, max(SECOND * users, needed))


def measure_waves(
    asking: RoundMaker, *, vector: Cosines, fewer: Cosines, observations: float, betas: tuple[float, ...], risk: float
) -> Generator[Question, Tally, MeasuredWaves]:
    """Ask everybody about the mean of `cosine_vector`, or where users lie far apart of `fewer` waves.

    `risk`: how often more users may lie outside than `share` says.
    """
    size, response, everybody = vector.size, direction_response(asking.epsilon), asking.users
    own_square, table = size / observations, size * table_variance(asking.epsilon)
    twice = 4 * PEAK * math.sqrt(size)  # as far as two vectors can lie apart: no radius is larger
    asked = _question_by_table(asking, users_of_first_round(everybody, size, asking.epsilon), vector)
    first, most_first = _means_of_entries(asked, (yield asked))
    known = belief_about(first.value, first.variance, betas)
    centre, uncertain = centre_of_nearest_density(known.value), float(known.variance.sum())
    count = users_of_second_round(everybody, size, asking.epsilon, uncertain=uncertain, own=own_square)
    second, before, reach = None, centre, 0.0
    if count:
        (reach,) = on_lattice((math.sqrt(ROOM * (uncertain + own_square)),), 0.0, twice)
        asked = direction_question(asking, count, role="zoom", vector=vector, centre=centre, radius=reach)
        second = decode_directions(asked, (yield asked))
        rough = 1 / (1 / first.variance + 1 / second.variance)
        known = belief_about(rough * (first.value / first.variance + second.value / second.variance), rough, betas)
        centre = centre_of_nearest_density(known.value)
    farthest = farthest_distance(centre)
    low, high = 0.5 * math.sqrt(own_square), 1.5 * PEAK * math.sqrt(size)
    count = users_for_lengths(everybody, asking.epsilon)
    asked = length_question(asking, count, vector=vector, centre=centre, low=low, high=high)
    law = length_law(asked, (yield asked))
    longest = min(farthest, law.quantile(usual_quantile(everybody)), LONGEST * law.median)
    (radius,) = on_lattice((longest,), 0.0, twice)
    limit = response * math.sqrt(WORSE * (table + law.median**2))
    fired, lost = False, radius > limit
    if not lost:
        checked = yield from check_radius(asking, vector=vector, centre=centre, radius=radius, far=farthest, stop=limit)
        radius, fired, lost, seen = checked.radius, checked.fired, checked.lost, checked.outside
    if lost:
        asked = _question_by_table(asking, math.inf, fewer)
        rest, most_rest = _means_of_entries(asked, (yield asked))
        together, weights = pool_mean_vectors((_first_entries(first, fewer.size), rest))
        return MeasuredWaves(
            value=together.value,
            variance=together.variance,
            sampling=np.minimum(law.median**2 / together.reports, _MOST_SAMPLING * together.variance),
            firm=together.value,
            most=weights[0] ** 2 * most_first[: fewer.size] + weights[1] ** 2 * most_rest,
            centre=centre[: fewer.size],
            hidden=0.0,
            answered=tuple(asking.rounds),
            notes=(Note(NoteCode.USERS_FAR_APART),),
        )
    assert seen is not None  # a radius that is not lost was checked
    asked = check_question(asking, CHECKED * everybody, vector=vector, centre=centre, radius=radius)
    again = read_check(asked, (yield asked))
    error = math.hypot(seen.error, again.error) / 2
    share = min(1.0, max(0.0, (seen.mean + again.mean) / 2) + checked.errors(1 - risk) * error)
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = decode_directions(asked, (yield asked))
    firm, weights = pool_mean_vectors((first, last))
    most = weights[0] ** 2 * most_first + weights[1] ** 2 * _largest_variance(last, radius, asking.epsilon)
    holds_all = not fired and math.hypot(radius, math.dist(centre, before)) <= 1.1 * reach
    together = pool_mean_vectors((first, second, last))[0] if second is not None and holds_all else firm
    return MeasuredWaves(
        value=together.value,
        variance=together.variance,
        sampling=np.minimum(law.median**2 / size / together.reports, _MOST_SAMPLING * together.variance),
        firm=firm.value,
        most=most,
        centre=centre,
        share=share,
        stretch=direction_stretch(asking.epsilon),
        hidden=min(1.0, _FOUND * error),
        answered=tuple(asking.rounds),
    )


def _question_by_table(asking: RoundMaker, count: float, vector: Cosines) -> Question:
    return entry_question(asking, count, role="wave", vector=vector, low=(-PEAK,), high=(PEAK,))


def _means_of_entries(asked: Question, tally: Tally) -> tuple[MeanVector, Floats]:
    """Means with variances as they usually are, and the variances if users differ as much as they can."""
    entries = decode_entries(asked, tally)
    return replace(entries, variance=entry_variance(asked, tally) / np.array(tally.reports)), entries.variance


def _first_entries(entries: MeanVector, size: int) -> MeanVector:
    """The first entries."""
    return replace(entries, value=entries.value[:size], variance=entries.variance[:size])


def _largest_variance(directions: MeanVector, radius: float, epsilon: float) -> Floats:
    """The variance along any direction, the one in which users lie included."""
    scale = radius / direction_response(epsilon)
    return np.maximum(directions.variance, direction_stretch(epsilon) * scale**2 / directions.reports)


FEWEST = 3
_SCALE, _IN_CASE = 1.3, 1.5
"""J for a known smoothness, in units of (information)^(1/(2β+2)); and how many more for one that is not known."""


def waves_of_adaptive(settings: Density) -> int:
    """How many waves adaptive asks about, by what all observations say through directions."""
    return max(1, round(wanted_by_adaptive(settings)))


def cosine_waves_of_one_round(settings: Density) -> int:
    """How many waves one round asks about, by what one report a user says, however many observations there are."""
    return max(1, round(wanted_by_one_round(settings)))


def wanted_by_adaptive(settings: Density) -> float:
    """How many waves adaptive would ask about, before that is rounded: predictions should not jump."""
    return _wanted(settings, settings.users * settings.observations * direction_response(settings.epsilon) ** 2)


def wanted_by_one_round(settings: Density) -> float:
    """How many waves one round would ask about, before that is rounded."""
    return _wanted(settings, settings.users / table_variance(settings.epsilon))


def _wanted(settings: Density, information: float) -> float:
    if settings.coefficients is not None:
        return float(settings.coefficients - 1)
    wanted: float = _SCALE * max(1.0, information) ** (1 / (2 * settings.assumed_smoothness + 2))
    wanted *= 1.0 if settings.smoothness is not None else _IN_CASE
    return min(settings.most - 1, MAX_WAVES, max(FEWEST, wanted))


def refusal_of_too_many_waves(settings: Density) -> Fact | None:
    """Why so many waves cannot be asked for."""
    if settings.coefficients is None or settings.coefficients - 1 <= MAX_WAVES:
        return None
    return Fact("too-many-waves", most=MAX_WAVES, coefficients=MAX_WAVES + 1)


def cosine_vector(settings: Density, size: int) -> Cosines:
    """What users hold."""
    return Cosines(low=settings.low, high=settings.high, size=size)
