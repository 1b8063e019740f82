"""The answer about a mean."""

from __future__ import annotations

from sottovoce.answers import Estimate, Privacy, StandardError
from sottovoce.problems.mean.settings import Mean


def answered(
    settings: Mean,
    method: str,
    value: float,
    interval: tuple[float, float],
    kind: str,
    error: StandardError,
    users: tuple[int, ...],
    warnings: tuple[str, ...] = (),
) -> Estimate:
    """One number with its interval."""
    return Estimate(
        value=value,
        interval=interval,
        confidence=settings.confidence,
        interval_kind=kind,
        standard_error=error,
        users_per_round=users,
        privacy=Privacy(
            epsilon=settings.epsilon, protects="its whole collection", users=settings.users, rounds=len(users)
        ),
        method=method,
        reason="asked for",
        low=settings.low,
        high=settings.high,
        warnings=warnings,
    )
