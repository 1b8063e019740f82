"""Ranges far from zero: what ten digits cannot tell apart is neither announced nor answered, nor taken for rounding."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.design import k_ary, one_bit, subset
from sottovoce.engines import verify
from sottovoce.messages import (
    Average,
    Below,
    Bins,
    Categories,
    Category,
    Encoder,
    Free,
    Grid,
    Inside,
    InvalidInput,
    Knots,
    Malformed,
    Nearest,
    Norm,
    Position,
    Question,
    Rotated,
    Rules,
    Slots,
    Way,
    canonical,
)
from sottovoce.messages import rules as message_rules
from sottovoce.messages.rules import closeness_error
from sottovoce.problems import Settings, named, rule_builders
from tests.support.questions import question as question_of
from tests.support.transcripts import asking, manifest_of, transcript_of

FAR = 1e9
DAY = (1.7e9, 1.7e9 + 86_400.0)
HALF = Grid(low=(0.0,), high=(1.0,), count=2)


def at(*places: float, whole: bool = False) -> tuple[float, ...]:
    return tuple(FAR + place + (0.0 if whole else 0.5) for place in places)


def asked(encoder: Encoder, *, groups: int = 1) -> Question:
    channel = subset(1.0, count) if (count := encoder.placement.count) else one_bit(1.0)
    if isinstance(encoder.placement, Knots):
        channel = k_ary(1.0, len(encoder.placement.places))
    return question_of(encoder.statistic, encoder.placement, channel, role="one", groups=groups)


def placed(placement: Any) -> Encoder:
    return Encoder(statistic=Average(), placement=placement)


TOO_CLOSE = {
    "range": placed(Grid(low=at(0), high=at(100), count=2)),
    "position": placed(Position(low=at(0), high=at(100))),
    "bins of a grid": placed(Grid(low=at(0), high=at(10_000), count=1000)),
    "edges": placed(Bins(edges=at(0, 20))),
    "knots": placed(Knots(low=FAR, high=FAR + 1e5, inner=at(0, 20), nothing=FAR)),
    "bins of categories": Encoder(
        statistic=Category(vector=Categories(places=Bins(edges=at(0, 20)))),
        placement=Grid(low=(0.0,), high=(3.0,), count=3),
    ),
    "thresholds": Encoder(statistic=Norm(vector=Below(thresholds=at(0, 20)), centre=(0.0, 0.0)), placement=HALF),
    "centres on a line": Encoder(statistic=Nearest(centres=((FAR + 0.5,), (FAR + 20.5,)), metric="l2"), placement=HALF),
    "centres in space": Encoder(statistic=Nearest(centres=(at(0, 0), at(100, 100)), metric="l2"), placement=HALF),
    "a ball": Encoder(statistic=Rotated(centre=at(0), radius=20.0, size=1, seed=1), placement=HALF),
    "a box": Encoder(
        statistic=Norm(vector=Inside(size=2, middle=at(0), half=(20.0,), ball="linf"), centre=(0.0, 0.0)),
        placement=HALF,
    ),
}
FINE = {
    "whole range": placed(Grid(low=at(0, whole=True), high=at(100, whole=True), count=100)),
    "whole edges": placed(Bins(edges=at(0, 1, 2, whole=True))),
    "a day": placed(Grid(low=(DAY[0] + 0.5,), high=(DAY[1] + 0.5,), count=500)),
    "years": placed(Bins(edges=tuple(2000.5 + year for year in range(27)))),
    "near zero": placed(Bins(edges=(0.0, 5e-324, 1e-300, 1.0))),
    "whole centre": Encoder(statistic=Rotated(centre=at(0, whole=True), radius=0.5, size=1, seed=1), placement=HALF),
    "one edge": placed(Bins(edges=at(0))),
    "one centre twice in a coordinate": Encoder(
        statistic=Nearest(centres=((FAR + 0.5, 0.0), (FAR + 0.5, 1.0)), metric="l2"), placement=HALF
    ),
}


@pytest.mark.parametrize("name", TOO_CLOSE)
def test_no_way_fixes_what_ten_digits_cannot_tell_and_no_device_answers_it_whoever_wrote_the_rules(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = asked(TOO_CLOSE[name])
    with pytest.raises(Malformed, match="cannot be told apart by ten digits"):
        Way.of(question)
    with monkeypatch.context() as patch:
        patch.setattr(message_rules, "closeness_error", lambda plain: None)
        rules = rule_builders.rules_of_question(question)
        assert rules.departure(question) is None
    assert "cannot be told apart" in str(rules.departure(question))


@pytest.mark.parametrize("name", FINE)
def test_what_can_be_told_is_asked(name: str) -> None:
    assert Way.of(asked(FINE[name])).departure(asked(FINE[name])) is None


def test_what_is_chosen_on_the_way_may_be_narrow() -> None:
    """Its range is compared as it is, and `verify` computes what was to be chosen."""
    ends = (Free(field="placement.low", low=FAR, high=2 * FAR), Free(field="placement.high", low=FAR, high=2 * FAR))
    narrow = asked(placed(Position(low=at(0), high=at(1))))
    assert Way.of(narrow, *ends).departure(narrow) is None
    assert closeness_error([1.0]) is None and closeness_error({"low": [1.0]}) is None


def test_other_bins_are_seen_where_bins_are_allowed() -> None:
    """At the limit, ten digits leave a fiftieth of a bin."""
    edges = (FAR + 0.5, FAR + 60.5, FAR + 121.0)
    way = Way.of(asked(placed(Bins(edges=edges))))
    for moved in (2.0, -2.0):
        other = (edges[0], edges[1] + moved, edges[2])
        assert way.departure(asked(placed(Bins(edges=other)))) is not None


RANGED: dict[str, dict[str, Any]] = {
    **{name: {} for name in ("mean", "edges", "quantiles", "cdf", "density")},
    "histogram": {"bins": 5},
    "vector": {"dimension": 2, "ball": "linf"},
    "mixture": {"method": "paper", "components": 2},
}


def ranged(name: str, low: float, high: float) -> Settings:
    own: dict[str, Any] = {"epsilon": 1.0, "users": 3000, "observations": 30} | RANGED[name]
    if name == "edges":
        return sv.Histogram(**own, edges=tuple(low + (high - low) * part / 4 for part in range(5)))
    return named(name).settings(**own, low=low, high=high)


@pytest.mark.parametrize("problem", RANGED)
def test_far_ranges_that_are_in_use_stay_possible(problem: str) -> None:
    for low, high in (DAY, (DAY[0] + 0.5, DAY[1] + 0.5), (2000.0, 2026.0)):
        settings = ranged(problem, low, high)
        manifest = manifest_of(settings)
        assert verify(transcript_of(manifest, asking(settings))[0], survey=manifest.digest).kind == "identical"


@pytest.mark.parametrize("problem", RANGED)
def test_ranges_of_nothing_but_last_digits_are_refused(problem: str) -> None:
    with pytest.raises(InvalidInput, match="can be told apart"):
        ranged(problem, 1e12, 1e12 + 1e-3)
    with pytest.raises(InvalidInput, match="told apart"):
        manifest_of(ranged(problem, FAR + 0.5, FAR + 200.5))


@pytest.mark.parametrize(
    "problem", ["mean", "density", *(pytest.param(one, marks=pytest.mark.soak) for one in ("quantiles", "vector"))]
)
def test_a_part_in_a_billion_of_a_far_number_is_no_rounding(problem: str) -> None:
    """A part in a billion is 1.7 seconds here; of a day that is more than any machine's rounding."""
    settings = ranged(problem, *DAY)
    manifest = manifest_of(settings)
    honest = transcript_of(manifest, asking(settings))[0]
    plain, seen = json.loads(honest.answer), 0
    for path, value in _numbers(plain):
        if abs(value) > 1e9 and not value.is_integer():
            for by, kind in ((1.0, "different"), (-0.2, "different"), (2.0**-22, "rounding")):
                other = json.loads(honest.answer)
                _put(other, path, value + by)
                told = replace(honest, answer=json.dumps(other, ensure_ascii=False))
                assert verify(told, survey=manifest.digest).kind == kind, (path, by)
            seen += 1
    assert seen or problem == "density"


def _numbers(plain: Any, *path: Any) -> list[tuple[tuple[Any, ...], float]]:
    inside = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    own = [(path, plain)] if type(plain) is float else []
    return own + [found for name, held in inside for found in _numbers(held, *path, name)]


def _put(plain: Any, path: tuple[Any, ...], value: float) -> None:
    for name in path[:-1]:
        plain = plain[name]
    plain[path[-1]] = value


# ---- how much work a manifest can ask for ---------------------------------------------------------------------------


def test_a_question_is_written_once_for_each_choice_of_free_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ways a manifest lists: what a device does before it declines is bounded by the question."""
    first = asked(placed(Bins(edges=(0.25, 0.5))))
    edges, uses = Free(field="placement.edges", low=0.0, high=1.0, most=2), Free(field="uses", low=1.0, high=9.0)
    later = [Way.of(first, *free) for free in ((), (edges,), (uses,), (edges, uses), (uses, edges))]
    many = [replace(way, definition=f"{number:064x}") for number in range(12) for way in later]
    rules = Rules(
        waves=rule_builders.waves_in_turn([(10, ("one",)), (10, ("one",))], epsilon=1.0),
        ways=(Way.of(first, opening=True), *many),
    )
    calls, real = list[object](), canonical.dumps

    def counted(plain: Any) -> bytes:
        calls.append(plain)
        return real(plain)

    monkeypatch.setattr(canonical, "dumps", counted)
    question = replace(first, round=1, slots=Slots(first=10, count=10))
    assert str(rules.departure(question)) == "it computes something else than what was announced"
    assert len(many) == 60 and len(calls) == 4
    with pytest.raises(Malformed, match="1 to 64 ways"):
        replace(
            rules, ways=(*rules.ways, *(replace(many[0], definition=f"{number:064x}") for number in range(99, 110)))
        )
