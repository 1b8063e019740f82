"""Questions and manifests that a device refuses, or only just accepts: hostile, malformed, ε to the last bit."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, reduce
from operator import getitem
from typing import Any, NamedTuple

from sottovoce import design
from sottovoce.messages import Average, Grid, Manifest, Position, Question, canonical
from sottovoce.problems import announce, problems
from sottovoce.problems.cover import CoverSelect
from tests.service import test_dishonest_questions as dishonest
from tests.service.scripted import first_question
from tests.support.transcripts import asking, transcript_of
from tests.unit.test_hostile_questions import ABOUT_VECTORS, MALFORMED, OVER
from tests.vectors.device_inputs import asked, larger, questions
from tests.vectors.tables import piecewise

EPSILONS = (1e-3, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class Case(NamedTuple):
    """A question as it arrives; `digest` is None where the announced one is its own."""

    name: str
    data: bytes
    slot: int
    digest: str | None = None
    manifest: Manifest | None = None
    whole: bool = False
    """Others are written as what is different in them."""


def without_manifest() -> Iterator[Case]:
    yield from near()
    for name, data in (MALFORMED | ABOUT_VECTORS).items():
        yield Case(name, data, 3)
    for name, (_, data) in OVER.items():
        yield Case(name, data, 3)
    yield from written_otherwise()
    yield from mutated()
    plain = dict(larger())["grid of 65, subset"]
    data, first, last = plain.to_bytes(), plain.slots.first, plain.slots.first + plain.slots.count - 1
    for slot in (first, last, last + 1, -1, 2**40, 2**53 - 1):
        yield Case("a slot", data, slot)
    for digest in ("0" * 64, plain.digest.upper(), plain.digest[:-1], "", canonical.digest(b"")):
        yield Case("another digest", data, first, digest)
        yield Case("another digest, and no question", data[:-1], first, digest)


def near() -> Iterator[Case]:
    """What the channel costs, to the last bits: declared a little less, just so, and a little more."""
    unit = Position(low=(0.0,), high=(1.0,))
    for epsilon in EPSILONS:
        channels: dict[str, tuple[Any, Any]] = {
            "one bit": (unit, design.one_bit(epsilon)),
            "piecewise": (unit, piecewise(epsilon, nodes=5)),
            "k-ary": (Grid(low=(0.0,), high=(1.0,), count=5), design.k_ary(epsilon, 5)),
            "subset": (Grid(low=(0.0,), high=(1.0,), count=129), design.subset(epsilon, 129)),
            "unary": (Grid(low=(0.0,), high=(1.0,), count=65), design.unary(epsilon, 65, reach=1)),
        }
        if epsilon in (0.1, 1.0, 8.0):
            channels["laplace"] = unit, design.laplace(epsilon)
        for name, (placed, sent) in channels.items():
            made = asked(Average(), placed, sent, epsilon=2 * epsilon)
            yield Case(name, made.to_bytes(), 0, whole=True)
            for declared in around(made.epsilon_bound()):
                yield Case(f"{name}, ε near {epsilon:g}", replace(made, epsilon=declared).to_bytes(), 0)
    for uses in (2, 3, 7):
        ranges = Position(low=(0.0,) * 7, high=(1.0,) * 7)
        made = asked(Average(), ranges, design.one_bit(Fraction(1, 3)), groups=7, uses=uses, epsilon=9.0)
        yield Case(f"{uses} uses", made.to_bytes(), 0, whole=True)
        for declared in around(made.epsilon_bound()):
            yield Case(f"{uses} uses, ε near a third of each", replace(made, epsilon=declared).to_bytes(), 0)


def around(cost: Fraction) -> list[float]:
    """Floats next to a cost, and within 1e-15 of it, absolutely and as a part of it."""
    near = below = above = float(cost)
    found = {near, near - 1e-15, near + 1e-15, near * (1 - 1e-15), near * (1 + 1e-15)}
    for _ in range(3):
        below, above = math.nextafter(below, 0.0), math.nextafter(above, math.inf)
        found |= {below, above}
    return sorted(number for number in found if number > 0)


def written_otherwise() -> Iterator[Case]:
    """The same question, or nearly, in other bytes."""
    made = dict(questions())["average, position, laplace"]
    data, slot = made.to_bytes(), made.slots.first

    def put(old: str, new: str) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), 1)

    for number in ("1.0", "1e0", "01", "+1", "-0", "1E0", "1.", ".5", "0x1", "1e-7", "1e-07", "0.0000001", "1e+21",
                   "1e21", "1000000000000000000000", "9007199254740993", "9007199254740992", "0.1", "0.10",
                   "0.30000000000000004", "0.300000000000000041", "1e400", "-1", "NaN", "Infinity", "-Infinity",
                   "5e-324", "4.9e-324", "3e-324", "1.7976931348623157e+308", "123456789012345680000"):  # fmt: skip
        yield Case("a number written otherwise", put('"epsilon":1,', f'"epsilon":{number},'), slot)
        yield Case("a whole number written otherwise", put('"round":0', f'"round":{number}'), slot)
    texts = (
        "\\u0061", "a\\u0000", "\\n", "\n", "\t", "\x7f", "\u00a0", "\u00ad", "\u200b", "\u2028", "\u3000", "\ufeff",
        "\ue000", "\uffff", "\U0010ffff", "é", "e\u0301", "ß", "日本", "😀", "\\ud83d\\ude00", "\\ud800", "\\udc00x",
        "\u061c", "\u180e", "\\/", "/", "\\b", "\\u001f", "\u0085", "٣", "'", "\\\"", "\\\\", "\\x", "\\u00e9", " ",
        "a b",         "a" * 128, "a" * 129, "😀" * 128, "😀" * 129, "é" * 128, "constructor", "__proto__", "toString",
    )  # fmt: skip
    for text in texts:
        yield Case("a text", put('"survey":"vectors"', f'"survey":"{text}"'), slot)
        yield Case("a text for a role", put('"role":"ask"', f'"role":"{text}"'), slot)
    for old, new in (
        ('"role":"ask",', ""), ('"role":"ask"', '"Role":"ask"'), ('"role":"ask"', '"role" :"ask"'),
        ('"role":"ask"', '"r\\u006fle":"ask"'), ('{"channel"', '{ "channel"'), ('{"channel"', '[{"channel"'),
        ('"role":"ask"', '"role":"ask","role":"ask"'), ('"survey"', '"slotsx":0,"survey"'),
        ('"survey"', '"__proto__":{},"survey"'), ('{"channel"', '{"__proto__":null,"channel"'),
        ('"kind":"position"', '"kind":"constructor"'), ('"kind":"position"', '"kind":"__proto__"'),
        ('"kind":"laplace"', '"kind":"toString"'), ('"groups":3', '"groups":3,"hasOwnProperty":1'),
    ):  # fmt: skip
        yield Case("a name written otherwise", put(old, new), slot)
    whole = {
        "a mark of byte order": b"\xef\xbb\xbf" + data, "twice": data + data, "a zero byte": data + b"\0",
        "a line end": data + b"\n", "a blank before": b" " + data, "a comma": data[:-1] + b",}",
        "half a letter": data.replace(b'"vectors"', b'"\xc3"'),
        "a long form": data.replace(b'"vectors"', b'"\xc0\xaf"'),
        "half a pair in bytes": data.replace(b'"vectors"', b'"\xed\xa0\x80"'), "a comment": data + b"//",
        "UTF-16": b"\xff\xfe" + data.decode().encode("utf-16-le"), "nested deep": b"[" * 33 + b"]" * 33,
        "just deep": b"[" * 32 + b"]" * 32,
        "a text": b'"question"', "true": b"true", "an object": b"{}", "a large number": b"1e999",
        "many marks": b"[" + b"[]," * 70000 + b"[]]", "many texts": b"[" + b'"",' * 90000 + b'""]',
    }  # fmt: skip
    for name, sent in whole.items():
        yield Case(name, sent, slot)


def mutated() -> Iterator[Case]:
    """Something else in every place of a question of every kind: three in each, by turns."""
    turn, seen = 0, set()
    for name, question in questions():
        data = question.to_bytes()
        if len(data) > 6000 or "of 6" in name or "of 12" in name:
            continue
        plain = json.loads(data)
        for path in paths(plain):
            place = (*kinds(plain, path), *(part for part in path if isinstance(part, str)), isinstance(path[-1], int))
            if place in seen:
                continue
            seen.add(place)
            for _ in range(3):
                turn += 1
                for told, sent in changed(name, data, path, turn):
                    yield Case(told, sent, question.slots.first)


def with_manifest() -> Iterator[Case]:
    """Honest questions of every problem, then those that leave what was announced."""
    yield from announced_first(honest())
    one_round, adaptive = dishonest.manifest("one-round"), dishonest.manifest("adaptive")
    for survey, changes in ((one_round, dishonest.ONE_ROUND), (adaptive, dishonest.ADAPTIVE)):
        for name, change in changes.items():
            yield Case(name, change(first_question(survey)).to_bytes(), 3, None, survey)
    for name, edit in dishonest.MALFORMED.items():
        yield Case(name, edit(first_question(one_round).to_bytes()), 3, None, one_round)
    for name, (settings, change) in dishonest.OTHERS.items():
        survey = announced(settings)
        yield Case(name, change(first_question(survey)).to_bytes(), 0, None, survey)
    for name, (settings, number, change) in dishonest.LATER.items():
        survey = announced(settings)
        made = change(transcript_of(survey, asking(settings), rounds=number + 1)[1][number])
        yield Case(name, made.to_bytes(), made.slots.first, None, survey)


def announced_first(surveys: Iterable[tuple[Manifest, Question, int]]) -> Iterator[Case]:
    """Questions that were announced, and the same with something else in every place."""
    for survey, made, number in surveys:
        data, first = made.to_bytes(), made.slots.first
        yield Case(f"{survey.problem}, round {number}", data, first, None, survey, whole=True)
        yield Case("a slot of nobody", data, first + made.slots.count, None, survey)
        yield Case("another digest", data, first, "f" * 64, survey)
        for turn, path in enumerate(paths(json.loads(data)), start=number):
            for sent in departed(data, path, turn):
                yield Case(f"{survey.problem}: another {'.'.join(map(str, path))}", sent, first, None, survey)


HALVES = CoverSelect(epsilon=1.0, users=500, centres=((12345678.125, 1.0), (1.0, 1234567890.75), (0.1, 1e-7)))
"""Numbers of more than ten digits, half-way between two of ten: see `messages.ways`."""


BEFORE = ("mean", "histogram", "quantiles", "cdf", "vector", "sparse", "density", "mixture", "cover")
"""Problems whose vectors came first; those of others are written after all that was there."""


@cache
def honest(*, later: bool = False) -> tuple[tuple[Manifest, Question, int], ...]:
    """The first and the last question of one survey for each problem and method, and who announced them."""
    settings: list[Any] = [] if later else [HALVES]
    for problem in (one for one in problems() if (one.name not in BEFORE) == later):
        methods: set[str] = set()
        for example in problem.examples:
            if example.method not in methods | {"auto", "theory"}:
                methods.add(example.method)
                settings.append(problem.example_survey(example, epsilon=1.0))
    found = []
    for own in settings:
        survey = announced(own)
        made = transcript_of(survey, asking(own))[1]
        found += [(survey, made[number], number) for number in sorted({0, len(made) - 1})]
    return tuple(found)


def announced(settings: Any) -> Manifest:
    return announce(settings, purpose="vectors", collector="tests", software="tests", opens=0, closes=2**37)


def manifests() -> Iterator[tuple[str, bytes]]:
    """Manifests that are in order, and those that are not: something else in every place, by turns."""
    turn = 0
    for problem in ("histogram", "mean", "mixture"):
        survey = next(survey for survey, _, number in honest() if survey.problem == problem)
        data = survey.to_bytes()
        yield problem, data
        for path in paths(json.loads(data)):
            for _ in range(2):
                turn += 1
                yield from changed(problem, data, path, turn)
    plain = json.loads(data)
    for names in (("a", "b"), ("é", "z"), ("\ufb00", "\U00010000"), ("\U00010000", "\ufb00"), ("", "a")):
        settings = ",".join(f"{json.dumps(name, ensure_ascii=False)}:0" for name in names)
        held = canonical.dumps(plain | {"settings": {"settings": 0}})
        yield f"settings {names!r}", held.replace(b'{"settings":0}', f"{{{settings}}}".encode())


# ---- a document with something else in one of its places -------------------------------------------------------------

OTHERS: tuple[Any, ...] = (
    None, True, "1", "", -1, 0, 1, 2, 0.5, 1.5, -0.25, 3, 255, 65536, 65537, 2**40, 2**53, 1e16, 1e150, 1e300,
    5e-324, [], [0], ["1"], {}, [[0]], "18446744073709551615", "18446744073709551616", "٣", "grid", "l2",
)  # fmt: skip
"""What is put where something else belongs."""


def kinds(plain: Any, path: tuple[Any, ...]) -> tuple[str, ...]:
    """The kinds of what stands above a place: the same place of the same kinds is looked at once."""
    found = []
    for part in path[:-1]:
        plain = plain[part]
        if isinstance(plain, dict) and "kind" in plain:
            found.append(plain["kind"])
    return tuple(found)


def paths(plain: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document; of a list, its first and its last."""
    if isinstance(plain, dict):
        inner: list[Any] = list(plain)
    elif isinstance(plain, list):
        inner = sorted({0, len(plain) - 1} & set(range(len(plain))))
    else:
        return
    for part in inner:
        yield (*above, part)
        yield from paths(plain[part], (*above, part))


def above(data: bytes, path: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """A document, what a place of it stands in, and its name or number there."""
    plain = json.loads(data)
    return plain, reduce(getitem, path[:-1], plain), path[-1]


def changed(name: str, data: bytes, path: tuple[Any, ...], turn: int) -> Iterator[tuple[str, bytes]]:
    """By turns: another value, the place gone, a neighbour more, the value a little different."""
    plain, held, last = above(data, path)
    how = turn % 8
    if how == 0:
        held.pop(last)
    elif how == 1 and isinstance(held, dict):
        held["zzz"] = held[last]
    elif how == 1:
        held.append(held[last])
    elif how == 2 and type(held[last]) in (int, float):
        held[last] = max(-(2**53), min(2**53, held[last] + 1)) if type(held[last]) is int else held[last] * 1.5
    elif how == 2 and isinstance(held[last], list):
        held[last] = held[last][::-1]
    elif how == 2 and isinstance(held[last], str) and held[last].isdigit():
        held[last] = str(int(held[last]) + 1)
    elif how == 3 and type(held[last]) in (int, float):
        held[last] = -held[last]
    else:
        held[last] = OTHERS[(turn * 11) % len(OTHERS)]
    sent = canonical.dumps(plain)
    if sent != data:
        yield f"{name}: another {'.'.join(map(str, path))}", sent


def departed(data: bytes, path: tuple[Any, ...], turn: int) -> Iterator[bytes]:
    """Something else that could have been asked: other numbers, by much or by little, other names, other lists."""
    plain, held, last = above(data, path)
    value = held[last]
    parts = (1 + 1e-9, 1 + 4e-11, 1 + 6e-11, 1 - 1e-15, 1.5, 0.5, -1.0)
    if isinstance(value, bool) or value is None:
        others: list[Any] = [1]
    elif isinstance(value, int):
        others = [value + 1, value - 1, value + 0.5, value + 1e-10, value + 2.0**-33][turn % 2 :: 2]
    elif isinstance(value, float):
        others = [value * part for part in parts[turn % 2 :: 2]]
    elif isinstance(value, list):
        others = [value[::-1], value[:-1], value + value[-1:]][turn % 2 :: 2]
    elif isinstance(value, str) and value.isdigit():
        others = [str(int(value) - 1)]
    elif isinstance(value, str):
        others = {"role": ["refine", "vote", "mean"], "survey": ["0" * 64]}.get(last, [])
    else:
        others = []
    for other in others:
        held[last] = other
        sent = canonical.dumps(plain)
        if sent != data:
            yield sent
