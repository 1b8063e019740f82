"""The methods that measure cosine waves, one round and adaptive: what they ask, and the error to expect of them.

How far a wave is drawn toward zero depends on what all of them look like, and noise can pass for signal: where it is
large no formula for one wave tells the error. So a prediction draws the curve from a few dozen measurements, spread
evenly over what noise and signs of coefficients can be, as the methods do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from sottovoce.answers import Measured, Note, NoteCode, cosines, omitted_wave_sums, sizes, two_sided
from sottovoce.design import one_bit
from sottovoce.messages import Fact, Rules
from sottovoce.methods import (
    CHECKED,
    Floats,
    Script,
    best_table,
    decode_entries,
    decode_means,
    direction_response,
    direction_stretch,
    entry_question,
    entry_variance,
    entry_way,
    to_simplex,
    users_for_lengths,
    zoom_ways,
)
from sottovoce.problems.density.answer import DensityEstimate, MeasuredWaves, cosine_answer
from sottovoce.problems.density.coefficients import PEAK, Prior, decays_to_consider
from sottovoce.problems.density.rounds import (
    LONGEST,
    ROOM,
    WORSE,
    cosine_vector,
    cosine_waves_of_one_round,
    measure_waves,
    refusal_of_too_many_waves,
    second_look_pays,
    table_variance,
    users_of_first_round,
    users_of_second_round,
    wanted_by_adaptive,
    wanted_by_one_round,
    waves_of_adaptive,
)
from sottovoce.problems.density.settings import Density
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.rule_builders import rules_of_rounds
from sottovoce.risk import Crowd, Poisoning, Prediction, full_range_risk, table_reach

_DRAWS, _ROOT = 31, 3
"""A prime, and a number whose powers are all the others below it."""
_CELLS = 128
FARTHEST = _CELLS - 1
"""Waves that a grid tells apart."""
_PLACES = 101
"""Places at which a band is looked at."""


class OneRound(Method[Density]):
    """One question, one table, nothing assumed about the users."""

    name = "one-round"
    help = "asks everybody once on the full range"
    guaranteed = True

    def why_unavailable(self, settings: Density) -> Fact | None:
        return refusal_of_too_many_waves(settings)

    def script(self, settings: Density) -> Script[DensityEstimate]:
        asking = settings.round_maker()
        waves = cosine_vector(settings, cosine_waves_of_one_round(settings))
        asked = entry_question(asking, math.inf, role="wave", vector=waves, low=(-PEAK,), high=(PEAK,))
        tally = yield asked
        entries = decode_entries(asked, tally)
        variance, noise = entry_variance(asked, tally) / np.array(tally.reports), decode_means(asked, tally).privacy
        reported = MeasuredWaves(
            value=entries.value,
            variance=variance,
            sampling=np.maximum(variance - noise, 0.0),
            firm=entries.value,
            most=entries.variance,
            centre=(0.0,) * waves.size,
            answered=(entries.reports,),
        )
        return cosine_answer(self, settings, reported)

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        """The expected error of the curve, in L2."""
        return _interpolated(
            wanted_by_one_round(settings),
            lambda size: _risk_of_curve(settings, size, _risk_by_table(settings, crowd, settings.users / size)),
        )

    def guarded_halfwidth(self, settings: Density, crowd: Crowd) -> float:
        """Half the width of the band, on average over the range."""
        size = cosine_waves_of_one_round(settings)
        error = np.full(size, _risk_by_table(settings, crowd, settings.users / size).rmse)
        return _halfwidth(settings, error, error, 0.0)

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """What colluders can do to one coefficient."""
        return Poisoning(reach=table_reach(best_table(settings.epsilon), 2 * PEAK))

    def words(self, settings: Density) -> Fact:
        return Fact("waves-one-a-user", n=cosine_waves_of_one_round(settings))


class Adaptive(Method[Density]):
    """The full range, a rough direction, a check, a fine direction."""

    name = "adaptive"
    help = "asks on the full range first, then from nearer by"

    def why_unavailable(self, settings: Density) -> Fact | None:
        return refusal_of_too_many_waves(settings)

    def replacement(self, settings: Density) -> Method[Density] | None:
        """One round, where a second look cannot help."""
        if second_look_pays(settings.users, settings.observations, waves_of_adaptive(settings), settings.epsilon):
            return None
        return StandIn(self, OneRound(), Note(NoteCode.ASKED_AT_ONCE, why="second-look"))

    def variants(self, settings: Density, crowd: Crowd) -> tuple[Density, ...]:
        return super().variants(settings, crowd) if self.replacement(settings) is None else ()

    def script(self, settings: Density) -> Script[DensityEstimate]:
        size = waves_of_adaptive(settings)
        measured = yield from measure_waves(
            settings.round_maker(),
            vector=cosine_vector(settings, size),
            fewer=cosine_vector(settings, min(size, cosine_waves_of_one_round(settings))),
            observations=settings.observations,
            betas=decays_to_consider(settings.smoothness),
            risk=(1 - settings.confidence) / 2,  # the other half is the noise's
        )
        return cosine_answer(self, settings, measured)

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        """The expected error of the curve, in L2: each round as it goes on average."""

        def drawn(size: int) -> Prediction:
            expected = _expected_rounds(settings, crowd, size)
            return _risk_of_curve(settings, expected.waves, expected.each)

        return _interpolated(wanted_by_adaptive(settings), drawn)

    def guarded_halfwidth(self, settings: Density, crowd: Crowd) -> float:
        """Half the width of the guarded band, on average over the range."""
        expected = _expected_rounds(settings, crowd, waves_of_adaptive(settings))
        error = np.full(expected.waves, expected.each.rmse)
        most = error * math.sqrt(direction_stretch(settings.epsilon) if expected.near else 1.0)
        return _halfwidth(settings, error, most, expected.share)

    def users_per_round(self, settings: Density) -> tuple[int, ...]:
        """How many users each round asks, for a usual density and users alike, if the check never fires."""
        asking = settings.round_maker()
        for count in _expected_rounds(settings, Crowd(), waves_of_adaptive(settings)).users:
            asking.rounds.append(asking.in_whole_waves(count))
        return (*asking.rounds, asking.users_left)

    def rules(self, settings: Density) -> Rules:
        """Vectors lie in a ball of radius √2·√J: none is farther from another than twice that, or checked beyond four.

        The fortieth more is for the lattice, and for the points between those at which a curve is looked at.
        """
        size, epsilon = waves_of_adaptive(settings), settings.epsilon
        sizes = dict.fromkeys((size, min(size, cosine_waves_of_one_round(settings))))
        ways = [entry_way("wave", vector=cosine_vector(settings, one), low=-PEAK, high=PEAK) for one in sizes]
        longest = 4.1 * PEAK * math.sqrt(size)
        ways += zoom_ways(vector=cosine_vector(settings, size), epsilon=epsilon, longest=longest, inside=(-PEAK, PEAK))
        return rules_of_rounds(
            next(self.script(settings)), ways, (best_table(epsilon), one_bit(epsilon)), users=settings.users
        )

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """What colluders can do to a coefficient: claim to be far away, so that the rest is asked on the full range."""
        return OneRound().poisoning(settings, crowd)

    def words(self, settings: Density) -> Fact:
        return Fact("waves-then-nearer", n=waves_of_adaptive(settings))


def typical_squares(settings: Density, count: int) -> Floats:
    """Squares of coefficients as a prediction takes them to be: (radius/3)²·j^−2β."""
    waves = np.arange(1, count + 1, dtype=np.float64)
    return np.asarray(np.minimum((settings.radius / 3) ** 2 * waves ** (-2 * settings.assumed_smoothness), PEAK**2))


def _interpolated(wanted: float, predict: Callable[[int], Prediction]) -> Prediction:
    """A prediction between whole numbers of waves: a plan that solves for users wants no jumps."""
    lower = max(1, math.floor(wanted))
    part = wanted - lower
    whole = predict(lower)
    return whole if part <= 0 else whole.scaled(1 - part) + predict(lower + 1).scaled(part)


def _risk_by_table(settings: Density, crowd: Crowd, users: float) -> Prediction:
    """The error of one coefficient, from so many reports on the full range."""
    crowd.check_range(-PEAK, PEAK)
    stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within))
    centre = 0.0 if crowd.around is None else crowd.around
    law = stated.averages(centre=centre, observations=settings.observations, low=-PEAK, high=PEAK)
    return full_range_risk(law, users=users, low=-PEAK, high=PEAK, table=best_table(settings.epsilon))


@dataclass(frozen=True, kw_only=True)
class _ExpectedRounds:
    """The error of one coefficient, of how many waves, whether users are near enough, and what hides."""

    each: Prediction
    waves: int
    near: bool
    share: float
    users: tuple[float, ...]
    """Of all rounds but the last."""


@lru_cache(maxsize=1024)
def _expected_rounds(settings: Any, crowd: Crowd, size: int) -> _ExpectedRounds:
    """The rounds of `measure_waves`, each as it goes on average."""
    response, users, epsilon = direction_response(settings.epsilon), settings.users, settings.epsilon
    squares, own_square = typical_squares(settings, size), size / settings.observations
    first = users_of_first_round(users, size, epsilon)
    by_table = _risk_by_table(settings, crowd, first / size)
    spread, rough = by_table.sampling * first / size, by_table.mse
    uncertain = _unknown_part(squares, rough)
    second = users_of_second_round(users, size, epsilon, uncertain=uncertain, own=own_square)
    if second:
        rough = 1 / (1 / rough + 1 / (ROOM * (uncertain + own_square) / response**2 / second))
    length = _unknown_part(squares, rough) + size * spread
    radius = LONGEST**2 * length
    before = (first, *((second,) if second else ()), users_for_lengths(users, epsilon))
    if radius / response**2 > WORSE * (size * table_variance(epsilon) + length):
        fewer = min(size, cosine_waves_of_one_round(settings))
        each = _risk_by_table(settings, crowd, first / size + (users - sum(before)) / fewer)
        return _ExpectedRounds(each=each, waves=fewer, near=False, share=0.0, users=before)
    checked = CHECKED * users
    last = users - sum(before) - 2 * checked
    total = 1 / (1 / by_table.mse + 1 / (radius / response**2 / last))
    sampling = min(spread / last, 0.9 * total)
    error = math.sqrt(float(one_bit(epsilon).variance(np.array([0.0]))[0]) / (2 * checked))
    return _ExpectedRounds(
        each=Prediction(sampling=sampling, privacy=total - sampling),
        waves=size,
        near=True,
        share=two_sided(settings.confidence) * error,
        users=(*before, checked, checked),
    )


def _unknown_part(squares: Floats, variance: float) -> float:
    """What is not known of the coefficients after they were measured with such a variance."""
    return float((squares * variance / (squares + variance)).sum())


def _risk_of_curve(settings: Density, size: int, each: Prediction) -> Prediction:
    """The error of the curve drawn from waves measured so well; the waves beyond them are left to their ends."""
    squares = typical_squares(settings, FARTHEST)
    whole = curve_error(tuple(squares.tolist()), size, each.mse, decays_to_consider(settings.smoothness))
    beyond = min(whole, float(squares[size:].sum()))
    rest = Prediction(sampling=0.0, privacy=0.0, omission=beyond)
    return each.scaled((whole - beyond) / each.mse) + rest


def _halfwidth(settings: Density, error: Floats, most: Floats, share: float) -> float:
    """Half the width of a band around as many waves as stand out of the noise."""
    size = len(error)
    clear = int((typical_squares(settings, size) > error**2).sum())
    measured = Measured(
        value=(0.0,) * size,
        error=tuple(error.tolist()),
        firm=(0.0,) * size,
        most=tuple(most.tolist()),
        centre=(0.0,) * size,
        share=share,
    )
    unit, shown = np.linspace(0.0, 1.0, _PLACES), next(one for one in sizes(size) if one >= max(1, clear))
    low, high = measured.band(unit, shown, settings.confidence, guarded=True)
    return float((high - low).mean() / 2)


@lru_cache(maxsize=4096)
def curve_error(squares: tuple[float, ...], size: int, variance: float, betas: tuple[float, ...]) -> float:
    """The mean square of the curve's error when coefficients have these squares, `size` of them measured."""
    places = (np.arange(_CELLS) + 0.5) / _CELLS
    basis, rest = cosines(places, _CELLS)[:, 1:], np.stack(omitted_wave_sums(places, size))
    sizes, prior, total = np.sqrt(squares), Prior.of(np.full(size, variance), betas), 0.0
    for noise, signs in zip(_normal(size), _signs(len(squares)), strict=True):
        true = _nearest_density(1 + basis[:, : len(squares)] @ (signs * sizes))
        known = prior.given(true @ basis[:, :size] / _CELLS + math.sqrt(variance) * noise)
        shown = _nearest_density(1 + basis[:, :size] @ known.value + np.array(known.ends) @ rest)
        total += float(((shown - true) ** 2).mean()) / _DRAWS
    return total


def _nearest_density(heights: Floats) -> Floats:
    """The nearest heights of a density: none negative, one on average."""
    return to_simplex(heights / _CELLS) * _CELLS


@cache
def _normal(size: int) -> Floats:
    """Standard normal numbers: the same in every column, in another order."""
    even = np.array([NormalDist().inv_cdf((place + 0.5) / _DRAWS) for place in range(_DRAWS)])
    even /= math.sqrt(float((even**2).mean()))
    order = np.array([pow(_ROOT, wave, _DRAWS) for wave in range(size)])
    return np.asarray(even[np.arange(1, _DRAWS + 1)[:, None] * order % _DRAWS])


@cache
def _signs(size: int) -> Floats:
    """Walsh functions: every wave has either sign about as often, whatever the others have."""
    return np.array(
        [[(-1.0) ** (draw & wave).bit_count() for wave in range(1, size + 1)] for draw in range(1, _DRAWS + 1)]
    )
