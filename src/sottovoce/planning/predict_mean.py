"""The error of a mean: one round, or localise and refine."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sottovoce.messages import InvalidInput
from sottovoce.messages.exact import exact
from sottovoce.planning import full_range, localised
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.poisoning import Poisoning, laplace_reach, table_reach
from sottovoce.planning.prediction import Prediction, worst
from sottovoce.protocols import one_round
from sottovoce.protocols.mean import LOCALISING_PAYS_BELOW, Mean


def predict(protocol: Mean, crowd: Crowd) -> Prediction:
    """Of the method that the protocol runs; the worst of the places that the crowd leaves open."""
    return worst(_risk(protocol, law) for law in laws(protocol, crowd))


def worst_law(protocol: Mean, crowd: Crowd) -> Law:
    """The users' averages for which `predict` speaks."""
    return max(laws(protocol, crowd), key=lambda law: _risk(protocol, law).mse)


def laws(protocol: Mean, crowd: Crowd) -> list[Law]:
    """The users' averages at each place that the crowd leaves open."""
    low, high, method = protocol.low, protocol.high, protocol.chosen[0]
    crowd.check_range(low, high)
    step = 0.0 if method == "one-round" else protocol.layout_for(method).delta * (high - low)
    kept = protocol.kept if method == "theory" else protocol.observations
    return [
        crowd.averages(centre=centre, observations=kept, low=low, high=high)
        for centre in crowd.centres(low, high, step=step)
    ]


def _risk(protocol: Mean, law: Law) -> Prediction:
    method = protocol.chosen[0]
    if method == "one-round":
        return full_range.risk(
            law, users=protocol.users, low=protocol.low, high=protocol.high, epsilon=protocol.epsilon, clamp=True
        )
    if method not in ("paper", "theory"):
        raise InvalidInput(f"no formula predicts the error of method {method!r}; sotto simulate mean measures it")
    layout = protocol.layout_for(method)
    voters = protocol.users // 2 if layout.bins > 1 else 0
    return localised.risk(layout, law, voters=voters, refiners=protocol.users - voters, epsilon=protocol.epsilon)


def users_per_round(protocol: Mean) -> tuple[int, ...]:
    """Fold sizes."""
    method = protocol.chosen[0]
    if method == "one-round" or protocol.layout_for(method).bins == 1 or protocol.users < 2:
        return (protocol.users,)
    return protocol.users // 2, protocol.users - protocol.users // 2


def variants(template: Mean, crowd: Crowd) -> tuple[Mean, ...]:
    """What ``"auto"`` chooses from: one round, or localising with bins of several sizes."""
    if template.method != "auto":
        return (template,)
    single, paper = replace(template, method="one-round"), replace(template, method="paper")
    if template.users < 4:
        return (single,)
    if template.delta is not None:
        return single, paper
    return single, paper, *(replace(paper, delta=delta) for delta in _deltas(paper, crowd))


def _deltas(paper: Mean, crowd: Crowd) -> list[float]:
    """Bin sizes worth a look besides that of the experiments, which is for observations as spread as can be.

    Bins go with the spread of the users' averages; concentrated users deserve finer ones.
    """
    default, half = paper.layout_for("paper").delta, (paper.high - paper.low) / 2
    spread = max(math.sqrt(law.variance) for law in laws(paper, crowd)) / half * math.sqrt(paper.observations)
    factors = [0.5, 0.7, 1.4] if spread > 0.9 else [part * spread for part in (0.5, 0.7, 1.0, 1.4)]
    finest = 1 / 2**14  # a vote for more bins would be a large report
    found = [default * factor for factor in factors if default * factor > finest]
    if not _settled(paper, min([default, *found])):  # too few voters for so many bins: coarser ones, too
        wide = 2 * default
        while wide < LOCALISING_PAYS_BELOW:
            found.append(wide)
            wide *= 2
    return found


def _settled(paper: Mean, delta: float) -> bool:
    """Whether a vote over bins of this size hardly ever fails: a rough count of standard errors between winners."""
    layout = replace(paper, delta=delta).layout_for("paper")
    keep = layout.vote_channel(exact(paper.epsilon)).keep
    gap = paper.users / 2 * (0.7 * (2 * keep - 1)) ** 2 / (2 * keep * (1 - keep))
    return gap / 2 > math.log(layout.bins) + 15


def poisoning(protocol: Mean, crowd: Crowd) -> Poisoning:
    """What colluders can do to the method that runs; votes are the easier to capture the more honest users spread."""
    method, width = protocol.chosen[0], protocol.high - protocol.low
    if method == "one-round":
        return Poisoning(reach=table_reach(one_round.best_table(protocol.epsilon), width))
    layout = protocol.layout_for(method)
    if len(users_per_round(protocol)) == 1:
        return Poisoning(reach=laplace_reach(width, protocol.epsilon))
    low, high = layout.widened(np.array([layout.bins // 2]))
    return Poisoning(
        reach=laplace_reach(float(high[0] - low[0]), protocol.epsilon),
        capture=localised.capture(layout, laws(protocol, crowd), epsilon=protocol.epsilon),
    )


def words(protocol: Mean) -> str:
    """The bins of the vote."""
    if len(users_per_round(protocol)) == 1:
        return "on the full range"
    layout = protocol.layout_for(protocol.chosen[0])
    return f"{layout.bins} bins (Δ = {layout.delta:.4g})"
