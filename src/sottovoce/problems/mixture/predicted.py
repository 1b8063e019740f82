"""The error of mixture means before anyone is asked: of one component's mean, on average over components."""

from __future__ import annotations

import numpy as np

from sottovoce.messages import exact
from sottovoce.methods import Layout
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.risk import (
    Averages,
    Crowd,
    Poisoning,
    Prediction,
    average,
    capture_share,
    laplace_reach,
    laplace_variance,
    winning_chances,
)


def places(settings: MixtureMeans) -> list[float]:
    """Where components are taken to lie: evenly over the range, with equal shares."""
    width = (settings.high - settings.low) / settings.kinds
    return [settings.low + (k + 0.5) * width for k in range(settings.kinds)]


def laws(settings: MixtureMeans, crowd: Crowd) -> list[Averages]:
    """The averages of the users of each component."""
    crowd.check_range(settings.low, settings.high)
    return [
        crowd.averages(centre=place, observations=settings.observations, low=settings.low, high=settings.high)
        for place in places(settings)
    ]


def error(settings: MixtureMeans, crowd: Crowd, layout: Layout, folds: tuple[int, ...]) -> Prediction:
    """For components that lie evenly over the range with equal shares; `spread` and `within` are of each component.

    A component's mean is its centre plus S/π̂, S the signed average of residuals (L1230): its variance is that of S,
    noise and all other users' residuals included, plus the squared residual times that of π̂, over π².
    """
    return average([_component(settings, layout, folds, law, k) for k, law in enumerate(laws(settings, crowd))])


def _component(settings: MixtureMeans, layout: Layout, folds: tuple[int, ...], law: Averages, k: int) -> Prediction:
    share = 1 / settings.kinds
    keep = layout.vote_channel(exact(settings.epsilon)).keep if layout.bins > 1 else 1.0
    # The other components' bins count as empty ones: they have winners of their own, one for each.
    chances = winning_chances(share * law.shares(layout.edges), voters=folds[0], keep=keep)
    centres = layout.centre(np.arange(layout.bins))
    reach = 3 * layout.delta * layout.half
    residual = np.clip(law.points[:, None] - centres, -reach, reach)
    mean, square = law.weights @ residual, law.weights @ residual**2
    noise = laplace_variance(2 * reach, settings.epsilon)
    spread = float(chances @ square) / folds[-1] / share**2  # the other components' residuals are of the same size
    part = 0.0
    if settings.kinds > 1:
        rate = (1 - keep) + (2 * keep - 1) * share
        part = rate * (1 - rate) / (2 * keep - 1) ** 2 / folds[1] / share**2
    off = (centres + mean - law.mean) ** 2
    truth, apart = np.array(places(settings)), (settings.high - settings.low) / settings.kinds
    for index in np.flatnonzero(np.abs(centres - law.mean) > apart / 2):
        # Lost, and another bin in its place: components are told apart by their order alone.
        found = np.sort(np.concatenate((np.delete(truth, k), centres[index : index + 1])))
        off[index] = ((found - truth) ** 2).sum()
    return Prediction(
        sampling=spread,
        privacy=noise / folds[-1] / share**2 + float(chances @ (mean**2)) * part,
        localisation=float(chances @ off),
    )


def poisoning(settings: MixtureMeans, crowd: Crowd, layout: Layout) -> Poisoning:
    """Of one component's mean; a wrong bin wins once it is lit as often as the bin of the smallest component."""
    share = 1 / settings.kinds
    reach = laplace_reach(6 * layout.delta * layout.half, settings.epsilon) / share
    if layout.bins == 1:
        return Poisoning(reach=reach)
    keep = layout.vote_channel(exact(settings.epsilon)).keep
    fullest = min(float(law.shares(layout.edges).max()) for law in laws(settings, crowd))
    return Poisoning(reach=reach, capture=capture_share(keep, share * fullest))
