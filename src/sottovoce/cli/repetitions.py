"""The same survey many times: how far its estimates fall from the truth, and how often its interval holds it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.messages import Estimate


@dataclass(frozen=True, kw_only=True)
class Performance:
    """What repetitions show. Every ``…_se`` is the standard error of the figure before it; None for one repetition."""

    mean_estimate: float
    rmse: float
    rmse_se: float | None
    bias: float
    bias_se: float | None
    halfwidth: float
    coverage: float
    coverage_se: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def performance(estimates: Sequence[Estimate], *, truth: float) -> Performance:
    """Sum up repetitions of one method."""
    count = len(estimates)
    errors = [estimate.value - truth for estimate in estimates]
    rmse = math.hypot(*errors) / math.sqrt(count)
    hits = sum(estimate.interval[0] <= truth <= estimate.interval[1] for estimate in estimates)
    likely = (hits + 2) / (count + 4)  # Agresti and Coull: all hits in few repetitions do not make a certainty
    return Performance(
        mean_estimate=mean([estimate.value for estimate in estimates]),
        rmse=rmse,
        rmse_se=_rmse_error(errors, rmse) if count > 1 and rmse > 0 else None,
        bias=mean(errors),
        bias_se=standard_error(errors) if count > 1 else None,
        halfwidth=mean([estimate.halfwidth for estimate in estimates]),
        coverage=hits / count,
        coverage_se=math.sqrt(likely * (1 - likely) / (count + 4)),
    )


def mean(values: Sequence[float]) -> float:
    """The average."""
    return math.fsum(value / len(values) for value in values)


def standard_error(values: Sequence[float]) -> float:
    """The standard error of the average of two values or more."""
    centre = mean(values)
    return math.hypot(*(value - centre for value in values)) / math.sqrt(len(values) * (len(values) - 1))


def _rmse_error(errors: Sequence[float], rmse: float) -> float:
    """By the delta method, in units of the error itself so that nothing overflows."""
    return rmse / 2 * standard_error([(error / rmse) ** 2 for error in errors])
