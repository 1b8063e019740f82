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

from sottovoce.audit.announced import announced, departures, manifest
from sottovoce.audit.exact import question_cost
from sottovoce.audit.findings import Finding
from sottovoce.audit.instances import every_statistic, small_instances
from sottovoce.audit.javascript.edges import edges
from sottovoce.audit.javascript.path import Case, JavaScript, carrier
from sottovoce.audit.javascript.promises import told
from sottovoce.device import Collections, SystemEntropy, respond
from sottovoce.messages import MAX_EPSILON, MIN_EPSILON, Declined, Malformed, Question, canonical, exact

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
    return [_finding(subject, path, check, _known(check)) for check in _CASES]


def _finding(subject: str, path: JavaScript, check: str, cases: Sequence[tuple[Case, str]]) -> Finding:
    problem = ""
    for first in range(0, len(cases), _AT_ONCE):
        here = cases[first : first + _AT_ONCE]
        said = path.examine([case for case, _ in here])
        for (case, ours), theirs in zip(here, said, strict=True):
            name = ANSWERED if isinstance(theirs, Fraction) else theirs
            if ours != name and not problem:
                problem = f"{case.name}: {name}, and should be {ours}"
    declined = sum(ours != ANSWERED for _, ours in cases)
    detail = problem or f"{len(cases):,} questions, {declined:,} of them declined, each with the same code"
    return Finding(subject=subject, layer="exact", check=check, passed=not problem, detail=detail)


@cache
def _known(check: str) -> tuple[tuple[Case, str], ...]:
    """The cases of a check, each with what must be said to it."""
    return tuple((case, expected(case)) for case in _CASES[check]())


def expected(case: Case) -> str:
    """What the device that ships says: a code, or that it answers."""
    names: dict[str, Any] = {"collector": "audit", "source": "data", "ledger": _Willing(), "entropy": SystemEntropy()}
    asked: dict[str, Any] = {"slot": case.slot, "digest": case.digest, "manifest": case.manifest}
    try:
        respond(case.data, Collections.of_one([]), **asked, **names)
    except Declined as error:
        return error.code
    return ANSWERED


class _Willing:
    """Only what stands before the ledger is asked about."""

    def answer(self, **_: Any) -> bytes:
        return b""


def beside() -> Iterator[Case]:
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


def at_the_edges() -> Iterator[Case]:
    """Odd channels: declared at much, and, where they have a cost that can be declared, beside it."""
    for name, channel in edges():
        question = replace(Question.from_bytes(carrier(channel)), epsilon=MAX_EPSILON)
        yield _case(name, question)
        with suppress(Malformed):  # it costs nothing, or has no bound
            if exact(MIN_EPSILON) < (cost := question.epsilon_bound()) < exact(MAX_EPSILON):
                yield from _declared(name, question, cost)


def hostile() -> Iterator[Case]:
    """Questions that leave what may be asked by one step each."""
    roles = ("share", "rotated", "nearest", "direction of categories", "length of averages in a ball")
    asked = [*small_instances(1.0), *(one for one in every_statistic(1.0) if one.role in roles)]
    for question in asked:
        for where, data in _other_members(question):
            yield _case(f"{question.role}, {where}", question, data)
    for name, data in _spoiled(asked[0]):
        yield _case(name, asked[0], data)
    data = asked[0].to_bytes()
    yield Case(name="another digest", data=data, slot=0, said=canonical.digest(data + b" "))
    for slot in (-1, asked[0].slots.count, 2**40):
        yield Case(name=f"slot {slot}", data=data, slot=slot)


def unannounced() -> Iterator[Case]:
    """Valid questions that leave their manifest by one step each, and some that do not."""
    for name, question in (("as announced", announced()), *departures()):
        yield Case(name=name, data=question.to_bytes(), slot=3, manifest=manifest())
    for name, promised, question in told():
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
    "hostile questions": hostile,
    "beside the declared ε": beside,
    "channels at the edges": at_the_edges,
    "beyond the manifest": unannounced,
}
