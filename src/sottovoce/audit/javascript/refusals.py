"""What must not be answered: the JavaScript device declines each hostile question with the code that this one gives.

Every member of questions of every kind is left out, and given other values, one by one; their bytes are spoiled; slots
and digests are wrong; each channel is declared a hair below and a hair above what it costs, also those at the ends of
what a message can say; and questions leave their manifest. Whether the device that ships would answer is asked of
`respond` itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from sottovoce.audit.exact_layer import question_cost
from sottovoce.audit.findings import Finding, verdict
from sottovoce.audit.javascript.device import Case, JavaScript, carrier
from sottovoce.audit.ledger_layer import announced_question, manifest, unannounced_questions
from sottovoce.audit.questions import every_statistic, small_instances
from sottovoce.design import k_ary, laplace, one_bit, unary
from sottovoce.device import Collections, SystemEntropy, respond
from sottovoce.messages import (
    MAX_EPSILON,
    MIN_EPSILON,
    Average,
    Categories,
    Channel,
    Declined,
    Encoder,
    Entry,
    Free,
    Grid,
    Knots,
    Laplace,
    Malformed,
    Manifest,
    Position,
    Question,
    Rules,
    Slots,
    Subset,
    Table,
    Unary,
    Wave,
    Way,
    canonical,
    exact,
)

_ONE, _WIDE = 2**64, 2**128


def channels_at_the_edges() -> Iterator[tuple[str, Channel]]:
    """By name. Some cost nothing, some without bound; what they cost is for two devices to agree upon."""
    for items, size in ((2, 1), (3, 2), (65, 1), (65, 64)):
        for threshold in (1, _ONE * size // (4 * items), _ONE // 2, _ONE - 1):
            yield f"subset of {size} in {items}, {threshold}", Subset(items=items, size=size, threshold=threshold)
    for items, reach in ((1, 0), (2, 0), (2, 8), (17, 8), (18, 8), (33, 8), (34, 8), (40, 3)):
        for threshold in (_ONE // 2, 3 * _ONE // 4, _ONE - 1):
            name = f"unary of {items}, {reach} to each side, {threshold}"
            yield name, Unary(items=items, reach=reach, threshold=threshold)
    for nodes, symbols in ((2, 2), (3, 3), (16, 256), (2048, 2)):
        for turned in (False, True):
            rows = tuple(_table_row(symbols, node if turned else nodes - 1 - node, nodes) for node in range(nodes))
            yield f"table of {nodes} by {symbols}{', turned' if turned else ''}", Table(rows=rows)
    third = _WIDE // 3
    for digits in (1, 2, 5, 46):
        for digit in (1, third, _WIDE // 2 - 1):
            halves = tuple(max(1, digit >> min(3 * place, 120)) for place in range(digits))
            for room in (1, 2, 2 ** (digits - 1)):
                steps = 1
                if (bound := 2**digits - steps - room) >= 1:
                    name = f"laplace of {digits} digits, {room} beyond the clamp, {digit}"
                    yield name, Laplace(steps=steps, bound=bound, digits=halves)


def _table_row(symbols: int, node: int, nodes: int) -> tuple[int, ...]:
    """All cells but the last two alike; those two share the rest, from node to node more unevenly."""
    each = _ONE // (4 * symbols)
    rest = _ONE - each * (symbols - 2)
    last = 1 + (rest - 2) * (node + 1) // (nodes + 1)
    return (*(each for _ in range(symbols - 2)), rest - last, last)


# Manifests, the questions that they announce, and questions that leave them where nothing but one check would notice:
# each departure keeps to everything else.

_ITEMS = 4
Announced = tuple[str, Manifest, Question]
"""A name, a manifest, and a question that it announces (``as announced``) or does not."""


def _question(**changes: Any) -> Question:
    usual = {"encoder": _grid_encoder(), "channel": unary(1.0, _ITEMS)}
    names = {"survey": "audit", "round": 0, "role": "vote", "slots": Slots(first=0, count=10), "epsilon": 1.0}
    return Question(**(usual | names | changes))  # type: ignore[arg-type]


def _grid_encoder(low: float = 0.0, high: float = 1.0, **average: Any) -> Encoder:
    return Encoder(statistic=Average(**average), placement=Grid(low=(low,), high=(high,), count=_ITEMS))


def _second_round_question(**changes: Any) -> Question:
    """A question of the second round."""
    return _question(**({"round": 1, "role": "refine", "slots": Slots(first=10, count=10)} | changes))


def _position_encoder(low: float, high: float) -> Encoder:
    return Encoder(statistic=Average(), placement=Position(low=(low,), high=(high,)))


def _columns_question(*columns: int) -> Question:
    return _second_round_question(encoder=_grid_encoder(columns=columns), groups=len(columns))


def _announced_cases(ways: tuple[Way, ...], cases: dict[str, Question], **more: Any) -> Iterator[Announced]:
    """Three waves of ten slots, the second of which has one role fewer."""
    waves = (
        Wave(first=0, count=10, epsilon=1.0, roles=("vote",)),
        Wave(first=10, count=10, epsilon=1.0, roles=("vote", "refine")),
        Wave(first=20, count=10, epsilon=1.0, roles=tuple(sorted({way.role for way in ways}))),
    )
    rules = Rules(waves=waves, ways=ways, tables=more.get("tables", ()))
    promised = replace(manifest(), rules=rules, labels=more.get("labels", ()))
    for name, question in cases.items():
        yield name, promised, replace(question, survey=promised.digest)


def manifests_and_questions() -> Iterator[Announced]:
    """Rounds and slots; what a digest fixes; what is chosen on the way; and names of categories."""
    opening, ten = Way.of(_question(), opening=True), Slots(first=10, count=10)
    rounds = {
        "the first round as announced": _question(),
        "the second round as announced": _second_round_question(),
        "a role of other slots": _second_round_question(role="third"),
        "the first round once more": _question(slots=ten),
        "the first round's question later": _question(round=1, slots=ten),
        "a round that cannot be yet": _second_round_question(round=2),
        "more groups than parts": _second_round_question(groups=3),
        "several uses": _second_round_question(groups=3, uses=2, channel=unary(0.5, _ITEMS)),
    }
    yield from _announced_cases(
        (opening, Way.of(_second_round_question()), Way.of(_second_round_question(role="third"))), rounds
    )
    yield from _fixed_by_digest(opening)
    yield from _chosen_on_the_way(opening)
    yield from _groups_and_knots(opening)
    for name, labels in (("names as announced", ("a", "b")), ("names in another order", ("b", "a"))):
        places = Grid(low=(0.0,), high=(2.0,), count=2)
        statistic = Entry(vector=Categories(places=places, labels=canonical.digest(canonical.dumps(["a", "b"]))))
        encoder = Encoder(statistic=statistic, placement=Grid(low=(0.0,), high=(1.0,), count=2))
        asked = _question(encoder=encoder, channel=k_ary(1.0, 2), groups=2)
        ways = Way.of(asked, opening=True), Way.of(replace(asked, role="refine"))
        yield from _announced_cases(ways, {name: asked}, tables=(asked.channel,), labels=labels)


def _fixed_by_digest(opening: Way) -> Iterator[Announced]:
    """What a digest fixes, and nothing else does; and numbers that its ten digits cannot tell apart."""
    bit, noise = one_bit(1.0), laplace(1.0)
    asked = _second_round_question(encoder=_position_encoder(0.0, 1.0), channel=bit)
    cases = {
        "a table as announced": asked,
        "another table": replace(asked, channel=one_bit(0.9)),
        "a narrower range": replace(asked, encoder=_position_encoder(0.5, 0.75)),
        "fewer observations": _second_round_question(encoder=_grid_encoder(first=2)),
    }
    yield from _announced_cases(
        (opening, Way.of(asked), Way.of(_second_round_question(encoder=_grid_encoder(first=3)))), cases, tables=(bit,)
    )
    low, high = 1e9 + 0.3, 1e9 + 1.3
    definition = {  # of a way to ask that no survey is announced with: as it is written, to ten digits
        "placement": {"kind": "position", "low": [float(f"{low:.10g}")], "high": [float(f"{high:.10g}")]},
        "statistic": {"kind": "average", "columns": [0], "first": None},
        "uses": 1,
    }
    near = Way.of(_second_round_question(encoder=_position_encoder(0.3, 1.3), channel=noise))
    way = replace(near, high=2e9, definition=canonical.digest(canonical.dumps(definition)))
    far = _second_round_question(encoder=_position_encoder(low, high), channel=noise)
    yield from _announced_cases((opening, way), {"a range that ten digits do not tell": far})


def _chosen_on_the_way(opening: Way) -> Iterator[Announced]:
    """Within and beyond the range of a choice; each check with the others out of its way."""
    free = [Free(field=f"placement.{end}", low=-1.0, high=2.0) for end in ("low", "high")]
    wide = replace(Way.of(_second_round_question(), *free), low=-9.0, high=9.0)
    inside, beyond = (
        _second_round_question(encoder=_grid_encoder(-0.5, 1.5)),
        _second_round_question(encoder=_grid_encoder(-0.5, 3.0)),
    )
    yield from _announced_cases((opening, wide), {"a choice as announced": inside, "a choice beyond its range": beyond})
    yield from _announced_cases((opening, replace(wide, low=0.0, high=1.0)), {"a place beyond the way's": inside})
    columns = Way.of(_second_round_question(), Free(field="statistic.columns", low=0, high=5, most=2))
    cases = {
        "a column as announced": _columns_question(4),
        "two columns as announced": _columns_question(4, 1),
        "one column twice": _columns_question(4, 4),
        "three columns": _columns_question(4, 1, 0),
    }
    yield from _announced_cases((opening, columns), cases)
    yield from _announced_cases((opening, replace(columns, columns=2)), {"a column too far": _columns_question(4)})


def _groups_and_knots(opening: Way) -> Iterator[Announced]:
    """Groups that are all asked the same, and knots: as many as announced, where they may be."""
    dealt = {
        "groups as announced": _second_round_question(groups=3),
        "other groups": _second_round_question(groups=2),
        "all in one group": _second_round_question(),
    }
    yield from _announced_cases((opening, replace(Way.of(_second_round_question()), groups=3)), dealt)
    table = k_ary(1.0, 3)

    def between(inner: float, nothing: float = 0.0, high: float = 1.0) -> Question:
        placement = Knots(low=0.0, high=high, inner=(inner,), nothing=nothing)
        return _second_round_question(encoder=Encoder(statistic=Average(), placement=placement), channel=table)

    knots = Way.of(between(0.5), Free(field="placement.inner", low=0.25, high=0.75))
    cases = {
        "a knot as announced": between(0.3),
        "a knot beyond its range": between(0.2),
        "nothing in another place": between(0.5, nothing=0.5),
        "knots to another end": between(0.5, high=1.5),
    }
    yield from _announced_cases((opening, knots), cases, tables=(table,))
    yield from _announced_cases(
        (opening, knots), {"knots through another table": between(0.5)}, tables=(k_ary(0.9, 3),)
    )


ANSWERED = "answered"
_OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    1.5,
    2**53 - 1,
    1e300,
    "",
    "x",
    "0",
    "18446744073709551616",
    [],
    {},
    [0],
)
_LEFT_OUT = object()
_STEP = 3
"""Each member is given every third of these values; its neighbours get the others, as it does in other questions."""
_MOST = 40
"""Members of one question that are tried; of those in long lists the first ones stand for all."""
_AT_ONCE = 400


def declines_alike(subject: str, path: JavaScript) -> list[Finding]:
    """Four findings: hostile questions, some beside the ε that they declare, odd channels, what nobody announced."""
    return [_finding(subject, path, check, _cases_with_codes(check)) for check in _CASES]


def _finding(subject: str, path: JavaScript, check: str, cases: Sequence[tuple[Case, str]]) -> Finding:
    problem = ""
    for first in range(0, len(cases), _AT_ONCE):
        here = cases[first : first + _AT_ONCE]
        codes = path.examine([case for case, _ in here])
        for (case, ours), theirs in zip(here, codes, strict=True):
            name = ANSWERED if isinstance(theirs, Fraction) else theirs
            if ours != name and not problem:
                problem = f"{case.name}: {name}, and should be {ours}"
    declined = sum(ours != ANSWERED for _, ours in cases)
    done = f"{len(cases):,} questions, {declined:,} of them declined, each with the same code"
    return verdict(subject, "exact", check, problem, done)


@cache
def _cases_with_codes(check: str) -> tuple[tuple[Case, str], ...]:
    """The cases of a check, each with what must be said to it."""
    return tuple((case, expected_code(case)) for case in _CASES[check]())


def expected_code(case: Case) -> str:
    """What the device that ships says: a code, or that it answers."""
    names: dict[str, Any] = {
        "collector": "audit",
        "source": "data",
        "ledger": _WillingLedger(),
        "entropy": SystemEntropy(),
    }
    asked: dict[str, Any] = {"slot": case.slot, "digest": case.digest, "manifest": case.manifest}
    try:
        respond(case.data, Collections.of_one([]), **asked, **names)
    except Declined as error:
        return error.code
    return ANSWERED


class _WillingLedger:
    """Only what stands before the ledger is asked about."""

    def answer(self, **_: Any) -> bytes:
        return b""


def cases_beside_the_cost() -> Iterator[Case]:
    """Every small channel, declared at the float next below its cost, and at the first that is not below."""
    for question in small_instances(1.0):
        yield from _declared(question.role, question, question_cost(question))


def _declared(name: str, question: Question, cost: Fraction) -> Iterator[Case]:
    above = float(cost)
    while exact(above) < cost:
        above = math.nextafter(above, math.inf)
    while exact(math.nextafter(above, 0.0)) >= cost:
        above = math.nextafter(above, 0.0)
    for declared, words in ((math.nextafter(above, 0.0), "a hair too little"), (above, "just enough")):
        yield _case(f"{name}, {words}", replace(question, epsilon=declared))


def cases_at_the_edges() -> Iterator[Case]:
    """Odd channels: declared at much, and, where they have a cost that can be declared, beside it."""
    for name, channel in channels_at_the_edges():
        question = replace(Question.from_bytes(carrier(channel)), epsilon=MAX_EPSILON)
        yield _case(name, question)
        with suppress(Malformed):  # it costs nothing, or has no bound
            if exact(MIN_EPSILON) < (cost := question.epsilon_bound()) < exact(MAX_EPSILON):
                yield from _declared(name, question, cost)


def hostile_cases() -> Iterator[Case]:
    """Questions that leave what may be asked by one step each."""
    roles = ("share", "rotated", "nearest", "direction of categories", "length of averages in a ball")
    asked = [*small_instances(1.0), *(one for one in every_statistic(1.0) if one.role in roles)]
    for question in asked:
        for where, data in _other_members(question):
            yield _case(f"{question.role}, {where}", question, data)
    for name, data in _spoiled(asked[0]):
        yield _case(name, asked[0], data)
    data = asked[0].to_bytes()
    yield Case(name="another digest", data=data, slot=0, stated_digest=canonical.digest(data + b" "))
    for slot in (-1, asked[0].slots.count, 2**40):
        yield Case(name=f"slot {slot}", data=data, slot=slot)


def cases_against_manifest() -> Iterator[Case]:
    """Valid questions that leave their manifest by one step each, and some that do not."""
    for name, question in (("as announced", announced_question()), *unannounced_questions()):
        yield Case(name=name, data=question.to_bytes(), slot=3, manifest=manifest())
    for name, promised, question in manifests_and_questions():
        yield Case(name=name, data=question.to_bytes(), slot=question.slots.first, manifest=promised)


def _case(name: str, question: Question, data: bytes | None = None) -> Case:
    """These bytes, in place of the question's own, for the first slot that it asks."""
    return Case(name=name, data=question.to_bytes() if data is None else data, slot=question.slots.first)


def _other_members(question: Question) -> Iterator[tuple[str, bytes]]:
    """Each member of the question left out, or given another value."""
    plain = json.loads(question.to_bytes())
    for turn, place in enumerate(list(_places(plain))[:_MOST]):
        *before, last = place
        for other in (_LEFT_OUT, *_OTHERS[turn % _STEP :: _STEP]):
            copy = json.loads(question.to_bytes())
            holder = reduce(lambda held, step: held[step], before, copy)
            if other is _LEFT_OUT:
                del holder[last]
            else:
                holder[last] = other
            words = "left out" if other is _LEFT_OUT else f"{json.dumps(other)}"
            yield f"{'.'.join(map(str, place))} {words}", canonical.dumps(copy)


def _places(plain: Any) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a document; of a list the first entry and the last."""
    within: Iterable[tuple[Any, Any]] = plain.items() if isinstance(plain, dict) else ()
    if isinstance(plain, list):
        within = [(place, plain[place]) for place in sorted({0, len(plain) - 1}) if plain]
    for step, value in within:
        yield (step,)
        yield from ((step, *more) for more in _places(value))


def _spoiled(question: Question) -> Iterator[tuple[str, bytes]]:
    """Bytes that are not those of a question, though they nearly are."""
    data = question.to_bytes()
    plain = json.loads(data)
    yield "a space at the end", data + b" "
    yield "a byte order mark", b"\xef\xbb\xbf" + data
    yield "cut short", data[:-1]
    yield "nothing", b""
    yield "another member", canonical.dumps({**plain, "seed": 1})
    yield "a member twice", data[:-1] + b',"version":1}'
    yield "another order", json.dumps(dict(reversed(plain.items())), separators=(",", ":")).encode()
    yield "spaces between", json.dumps(plain).encode()
    yield "a number written otherwise", data.replace(b'"round":0', b'"round":0.0')
    yield "a number with an exponent", data.replace(b'"round":0', b'"round":0e1')
    yield "no UTF-8", data.replace(b'"small"', b'"\xff"')
    yield "half a surrogate pair", data.replace(b'"small"', b'"\\ud800"')
    yield "an escaped letter", data.replace(b'"small"', b'"\\u0073mall"')
    yield "a control character", data.replace(b'"small"', b'"\\u0007"')
    yield "NaN", data.replace(b'"round":0', b'"round":NaN')
    yield "deeper than brackets may go", data.replace(b'"round":0', b'"round":' + b"[" * 60 + b"]" * 60)
    yield "a very long text", canonical.dumps({**plain, "survey": "s" * 100_000})
    yield "a list", b"[" + data + b"]"
    yield "more than a question may hold", data + b" " * 3_000_000


_CASES = {
    "hostile questions": hostile_cases,
    "beside the declared ε": cases_beside_the_cost,
    "channels at the edges": cases_at_the_edges,
    "beyond the manifest": cases_against_manifest,
}
