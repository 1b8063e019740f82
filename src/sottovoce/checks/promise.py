"""A promise that is kept, or not."""

from __future__ import annotations


class ContractError(AssertionError):
    """A promise of the contract is not kept."""


def require(condition: bool, promise: str) -> None:
    """The promise is kept, or `ContractError`."""
    if not condition:
        raise ContractError(promise)
