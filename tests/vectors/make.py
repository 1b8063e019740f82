"""Write ``v1.json``: known answers for every message, encoder and sampler, for this and any other implementation.

``python -m tests.vectors.make`` writes the file anew; the test compares. A change in the file is a change of the
protocol and needs a new version.
"""

from __future__ import annotations

import json
import math
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from sottovoce import design
from sottovoce.device import Collections, encode, privatise
from sottovoce.messages import (
    Average,
    Basis,
    Batch,
    Bins,
    Each,
    Encoder,
    Grid,
    Hashed,
    Item,
    Nearest,
    Position,
    Question,
    Residual,
    Rotated,
    Share,
    Slots,
    Tally,
    canonical,
)
from sottovoce.messages.public import signs, words
from tests.unit.test_hostile_questions import MALFORMED

FILE = Path(__file__).with_name("v1.json")
UNIT = Position(low=(0.0,), high=(1.0,))
COLLECTIONS: dict[str, list[float]] = {
    "empty": [],
    "one": [0.25],
    "edge": [0.5],
    "just below an edge": [math.nextafter(0.5, 0.0)],
    "missing values": [math.nan, 0.9, math.nan],
    "only missing": [math.nan],
    "infinite": [math.inf],
    "minus infinite": [-math.inf, 0.3],
    "both infinite": [math.inf, -math.inf],
    "minus zero": [-0.0],
    "huge": [1e308, 1e308],
    "subnormal": [5e-324],
    "several": [0.1, 0.2, 0.3, 0.4],
    "outside": [-3.0, 9.0, 2.5],
}


class Counter:
    """Scripted entropy: SplitMix64 of 0, 1, 2, …"""

    def __init__(self) -> None:
        self.used = 0

    def words(self, count: int) -> Any:
        drawn = words(2026, np.arange(self.used, self.used + count), 1)[:, 0]
        self.used += count
        return drawn


def questions() -> dict[str, Question]:
    def ask(encoder: Encoder, channel: Any, **more: Any) -> Question:
        return Question(
            survey="vector", round=0, role="test", slots=Slots(first=10, count=1000), encoder=encoder, channel=channel,
            epsilon=1.0, **more,
        )  # fmt: skip

    average = Average()
    halves = Grid(low=(0.0,), high=(1.0,), count=2)
    wide = Position(low=(-2.0,), high=(2.0,))
    eight = Grid(low=(-1.0,), high=(2.2,), count=8)
    return {
        "one bit": ask(Encoder(statistic=average, placement=UNIT), design.one_bit(1.0)),
        "piecewise": ask(Encoder(statistic=average, placement=UNIT), design.piecewise(1.0, nodes=5, window=3)),
        "binary category": ask(Encoder(statistic=average, placement=halves), design.k_ary(1.0, 2)),
        "subset": ask(Encoder(statistic=average, placement=eight), design.subset(1.0, 8)),
        "unary": ask(Encoder(statistic=average, placement=eight), design.unary(1.0, 8)),
        "unary, three bins": ask(
            Encoder(statistic=Average(first=2), placement=Bins(edges=(-0.5, 0.0, 0.3, 0.5, 1.0))),
            design.unary(1.0, 6, reach=1),
        ),
        "laplace": ask(Encoder(statistic=average, placement=UNIT), design.laplace(1.0)),
        "one item": ask(Encoder(statistic=Item(), placement=UNIT), design.one_bit(1.0)),
        "each item": ask(Encoder(statistic=Each(), placement=UNIT), design.laplace(Fraction(1, 3)), uses=3),
        "shares in two groups": ask(
            Encoder(statistic=Share(below=(0.25, 0.5)), placement=UNIT),
            design.one_bit(Fraction(1, 2)),
            groups=2,
            uses=2,
        ),
        "rotated": ask(
            Encoder(statistic=Rotated(seed=5, size=4, centre=(0.0, 0.5, 0.0), radius=1.0), placement=wide),
            design.one_bit(Fraction(1, 2)),
            groups=4,
            uses=2,
        ),
        "basis": ask(
            Encoder(statistic=Basis(low=0.0, high=1.0, functions=(1, 2, 3)), placement=wide),
            design.one_bit(1.0),
            groups=3,
        ),
        "hashed": ask(Encoder(statistic=Hashed(seed=5, columns=6, threshold=0.2), placement=wide), design.laplace(1.0)),
        "residual": ask(Encoder(statistic=Residual(seed=5, centres=(0.0, 0.5)), placement=wide), design.laplace(1.0)),
        "nearest": ask(
            Encoder(statistic=Nearest(centres=((0.0,), (0.6,))), placement=Grid(low=(0.0,), high=(2.0,), count=2)),
            design.unary(1.0, 2),
        ),
    }


def document() -> dict[str, Any]:
    asked = []
    for name, question in questions().items():
        bound = question.epsilon_bound()
        up = Context(prec=40, rounding=ROUND_CEILING)
        answers = []
        for label, values in COLLECTIONS.items():
            for slot in (10, 11):
                people, slots, entropy = Collections.of_one(values), np.array([slot]), Counter()
                inputs = encode(question, people, slots, entropy)
                symbols = privatise(question.channel, inputs.ravel(), entropy)
                batch = Batch(question=question, slots=slots, symbols=symbols.reshape(1, question.uses, -1))
                answers.append(
                    {"collection": label, "slot": slot, "inputs": inputs[0].tolist(), "words": entropy.used,
                     "report": batch.reports()[0].to_bytes().decode()}
                )  # fmt: skip
        reports = Batch(
            question=question,
            slots=np.arange(10, 30),
            symbols=np.repeat(batch.symbols, 20, axis=0),
        )
        asked.append(
            {
                "name": name,
                "bytes": question.to_bytes().decode(),
                "digest": question.digest,
                "epsilon_bound": str(up.divide(bound.numerator, bound.denominator)),
                "payload_bytes": question.uses * question.channel.payload_bytes,
                "answers": answers,
                "tally of twenty of the last": Tally.of(reports).to_bytes().decode(),
            }
        )
    numbers = [0.0, -0.0, 1.0, -1.5, 0.1, 1e21, 1e20, 123456789012345680.0, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308]
    return {
        "version": 1,
        "entropy": "word i of a scripted device is words(seed 2026, slot i)[0] of the public hash",
        "collections": {name: [value.hex() for value in values] for name, values in COLLECTIONS.items()},
        "questions": asked,
        "malformed": [
            {"name": name, "bytes": data.hex()}
            for name, data in MALFORMED.items()
            if len(data) < 200_000 and "costs nothing" not in name
        ],
        "public words": [[str(word) for word in row] for row in words(7, np.arange(3), 3).tolist()],
        "public signs": signs(7, np.arange(3), 70).tolist(),
        "canonical numbers": [[number.hex(), canonical.number(number)] for number in numbers],
    }


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
