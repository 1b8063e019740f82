"""The error of a density: the square root of ∫(f̂ − f)² on the unit interval."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.planning import localised
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.poisoning import Poisoning, laplace_reach, table_reach
from sottovoce.planning.predict_groups import group_risk, group_step
from sottovoce.planning.prediction import Prediction, average
from sottovoce.protocols import one_round
from sottovoce.protocols.density import PEAK, Density, Method


def predict(protocol: Density, crowd: Crowd) -> Prediction:
    """The errors of all coefficients, and the largest truncation error of a density of the declared smoothness.

    A cosine and its sine have a variance of 2 − θ² together at most, so a basis function deviates by 1 on average:
    the worst case, and `within` states less. `spread` is that of the users' own coefficients.
    """
    folds = protocol.folds
    each = average([group_risk(folds, law) for law in _laws(protocol, crowd)])
    size = folds.groups + 1
    rest = protocol.radius**2 * math.exp(-2 * protocol.smoothness * math.log(size + 1))
    return each.scaled(folds.groups) + Prediction(sampling=0.0, privacy=0.0, omission=rest)


def _laws(protocol: Density, crowd: Crowd) -> list[Law]:
    """Of the users' own coefficients, at places that differ in how they lie to the edges of bins."""
    crowd.check_range(-PEAK, PEAK)
    folds = protocol.folds
    stated = replace(crowd, within=min(1.0, 1.0 if crowd.within is None else crowd.within), around=None)
    step = group_step(folds)
    centres = (crowd.around,) if crowd.around is not None else (0.0, 0.25 * step, 0.5 * step)
    return [stated.averages(centre=centre, observations=folds.observations, low=-PEAK, high=PEAK) for centre in centres]


def users_per_round(protocol: Density) -> tuple[int, ...]:
    """Fold sizes."""
    voters = protocol.folds.voters
    return (protocol.users,) if voters is None else (voters.count, protocol.users - voters.count)


def variants(template: Density, crowd: Crowd) -> tuple[Density, ...]:
    """Numbers of coefficients around the protocol's own choice, in one round or two."""
    if template.method != "auto":
        return (template,)
    size = template.chosen[1]
    sizes = {size} if template.coefficients is not None else {max(3, size - 2), size, size + 2, 2 * size + 1}
    fitting = [m for m in sorted(sizes) if m - 1 <= template.users // 4] or [size]
    kinds: tuple[Method, ...] = ("one-round", "paper") if template.users >= 8 else ("one-round",)
    return tuple(replace(template, method=kind, coefficients=m) for m in fitting for kind in kinds)


def words(protocol: Density) -> str:
    """Coefficients, folds and bins."""
    folds = protocol.folds
    text = f"M = {folds.groups + 1} coefficients, {folds.groups} folds"
    return text if folds.voters is None else f"{text}, {folds.layout.bins} bins (Δ = {folds.layout.delta:.4g})"


def poisoning(protocol: Density, crowd: Crowd) -> Poisoning:
    """Of one coefficient."""
    folds = protocol.folds
    if folds.kind == "one-round":
        return Poisoning(reach=table_reach(one_round.best_table(protocol.epsilon), 2 * PEAK))
    if folds.voters is None:
        return Poisoning(reach=laplace_reach(2 * PEAK, folds.share.each))
    layout, share = folds.layout, folds.share
    return Poisoning(
        reach=laplace_reach(2 * PEAK * (1 + layout.margin) * layout.delta, share.each),
        capture=localised.capture(layout, _laws(protocol, crowd), epsilon=share.spent, uses=share.uses),
    )
