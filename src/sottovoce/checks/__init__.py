"""The contract that every channel, encoder, survey, engine and problem keeps. Run it on your own too.

Each check raises `ContractError` with what was broken, or returns the figures it saw. Statistical checks state
their false-alarm rate; everything else is exact.
"""

from __future__ import annotations

from sottovoce.checks.contract_checks import (
    ContractError,
    Dummy,
    check_channel,
    check_encoder,
    check_engine,
    check_partitions,
    check_protocol,
    enumerated_ratio,
    sampler_p_value,
)
from sottovoce.checks.manifest_promises import (
    DRIVEN,
    LATER,
    OPEN,
    announced,
    check_announced,
    check_freedom,
    driven,
    free,
)
from sottovoce.checks.problems import check_problem, made_up

__all__ = [
    "DRIVEN",
    "LATER",
    "OPEN",
    "ContractError",
    "Dummy",
    "announced",
    "check_announced",
    "check_channel",
    "check_encoder",
    "check_engine",
    "check_freedom",
    "check_partitions",
    "check_problem",
    "check_protocol",
    "driven",
    "enumerated_ratio",
    "free",
    "made_up",
    "sampler_p_value",
]
