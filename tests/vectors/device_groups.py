"""What came later to the vectors: where users with nothing fall, and questions about one group of a column.

Everything here is written after what was there before, so that no vector that is there changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from sottovoce import messages as ms
from sottovoce.messages import canonical
from tests.vectors import device_inputs as inputs
from tests.vectors.device_refusals import Case, announced_first, changed, departed, honest, paths

NAMES = ("north", "south", "east")
NAMED = canonical.digest(canonical.dumps(list(NAMES)))


def collections() -> dict[str, list[list[float]]]:
    """Numbers and the group of each, in all ways that a code can be none."""
    inf, nan = math.inf, math.nan
    spread = inputs._spread(11, 40)
    return {
        "one group": [[0.25, 1.0], [0.75, 1.0]],
        "three groups": [[value[0], float(at % 3)] for at, value in enumerate(spread)],
        "groups far apart": [[0.9, 4.0], [0.1, 0.0], [0.5, 4.0]],
        "codes that are none": [[0.5, -1.0], [0.5, 0.5], [0.5, nan], [0.5, inf], [0.5, -inf], [0.5, 5e-324]],
        "codes beyond": [[0.5, 3.0], [0.5, 5.0], [0.5, 7.0], [0.5, 8.0], [0.5, 64.0], [0.5, 2.0**53], [0.5, 1e300]],
        "minus zero for a code": [[0.3, -0.0], [-0.0, 1.0]],
        "missing in a group": [[nan, 0.0], [nan, 2.0], [0.7, 2.0], [nan, 1.0]],
        "only missing in groups": [[nan, 0.0], [nan, 1.0]],
        "infinite in a group": [[inf, 0.0], [-inf, 0.0], [inf, 2.0]],
        "groups and a third column": [[0.2, 0.0, 0.9], [0.8, 2.0, nan], [0.4, nan, 0.1]],
    }


def silent() -> dict[str, tuple[ms.Statistic, float, float]]:
    """What has no number where nothing was observed."""
    return {name: held for name, held in inputs.statistics().items() if held[0].silent}


def lone() -> dict[str, tuple[ms.Statistic, float, float]]:
    """What may be asked within a group: one for each name of the vocabulary of which any can be."""
    cells = ms.Categories(places=ms.Grid(low=(0.0,), high=(1.0,), count=2))
    return {
        "average": (ms.Average(columns=(0,)), 0.0, 1.0),
        "item": (ms.Item(), 0.0, 1.0),
        "share": (ms.Share(below=(0.5,)), 0.0, 1.0),
        "basis": (ms.Basis(low=0.0, high=1.0, functions=(3,)), -1.5, 1.5),
        "joint": (ms.Joint(centres=(0.5,), reach=0.5, levels=3), 0.0, 3.0),
        "category of categories": inputs.statistics()["category of categories"],
        "entry of categories": (ms.Entry(vector=ms.Categories(places=ms.Bins(edges=()))), 0.0, 1.0),
        "entry of below": (ms.Entry(vector=ms.Below(thresholds=(0.5,))), 0.0, 1.0),
        "entry of cosines": (ms.Entry(vector=ms.Cosines(low=0.0, high=1.0, size=1)), -1.5, 1.5),
        "coefficient of categories": (ms.Coefficient(vector=cells), -1.0, 1.0),
        "coefficient of below": (ms.Coefficient(vector=ms.Below(thresholds=(0.25, 0.75))), -1.0, 1.0),
        "coefficient of cosines": (ms.Coefficient(vector=ms.Cosines(low=0.0, high=1.0, size=2)), -2.0, 2.0),
    }


def questions() -> Iterator[tuple[str, ms.Question]]:
    """Each of them with every placement and channel; where nothing falls, and who says the group, by turns."""
    turn = 0
    for name, (statistic, low, high) in silent().items():
        for placed, sent in inputs.PAIRS:
            turn += 1
            empty = "random" if placed == "position" or (turn + turn // 8) % 2 else "last"
            groups = statistic.parts
            uses, count = 1 + turn % min(2, groups), inputs.COUNTS[turn % 3]
            placement = inputs.placement(placed, low, high, count)
            yield f"{name}, {placed}, {sent}", inputs.asked(
                statistic, placement, inputs.channel(sent, placed, count, uses), empty=empty,
                groups=groups, uses=uses, slots=inputs.RANGES[turn % 4],
            )  # fmt: skip
    for name, (statistic, low, high) in lone().items():
        for placed, sent in inputs.PAIRS:
            turn += 1
            empty = ("middle", "random", "last" if placed != "position" else "random")[(turn // 2 + turn // 8) % 3]
            groups, column = (1, 3, 5)[turn % 3], 1 + (turn % 11 == 0)
            drawn = placed != "position" and (turn + turn // 8) % 2 == 1
            stride = math.ceil(high - low) * drawn
            uses = 1 if drawn else 1 + turn % min(3, groups)
            top = high + stride * (groups - 1)
            count = inputs.COUNTS[turn % len(inputs.COUNTS)]
            labels = NAMED if groups == 3 and turn % 2 else None
            yield f"within: {name}, {placed}, {sent}", inputs.asked(
                statistic, inputs.placement(placed, low, top, count), inputs.channel(sent, placed, count, uses),
                empty=empty, within=ms.Within(column=column, count=groups, stride=stride, labels=labels),
                groups=1 if drawn else groups, uses=uses, slots=inputs.RANGES[turn % 4],
            )  # fmt: skip


def without_manifest() -> Iterator[Case]:
    """What does not go together, what stands where it is left out, and something else in every place."""
    made = dict(questions())
    plain = made["average, grid, subset"]
    for name, encoder in refused().items():
        document = json.loads(plain.to_bytes()) | {"groups": encoder.pop("groups", 1)}
        document["encoder"] = document["encoder"] | encoder
        sent = canonical.dumps(document)
        yield Case(name, sent, plain.slots.first)
    for field, value in (("empty", "middle"), ("within", None)):
        for title in ("statistic", "placement", "encoder"):
            document = json.loads(plain.to_bytes())
            held = document["encoder"] if title == "encoder" else document["encoder"][title]
            held[field] = value
            yield Case(f"{field} stands in the {title} at its default", canonical.dumps(document), plain.slots.first)
    turn = 0
    for name in ("joint, grid, subset", "average, position, laplace", "category of categories, bins, unary"):
        name = f"within: {name}"
        data = made[name].to_bytes()
        for path in paths(json.loads(data)):
            if path[0] in ("encoder", "groups", "uses") and path != ("encoder",):
                for _ in range(6):
                    turn += 1
                    for told, sent in changed(name, data, path, turn):
                        yield Case(told, sent, made[name].slots.first)


def refused() -> dict[str, dict[str, Any]]:
    """Changes to the encoder of a question that fits: none of these does."""

    def own(statistic: Any) -> dict[str, Any]:
        return {"statistic": ms.to_plain(statistic)}

    dealt = {"column": 1, "count": 3, "labels": None, "stride": 0}
    drawn, one = dealt | {"stride": 4}, {"kind": "average", "columns": [0], "first": None}
    changes: dict[str, dict[str, Any]] = {
        f"empty for {kind}": own(statistic) | {"empty": "random"} for kind, statistic in _answering().items()
    }
    changes |= {
        f"within for {kind}": own(statistic) | {"within": dealt, "groups": 3}
        for kind, statistic in _answering().items()
    }
    base = {"statistic": one}
    odd = {
        "no such place": {"empty": "first"},
        "a place in the middle": {"empty": None},
        "a place that is a number": {"empty": 1},
        "more groups than slots are dealt": {"within": dealt, "groups": 2},
        "fewer groups than slots are dealt": {"within": dealt, "groups": 4},
        "one group for those that are dealt": {"within": dealt, "groups": 1},
        "groups for one that is drawn": {"within": drawn, "groups": 3},
        "a negative stride": {"within": dealt | {"stride": -1}},
        "a stride beyond all places": {"within": dealt | {"stride": 65536}},
        "half a stride": {"within": dealt | {"stride": 0.5}},
        "no groups": {"within": dealt | {"count": 0}},
        "too many groups": {"within": dealt | {"count": 65537}},
        "a column before the first": {"within": dealt | {"column": -1}, "groups": 3},
        "names that are no digest": {"within": dealt | {"labels": "north"}, "groups": 3},
        "names in capitals": {"within": dealt | {"labels": NAMED.upper()}, "groups": 3},
        "no stride": {"within": {"column": 1, "count": 3, "labels": None}, "groups": 3},
        "no labels": {"within": {"column": 1, "count": 3, "stride": 0}, "groups": 3},
        "a kind": {"within": dealt | {"kind": "within"}, "groups": 3},
        "a list": {"within": [dealt], "groups": 3},
        "each within a group": {"statistic": {"kind": "each", "column": 0}, "within": dealt, "groups": 3},
        "columns within a group": {"statistic": one | {"columns": [0, 1, 2]}, "within": dealt, "groups": 3},
    }
    return changes | {name: base | change for name, change in odd.items()}


def _answering() -> dict[str, ms.Statistic]:
    """What has an answer of its own where nothing was observed."""
    return {
        "rotated": ms.Rotated(seed=1, size=1, centre=(0.0,), radius=1.0),
        "hashed": ms.Hashed(seed=1, columns=1, threshold=0.5),
        "residual": ms.Residual(seed=1, centres=(0.0,)),
        "nearest": ms.Nearest(centres=((0.0,), (1.0,))),
        "norm": ms.Norm(vector=ms.Below(thresholds=(0.5,)), centre=(0.0,)),
        "large": ms.Entry(vector=ms.Large(size=1, threshold=1.0)),
    }


@cache
def surveys() -> tuple[tuple[str, ms.Manifest, ms.Question], ...]:
    """Surveys that announce one such question, and the question."""
    mean = next(survey for survey, _, _ in honest() if survey.problem == "mean")
    made = dict(questions())
    found = []
    for kind, within in (
        ("dealt", ms.Within(column=1, count=3, labels=NAMED)),
        ("drawn", ms.Within(column=1, count=3, stride=3, labels=NAMED)),
        ("no names", ms.Within(column=2, count=3)),
        ("nobody's", None),
    ):
        drawn = within is not None and within.is_drawn
        asked = made["joint, grid, subset"]
        top = 10.0 if drawn else 4.0
        encoder = ms.Encoder(
            statistic=ms.Joint(centres=(0.5,), reach=0.5, levels=3),
            placement=ms.Grid(low=(0.0,), high=(top,), count=int(top)),
            empty="last",
            within=within,
        )
        sent = inputs.channel("subset", "grid", int(top), 1)
        asked = replace(
            asked, encoder=encoder, channel=sent, groups=encoder.parts, uses=1, slots=replace(asked.slots, first=0)
        )
        free = (ms.Free(field="statistic.reach", low=0.1, high=2.0),) if kind == "dealt" else ()
        ways = (ms.Way.of(asked, opening=True), *((ms.Way.of(asked, *free),) if free else ()))
        wave = ms.Wave(first=0, count=asked.slots.count, epsilon=1.0, roles=("ask",))
        rules = ms.Rules(waves=(wave, replace(wave, first=asked.slots.count)), ways=ways)
        names = () if kind in ("no names", "nobody's") else NAMES
        survey = replace(mean, rules=rules, columns=("value", "group", "more"), groups=names, minimum=1)
        found.append((kind, survey, replace(asked, survey=survey.digest)))
    return tuple(found)


def with_manifest() -> Iterator[Case]:
    """Honest ones, then those that leave what was announced."""
    for kind, survey, made in surveys():
        data = made.to_bytes()
        yield Case(f"groups that are {kind}", data, 0, None, survey, whole=True)
        for turn, path in enumerate(paths(json.loads(data))):
            for sent in departed(data, path, turn):
                yield Case(f"{kind}: another {'.'.join(map(str, path))}", sent, 0, None, survey)
        for name, other in other_encoders(made.encoder).items():
            try:
                asked = replace(made, encoder=other, groups=other.parts)
            except ms.Malformed:
                continue
            yield Case(f"{kind}: {name}", asked.to_bytes(), 0, None, survey)
        later = replace(made, round=1, slots=replace(made.slots, first=made.slots.count))
        for reach in (0.5, 0.25, 0.05):
            encoder = replace(made.encoder, statistic=ms.Joint(centres=(0.5,), reach=reach, levels=3))
            sent = replace(later, encoder=encoder).to_bytes()
            yield Case(f"{kind}: later, reach {reach}", sent, later.slots.first, None, survey)
    (_, first, asked), (_, second, _), *_ = surveys()
    for name, names in (("other names", ("north", "south", "west")), ("another order", NAMES[::-1]), ("no names", ())):
        survey = replace(first, groups=names)
        yield Case(name, replace(asked, survey=survey.digest).to_bytes(), 0, None, survey)
    yield Case("another survey", asked.to_bytes(), 0, None, second)
    yield from announced_first(honest(later=True))


def other_encoders(encoder: ms.Encoder) -> dict[str, ms.Encoder]:
    """All else the same, but where nothing falls, or the groups."""
    within = encoder.within
    found = {f"nothing falls {empty}": replace(encoder, empty=empty) for empty in ("middle", "random", "last")}
    if within is None:
        return found | {"a group": replace(encoder, within=ms.Within(column=0, count=2))}
    changes: dict[str, dict[str, Any]] = {
        "other names": {"labels": canonical.digest(b"[]")},
        "without names": {"labels": None},
        "names of it": {"labels": NAMED},
        "another column": {"column": 0},
        "a column beyond": {"column": within.column + 1},
        "more groups": {"count": within.count + 1},
        "another stride": {"stride": within.stride + 1},
        "no stride": {"stride": 0},
    }
    found |= {name: replace(encoder, within=replace(within, **change)) for name, change in changes.items()}
    return found | {"no group": replace(encoder, within=None)}


def manifests() -> Iterator[tuple[str, bytes]]:
    """Manifests with names of groups, in order and not."""
    _, survey, _ = surveys()[0]
    data, turn = survey.to_bytes(), 0
    yield "groups", data
    document = json.loads(data)
    for names in ([], ["a", "a"], [""], ["x" * 201], ["x" * 200], [1], None, "north", {}, ["a\n"], ["a"]):
        yield "other groups", canonical.dumps(document | {"groups": names})
    for path in paths(document):
        if path[0] == "groups":
            for _ in range(8):
                turn += 1
                yield from changed("groups", data, path, turn)
