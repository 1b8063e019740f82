"""A question, and an answer to one, for tests that change a part of either."""

from __future__ import annotations

from typing import Any

from sottovoce.design import one_bit
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Encoder, Position, Question, Slots, canonical

UNIT = Position(low=(0.0,), high=(1.0,))


def question(
    statistic: Any, placement: Any = UNIT, channel: Any = None, *, users: int = 10, **changes: Any
) -> Question:
    """To some slots, through one bit unless a channel is given."""
    fields: dict[str, Any] = {"survey": "s", "round": 0, "role": "r", "slots": Slots(first=0, count=users)}
    encoder = changes.pop("encoder", None) or Encoder(statistic=statistic, placement=placement)
    return Question(**fields | {"encoder": encoder, "channel": channel or one_bit(1.0), "epsilon": 1.0} | changes)


def answered(data: bytes, people: Collections, ledger: Ledger, **changes: Any) -> bytes:
    """What a device sends in answer to the bytes of a question."""
    fields: dict[str, Any] = {"slot": 3, "digest": canonical.digest(data), "collector": "lab", "source": "pedometer"}
    return respond(data, people, **fields | {"ledger": ledger, "entropy": SystemEntropy()} | changes)
