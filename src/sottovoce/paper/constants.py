"""The budgets of the paper's experiments."""

from __future__ import annotations

ALPHAS = (0.5, 1.0, 2.0, 4.0)
