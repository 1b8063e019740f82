"""Usable settings, or a clear error; and users cut into folds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sottovoce.messages import MAX_SEED, Integers, InvalidInput, Slots, check_range

LONGEST_LABEL = 200


def is_whole(value: Any) -> bool:
    """An int that is no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_users(users: int, *, at_least: int = 1) -> None:
    """A usable number of users."""
    check_at_least("users", users, at_least)


def check_observations(observations: int) -> None:
    """A usable (typical, public) number of observations per user."""
    check_at_least("observations (per user)", observations, 1)


def check_confidence(confidence: float) -> None:
    """A usable confidence level."""
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise InvalidInput(rule=f"confidence must be a number, not {type(confidence).__name__}")
    if not 0 < confidence <= 1 - 1e-9:
        raise InvalidInput(
            rule="confidence must lie strictly between 0 and 1 (at most 1 − 1e-9)",
            got=confidence,
            fix=f"did you mean {confidence / 100:g}?" if 50 <= confidence < 100 else "",
        )


FINEST, FINEST_IN_A_BIN = 2.0**-32, 2.0**-24
"""Of a range, and of a bin: steps that numbers near their ends can still take. A day in seconds since 1970 has them."""


def check_declared(low: float, high: float, *, names: str = "low and high", finest: float = FINEST) -> None:
    """A declared range, or a bin, wide enough to work with, also far from zero, where numbers are coarse."""
    check_range(low, high)
    width, step = high - low, (high - low) * finest
    if not (low + step > low and high - step < high and 1e-120 < width < 1e120):
        raise InvalidInput(
            rule=f"{names} must be numbers that can be told apart, less than 1e120 and more than 1e-120 apart",
            wrong=f"got {low!r} and {high!r}; far from zero, declare the observations less a constant",
        )


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """One of a few words."""
    if value not in allowed:
        fields = {"setting": name, "choices": tuple(allowed)}
        raise InvalidInput(
            rule=f"{name} must be one of {', '.join(allowed)}", got=value, code="unknown-choice", fields=fields
        )


def check_labels(name: str, labels: Any) -> None:
    """Refuse labels that are no text, too long, or not different."""
    if not isinstance(labels, tuple) or not all(isinstance(label, str) for label in labels):
        raise InvalidInput(rule=f"{name} must be labels, as text")
    if not all(0 < len(label) <= LONGEST_LABEL and label.isprintable() for label in labels):
        raise InvalidInput(f"a label has 1 to {LONGEST_LABEL} printable characters; one of the {name} has not")
    if len(set(labels)) < len(labels):
        raise InvalidInput(rule=f"{name} must differ", wrong="one of them is declared twice")


def check_positive(name: str, value: float | None, *, finite: bool = True) -> None:
    """A positive (finite) number, or nothing given."""
    if value is not None and not 0 < value < math.inf:
        raise InvalidInput(rule=f"{name} must be positive{' and finite' if finite else ''}", got=value)


def check_at_least(name: str, value: int, least: int) -> None:
    """A whole number from `least` on."""
    if not is_whole(value) or value < least:
        raise InvalidInput(rule=f"{name} must be a whole number, at least {least}", got=value)


def check_size(name: str, value: int, most: int, *, least: int = 1) -> None:
    """A whole number within limits."""
    if not is_whole(value) or not least <= value <= most:
        raise InvalidInput(rule=f"{name} must be a whole number from {least} to {most}", got=value)


def check_public_seed(seed: int) -> None:
    """A seed that a question can carry."""
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise InvalidInput(rule="public_seed must be a whole number from 0 to 2^53", got=seed)


def check_length(name: str, values: Sequence[object], dimension: int) -> None:
    """One entry for each coordinate."""
    if not isinstance(values, tuple):
        raise InvalidInput(rule=f"{name} must be a tuple of {dimension} entries, not a {type(values).__name__}")
    if len(values) != dimension:
        raise InvalidInput(
            f"{name} has {len(values)} entries", fix=f"dimension={dimension} needs one for each coordinate"
        )


def split_into_folds(users: int, parts: int) -> tuple[Slots | None, ...]:
    """Consecutive folds as even as possible: every slot in exactly one. A fold that would be empty is None."""
    bounds = [users * part // parts for part in range(parts + 1)]
    pairs = itertools.pairwise(bounds)
    return tuple(Slots(first=start, count=stop - start) if stop > start else None for start, stop in pairs)


def all_slots(users: int) -> Slots:
    """The slots of all users."""
    return Slots(first=0, count=users)


def typical_observations(sizes: Integers) -> int:
    """How many observations speak for a user: (mean of √T_i)², since errors go with 1/√T_i."""
    root = float(np.sqrt(sizes).mean())
    return max(1, round(root * root))
