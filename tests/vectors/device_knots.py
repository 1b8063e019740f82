"""Vectors of questions between knots, of tables with several decodings, and of groups that are all asked the same."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from sottovoce import design
from sottovoce import messages as ms
from sottovoce.messages import canonical
from sottovoce.methods import knots_way
from tests.unit.test_hostile_questions import ON_KNOTS
from tests.vectors import device_inputs as inputs
from tests.vectors.device_groups import lone
from tests.vectors.device_refusals import Case, changed, departed, honest, paths

COUNTS = (4, 2, 7, 64, 3)
NEAR = tuple(0.5 + place * 2.0**-20 for place in range(3))
"""As near to each other as knots may be, on [0, 1]."""


def collections() -> dict[str, list[list[float]]]:
    """On knots, beside them, between them, and far from all."""
    knots = (*uneven(0.0, 1.0, 7).places, *uneven(0.0, 1.0, 4).places, *NEAR)
    beside = [math.nextafter(knot, way) for knot in knots for way in (-math.inf, math.inf)]
    return {
        **{f"knot {knot:.8g}": [[knot]] for knot in sorted({*knots})},
        **{f"beside knot {number!r}": [[number]] for number in sorted({*beside})},
        "between two that are near": [[0.5 + 2.0**-21]],
        "just above nothing": [[5e-324]],
        "three groups between knots": [[at / 17, float(at % 3)] for at in range(18)],
    }


def uneven(low: float, high: float, count: int, *, nothing: float = 0.375) -> ms.Knots:
    placed = inputs.placement("knots", low, high, count)
    assert isinstance(placed, ms.Knots)
    return replace(placed, nothing=low + (high - low) * nothing)


def decoded(table: ms.Table) -> ms.Table:
    """With several decodings, each of other numbers."""
    ways = ([place * step - 0.75 for place in range(table.cells)] for step in (0.1, 0.5, 1e-7, 1.0))
    core, lower, upper, whole = map(tuple, ways)
    return replace(table, decodings=ms.Decodings(core=core, lower=lower, upper=upper, whole=whole))


def questions() -> Iterator[tuple[str, ms.Question]]:
    """Every statistic that may lie between knots, by turns with nothing anywhere, within groups, and decoded."""
    turn = 0
    everything = inputs.statistics()
    pointed = {name for name, (one, *_) in everything.items() if isinstance(one, ms.Direction) or one.signed}
    for name, (statistic, low, high) in everything.items():
        for empty in ("middle", "random") if statistic.silent else ("middle",):
            if name in pointed:
                continue
            turn += 1
            groups = statistic.parts if statistic.parts > 1 else 1 + turn % 3
            uses, count = 1 + turn % min(2, groups), COUNTS[turn % len(COUNTS)]
            table = inputs.nodes(count)
            placed = uneven(low, high, count, nothing=(0.0, 0.375, 1.0)[turn % 3])
            yield f"{name}, knots, table", inputs.asked(
                statistic, placed, decoded(table) if turn % 2 else table, empty=empty, groups=groups, uses=uses,
                slots=inputs.RANGES[turn % 4],
            )  # fmt: skip
    for name, (statistic, low, high) in lone().items():
        turn += 1
        count = COUNTS[turn % len(COUNTS)]
        yield f"within: {name}, knots, table", inputs.asked(
            statistic, uneven(low, high, count), decoded(inputs.nodes(count)), within=ms.Within(column=1, count=3),
            empty=("middle", "random")[turn % 2], groups=3, uses=1 + turn % 3, slots=inputs.RANGES[turn % 4],
        )  # fmt: skip
    average, bit = ms.Average(), design.one_bit(1.0)
    near = ms.Knots(low=0.0, high=1.0, inner=NEAR, nothing=NEAR[1])
    yield "average, near knots", inputs.asked(average, near, decoded(inputs.nodes(5)))
    tiny = ms.Knots(low=0.0, high=1e-320, inner=(5e-324,), nothing=5e-324)
    yield "average, knots beside zero", inputs.asked(average, tiny, inputs.nodes(3))
    huge = ms.Knots(low=-8e307, high=8e307, inner=(0.0, 1e303), nothing=1.0)
    yield "average, far knots", inputs.asked(average, huge, inputs.nodes(4))
    yield (
        "average, seven groups asked the same",
        inputs.asked(average, inputs.placement("position", 0.0, 1.0, 1), bit, groups=7),
    )


def without_manifest() -> Iterator[Case]:
    """What is not in order, and something else in every place."""
    for name, data in ON_KNOTS.items():
        yield Case(name, data, 3)
    made, turn = dict(questions()), 0
    for name in ("average, near knots", "within: item, knots, table"):
        data = made[name].to_bytes()
        for path in paths(json.loads(data)):
            if path[0] in ("encoder", "groups", "uses") or "decodings" in path:
                for _ in range(6):
                    turn += 1
                    for told, sent in changed(name, data, path, turn):
                        yield Case(told, sent, made[name].slots.first)


@cache
def surveys() -> tuple[tuple[str, ms.Manifest, ms.Question], ...]:
    """Surveys that announce such questions, and one to its last wave."""
    mean = next(survey for survey, _, _ in honest() if survey.problem == "mean")
    found = []
    for groups in (1, 7):
        table = decoded(inputs.nodes(4))
        first = inputs.asked(ms.Average(), uneven(0.0, 1.0, 4), table, groups=groups)
        way = knots_way("ask", statistic=ms.Average(), low=0.0, high=1.0)
        wave = ms.Wave(first=0, count=first.slots.count, epsilon=1.0, roles=("ask",))
        rules = ms.Rules(
            waves=(wave, replace(wave, first=wave.count)),
            ways=(ms.Way.of(first, opening=True), replace(way, groups=groups)),
            tables=(table, inputs.nodes(64)),
        )
        survey = replace(mean, rules=rules, columns=("value",), minimum=1)
        found.append((f"{groups} groups", survey, replace(first, survey=survey.digest)))
    return tuple(found)


def with_manifest() -> Iterator[Case]:
    """Honest ones, first and later, then those that leave what was announced."""
    for kind, survey, first in surveys():
        later = replace(first, round=1, slots=replace(first.slots, first=first.slots.count))
        for name, made in (("first", first), ("later", later)):
            data = made.to_bytes()
            yield Case(f"{kind} between knots, {name}", data, made.slots.first, None, survey, whole=True)
            for turn, path in enumerate(paths(json.loads(data))):
                for sent in departed(data, path, turn):
                    told = f"{kind}, {name}: another {'.'.join(map(str, path))}"
                    yield Case(told, sent, made.slots.first, None, survey)
            for name_of_other, other in others(made).items():
                yield Case(f"{kind}, {name}: {name_of_other}", other.to_bytes(), made.slots.first, None, survey)


def others(made: ms.Question) -> dict[str, ms.Question]:
    """Other knots, other places for nothing, other decodings, other groups."""
    knots, table = made.encoder.placement, made.channel
    assert isinstance(knots, ms.Knots) and isinstance(table, ms.Table)

    def placed(placement: ms.Placement, channel: ms.Channel = table) -> ms.Question:
        return replace(made, encoder=replace(made.encoder, placement=placement), channel=channel)

    return {
        "other knots": placed(replace(knots, inner=(0.25, 0.5))),
        "another place for nothing": placed(replace(knots, nothing=0.5)),
        "as many knots as there can be": placed(uneven(0.0, 1.0, 64), inputs.nodes(64)),
        "a higher end": placed(replace(knots, high=1.5)),
        "a higher beginning": placed(replace(knots, low=0.01)),
        "no knots": placed(inputs.placement("position", 0.0, 1.0, 1)),
        "another table": placed(uneven(0.0, 1.0, 3), inputs.nodes(3)),
        "no decodings": placed(knots, inputs.nodes(4)),
        "a decode": placed(knots, replace(inputs.nodes(4), decode=(0.0, 0.5, 1.0))),
        "one group": replace(made, groups=1),
        "seven groups": replace(made, groups=7),
        "eight groups": replace(made, groups=8),
    }


def manifests() -> Iterator[tuple[str, bytes]]:
    """Manifests of ways with groups, and of tables with several decodings, in order and not."""
    _, survey, _ = surveys()[1]
    data, turn = survey.to_bytes(), 0
    yield "knots", data
    document = json.loads(data)
    for path in paths(document):
        if path[:2] in (("rules", "ways"), ("rules", "tables")) and "rows" not in path:
            for _ in range(3):
                turn += 1
                yield from changed("knots", data, path, turn)
    for groups in (1, 0, 2, 65536, 65537, None, "7"):
        document["rules"]["ways"][1]["groups"] = groups
        yield f"{groups} groups of a way", canonical.dumps(document)
