"""From tallies to the answer of a sparse mean: scores of votes, intervals, warnings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sottovoce.messages import Laplace, Privacy, Question, SparseEstimate, StandardError, Tally
from sottovoce.protocols.base import two_sided, within
from sottovoce.protocols.group_means import Floats, Means

if TYPE_CHECKING:
    from sottovoce.protocols.sparse import SparseMean


def scores(protocol: SparseMean, asked: Question, tally: Tally) -> tuple[Floats, float]:
    """The mean signed vote for each coordinate (L608), and the standard deviation it has for a coordinate of zero."""
    assert isinstance(asked.channel, Laplace)
    unit, votes = protocol.eta / asked.channel.steps, tally.reports[0]
    cells = np.array(tally.cells[0], dtype=np.float64)
    return unit * cells[:-1] / votes, unit * math.sqrt(cells[-1]) / votes


def selected(
    protocol: SparseMean,
    tallies: tuple[Tally, ...],
    support: tuple[int, ...],
    votes: Floats,
    noise: float,
    means: Means | None,
    reason: str,
) -> SparseEstimate:
    """The selected coordinates as refined, the others zero."""
    reach = min(2 * protocol.threshold, max(protocol.high, -protocol.low))
    outside = within((-reach, reach), protocol.low, protocol.high)
    lowest = min((votes[index] for index in support), default=0.0)
    warnings = []
    if lowest < noise * math.sqrt(2 * math.log(max(2, protocol.dimension))):
        warnings.append(
            "some selected coordinates have no more votes than chance gives to one of zero: more users, more "
            "observations, a larger epsilon or a smaller sparsity would settle it"
        )
    if protocol.threshold >= max(protocol.high, -protocol.low):
        warnings.append("too few observations: no average can be far enough from zero to get a vote")
    return _estimate(
        protocol,
        tallies,
        support,
        means,
        np.arange(len(support)),
        ([outside] * protocol.dimension, [outside] * protocol.dimension),
        f"not selected: zero, by the votes within {reach:.3g} of it (L2498, where votes are right)",
        reason,
        tuple(warnings),
    )


def thresholded(
    protocol: SparseMean, tallies: tuple[Tally, ...], means: Means, smallest: float, reason: str
) -> SparseEstimate:
    """The `sparsity` largest coordinates that exceed `smallest` in size, the others zero (L631)."""
    size = np.abs(means.value)
    order = np.argsort(-size, kind="stable")[: protocol.sparsity]
    support = tuple(int(index) for index in order if size[index] > smallest)
    outside, everywhere = (
        [  # what was measured before it was set to zero, and zero itself
            within((min(0.0, value - one), max(0.0, value + one)), protocol.low, protocol.high)
            for value, one in zip(means.value.tolist(), (two_sided(level) * means.deviation).tolist(), strict=True)
        ]
        for level in (protocol.confidence, _joint_level(protocol))
    )
    warnings: tuple[str, ...] = ()
    if smallest >= max(protocol.high, -protocol.low):
        warnings = ("too few users or observations: no coordinate can exceed the threshold",)
    return _estimate(
        protocol,
        tallies,
        support,
        means,
        np.array(support, dtype=np.int64),
        (outside, everywhere),
        f"not selected: zero; its own estimate was at most {smallest:.3g} in size, or among the smaller ones",
        reason,
        warnings,
    )


def _joint_level(protocol: SparseMean) -> float:
    """Bonferroni over all coordinates: the support was chosen from the same data."""
    return 1 - (1 - protocol.confidence) / protocol.dimension


def _estimate(
    protocol: SparseMean,
    tallies: tuple[Tally, ...],
    support: tuple[int, ...],
    means: Means | None,
    places: np.ndarray,
    outside: tuple[list[tuple[float, float]], list[tuple[float, float]]],
    left_out: str,
    reason: str,
    warnings: tuple[str, ...],
) -> SparseEstimate:
    value = [0.0] * protocol.dimension
    intervals, everywhere = map(list, outside)
    nothing = StandardError(sampling=0.0, privacy=0.0)
    errors = [nothing] * protocol.dimension
    uses = 1 if means is None else means.uses
    hashed = 1 if protocol.chosen[0] == "selection" else 0  # the round of votes has one use
    single = two_sided(protocol.confidence)
    jointly = two_sided(_joint_level(protocol))
    for index, place in zip(support, places, strict=True):
        assert means is not None
        parts = [float(part[place]) for part in (means.sampling, means.privacy, means.localisation)]
        value[index] = float(means.value[place])
        error = StandardError(
            sampling=math.sqrt(parts[0]), privacy=math.sqrt(parts[1]), localisation=math.sqrt(parts[2])
        )
        errors[index] = error
        for pairs, z in ((intervals, single), (everywhere, jointly)):
            ends = value[index] - z * error.total, value[index] + z * error.total
            pairs[index] = within(ends, protocol.low, protocol.high)
    return SparseEstimate(
        value=tuple(value),
        intervals=tuple(intervals),
        simultaneous=tuple(everywhere),
        standard_error=tuple(errors),
        low=(protocol.low,) * protocol.dimension,
        high=(protocol.high,) * protocol.dimension,
        names=protocol.names or tuple(f"x{index + 1}" for index in range(protocol.dimension)),
        support=support,
        left_out=left_out,
        confidence=protocol.confidence,
        interval_kind="model: users alike, and the votes right",
        users_per_round=tuple(
            sum(tally.reports) // (1 if number < hashed else uses) for number, tally in enumerate(tallies)
        ),
        privacy=Privacy(
            epsilon=protocol.epsilon,
            protects="its whole collection, every coordinate",
            users=protocol.users,
            rounds=len(tallies),
        ),
        method=f"{protocol.method}, {protocol.chosen[0]}",
        reason=reason,
        warnings=warnings,
    )
