"""The error of a coordinate, where users are shared out over coordinates: vectors, and what is built of them."""

from __future__ import annotations

import math
from dataclasses import replace

from sottovoce.planning import full_range, localised
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.poisoning import Poisoning, laplace_reach, table_reach
from sottovoce.planning.prediction import Prediction, average, worst
from sottovoce.protocols import one_round
from sottovoce.protocols.group_means import GroupMeans
from sottovoce.protocols.vector import VectorMean

_PLACES = (-1.15, -0.32, 0.32, 1.15)
"""Quartile middles of a bell: where a rotated coordinate of a vector of length √D may lie."""


def group_risk(folds: GroupMeans, law: Law) -> Prediction:
    """Of one group of `protocols.group_means`."""
    users = folds.slots.count * folds.share.uses / folds.groups
    if folds.kind == "one-round":
        return full_range.risk(law, users=users, low=folds.low, high=folds.high, epsilon=folds.epsilon)
    voters = 0 if folds.voters is None else round(folds.voters.count * folds.share.uses / folds.groups)
    return localised.risk(
        folds.layout,
        law,
        voters=voters,
        refiners=users - voters,
        epsilon=folds.share.spent,
        uses=folds.share.uses,
    )


def group_step(folds: GroupMeans) -> float:
    """The width of a bin of the vote; zero where nothing is voted on."""
    return 0.0 if folds.voters is None else folds.layout.delta * (folds.high - folds.low)


def vector(protocol: VectorMean, crowd: Crowd) -> Prediction:
    """Of a coordinate, on average over coordinates; for a ball, over rotated ones, which is the same."""
    if protocol.ball == "l2":
        reach = _reach(protocol)
        return average([_coordinate(protocol, law, -reach, reach) for law in _ball_laws(protocol, crowd)])
    ends = list(zip(*protocol.ranges, strict=True))
    each = {
        pair: worst(_coordinate(protocol, law, *pair) for law in _laws(protocol, crowd, *pair)) for pair in set(ends)
    }
    return average([each[pair] for pair in ends])


def _laws(protocol: VectorMean, crowd: Crowd, low: float, high: float) -> list[Law]:
    crowd.check_range(low, high)
    method = protocol.chosen[0]
    step = 0.0 if method == "one-round" else protocol.folds(method).layout.delta * (high - low)
    return [
        crowd.averages(centre=centre, observations=protocol.kept(method), low=low, high=high)
        for centre in crowd.centres(low, high, step=step)
    ]


def _coordinate(protocol: VectorMean, law: Law, low: float, high: float) -> Prediction:
    method = protocol.chosen[0]
    if method == "one-round":
        users = protocol.users / protocol.groups
        clamp = protocol.ball == "linf"
        return full_range.risk(law, users=users, low=low, high=high, epsilon=protocol.epsilon, clamp=clamp)
    folds = protocol.folds(method)
    parts = folds.parts()
    each = folds.share.uses / folds.share.groups
    return localised.risk(
        replace(folds.layout, low=low, high=high),
        law,
        voters=round(parts[0].count * each) if folds.localising else 0,
        refiners=parts[-1].count * each,
        epsilon=folds.share.spent,
        uses=folds.share.uses,
    )


def _reach(protocol: VectorMean) -> float:
    return protocol.radius * (protocol.one_round.narrowed if protocol.chosen[0] == "one-round" else 1.0)


def _ball_laws(protocol: VectorMean, crowd: Crowd) -> list[Law]:
    """A rotation spreads length evenly: a rotated coordinate has the average variance, and lies near length/√D."""
    radius, groups, dimension = protocol.radius, protocol.groups, protocol.dimension
    crowd.check_range(-radius, radius)
    shrink, reach = math.sqrt(dimension / groups), _reach(protocol)
    limit = radius / math.sqrt(groups)  # no observation in the ball is farther from the mean, on average
    within = limit if crowd.within is None else min(limit, crowd.within * shrink)
    turned = replace(crowd, within=within, spread=min(limit, crowd.spread * shrink), around=None)
    size = 0.5 * limit if crowd.around is None else abs(crowd.around) * shrink
    return [
        turned.averages(
            centre=min(reach, max(-reach, place * size)), observations=protocol.observations, low=-reach, high=reach
        )
        for place in _PLACES
    ]


def vector_rounds(protocol: VectorMean) -> tuple[int, ...]:
    """Fold sizes."""
    method = protocol.chosen[0]
    return (protocol.users,) if method == "one-round" else tuple(part.count for part in protocol.folds(method).parts())


def vector_variants(template: VectorMean, crowd: Crowd) -> tuple[VectorMean, ...]:
    """One round, or localising where there are users enough."""
    if template.method != "auto":
        return (template,)
    single = replace(template, method="one-round")
    return (single,) if template.users < 4 * template.groups else (single, replace(template, method="paper"))


def vector_words(protocol: VectorMean) -> str:
    """Bins and folds."""
    method = protocol.chosen[0]
    if method == "one-round":
        return f"{protocol.groups} folds, one coordinate each"
    folds = protocol.folds(method)
    return f"{folds.layout.bins} bins (Δ = {folds.layout.delta:.4g}), {protocol.groups} folds a round"


def vector_poisoning(protocol: VectorMean, crowd: Crowd) -> Poisoning:
    """Of one coordinate; colluders who all answer for it are no larger a share of its fold than of all users.

    Slots are dealt at random, so colluders cannot choose their coordinate.
    """
    method = protocol.chosen[0]
    width = max(high - low for low, high in zip(*protocol.ranges, strict=True))
    if method == "one-round":
        return Poisoning(reach=table_reach(one_round.best_table(protocol.epsilon), width * protocol.one_round.narrowed))
    folds = protocol.folds(method)
    if not folds.localising:
        return Poisoning(reach=laplace_reach(width, folds.share.each))
    low, high = (
        (-protocol.radius, protocol.radius) if protocol.ball == "l2" else (protocol.ranges[0][0], protocol.ranges[1][0])
    )
    laws = _ball_laws(protocol, crowd) if protocol.ball == "l2" else _laws(protocol, crowd, low, high)
    layout = replace(folds.layout, low=low, high=high)
    return Poisoning(
        reach=laplace_reach(width * (1 + layout.margin) * layout.delta, folds.share.each),
        capture=localised.capture(layout, laws, epsilon=folds.share.spent, uses=folds.share.uses),
    )
