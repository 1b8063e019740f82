"""Measure the waves, then again from nearer by; no assumption that users are alike."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.answers import Note, NoteCode
from sottovoce.design import one_bit
from sottovoce.messages import Fact, Rules
from sottovoce.methods import Asking, Script, best_table, entry_way, stretch, zoom_ways
from sottovoce.problems.density.decay import decays
from sottovoce.problems.density.estimate import DensityEstimate
from sottovoce.problems.density.one_round import OneRound
from sottovoce.problems.density.places import PEAK
from sottovoce.problems.density.predicted import of_adaptive, users_of_adaptive, width_of_adaptive
from sottovoce.problems.density.rounds import locate, worth
from sottovoce.problems.density.settings import Density
from sottovoce.problems.density.shown import Reported, published
from sottovoce.problems.density.waves import too_many, vector, waves_of_adaptive, waves_of_one_round
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.ruling import announced
from sottovoce.risk import Crowd, Poisoning, Prediction

_FOUND = 3.645
"""Standard errors of the check: it fires above two, and a share this large is then found 95 times in 100."""


class Adaptive(Method[Density]):
    """The full range, a rough direction, a check, a fine direction."""

    name = "adaptive"
    help = "asks on the full range first, then from nearer by"

    def unavailable(self, settings: Density) -> Fact | None:
        return too_many(settings)

    def replacement(self, settings: Density) -> Method[Density] | None:
        note = Note(NoteCode.ASKED_AT_ONCE, why="second-look")
        return None if pays(settings) else StandIn(self, OneRound(), note)

    def variants(self, settings: Density, crowd: Crowd) -> tuple[Density, ...]:
        return super().variants(settings, crowd) if pays(settings) else ()

    def script(self, settings: Density) -> Script[DensityEstimate]:
        asking = Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)
        size = waves_of_adaptive(settings)
        found = yield from locate(
            asking,
            vector=vector(settings, size),
            fewer=vector(settings, min(size, waves_of_one_round(settings))),
            observations=settings.observations,
            betas=decays(settings.smoothness),
            risk=(1 - settings.confidence) / 2,  # the other half is the noise's
        )
        each = found.apart**2 / (1 if found.fallen_back else size) / found.found.reports
        return published(
            settings,
            self.name,
            Reported(
                value=found.found.value,
                variance=found.found.variance,
                sampling=np.minimum(each, 0.9 * found.found.variance),
                firm=found.firm.value,
                most=found.most,
                centre=found.centre,
                share=found.share,
                stretch=1.0 if found.fallen_back else stretch(settings.epsilon),
                hidden=min(1.0, _FOUND * found.error),
                answered=tuple(asking.rounds),
                notes=(Note(NoteCode.USERS_FAR_APART),) if found.fallen_back else (),
            ),
        )

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        return of_adaptive(settings, crowd)

    def guarded(self, settings: Density, crowd: Crowd) -> float:
        return width_of_adaptive(settings, crowd)

    def users_per_round(self, settings: Density) -> tuple[int, ...]:
        """For a usual density, if the check never fires."""
        return users_of_adaptive(settings)

    def rules(self, settings: Density) -> Rules:
        """Vectors lie in a ball of radius √2·√J: none is farther from another than twice that, or checked beyond four.

        The fortieth more is for the lattice, and for the points between those at which a curve is looked at.
        """
        size, epsilon = waves_of_adaptive(settings), settings.epsilon
        sizes = dict.fromkeys((size, min(size, waves_of_one_round(settings))))
        ways = [entry_way("wave", vector=vector(settings, one), low=-PEAK, high=PEAK) for one in sizes]
        longest = 4.1 * PEAK * math.sqrt(size)
        ways += zoom_ways(vector=vector(settings, size), epsilon=epsilon, longest=longest, inside=(-PEAK, PEAK))
        return announced(
            next(self.script(settings)), ways, (best_table(epsilon), one_bit(epsilon)), users=settings.users
        )

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """Of one coefficient: colluders can claim to be far away, so that the rest is asked on the full range."""
        return OneRound().poisoning(settings, crowd)

    def words(self, settings: Density) -> Fact:
        return Fact("waves-then-nearer", n=waves_of_adaptive(settings))


def pays(settings: Density) -> bool:
    """Whether a second look can help at all."""
    return worth(settings.users, settings.observations, waves_of_adaptive(settings), settings.epsilon)
