"""Reading bytes: one form for one message, the quick ways agree with the long one, and size is checked first."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sottovoce import design
from sottovoce.messages import Each, Encoder, Grid, Malformed, Position, Question, Report, Table, Tally, canonical
from sottovoce.messages.canonical import from_plain, to_plain
from sottovoce.messages.limits import MAX_QUESTION, MAX_REPORT, MAX_REPORT_BYTES, Size
from tests.unit.test_hostile_questions import BIT, put, vote
from tests.vectors.make import questions

ANY = Size(letters=2**20, marks=2**20)
numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
OTHER_FORMS = """
1.0|-0|-0.0|1e-07|1e5|1E5|1e+16|0.10|9007199254740993|1e999|NaN|Infinity|{"b":1,"a":2}|{"a":1,"a":1}|[1, 2]| 1|1 |
"\\u0061"|"\\/"|{"a" :1}|[" ", 1]|"\\ud800"|"a"\t|[1,]|tru|"\x01"
"""


def encodable(value: Any) -> bool:
    try:
        canonical.dumps(value)
    except UnicodeEncodeError:  # half a pair of surrogates is no text
        return False
    return True


@settings(max_examples=300)
@given(plain.filter(encodable), st.data())
def test_what_is_written_reads_back_and_only_the_canonical_form_is_read(value: Any, data: st.DataObject) -> None:
    written = canonical.dumps(value)
    assert canonical.dumps(canonical.loads(written, size=ANY)) == written
    place = data.draw(st.integers(0, len(written)))
    change = data.draw(st.sampled_from([b" ", b"\n", b"0", b"e", b".0", b"\\u0061", b"-", b'"', b",", b""]))
    drop = data.draw(st.integers(0, 2))
    changed = written[:place] + change + written[place + drop :]
    try:
        read = canonical.loads(changed, size=ANY)
    except Malformed:
        return
    assert canonical.dumps(read) == changed


@pytest.mark.parametrize(
    "text", ["0", "-1.5", "1e-7", "10000000000000000", "1e+21", '"a b"', '{"a":"x y","b":["z z"]}']
)
def test_canonical_forms_are_read(text: str) -> None:
    assert canonical.dumps(canonical.loads(text.encode(), size=ANY)) == text.encode()


def test_names_are_sorted_as_browsers_do() -> None:
    """The RFC's own example: by UTF-16 units, where a letter beyond the first 2^16 comes before "\ufb33"."""
    names = ["\r", "1", "\x80", "ö", "€", "😀", "\ufb33"]
    data = canonical.dumps(dict.fromkeys(reversed(names), 0))
    assert list(json.loads(data)) == names
    assert list(canonical.loads(data, size=ANY)) == names
    for first, second in ((names[-1], names[-2]), (names[3], names[2]), (names[2], names[1]), (names[-2], names[-2])):
        with pytest.raises(Malformed, match="RFC 8785"):
            canonical.loads(f'{{"{first}":0,"{second}":0}}'.encode(), size=ANY)


cell = st.integers(0, 2**66).map(str)
odd = st.sampled_from(["", "0", "007", "1,2", '1","2', "-1", "+1", " 1", "1_0", "٣", "[", "]", "1]", "x", "1e5", "1;2"])


def one_word(text: str) -> bool:
    return text.isascii() and text.isdigit() and text[0] != "0" and int(text) < 2**64 - 1


@settings(max_examples=400)
@given(st.lists(st.lists(cell | odd, max_size=3), max_size=3), st.booleans())
@example([["1", ""], ["2", "3"]], False)
@example([["1", "2"], ["3"]], False)
@example([["18446744073709551615", "1"]], False)
@example([["18446744073709551616", "1"]], False)
def test_rows_are_cut_out_exactly_when_they_are_what_they_seem(table: list[list[str]], blank: bool) -> None:
    document = {"a": "x y" if blank else 1, "rows": table, "z": [0.5, "rows"]}
    data = canonical.dumps(document)
    read = canonical.loads(data, size=ANY)
    if isinstance(read["rows"], np.ndarray):
        assert [[str(word) for word in row] for row in read["rows"].tolist()] == table
        read["rows"] = table
    assert read == document
    simple = all(len(row) and all(map(one_word, row)) for row in table)
    even = bool(table) and len({len(row) for row in table}) == 1
    assert (canonical.cut_rows(data) is not None) == (simple and even)


HIDING = """
{"a":"[["1"]],"rows":[["1","2"]]}|{"a":"rows":[["1","2"]]}|{"a":"x"rows":[["1","2"]]}|{"a":-0,"rows":[["1","2"]]}|
{"rows":[["1","2"]],"z":-0}|{"rows":[["1","2"]],"rows":[["1","2"]]}|{"rows":[["1","2"]]],"z":0}|
{"rows":[["1","2"],["3","4"]}|{"rows":[["1"5,"2"]]}|{"rows":[["1","2"] ,["3","4"]]}|{"rows":[["1","2"]]
"""


@pytest.mark.parametrize("text", [*OTHER_FORMS.replace("\n", "").split("|"), *HIDING.replace("\n", "").split("|")])
def test_other_forms_are_refused_and_nothing_hides_behind_rows(text: str) -> None:
    with pytest.raises(Malformed):
        canonical.loads(text.encode(), size=ANY)


def test_a_table_read_as_a_whole_is_the_table() -> None:
    for table in (design.one_bit(1.0), design.piecewise(4.0, nodes=16, window=241), design.k_ary(2.0, 64)):
        data = canonical.dumps(to_plain(table))
        read = from_plain(Table, canonical.loads(data, size=MAX_QUESTION))
        slow = from_plain(Table, json.loads(data))
        assert read == slow == table and canonical.dumps(to_plain(read)) == data
        assert all(type(entry) is int for row in read.rows for entry in row)
        assert read.epsilon_bound() == slow.epsilon_bound() and hash(read) == hash(slow)


hexadecimal = st.text("0123456789abcdef", max_size=12)


@settings(max_examples=300)
@given(hexadecimal, st.integers(-2, 2**54) | st.sampled_from([2**53, 2**53 + 1, 10**16]), st.data())
def test_reports_read_the_quick_way_are_those_read_the_long_way(payload: str, slot: int, data: st.DataObject) -> None:
    written = f'{{"payload":"{payload}","question":"{BIT.digest}","slot":{slot},"version":1}}'.encode()
    place = data.draw(st.integers(0, len(written)))
    written = written[:place] + data.draw(st.sampled_from([b"", b"", b"0", b" ", b"A", b'"'])) + written[place:]
    try:
        slow = from_plain(Report, canonical.loads(written, size=MAX_REPORT))
    except Malformed:
        with pytest.raises(Malformed):
            Report.from_bytes(written)
        return
    assert Report.from_bytes(written) == slow and slow.to_bytes() == written
    assert slow.to_bytes() == canonical.dumps(to_plain(slow))


def test_a_report_beyond_its_size_is_refused() -> None:
    long = Report(question=BIT.digest, slot=1, payload="00" * (MAX_REPORT_BYTES // 2))
    with pytest.raises(Malformed, match="at most 65536"):
        Report.from_bytes(long.to_bytes())


def peak(read: Any, data: bytes) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            read(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def many(what: bytes, count: int) -> bytes:
    return b"[" + b",".join([what] * count) + b"]"


HUGE = {
    "four megabytes of lists": many(b"[]", 4 * 2**20 // 3),
    "one megabyte of lists": many(b"[]", 2**20 // 3 - 1),
    "as many lists as a question may hold": many(b"[]", 65_000),
    "objects": many(b"{}", 2**20 // 3 - 1),
    "names": b"{" + b",".join(b'"%05x":0' % number for number in range(2**20 // 11)) + b"}",
    "texts": b"[" + b",".join(b'"%04x"' % number for number in range(2**16)) + b"]",
    "numbers": many(b"0", 2**19 - 2),
    "fractions": many(b"0.5", 2**18 - 2),
    "deep": b"[" * 2**20,
    "rows": b'{"rows":[' + many(b'"1"', 2**18 - 8) + b"]}",
}


@pytest.mark.parametrize("name", HUGE)
def test_memory_of_a_refusal_is_bounded(name: str) -> None:
    """At most 24 MB, where a few megabytes of brackets took 200."""
    assert peak(Question.from_bytes, HUGE[name]) < 24 * 2**20
    assert peak(Report.from_bytes, HUGE[name]) < 2**20


def test_a_question_above_the_wire_limits_can_be_built_but_not_read() -> None:
    """A baseline that sends every observation is simulated; no device would answer it."""
    encoder = Encoder(statistic=Each(), placement=Position(low=(0.0,), high=(1.0,)))
    large = vote(channel=design.laplace(1e-4), encoder=encoder, uses=8192)
    with pytest.raises(Malformed, match="at most 65536 bytes"):
        Question.from_bytes(large.to_bytes())
    bins = Encoder(statistic=Each(), placement=Grid(low=(0.0,), high=(1.0,), count=10_000))
    cheap = vote(channel=design.unary(1e-4, 10_000), encoder=bins, epsilon=1e-4)
    with pytest.raises(Malformed, match=r"1250 bytes costs at least 0\.000157"):
        Question.from_bytes(cheap.to_bytes())


@pytest.mark.parametrize("name", questions())
def test_a_question_read_from_bytes_knows_its_digest(name: str) -> None:
    question = questions()[name]
    data = question.to_bytes()
    read = Question.from_bytes(data)
    assert vars(read)["digest"] == canonical.digest(data) == question.digest
    assert read == question and read.to_bytes() == data


def test_a_tally_of_the_wrong_version_is_refused() -> None:
    written = json.loads(Tally.empty(BIT).to_bytes())
    put("version", 2)(written)
    with pytest.raises(Malformed, match="version 1"):
        Tally.from_bytes(canonical.dumps(written))
    put("cells.0.0", 1)(written)
    with pytest.raises(Malformed, match=r"Tally\.cells"):
        Tally.from_bytes(canonical.dumps(written))
