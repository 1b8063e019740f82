"""The contract suite, and a survey that only tests plumbing.

The checks are loaded on first use: who runs a `Dummy` pays for no audit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sottovoce.checks.dummy import Dummy

if TYPE_CHECKING:
    from sottovoce.audit.law import law as law
    from sottovoce.checks.contract import ChannelFigures as ChannelFigures
    from sottovoce.checks.contract import ContractError as ContractError
    from sottovoce.checks.contract import check_channel as check_channel
    from sottovoce.checks.contract import check_encoder as check_encoder
    from sottovoce.checks.contract import check_engine as check_engine
    from sottovoce.checks.contract import check_partitions as check_partitions
    from sottovoce.checks.contract import check_protocol as check_protocol
    from sottovoce.checks.contract import enumerated_ratio as enumerated_ratio
    from sottovoce.checks.contract import sampler_p_value as sampler_p_value

__all__ = [
    "ChannelFigures",
    "ContractError",
    "Dummy",
    "check_channel",
    "check_encoder",
    "check_engine",
    "check_partitions",
    "check_protocol",
    "enumerated_ratio",
    "law",
    "sampler_p_value",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'sottovoce.checks' has no attribute {name!r}")
    value = getattr(import_module("sottovoce.checks.contract"), name)
    globals()[name] = value
    return value
