"""Stored reports: rows of bytes as an earlier commit reads them, columns as they are read now, and the command."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 10**6


def question(count: int, bits: int) -> Any:
    """One bit is a coin of two nodes and two symbols, a payload of one byte; more are a unary channel."""
    from sottovoce import design
    from sottovoce.messages import Average, Encoder, Grid, Position, Question, Slots

    unary = bits > 1
    return Question(
        survey="speed",
        round=0,
        role="all",
        slots=Slots(first=0, count=count),
        encoder=Encoder(
            statistic=Average(),
            placement=Grid(low=(0.0,), high=(1.0,), count=bits) if unary else Position(low=(0.0,), high=(1.0,)),
        ),
        channel=design.unary(1.0, bits) if unary else design.one_bit(1.0),
        epsilon=1.0,
    )


def payloads(count: int, bits: int, seed: int = 1) -> Any:
    generator = np.random.default_rng(seed)
    if bits == 1:
        return generator.integers(0, 2, size=(count, 1), dtype=np.uint8)
    return generator.integers(0, 256, size=(count, bits // 8), dtype=np.uint8)


def rows(count: int, bits: int) -> Callable[[], Any]:
    from sottovoce.engines import stored
    from sottovoce.messages import Report

    asked = question(count, bits)
    held = [
        Report(question=asked.digest, slot=slot, payload=payload.tobytes().hex()).to_bytes()
        for slot, payload in enumerate(payloads(count, bits))
    ]
    return lambda: stored([held])(asked).reports[0]
