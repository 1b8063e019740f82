"""PrivateDensity (L795), with the constants of the paper's experiments or those of its proofs.

A mean for each trigonometric basis function, a fold of users each: vote for its place, then report there.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sottovoce.answers import (
    Note,
    NoteCode,
    StandardError,
    two_sided,
    within,
)
from sottovoce.messages import Basis, Fact, Rules
from sottovoce.methods import Script, VotePlan, VoteThenRefine, all_slots, plan_of_experiments, plan_of_proofs
from sottovoce.problems.density.answer import DensityEstimate
from sottovoce.problems.density.coefficients import PEAK
from sottovoce.problems.density.settings import Density
from sottovoce.problems.method import Method
from sottovoce.problems.rule_builders import rules_of_votes
from sottovoce.risk import Averages, Crowd, Poisoning, Prediction, average

_FAR = 0.04
"""A place that may be off by more than this part of the range's half is worth a note; chosen by hand."""


class CoefficientVotes(Method[Density]):
    """PrivateDensity (L795), with constants to be given: θ₂ … θ_M; θ₁ = 1 is known and not asked."""

    def vote_plan(self, settings: Density) -> VotePlan:
        """Δ, T* and the budget."""
        raise NotImplementedError("each variant has its constants")

    def scheme(self, settings: Density) -> VoteThenRefine:
        """How coefficients are estimated: a fold of users for each but the first."""
        vote_plan = self.vote_plan(settings)
        return VoteThenRefine(
            survey=settings.survey,
            slots=all_slots(settings.users),
            statistic=Basis(low=settings.low, high=settings.high, functions=tuple(range(2, settings.size + 1))),
            budget=vote_plan.budget,
            layout=vote_plan.layout,
        )

    def script(self, settings: Density) -> Script[DensityEstimate]:
        means = yield from self.scheme(settings).script()
        errors = [
            StandardError(sampling=math.sqrt(one), privacy=math.sqrt(two), localisation=math.sqrt(three))
            for one, two, three in zip(means.sampling, means.privacy, means.localisation, strict=True)
        ]
        values, z = means.value.tolist(), two_sided(settings.confidence)
        intervals = [
            within((value - z * error.total, value + z * error.total), -PEAK, PEAK)
            for value, error in zip(values, errors, strict=True)
        ]
        doubtful = max(error.localisation for error in errors) > _FAR * PEAK
        size = len(values) + 1  # the first coefficient is known
        rule = Fact("coefficients-by", size=size, given=settings.coefficients is not None)
        return DensityEstimate(
            coefficients=(1.0, *values),
            coefficient_intervals=((1.0, 1.0), *intervals),
            coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), *errors),
            low=settings.low,
            high=settings.high,
            smoothness=settings.assumed_smoothness,
            interval_kind=Fact("pointwise", coefficients=size),
            notes=(Note(NoteCode.WRONG_PLACE, of="coefficients"),) if doubtful else (),
            **self.survey_facts(settings, means.answered, rule),
        )

    def predict(self, settings: Density, crowd: Crowd) -> Prediction:
        """The errors of all coefficients, and the largest truncation error of a density of the declared smoothness."""
        return _predicted(self, settings, crowd)

    def laws(self, settings: Density, crowd: Crowd) -> list[Averages]:
        """The laws of the users' own coefficients, at places that differ in how they lie to the edges of bins.

        A cosine and its sine have a variance of 2 − θ² together at most, so a basis function deviates by 1 on
        average: the worst case, and `within` states less. `spread` is that of the users' own coefficients.
        """
        crowd.check_range(-PEAK, PEAK)
        stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within), around=None)
        step = self.scheme(settings).step
        centres = (0.0, 0.25 * step, 0.5 * step) if crowd.around is None else (crowd.around,)
        return [
            stated.averages(centre=centre, observations=settings.observations, low=-PEAK, high=PEAK)
            for centre in centres
        ]

    def users_per_round(self, settings: Density) -> tuple[int, ...]:
        return self.scheme(settings).users_per_round

    def rules(self, settings: Density) -> Rules:
        return rules_of_votes(self.scheme(settings))

    def poisoning(self, settings: Density, crowd: Crowd) -> Poisoning:
        """What colluders can do to one coefficient."""
        return self.scheme(settings).poisoning(self.laws(settings, crowd))

    def words(self, settings: Density) -> Fact:
        return Fact("coefficients-each", size=settings.size, how=self.scheme(settings).words())


@lru_cache(maxsize=4096)
def _predicted(method: CoefficientVotes, settings: Density, crowd: Crowd) -> Prediction:
    """Kept: a plan looks at it several times."""
    scheme = method.scheme(settings)
    each = average([scheme.risk(law) for law in method.laws(settings, crowd)])
    rest = settings.radius**2 * math.exp(-2 * settings.assumed_smoothness * math.log(settings.size + 1))
    return each.scaled(settings.size - 1) + Prediction(sampling=0.0, privacy=0.0, omission=rest)


class Paper(CoefficientVotes):
    """As in the experiments: one coefficient a user at the whole budget, T for T*, C_α for √2 (L1077)."""

    name = "paper"
    help = "votes for places first, with the constants of the paper's experiments"

    def vote_plan(self, settings: Density) -> VotePlan:
        return plan_of_experiments(**_asked(settings))


class Theory(CoefficientVotes):
    """As in the proofs: T*, above ε = 1 several coefficients a user, K a parameter."""

    name = "theory"
    help = "votes for places first, with the constants of the paper's proofs"

    def vote_plan(self, settings: Density) -> VotePlan:
        return plan_of_proofs(**_asked(settings), constant=settings.proof_constant)


def _asked(settings: Density) -> dict[str, Any]:
    given = {name: getattr(settings, name) for name in ("users", "observations", "epsilon", "delta")}
    return given | {"low": -PEAK, "high": PEAK, "groups": settings.size - 1}
