"""The contract that every channel, encoder, survey, engine and problem keeps. Run it on your own too.

Each check raises `ContractError` with what was broken, or returns the figures it saw. Statistical checks state
their false-alarm rate; everything else is exact.
"""

from __future__ import annotations

from sottovoce.checks.announced import DRIVEN, announced, check_announced, drive, driven
from sottovoce.checks.channels import ChannelFigures, check_channel, enumerated_ratio, sampler_p_value
from sottovoce.checks.dummy import Dummy
from sottovoce.checks.freedom import LATER, OPEN, check_freedom, free
from sottovoce.checks.promise import ContractError
from sottovoce.checks.suite import check_problem, check_settings, made_up
from sottovoce.checks.surveys import HOSTILE, check_encoder, check_engine, check_partitions, check_protocol

__all__ = [
    "DRIVEN",
    "HOSTILE",
    "LATER",
    "OPEN",
    "ChannelFigures",
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
    "check_settings",
    "drive",
    "driven",
    "enumerated_ratio",
    "free",
    "made_up",
    "sampler_p_value",
]
