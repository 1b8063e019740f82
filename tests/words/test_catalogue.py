"""Every message of every file can be read, calls functions that there are, and names messages that there are."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from sottovoce.messages import Fact, InvalidInput
from sottovoce.words import FUNCTIONS, Catalogue, catalogue, entries
from sottovoce.words.catalogue import Call, Choice, Literal, Message, Variable, parsed

FILES = sorted(file.name for file in files("sottovoce.words").joinpath("en").iterdir() if file.name.endswith(".ftl"))


def parts(text: tuple[Any, ...]) -> Iterator[Any]:
    for part in text:
        yield part
        match part:
            case Call(arguments=arguments):
                yield from parts(arguments)
            case Choice(by=by, cases=cases):
                yield from parts((by, *(inner for _, own in cases for inner in own)))


def test_there_are_files() -> None:
    assert "numbers.ftl" in FILES


@pytest.mark.parametrize("name", FILES)
def test_every_message_can_be_read(name: str) -> None:
    text = files("sottovoce.words").joinpath("en", name).read_text(encoding="utf-8")
    assert text.startswith("#"), "a file begins with what it is for"
    everything = catalogue()
    for code, written in entries(text).items():
        assert code == code.lower(), code
        for part in parts(parsed(written)):
            match part:
                case Call(function=function):
                    assert function in FUNCTIONS, code
                case Message(name=other):
                    assert other in everything.written, (code, other)
                case str() | Literal() | Variable() | Choice():
                    pass
                case _:
                    raise AssertionError(part)


def test_what_a_page_says_otherwise_is_said_elsewhere_too() -> None:
    """Under the same code: a page has it from the same fact."""
    written = catalogue().written
    for code in written:
        if code.startswith("on-page-"):
            assert code.removeprefix("on-page-") in written, code


@pytest.mark.parametrize(
    "text, words",
    [
        ("a = x\na = y", "line 2"),
        (" a = x", "goes on with no message"),
        ("a: x", "line 1"),
    ],
)
def test_a_broken_file_is_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        entries(text)


@pytest.mark.parametrize("text", ["{ $x", "{ % }", "{ $x } {", "{ F($x }", "{ $x ->\n [one] a\n}"])
def test_a_broken_message_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parsed(text)


def test_a_message_wants_its_data_and_a_code_its_message() -> None:
    own = Catalogue({"a": "{ $x }"})
    assert own.say("a", x=1) == own.tell(Fact("a", x=1)) == "1"
    with pytest.raises(InvalidInput, match=r"\$x"):
        own.tell(Fact("a"))
    with pytest.raises(InvalidInput, match="no message 'b'"):
        own.tell(Fact("b"))


def test_facts_within_are_told_in_the_same_language() -> None:
    other = Catalogue({"outer": "{ $of }", "inner": "innen { $n }"}, "xx")
    assert other.tell(Fact("outer", of=Fact("inner", n=1))) == "innen 1"
    assert other.tell(Fact("outer", of=(Fact("inner", n=1), Fact("inner", n=2)))) == "innen 1, innen 2"


def test_a_fact_that_no_message_is_for_is_shown_as_it_is_and_the_rest_in_words() -> None:
    known = Catalogue({"outer": "because { $of }"})
    assert known.tell(Fact("outer", of=Fact("unheard-of", n=1))) == "because Fact('unheard-of', n=1)"
    with pytest.raises(InvalidInput):
        known.tell(Fact("unheard-of", n=1))
