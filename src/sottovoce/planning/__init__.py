"""Before anyone is asked: what a survey will be worth, and what it takes to reach a target."""

from __future__ import annotations

from sottovoce.planning.planner import load, loads, plan
from sottovoce.planning.plans import Plan
from sottovoce.planning.several import SeveralPlan, plan_several
from sottovoce.planning.solve import LIMITS

__all__ = [
    "LIMITS",
    "Plan",
    "SeveralPlan",
    "load",
    "loads",
    "plan",
    "plan_several",
]
