"""Before anyone is asked: what a survey will be worth, and what it takes to reach a target."""

from __future__ import annotations

from sottovoce.planning.files import load
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.plan import Plan
from sottovoce.planning.prediction import Prediction

__all__ = ["Crowd", "Law", "Plan", "Prediction", "load"]
