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
from sottovoce import messages as ms
from sottovoce.device import Collections, encode, privatise
from sottovoce.messages import canonical
from sottovoce.messages.public_randomness import public_words, signs
from tests.unit.test_hostile_questions import ABOUT_VECTORS, ALONG, MALFORMED, ON_KNOTS
from tests.vectors.device_inputs import Script
from tests.vectors.tables import piecewise

FILE = Path(__file__).with_name("v1.json")
UNIT = ms.Position(low=(0.0,), high=(1.0,))
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
VECTORS: dict[str, list[list[float]]] = {
    "two vectors": [[0.1, 0.9, 0.4], [0.3, math.nan, 0.2]],
    "far away": [[1e308, -math.inf, 5e-324]],
}
"""For questions about vectors, beside the others, which have one column only."""
NAMES = ("bus", "train", "walk")
ADDED = [0.1, 0.2, 0.3, 1e16, 0.7, -1e16, 1e-3, 3.0]
"""Numbers whose sum depends on the order of addition."""


def questions() -> dict[str, ms.Question]:
    wide, eight = ms.Position(low=(-2.0,), high=(2.0,)), ms.Grid(low=(-1.0,), high=(2.2,), count=8)
    halves, pair = ms.Grid(low=(0.0,), high=(1.0,), count=2), ms.Nearest(centres=((0.0,), (0.6,)))
    six, turned = (
        ms.Bins(edges=(-0.5, 0.0, 0.3, 0.5, 1.0)),
        ms.Rotated(seed=5, size=4, centre=(0.0, 0.5, 0.0), radius=1.0),
    )
    bit, half, laplace = design.one_bit(1.0), design.one_bit(Fraction(1, 2)), design.laplace(1.0)
    return (
        {
            "one bit": _ask(ms.Average(), UNIT, bit),
            "piecewise": _ask(ms.Average(), UNIT, piecewise(1.0, nodes=5)),
            "binary category": _ask(ms.Average(), halves, design.k_ary(1.0, 2)),
            "subset": _ask(ms.Average(), eight, design.subset(1.0, 8)),
            "unary": _ask(ms.Average(), eight, design.unary(1.0, 8)),
            "unary, three bins": _ask(ms.Average(first=2), six, design.unary(1.0, 6, reach=1)),
            "laplace": _ask(ms.Average(), UNIT, laplace),
            "one item": _ask(ms.Item(), UNIT, bit),
            "each item": _ask(ms.Each(), UNIT, design.laplace(Fraction(1, 3)), uses=3),
            "shares in two groups": _ask(ms.Share(below=(0.25, 0.5)), UNIT, half, groups=2, uses=2),
            "rotated": _ask(turned, wide, half, groups=4, uses=2),
            "basis": _ask(ms.Basis(low=0.0, high=1.0, functions=(1, 2, 3)), wide, bit, groups=3),
            "hashed": _ask(ms.Hashed(seed=5, columns=6, threshold=0.2), wide, laplace),
            "residual": _ask(ms.Residual(seed=5, centres=(0.0, 0.5)), wide, laplace),
            "nearest": _ask(pair, _numbers(2), design.unary(1.0, 2)),
        }
        | _of_vectors()
        | _on_knots()
    )


def _on_knots() -> dict[str, ms.Question]:
    """Between knots, through a table with several decodings; and in groups that are all asked the same."""
    channel, knots = ALONG.channel, ALONG.encoder.placement
    return {
        "knots, several decodings": _ask(ms.Average(), knots, channel),
        "one item between knots": _ask(
            ms.Item(), ms.Knots(low=-1.0, high=1.0, inner=(0.0, 0.1), nothing=-1.0), channel
        ),
        "knots in seven groups": _ask(ms.Average(), knots, channel, groups=7),
    }


def _ask(statistic: Any, placement: Any, channel: Any, **more: Any) -> ms.Question:
    encoder, slots = ms.Encoder(statistic=statistic, placement=placement), ms.Slots(first=10, count=1000)
    own = {"encoder": encoder, "channel": channel, "slots": slots, "epsilon": 1.0} | more
    return ms.Question(survey="vector", round=0, role="test", **own)


def _of_vectors() -> dict[str, ms.Question]:
    """Each vector, and everything that can be asked of one."""
    wide, bit, half = ms.Position(low=(-2.0,), high=(2.0,)), design.one_bit(1.0), design.one_bit(Fraction(1, 2))
    averages, large = ms.Averages(size=3), ms.Large(size=3, threshold=0.2)
    named = ms.Categories(places=_numbers(3), labels=canonical.digest(canonical.dumps(list(NAMES))))
    edges = ms.Categories(places=ms.Bins(edges=(0.0, 0.3, 0.5, 1.0)))
    many = ms.Categories(places=ms.Grid(low=(0.0,), high=(1.0,), count=300))
    thresholds, cosines = ms.Below(thresholds=(0.0, 0.25, 0.5)), ms.Cosines(low=0.0, high=1.0, size=4)
    box = ms.Inside(size=3, middle=(0.5, 0.0, 0.2), half=(0.5, 1.0, 0.1), ball="linf")
    ball = ms.Inside(size=3, middle=(0.25,), half=(0.5,), ball="l2")

    def symbol(statistic: Any, count: int, *, size: int | None = None) -> ms.Question:
        return _ask(statistic, _numbers(count), design.subset(1.0, count, size=size))

    def direction(vector: ms.Vector, rows: int) -> ms.Question:
        return symbol(pointing(vector, rows), 2 * rows, size=1)

    return {
        "entry of averages": _ask(ms.Entry(vector=averages), wide, bit, groups=3),
        "entry of large columns": _ask(ms.Entry(vector=large), wide, bit, groups=3),
        "entry of named categories": _ask(ms.Entry(vector=named), wide, bit, groups=3),
        "coefficients of categories": _ask(ms.Coefficient(vector=edges), wide, half, groups=7, uses=2),
        "coefficient of shares below": _ask(ms.Coefficient(vector=thresholds), wide, bit, groups=3),
        "entry of averages in a box": _ask(ms.Entry(vector=box), wide, bit, groups=3),
        "length of averages": _ask(ms.Norm(vector=averages, centre=(0.0, 0.5, 0.25)), wide, bit),
        "length of cosines": _ask(ms.Norm(vector=cosines, centre=(0.0, 0.1, -0.1, 0.0)), wide, bit),
        "direction of averages": direction(averages, 4),
        "direction of averages in a ball": direction(ball, 2),
        "direction of large columns": direction(large, 1),
        "direction of categories": direction(edges, 2),
        "direction of 300 categories": direction(many, 3),
        "direction of shares below": direction(thresholds, 2),
        "direction of cosines": direction(cosines, 8),
        "one category": symbol(ms.Category(vector=named), 3),
        "joint": symbol(ms.Joint(centres=(0.0, 0.4, 1.0), reach=0.2, levels=3), 9),
    }


def _numbers(count: int) -> ms.Grid:
    return ms.Grid(low=(0.0,), high=(float(count),), count=count)


def pointing(vector: ms.Vector, rows: int) -> ms.Direction:
    centre = tuple(0.25 / (place + 1) for place in range(vector.size))
    return ms.Direction(vector=vector, centre=centre, radius=0.75, seed=11, rows=rows)


def public_turns() -> list[dict[str, Any]]:
    """The turns and rows of a few slots: signs as bits, the first in the lowest bit of the first byte, 1 for plus."""
    found = []
    for size, rows in ((3, 4), (300, 3)):
        statistic = pointing(ms.Averages(size=size), rows)
        signs, looked = statistic.rotations(np.array([0, 10, 2**39]))
        packed = np.packbits(signs > 0, axis=2, bitorder="little")
        found.append(
            {"seed": statistic.seed, "turned": statistic.rotated_size, "slots": [0, 10, 2**39],
             "signs": [[turn.tobytes().hex() for turn in slot] for slot in packed], "rows": looked.tolist()}
        )  # fmt: skip
    return found


def document() -> dict[str, Any]:
    asked, up, of_vectors = [], Context(prec=40, rounding=ROUND_CEILING), _of_vectors()
    for name, question in questions().items():
        bound, answers = question.epsilon_bound(), []
        wide = question.encoder.statistic.dimension > 1 and name in of_vectors
        for label, values in (COLLECTIONS | (VECTORS if wide else {})).items():
            for slot in (10, 11):
                people, slots, entropy = Collections.of_one(values), np.array([slot]), Script()
                inputs = encode(question, people, slots, entropy)
                symbols = privatise(question.channel, inputs.ravel(), entropy)
                batch = ms.Batch(question=question, slots=slots, symbols=symbols.reshape(1, question.uses, -1))
                answers.append(
                    {"collection": label, "slot": slot, "inputs": inputs[0].tolist(), "words": entropy.used,
                     "report": batch.reports()[0].to_bytes().decode()}
                )  # fmt: skip
        reports = ms.Batch(question=question, slots=np.arange(10, 30), symbols=np.repeat(batch.symbols, 20, axis=0))
        asked.append(
            {
                "name": name,
                "bytes": question.to_bytes().decode(),
                "digest": question.digest,
                "epsilon_bound": str(up.divide(bound.numerator, bound.denominator)),
                "payload_bytes": question.uses * question.channel.payload_bytes,
                "answers": answers,
                "tally of twenty of the last": ms.Tally.of(reports).to_bytes().decode(),
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
            for name, data in (MALFORMED | ABOUT_VECTORS | ON_KNOTS).items()
            if len(data) < 200_000 and "costs nothing" not in name
        ],
        "public words": [[str(word) for word in row] for row in public_words(7, np.arange(3), 3).tolist()],
        "public signs": signs(7, np.arange(3), 70).tolist(),
        "collections of vectors": {
            name: [[one.hex() for one in row] for row in rows] for name, rows in VECTORS.items()
        },
        "labels": {"names": list(NAMES), "digest": canonical.digest(canonical.dumps(list(NAMES)))},
        "public turns": public_turns(),
        "hadamard, bit 0 first": [[one.hex() for one in row] for row in (ADDED, ms.walsh_hadamard(np.array(ADDED)))],
        "canonical numbers": [[number.hex(), canonical.ecmascript_number(number)] for number in numbers],
    }


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
