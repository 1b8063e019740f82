"""Methods side by side: run each on the same repetitions, then show what it gives and what it protects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sottovoce.cli import terminal
from sottovoce.cli.methods import protocol
from sottovoce.cli.populations import Population
from sottovoce.cli.repetitions import Performance, performance
from sottovoce.engines import run, simulate
from sottovoce.messages import Estimate, InvalidInput, Malformed, Question
from sottovoce.protocols import Protocol


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method's performance, or why it cannot run."""

    method: str
    ran: str = ""
    reason: str = ""
    protects: str = ""
    collection_epsilon: float = 0.0
    performance: Performance | None = None
    impossible: str = ""

    def to_dict(self) -> dict[str, Any]:
        if self.performance is None:
            return {"method": self.method, "impossible": self.impossible}
        return {
            "method": self.method,
            "ran": self.ran,
            "reason": self.reason,
            "protects": self.protects,
            "collection_epsilon": self.collection_epsilon,
        } | self.performance.to_dict()


def compare(
    methods: Sequence[str],
    population: Population,
    *,
    epsilon: float,
    low: float,
    high: float,
    confidence: float,
    repetitions: int,
    seed: int,
    strict: bool,
    done: Callable[[], object],
) -> list[Row]:
    """Run every method on the same users with the same seeds. Unless `strict`, one that cannot run says why instead."""
    surveys: dict[str, tuple[Protocol[Estimate], float]] = {}
    rows: dict[str, Row] = {}
    for method in methods:
        try:
            survey = protocol(
                method,
                epsilon=epsilon,
                low=low,
                high=high,
                users=population.users,
                observations=population.observations,
                confidence=confidence,
            )
            first = survey.decide(())
        except (InvalidInput, Malformed) as error:
            if strict:
                raise
            rows[method] = Row(method=method, impossible=str(error))
            continue
        assert isinstance(first, Question)
        surveys[method] = survey, first.epsilon
    found: dict[str, list[Estimate]] = {method: [] for method in surveys}
    for repetition in range(repetitions):
        people = population.draw(seed=seed, repetition=repetition)
        for method, (survey, _) in surveys.items():
            found[method].append(run(survey, simulate(people, seed=seed, repetition=repetition)))
        done()
    for method, (_, spent) in surveys.items():
        last = found[method][-1]
        rows[method] = Row(
            method=method,
            ran=last.method,
            reason=last.reason,
            protects=last.privacy.protects,
            collection_epsilon=spent,
            performance=performance(found[method], truth=population.truth),
        )
    return [rows[method] for method in methods]


def form(rows: Sequence[Row]) -> str:
    """How to write the figures: with three digits of the middle one of the errors."""
    errors = sorted(row.performance.rmse for row in rows if row.performance is not None)
    middle = errors[len(errors) // 2] if errors else 0.0
    if not 1e-7 < middle < 1e7:
        return ".3g"
    return f".{max(0, 2 - math.floor(math.log10(middle)))}f"


def one(row: Row, confidence: float) -> list[str]:
    """One method, a line for each figure."""
    result, spec = row.performance, form([row])
    assert result is not None
    lines = [
        ("estimates", f"{result.mean_estimate:{spec}} on average"),
        ("RMSE", f"{result.rmse:{spec}}{_give_or_take(result.rmse_se, spec)}"),
        ("bias", f"{result.bias:+{spec}}{_give_or_take(result.bias_se, spec)}"),
        ("half-width", f"{result.halfwidth:{spec}} on average"),
        ("coverage", f"{_coverage(result)} of the intervals hold the truth; {100 * confidence:g}% is the aim"),
        ("method", f"{row.ran}: {row.reason}"),
        ("protects", row.protects),
    ]
    return [terminal.labelled(label, text) for label, text in lines]


def side_by_side(rows: Sequence[Row]) -> list[str]:
    """A table of the methods that ran, then those that could not."""
    header = ("method", "RMSE", "", "bias", "half-width", "coverage", "protects")
    spec = form(rows)
    cells = [_cells(row, row.performance, spec) for row in rows if row.performance is not None]
    silent = [row for row in rows if row.performance is None]
    return [
        *terminal.table(header, cells, left=(0, 2, 6), indent=0),
        *(terminal.labelled(row.method, f"cannot run: {row.impossible}") for row in silent),
    ]


def _cells(row: Row, result: Performance, spec: str) -> tuple[str, ...]:
    whole = row.protects == "its whole collection"
    return (
        row.method if row.method == row.ran else f"{row.method} ({row.ran})",
        f"{result.rmse:{spec}}",
        _give_or_take(result.rmse_se, spec).strip(),
        f"{result.bias:+{spec}}",
        f"{result.halfwidth:{spec}}",
        _coverage(result),
        "whole collection" if whole else f"one item (all: ε = {row.collection_epsilon:g})",
    )


def _give_or_take(error: float | None, spec: str) -> str:
    return "" if error is None else f" ± {error:{spec}}"


def _coverage(result: Performance) -> str:
    return f"{result.coverage:.1%} ± {result.coverage_se:.1%}"
