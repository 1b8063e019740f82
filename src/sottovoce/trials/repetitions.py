"""The same survey many times: how far its answers fall from the truth, and how often its intervals hold it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sottovoce.messages import Fact
from sottovoce.problems import Score


@dataclass(frozen=True, kw_only=True)
class Performance:
    """What repetitions show. Every ``…_se`` is the standard error of the figure before it; None for one repetition.

    `figures` are averages of what a problem measures besides (bias, half-width …), each with its standard error.
    """

    mse: float
    mse_se: float | None
    rmse: float
    rmse_se: float | None
    coverage: float | None
    coverage_se: float | None
    figures: dict[str, float]
    figures_se: dict[str, float | None]

    @property
    def held(self) -> Fact | None:
        """The share of intervals that hold the truth, or nothing where there are none."""
        return None if self.coverage is None else Fact("trial-held", share=self.coverage, error=self.coverage_se)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def performance(scores: Sequence[Score]) -> Performance:
    """Sum up repetitions of one method."""
    errors = [score.squared_error for score in scores]
    held = [score.covered for score in scores if score.covered is not None]
    mse, mse_se = mean(errors), standard_error(errors)
    rmse = math.sqrt(mse)
    coverage_se = standard_error(held) if held else None
    if held and not coverage_se:  # Agresti and Coull: all alike in few repetitions does not make a certainty
        likely = (sum(held) + 2) / (len(held) + 4)
        coverage_se = math.sqrt(likely * (1 - likely) / (len(held) + 4))
    names = dict.fromkeys(name for score in scores for name in score.figures)
    columns = {name: [score.figures[name] for score in scores if name in score.figures] for name in names}
    return Performance(
        mse=mse,
        mse_se=mse_se,
        rmse=rmse,
        rmse_se=None if mse_se is None or rmse == 0 else mse_se / (2 * rmse),
        coverage=mean(held) if held else None,
        coverage_se=coverage_se,
        figures={name: mean(column) for name, column in columns.items()},
        figures_se={name: standard_error(column) for name, column in columns.items()},
    )


def mean(values: Sequence[float]) -> float:
    """The average."""
    return math.fsum(value / len(values) for value in values)


def standard_error(values: Sequence[float]) -> float | None:
    """The standard error of the average; None for a single value."""
    if len(values) < 2:
        return None
    centre = mean(values)
    return math.hypot(*(value - centre for value in values)) / math.sqrt(len(values) * (len(values) - 1))
