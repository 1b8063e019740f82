"""Every message of every file can be read, calls functions and names messages that there are; and one reader in two
languages: the same files and data give the same text in Python and in JavaScript.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import Fact, InvalidInput
from sottovoce.messages.facts import _read
from sottovoce.words import FUNCTIONS, Catalogue, catalogue, entries
from sottovoce.words.catalogue import Call, Choice, Literal, Message, Variable, parsed
from tests.support.node import lines

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


# ---- one reader in two languages -------------------------------------------------------------------------------------

SPEAKER = Path(__file__).with_name("catalogue.mjs")
CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
ON_PAGES = ("dashboard", "numbers", "outcome", "pages", "participate", "question")
"""Files that pages load."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["file"]))
def test_python(case: dict[str, Any]) -> None:
    told = Fact("a", **{name: _read(value) for name, value in case["data"].items()})
    if case.get("wrong"):
        with pytest.raises((ValueError, KeyError)):
            Catalogue(entries(case["file"])).tell(told)
    else:
        assert Catalogue(entries(case["file"])).tell(told) == case["text"]


def test_javascript() -> None:
    found = lines(SPEAKER, [["say", case["file"], "a", case["data"]] for case in CASES])
    for case, told in zip(CASES, found, strict=True):
        assert ("wrong" in told) == case.get("wrong", False), (case, told)
        assert told.get("text") == case.get("text"), case


def test_pages_know_every_function_that_their_files_call() -> None:
    folder = files("sottovoce.words").joinpath("en")
    texts = [folder.joinpath(f"{name}.ftl").read_text(encoding="utf-8") for name in ON_PAGES]
    assert lines(SPEAKER, [["unknown", text] for text in texts]) == [[]] * len(texts)
