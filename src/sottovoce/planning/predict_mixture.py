"""The error of mixture means: of one component's mean, on average over components."""

from __future__ import annotations

import numpy as np

from sottovoce.messages.exact import exact
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.localised import edges
from sottovoce.planning.poisoning import Poisoning, capture_share, laplace_reach
from sottovoce.planning.prediction import Prediction, average
from sottovoce.planning.votes import winning_chances
from sottovoce.protocols.base import split
from sottovoce.protocols.mixture import MixtureMeans


def places(protocol: MixtureMeans) -> list[float]:
    """Where components are taken to lie: evenly over the range, with equal shares."""
    width = (protocol.high - protocol.low) / protocol.components
    return [protocol.low + (k + 0.5) * width for k in range(protocol.components)]


def predict(protocol: MixtureMeans, crowd: Crowd) -> Prediction:
    """For components that lie evenly over the range with equal shares; `spread` and `within` are of each component.

    A component's mean is its centre plus S/π̂, S the signed average of residuals (L1230): its variance is that of S,
    noise and all other users' residuals included, plus the squared residual times that of π̂, over π².
    """
    crowd.check_range(protocol.low, protocol.high)
    return average([_component(protocol, law, k) for k, law in enumerate(laws(protocol, crowd))])


def laws(protocol: MixtureMeans, crowd: Crowd) -> list[Law]:
    """The averages of the users of each component."""
    return [
        crowd.averages(centre=place, observations=protocol.observations, low=protocol.low, high=protocol.high)
        for place in places(protocol)
    ]


def _component(protocol: MixtureMeans, law: Law, k: int) -> Prediction:
    layout, share = protocol.layout, 1 / protocol.components
    folds = users_per_round(protocol)
    keep = layout.vote_channel(exact(protocol.epsilon)).keep
    held = law.shares(edges(layout))
    # The other components' bins count as empty ones: they have winners of their own, one for each.
    chances = winning_chances(share * held, voters=folds[0], keep=keep)
    centres = layout.centre(np.arange(layout.bins))
    reach = 3 * layout.delta * layout.half
    residual = np.clip(law.points[:, None] - centres, -reach, reach)
    mean, square = law.weights @ residual, law.weights @ residual**2
    noise = 2 * (2 * reach / protocol.epsilon) ** 2
    spread = float(chances @ square) / folds[-1] / share**2  # the other components' residuals are of the same size
    part = 0.0
    if protocol.components > 1:
        rate = (1 - keep) + (2 * keep - 1) * share
        part = rate * (1 - rate) / (2 * keep - 1) ** 2 / folds[1] / share**2
    off = (centres + mean - law.mean) ** 2
    truth, apart = np.array(places(protocol)), (protocol.high - protocol.low) / protocol.components
    for index in np.flatnonzero(np.abs(centres - law.mean) > apart / 2):
        # Lost, and another bin in its place: components are told apart by their order alone.
        found = np.sort(np.concatenate((np.delete(truth, k), centres[index : index + 1])))
        off[index] = ((found - truth) ** 2).sum()
    return Prediction(
        sampling=spread,
        privacy=noise / folds[-1] / share**2 + float(chances @ (mean**2)) * part,
        localisation=float(chances @ off),
    )


def users_per_round(protocol: MixtureMeans) -> tuple[int, ...]:
    """Fold sizes."""
    return tuple(part.count for part in split(protocol.users, len(protocol.stages)) if part is not None)


def words(protocol: MixtureMeans) -> str:
    """Components and bins."""
    layout = protocol.layout
    return f"{protocol.components} components, {layout.bins} bins (Δ = {layout.delta:.4g})"


def poisoning(protocol: MixtureMeans, crowd: Crowd) -> Poisoning:
    """Of one component's mean; a wrong bin wins once it is lit as often as the bin of the smallest component."""
    layout, share = protocol.layout, 1 / protocol.components
    keep = layout.vote_channel(exact(protocol.epsilon)).keep
    fullest = min(float(law.shares(edges(layout)).max()) for law in laws(protocol, crowd))
    reach = laplace_reach(6 * layout.delta * layout.half, protocol.epsilon) / share
    return Poisoning(reach=reach, capture=capture_share(keep, share * fullest) if layout.bins > 1 else None)
