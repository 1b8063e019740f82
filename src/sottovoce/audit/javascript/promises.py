"""Manifests, the questions that they announce, and questions that leave them where nothing but one check would notice.

Each departure keeps to everything else: a device that left out the one check would answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sottovoce.audit.announced import manifest
from sottovoce.design import k_ary, laplace, one_bit, unary
from sottovoce.messages import (
    Average,
    Categories,
    Encoder,
    Entry,
    Free,
    Grid,
    Manifest,
    Position,
    Question,
    Rules,
    Slots,
    Wave,
    Way,
    canonical,
)

_ITEMS = 4
Told = tuple[str, Manifest, Question]


def told() -> Iterator[Told]:
    """By name: a manifest, and a question that it announces (``as announced``) or does not."""
    yield from _rounds()
    yield from _fixed()
    yield from _chosen()
    yield from _named()


def _question(**changes: Any) -> Question:
    kept: dict[str, Any] = {
        "survey": "audit",
        "round": 0,
        "role": "vote",
        "slots": Slots(first=0, count=10),
        "encoder": _grid(),
        "channel": unary(1.0, _ITEMS),
        "epsilon": 1.0,
    }
    return Question(**(kept | changes))


def _grid(low: float = 0.0, high: float = 1.0, statistic: Any = None) -> Encoder:
    return Encoder(statistic=statistic or Average(), placement=Grid(low=(low,), high=(high,), count=_ITEMS))


def _under(ways: tuple[Way, ...], *cases: tuple[str, Question], tables: Any = (), labels: Any = ()) -> Iterator[Told]:
    """Three waves of ten slots, the second of which has one role fewer."""
    waves = (
        Wave(first=0, count=10, epsilon=1.0, roles=("vote",)),
        Wave(first=10, count=10, epsilon=1.0, roles=("vote", "refine")),
        Wave(first=20, count=10, epsilon=1.0, roles=tuple(sorted({way.role for way in ways}))),
    )
    rules = Rules(waves=waves, ways=ways, tables=tables)
    made = replace(manifest(), rules=rules, labels=labels)
    for name, question in cases:
        yield name, made, replace(question, survey=made.digest)


def _later(**changes: Any) -> Question:
    """A question of the second round."""
    return _question(**({"round": 1, "role": "refine", "slots": Slots(first=10, count=10)} | changes))


def _rounds() -> Iterator[Told]:
    ways = (Way.of(_question(), opening=True), Way.of(_later()), Way.of(_later(role="third")))
    yield from _under(
        ways,
        ("the first round as announced", _question()),
        ("the second round as announced", _later()),
        ("a role of other slots", _later(role="third")),
        ("the first round once more", _question(slots=Slots(first=10, count=10))),
        ("the first round's question later", _question(round=1, slots=Slots(first=10, count=10))),
        ("a round that cannot be yet", _later(round=2)),
        ("more groups than parts", _later(groups=3)),
        ("several uses", _later(groups=3, uses=2, channel=unary(0.5, _ITEMS))),
    )


def _fixed() -> Iterator[Told]:
    """What a digest fixes, and nothing else does; and numbers that its ten digits cannot tell apart."""
    bit, other = one_bit(1.0), one_bit(0.9)
    placed = Encoder(statistic=Average(), placement=Position(low=(0.0,), high=(1.0,)))
    asked = _later(encoder=placed, channel=bit)
    ways = (Way.of(_question(), opening=True), Way.of(asked), Way.of(_later(encoder=_grid(statistic=Average(first=3)))))
    yield from _under(
        ways,
        ("a table as announced", asked),
        ("another table", replace(asked, channel=other)),
        ("a narrower range", replace(asked, encoder=replace(placed, placement=Position(low=(0.5,), high=(0.75,))))),
        ("fewer observations", _later(encoder=_grid(statistic=Average(first=2)))),
        tables=(bit,),
    )
    near = Encoder(statistic=Average(), placement=Position(low=(0.3,), high=(1.3,)))
    far = Encoder(statistic=Average(), placement=Position(low=(1e9 + 0.3,), high=(1e9 + 1.3,)))
    way = replace(Way.of(_later(encoder=near, channel=laplace(1.0))), high=2e9, definition=_definition(far))
    far_asked = _later(encoder=far, channel=laplace(1.0))
    yield from _under((ways[0], way), ("a range that ten digits do not tell", far_asked))


def _definition(encoder: Encoder) -> str:
    """The digest of a way to ask that no survey is announced with: as it is written, to ten digits."""
    low, high = (float(f"{end:.10g}") for end in (encoder.placement.low[0], encoder.placement.high[0]))  # type: ignore[union-attr]
    placement = {"kind": "position", "low": [low], "high": [high]}
    statistic = {"kind": "average", "columns": [0], "first": None}
    return canonical.digest(canonical.dumps({"placement": placement, "statistic": statistic, "uses": 1}))


def _chosen() -> Iterator[Told]:
    """What is chosen on the way, within and beyond its range; each check with the others out of its way."""
    opening = Way.of(_question(), opening=True)
    free = [Free(field=f"placement.{end}", low=-1.0, high=2.0) for end in ("low", "high")]
    wide = replace(Way.of(_later(), *free), low=-9.0, high=9.0)
    narrow = replace(wide, low=0.0, high=1.0)
    yield from _under(
        (opening, wide), ("a choice as announced", _later(encoder=_grid(-0.5, 1.5))),
        ("a choice beyond its range", _later(encoder=_grid(-0.5, 3.0))),
    )  # fmt: skip
    yield from _under((opening, narrow), ("a place beyond the way's", _later(encoder=_grid(-0.5, 1.5))))
    columns = Way.of(_later(), Free(field="statistic.columns", low=0, high=5, most=2))
    two = {"groups": 2, "channel": unary(1.0, _ITEMS)}
    yield from _under(
        (opening, columns), ("a column as announced", _later(encoder=_grid(statistic=Average(columns=(4,))))),
        ("two columns as announced", _later(encoder=_grid(statistic=Average(columns=(4, 1))), **two)),
        ("one column twice", _later(encoder=_grid(statistic=Average(columns=(4, 4))), **two)),
        ("three columns", _later(encoder=_grid(statistic=Average(columns=(4, 1, 0))), **(two | {"groups": 3}))),
    )  # fmt: skip
    few = replace(columns, columns=2)
    yield from _under((opening, few), ("a column too far", _later(encoder=_grid(statistic=Average(columns=(4,))))))


def _named() -> Iterator[Told]:
    """Categories by other names than a manifest shows, though a way to ask says just that."""
    for name, shown in (("names as announced", ("a", "b")), ("names in another order", ("b", "a"))):
        digest = canonical.digest(canonical.dumps(["a", "b"]))
        places = Grid(low=(0.0,), high=(2.0,), count=2)
        statistic = Entry(vector=Categories(places=places, labels=digest))
        encoder = Encoder(statistic=statistic, placement=Grid(low=(0.0,), high=(1.0,), count=2))
        asked = _question(encoder=encoder, channel=k_ary(1.0, 2), groups=2)
        more = {"tables": (asked.channel,), "labels": shown}
        refined = Way.of(replace(asked, role="refine"))
        yield from _under((Way.of(asked, opening=True), refined), (name, asked), **more)
