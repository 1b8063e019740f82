"""The answer about a mean."""

from __future__ import annotations

from sottovoce.answers import Estimate, Privacy, StandardError
from sottovoce.problems.mean.settings import Mean

WHATEVER = "whatever the users are"
"""What a guarded interval assumes."""
NOT_SHRUNK = "shrink is for few users on the full range: this value is not pulled toward the middle"


def answered(
    settings: Mean,
    method: str,
    value: float,
    interval: tuple[float, float],
    kind: str,
    error: StandardError,
    users: tuple[int, ...],
    warnings: tuple[str, ...] = (),
    assumes: str = "",
    shrunk: bool = False,
) -> Estimate:
    """One number with its interval; `shrunk`: what the caller wanted is done, so that no warning says otherwise."""
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
        warnings=(*warnings, NOT_SHRUNK) if settings.shrink and not shrunk else warnings,
        assumes=assumes,
    )
