"""The error of choosing from a cover: of one coordinate of the chosen centre, on average over coordinates."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput, design
from sottovoce.messages.exact import exact
from sottovoce.planning.law import Crowd
from sottovoce.planning.poisoning import Poisoning
from sottovoce.planning.prediction import Prediction
from sottovoce.planning.votes import winning_chances
from sottovoce.protocols.cover import CoverSelect

Floats = NDArray[np.float64]
_DRAWS = 4096


def predict(protocol: CoverSelect, crowd: Crowd) -> Prediction:
    """Users alike whose averages spread by `spread` in every coordinate (or by `law`), around the cover's middle.

    The distance from the truth to its nearest centre is `omission`, the chance of another centre times its distance
    `localisation`; nothing is averaged, so there is no other cause.
    """
    centres = _centres(protocol)
    truth = np.full(centres.shape[1], crowd.around) if crowd.around is not None else _middle(centres)
    held = shares(protocol, crowd, truth)
    distances = ((centres - truth) ** 2).mean(axis=1)
    keep, base = _rates(protocol)
    chances = winning_chances(held, voters=protocol.users, keep=keep, base=base)
    nearest = float(distances.min())
    return Prediction(sampling=0.0, privacy=0.0, localisation=float(chances @ (distances - nearest)), omission=nearest)


def _centres(protocol: CoverSelect) -> Floats:
    if protocol.centres is None:
        raise InvalidInput("a cover given by its size alone has no distances; a plan needs centres")
    return np.asarray(protocol.centres, dtype=np.float64)


def _middle(centres: Floats) -> Floats:
    """A point about halfway between the middle centre and its nearest neighbour: nearly the worst place."""
    middle = centres[((centres - centres.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    others = ((centres - middle) ** 2).sum(axis=1)
    next_ = centres[np.where(others > 0, others, np.inf).argmin()]
    return np.asarray(middle + 0.45 * (next_ - middle))


def shares(protocol: CoverSelect, crowd: Crowd, truth: Floats) -> Floats:
    """How many users are nearest to each centre, from a fixed sample of a bell."""
    centres = _centres(protocol)
    own = 0.0 if crowd.within is None else crowd.within
    deviation = math.hypot(crowd.spread, own)
    bell = np.random.Generator(np.random.PCG64(1)).standard_normal((_DRAWS, centres.shape[1]))
    points = truth + deviation * bell
    apart = np.abs(points[:, None, :] - centres[None, :, :])
    far = (apart**2).sum(axis=2) if protocol.metric == "l2" else apart.max(axis=2)
    return np.asarray(np.bincount(far.argmin(axis=1), minlength=len(centres)) / _DRAWS)


def _rates(protocol: CoverSelect) -> tuple[float, float]:
    """The chance that a centre is lit by one who holds it, and by one who does not."""
    budget = exact(protocol.epsilon)
    if protocol.vote == "subset":
        return design.subset(budget, protocol.count).inclusion
    keep = design.unary(budget, protocol.count).keep
    return keep, 1 - keep


def poisoning(protocol: CoverSelect, crowd: Crowd) -> Poisoning:
    """The share that makes a wrong centre win; nothing moves before."""
    centres = _centres(protocol)
    truth = np.full(centres.shape[1], crowd.around) if crowd.around is not None else _middle(centres)
    keep, base = _rates(protocol)
    pull = (keep - base) * float(shares(protocol, crowd, truth).max())
    return Poisoning(reach=0.0, capture=pull / (1 + pull))


def words(protocol: CoverSelect) -> str:
    """Centres."""
    return f"{protocol.vote} votes over {protocol.count:,} centres"


def full_scale(protocol: CoverSelect) -> float:
    """Half the width of the cover."""
    centres = _centres(protocol)
    return float(np.ptp(centres, axis=0).max()) / 2
