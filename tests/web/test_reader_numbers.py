"""The page's device counts and reads as Python's does: numbers, bounds on logarithms, canonical bytes."""

from __future__ import annotations

import math
import random
import struct
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from sottovoce.messages import Average, Encoder, Grid, Malformed, Question, Slots, Unary, canonical, limits
from sottovoce.messages.exact_arithmetic import exact, exp_below, log_above, log_below
from sottovoce.messages.limits import Size
from sottovoce.messages.rules import _round_floats
from tests.unit.test_canonical import OTHER_FORMS
from tests.web.reading import CLOSE, ask, sent

ANY = Size(letters=2**21, marks=2**20)


def placed(channel: Unary) -> Encoder:
    """An average in as many bins as a channel has items."""
    return Encoder(statistic=Average(), placement=Grid(low=(0.0,), high=(1.0,), count=channel.items))


VOTE = Unary(items=2, reach=0, threshold=3 * 2**62)
UNARY = Question(
    survey="s", round=0, role="r", slots=Slots(first=0, count=9), encoder=placed(VOTE), channel=VOTE, epsilon=100.0
)


def doubles(count: int, seed: int) -> list[float]:
    """Of all sizes, with few digits and with many, and halfway between two numbers of ten digits."""
    dice = random.Random(seed)
    found = [0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 1e-6, 1e-7, 2.0**53, 2.0**53 + 2, 0.1]
    found += [123456789.5 + place for place in range(4)] + [1234567890.5, 1234567891.5, 12345678901.5, 0.5, 1.5, 2.5]
    found += [(dice.randrange(10**9, 10**10) + 0.5) * 2.0 ** -dice.randrange(30) for _ in range(200)]
    found += [dice.randrange(1, 10**10) * 2.0 ** -dice.randrange(1, 40) for _ in range(200)]
    while len(found) < count:
        number = struct.unpack(">d", dice.randbytes(8))[0]
        found += [number] if math.isfinite(number) else []
        found += [
            round(dice.uniform(-1e3, 1e3), dice.randrange(12)),
            dice.gauss(0, 1) * 10.0 ** dice.randrange(-20, 20),
        ]
    return found + [-number for number in found]


def test_numbers_are_written_cut_and_rounded_alike() -> None:
    numbers = doubles(3000, seed=1)
    answers = ask(*(("number", struct.pack(">d", number).hex()) for number in numbers))
    for number, (written, shortest, nearest, rounded) in zip(numbers, answers, strict=True):
        assert written == canonical.ecmascript_number(number)
        assert Fraction(shortest) == exact(number)
        assert not 1e-9 < abs(number) < 1e9 or struct.unpack(">d", bytes.fromhex(nearest))[0] == number
        assert struct.unpack(">d", bytes.fromhex(rounded))[0] == _round_floats(number), number


def ratios() -> list[Fraction]:
    dice = random.Random(2)
    bits = [1, 2, 8, 53, 64, 80, 128, 1000, 6000]
    found = [Fraction(2**64 - 1), Fraction(2**127 + 1, 2**127 - 1), Fraction(2**128 - 1), Fraction(3, 2), Fraction(1)]
    found += [Fraction(2**place) for place in range(1, 70)] + [1 + Fraction(1, 2**place) for place in range(1, 300, 7)]
    found += [
        Fraction(dice.randrange(1, 2 ** dice.choice(bits)), dice.randrange(1, 2 ** dice.choice(bits)))
        for _ in range(800)
    ]
    return found + [1 / ratio for ratio in found[:100]]


def test_logarithms_are_bounded_as_closely_as_in_python() -> None:
    tried = ratios()
    for ratio, (low, high) in zip(
        tried, ask(*(("log", str(r.numerator), str(r.denominator)) for r in tried)), strict=True
    ):
        below, above = Fraction(low), Fraction(high)
        assert below < above < below + CLOSE
        assert below < log_above(ratio) and above > log_below(ratio)  # else one of both is wrong
        assert abs(below - log_below(ratio)) < CLOSE and abs(above - log_above(ratio)) < CLOSE


def test_exponentials_are_bounded_as_closely_as_in_python() -> None:
    dice = random.Random(3)
    tried = [Fraction(0), Fraction(4096), Fraction(1, 2**200)]
    tried += [Fraction(dice.randrange(2**64), dice.randrange(1, 2**64)) % 4096 for _ in range(300)]
    for x, answer in zip(tried, ask(*(("exp", str(x.numerator), str(x.denominator)) for x in tried)), strict=True):
        theirs, ours = Fraction(answer), exp_below(x)
        assert abs(theirs / ours - 1) < CLOSE
        assert log_below(theirs) <= x, "at most the truth"


def test_fractions_add_up() -> None:
    dice = random.Random(4)
    some = [Fraction(dice.randrange(2**90), dice.randrange(1, 2 ** dice.choice((3, 64, 256)))) for _ in range(300)]
    pairs = [*pairwise(some)]
    text = [(f"{a.numerator}/{a.denominator}", f"{b.numerator}/{b.denominator}") for a, b in pairs]
    for (a, b), answer in zip(pairs, ask(*(("sums", one, other, 7) for one, other in text)), strict=True):
        total, seven, ordered, nearest = answer
        assert (Fraction(total), Fraction(seven), ordered) == (a + b, 7 * a, a <= b)
        assert total == f"{(a + b).numerator}/{(a + b).denominator}"
        assert struct.unpack(">d", bytes.fromhex(nearest))[0] == float(a)


# ---- bytes -----------------------------------------------------------------------------------------------------------


def readable(data: bytes, size: Size) -> bool:
    try:
        canonical.loads(data, size=size)
    except Malformed:
        return False
    return True


def same_reading(documents: Iterable[bytes], size: Size = ANY) -> list[bool]:
    given = list(documents)
    told = {"letters": size.letters, "marks": size.marks, "texts": size.texts}
    found = []
    for data, (code, again) in zip(given, ask(*(("canonical", sent(data), told) for data in given)), strict=True):
        assert (code == "") == readable(data, size), data[:200]
        assert code or b64decode(again) == data
        found.append(code == "")
    return found


FORMS = """
0|-1.5|1e-7|10000000000000000|1e+21|"a b"|{"a":"x y","b":["z z"]}|"\\u001f\\b\\n\\"\\\\"|[]|"\x7f\u2028"|"é😀"|
{"\ufb33":1,"😀":2}|{"😀":1,"\ufb33":2}|{"":0}|{"__proto__":1}|true|null|"\\ud800"|"\\udc00"|"\\ud83d\\ude00"|\ufeff1|
{"10":1,"9":2}|{"9":2,"10":1}|{"constructor":{"a":[]}}
"""


def test_documents_are_read_alike() -> None:
    documents = [text.encode() for forms in (FORMS, OTHER_FORMS) for text in forms.replace("\n", "").split("|")]
    documents += [b"\xed\xa0\x80", b'"\xff"', b"[" * 100_000, b"9" * 5000, b"-" + b"9" * 400, b"1e400"]
    documents += [b"[" * deep + b"]" * deep for deep in range(30, 36)]
    documents += [b'{"a":' * deep + b'{"rows":[["1"]]}' + b"}" * deep for deep in range(28, 36)]
    documents += [b'{"a":' * deep + b'{"rows":[["0"]]}' + b"}" * deep for deep in range(28, 36)]
    found = same_reading(documents)
    assert 15 < sum(found) < len(found) - 15


def test_marks_are_counted_alike() -> None:
    """In all bytes, those of rows that Python reads as a whole included."""
    last, most = str(2**64 - 1), str(2**64 - 2)
    cells = ['[["1","2"],["3","4"]]', f'[["1","{most}"]]', f'[["1","{last}"]]', '[["0"]]', '[["1"],["1","2"]]', "[[]]"]
    documents = [f'{{"rows":{held}}}' for held in cells] + [
        f'{{"a":{{"rows":{held}}},"rows":{held}}}' for held in cells
    ]
    documents += [f'{{"a":"\\n","rows":{held}}}' for held in cells] + ['{"a":"[[]]::","b":"\\"{\\\\"}', "[[],[],{}]"]
    for marks in range(4, 40, 3):
        same_reading((text.encode() for text in documents), Size(letters=100, marks=marks))


def test_limits_are_the_same() -> None:
    [told] = ask(("limits",))
    theirs = {name: value for name, value in told.items() if isinstance(value, (int, float))}
    theirs["MAX_TABLE_CELLS"] = theirs.pop("MAX_CELLS")
    assert set(theirs) == {"MAX_ITEMS", "MAX_REPORT_BYTES", "MAX_TABLE_CELLS", "MAX_TEXT", "MAX_USERS"}
    assert {name: getattr(limits, name) for name in theirs} == theirs
    assert theirs["MAX_ITEMS"] == limits.MAX_GROUPS
    for name in ("MAX_QUESTION", "MAX_MANIFEST"):
        size: Size = getattr(limits, name)
        assert told["MAX_DOCUMENT"] == {"letters": size.letters, "marks": size.marks} and not size.texts


def test_bits_that_differ_are_counted_as_python_counts_them() -> None:
    """Every reach, and every number of items up to where two windows no longer touch, and some beyond."""
    channels = [
        Unary(items=items, reach=reach, threshold=3 * 2**62)
        for reach in range(9)
        for items in (*range(1, 4 * reach + 6), 100, 1000)
    ]
    asked = [
        ("question", sent(replace(UNARY, encoder=placed(channel), channel=channel).to_bytes())) for channel in channels
    ]
    for channel, (code, told) in zip(channels, ask(*asked), strict=True):
        assert code == "" and abs(Fraction(told[0]) - channel.epsilon_bound()) < CLOSE, channel
