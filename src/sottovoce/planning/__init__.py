"""Before anyone is asked: what a survey will be worth, and what it takes to reach a target."""

from __future__ import annotations

from sottovoce.planning.planner import load, loads, plan
from sottovoce.planning.plans import Change, Plan
from sottovoce.planning.several import PartPlan, SeveralPlan, plan_several
from sottovoce.planning.solve import LIMITS, Solution, solve

__all__ = [
    "LIMITS",
    "Change",
    "PartPlan",
    "Plan",
    "SeveralPlan",
    "Solution",
    "load",
    "loads",
    "plan",
    "plan_several",
    "solve",
]
