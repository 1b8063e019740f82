"""How the interval of a mean may be broken: one mistake each, none of which a device could see.

Reports are as private as they should be; what is made of them is not right. So the audit has no layer for these: the
contract that questions keep, or how often an end fails, has to show each.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import numpy as np

from sottovoce.answers import upper_quantile
from sottovoce.methods import bent_table
from sottovoce.methods.bent_table import LEVELS, BentReading, BentTable

_RIGHT_END, _RIGHT_DECODE = BentReading.end, BentTable.decode.func  # type: ignore[attr-defined]


@dataclass(frozen=True)
class TailMutant:
    """A mistake, what must see it, and what puts it in place."""

    name: str
    mistake: str
    seen_by: str
    """``"contract"`` or ``"ends"``."""
    broken: Callable[[], AbstractContextManager[Any]]


def _decode(changed: Callable[[BentTable], Any]) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: mock.patch.object(BentTable, "decode", property(changed))


def _on_even_knots(table: BentTable) -> Any:
    return _RIGHT_DECODE(replace(table, knots=np.linspace(-1, 1, len(table.knots))))


def _shrunk(table: BentTable) -> Any:
    core, lower, upper = _RIGHT_DECODE(table)
    return np.stack((core, core + 0.98 * (lower - core), core + 0.98 * (upper - core)))


def _as_one(level: float, error: float, alike: Any) -> tuple[Any, Any]:
    return upper_quantile(error), upper_quantile(error)


def _fully_alike(reading: BentReading, own: int, other: int) -> Any:
    return np.ones_like(reading.reports)


def _best_of_all_levels(reading: BentReading, error: float, level: float, *, upward: bool) -> Any:
    ends = [_RIGHT_END(reading, error, one, upward=upward) for one in LEVELS]
    return np.minimum.reduce(ends) if upward else np.maximum.reduce(ends)


TAIL_MUTANTS = (
    TailMutant("knots taken for even", "decoded as if nodes lay evenly", "contract", _decode(_on_even_knots)),
    TailMutant("tails shrunk", "two per cent off every tail: less noise, and a bias", "contract", _decode(_shrunk)),
    TailMutant(
        "two bounds for one", "the nearer of two bounds, each at the whole level", "ends",
        lambda: mock.patch.object(bent_table, "reaches", _as_one),
    ),
    TailMutant(
        "bounds taken for alike", "what two bounds do not have in common is forgotten", "ends",
        lambda: mock.patch.object(BentReading, "_alike", _fully_alike),
    ),
    TailMutant(
        "levels chosen last", "the nearest of several ends, once the reports are known", "ends",
        lambda: mock.patch.object(BentReading, "end", _best_of_all_levels),
    ),
)  # fmt: skip
