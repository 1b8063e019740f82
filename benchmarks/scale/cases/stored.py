"""Stored reports: rows of bytes as an earlier commit reads them, columns as they are read now, and the command."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
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


def asked_of(count: int, bits: int) -> Any:
    """The question: of five slots about one never answers."""
    return question(count + count // 3 + 64, bits)


def _written(folder: str, count: int, bits: int) -> int:
    """Columns of so many reports, as an export writes them; gives the bytes of Parquet."""
    from sottovoce.messages import columns

    asked = asked_of(count, bits)
    with columns.Writer(folder, asked) as writer:
        for first in range(0, count, BLOCK):
            rows = min(BLOCK, count - first)
            gone = np.cumsum(np.random.default_rng(first).random(rows) < 0.25)
            slots = first + first // 3 + np.arange(rows) + np.minimum(gone, rows // 3)
            writer.write(slots, payloads(rows, bits, seed=first))
    (Path(folder) / "question.json").write_bytes(asked.to_bytes())
    return sum(path.stat().st_size for path in Path(folder).glob("*.parquet"))


def columns(folder: str, count: int, bits: int) -> Callable[[], Any]:
    """Read, check and add up; says how many bytes a report takes on disk beyond its payload."""
    from sottovoce.engines import stored

    asked = asked_of(count, bits)
    beyond = _written(folder, count, bits) / count - asked.payload_bytes

    def add_up() -> float:
        assert stored(folder)(asked).reports == (count,)
        return beyond

    return add_up


def write(folder: str, count: int) -> Callable[[], Any]:
    return lambda: _written(folder, count, 1)


def command(folder: str, count: int) -> Callable[[], Any]:
    """``sotto tally``, in a process that has loaded everything and counted a few reports of its own before."""
    from sottovoce.cli import main

    def run(place: str, wanted: int) -> None:
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            failed = main(["tally", place, "--engine", "local", "--json"])
        assert not failed and json.loads(told.getvalue())["result"]["rounds"][0]["counted"] == wanted

    with tempfile.TemporaryDirectory() as few:
        _written(few, 1000, 1)
        run(few, 1000)
    return lambda: run(folder, count)
