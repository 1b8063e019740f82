"""One call from data to estimate: a rehearsal of a survey, on data that one analyst happens to hold."""

from __future__ import annotations

from sottovoce.functions.common import engine, typical
from sottovoce.functions.mean import mean
from sottovoce.functions.plan import plan

__all__ = ["engine", "mean", "plan", "typical"]
