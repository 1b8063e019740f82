"""The catalogue of messages: files of one language, read once, and how a message with data becomes text.

The files are Project Fluent, of which this reads a part: messages with placeables, that is variables, functions with
literals, other messages, texts in quotes, and choices (``{ $n -> [one] … *[other] … }``) by word, number or plural. A
message may go over several lines, joined by a blank. `docs/decisions/0014-a-catalogue-of-messages.md` says why;
``web/shared/catalogue.js`` is the same in JavaScript, and both are held to the same cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from sottovoce.messages import Fact, InvalidInput
from sottovoce.words.numbers import FUNCTIONS, plural, shown

LANGUAGE = "en"
_ENTRY = re.compile(r"([a-zA-Z][\w-]*) =(.*)", re.ASCII | re.DOTALL)
_NAME = re.compile(r"[a-zA-Z][\w-]*", re.ASCII)
_KEY = re.compile(r"(\*?)\[\s*([\w.-]+)\s*\]", re.ASCII)
_LITERAL = re.compile(r'"([^"\n]*)"|(-?\d+(?:\.\d+)?)')
_BREAK = re.compile(r"\s*\n\s*")


@dataclass(frozen=True)
class Variable:
    """``$name``."""

    name: str


@dataclass(frozen=True)
class Literal:
    """A text in quotes: blanks at its ends stay."""

    text: str


@dataclass(frozen=True)
class Message:
    """Another message, with the same data."""

    name: str


@dataclass(frozen=True)
class Call:
    """``NAME($value, digits: 3)``."""

    function: str
    arguments: tuple[Part, ...]
    options: tuple[tuple[str, str | float], ...]


@dataclass(frozen=True)
class Choice:
    """One of some texts, by what a value is; the one with a star where nothing else fits."""

    by: Part
    cases: tuple[tuple[str, Text], ...]
    otherwise: Text


Part: TypeAlias = str | Literal | Variable | Message | Call | Choice
Text: TypeAlias = tuple[Part, ...]


def entries(text: str) -> dict[str, str]:
    """The messages of a file by name, as they are written; a name that stands twice is refused."""
    found: dict[str, str] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1] in ("#", "") or not line.strip():
            continue
        if line[0] in " \t}":
            if not name:
                raise InvalidInput(f"line {number}: goes on with no message")
            found[name] += f"\n{line}"
            continue
        entry = _ENTRY.fullmatch(line)
        if entry is None or entry[1] in found:
            raise InvalidInput(f"line {number}: no message, or one that stands twice")
        name = entry[1]
        found[name] = entry[2]
    return found


class _Reader:
    """Reads one message."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def blanks(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def expect(self, sign: str) -> None:
        if not self.text.startswith(sign, self.at):
            raise InvalidInput(f"{sign!r} was expected after {self.text[: self.at]!r}")
        self.at += len(sign)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise InvalidInput(f"unreadable after {self.text[: self.at]!r}")
        self.at = found.end()
        return found

    def pattern(self, *, inside: bool = False) -> Text:
        """Text and placeables up to the end, or `inside` of a choice up to the next case."""
        parts: list[Part] = []
        start = self.at
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == "{":
                parts += [self.text[start : self.at], self.placeable()]
                start = self.at
            elif inside and sign in "[*}" and "\n" in self.text[start : self.at] and not self.line():
                break
            else:
                self.at += 1
        parts.append(self.text[start : self.at])
        return _tidy(parts)

    def line(self) -> str:
        """What stands before this place in its line."""
        return self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at].strip()

    def placeable(self) -> Part:
        self.expect("{")
        self.blanks()
        part = self.expression()
        self.blanks()
        if self.text.startswith("->", self.at):
            self.at += 2
            part = self.choice(part)
        self.expect("}")
        return part

    def expression(self) -> Part:
        if self.text[self.at : self.at + 1] == "$":
            self.at += 1
            return Variable(self.match(_NAME)[0])
        if self.text[self.at : self.at + 1] in '"-0123456789':
            found = self.match(_LITERAL)
            return Literal(found[0] if found[1] is None else found[1])
        name = self.match(_NAME)[0]
        return self.call(name) if self.text[self.at : self.at + 1] == "(" else Message(name)

    def call(self, name: str) -> Call:
        self.expect("(")
        arguments: list[Part] = []
        options: list[tuple[str, str | float]] = []
        while True:
            self.blanks()
            if self.text[self.at : self.at + 1] == ")":
                break
            if found := re.compile(r"(\w+):\s*").match(self.text, self.at):
                self.at = found.end()
                value = self.match(_LITERAL)
                options.append((found[1], float(value[2]) if value[1] is None else value[1]))
            else:
                arguments.append(self.expression())
            self.blanks()
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
        self.expect(")")
        return Call(name, tuple(arguments), tuple(options))

    def choice(self, by: Part) -> Choice:
        cases: list[tuple[str, Text]] = []
        otherwise: Text | None = None
        self.blanks()
        while self.text[self.at : self.at + 1] != "}":
            star, key = self.match(_KEY).groups()
            text = self.pattern(inside=True)
            cases.append((key, text))
            otherwise = text if star else otherwise
        if otherwise is None:
            raise InvalidInput(f"a choice has a case with a star: {self.text!r}")
        return Choice(by, tuple(cases), otherwise)


def _tidy(parts: Iterable[Part]) -> Text:
    """Lines joined by a blank, none at either end, no empty text."""
    joined = [_BREAK.sub(" ", part) if isinstance(part, str) else (part,) for part in parts]  # placeables kept apart
    if isinstance(joined[0], str):
        joined[0] = joined[0].lstrip()
    if isinstance(joined[-1], str):
        joined[-1] = joined[-1].rstrip()
    return tuple(part if isinstance(part, str) else part[0] for part in joined if part)


def parsed(written: str) -> Text:
    """One message as it is written, as parts."""
    reader = _Reader(written)
    return reader.pattern()


class Catalogue:
    """The messages of one language."""

    def __init__(self, written: Mapping[str, str], language: str = LANGUAGE) -> None:
        self.written, self.language = dict(written), language
        self._parsed: dict[str, Text] = {}

    def text(self, code: str) -> Text:
        """The parts of a message."""
        if code not in self._parsed:
            if code not in self.written:
                raise InvalidInput(f"the catalogue has no message {code!r}")
            self._parsed[code] = parsed(self.written[code])
        return self._parsed[code]

    def say(self, code: str, /, **data: Any) -> str:
        """A message with data in it."""
        return self._join(self.text(code), data)

    def tell(self, fact: Fact) -> str:
        """The sentence of a fact: the message of its code, with its data."""
        return self._join(self.text(fact.code), fact.data)

    def shown(self, value: Any) -> str:
        """A value as it stands in a sentence; a fact that no message is for, as it is."""
        if isinstance(value, tuple):
            return ", ".join(map(self.shown, value))
        if not isinstance(value, Fact):
            return shown(value)
        return self.tell(value) if value.code in self.written else repr(value)

    def _join(self, text: Text, data: Mapping[str, Any]) -> str:
        return "".join(part if isinstance(part, str) else self.shown(self._value(part, data)) for part in text)

    def _value(self, part: Part, data: Mapping[str, Any]) -> Any:
        match part:
            case str(text) | Literal(text):
                return text
            case Variable(name):
                if name not in data:
                    raise InvalidInput(f"a message wants ${name}, and it is not given")
                return data[name]
            case Message(name):
                return self._join(self.text(name), data)
            case Call(function, arguments, options):
                return FUNCTIONS[function](self, *(self._value(one, data) for one in arguments), **dict(options))
            case Choice(by, cases, otherwise):
                return self._join(self._chosen(self._value(by, data), cases, otherwise), data)

    def _chosen(self, value: Any, cases: tuple[tuple[str, Text], ...], otherwise: Text) -> Text:
        keys = _keys(value)
        return next((text for key in keys for own, text in cases if own == key), otherwise)


def _keys(value: Any) -> tuple[str, ...]:
    """What a case may be called that fits a value, the closest first."""
    if isinstance(value, bool):
        return ("true" if value else "false",)
    if isinstance(value, (int, float)):
        return f"{value:g}", plural(value)
    if value is None or value == "" or value == ():
        return ("none",)
    return (value.code,) if isinstance(value, Fact) else (str(value),)


@cache
def catalogue(language: str = LANGUAGE) -> Catalogue:
    """All messages of a language: every file of its folder."""
    written: dict[str, str] = {}
    for file in sorted(files("sottovoce.words").joinpath(language).iterdir(), key=_name):
        if file.name.endswith(".ftl"):
            own = entries(file.read_text(encoding="utf-8"))
            if twice := written.keys() & own.keys():
                raise InvalidInput(f"{file.name}: {', '.join(sorted(twice))} stands in another file too")
            written |= own
    return Catalogue(written, language)


def _name(file: Any) -> str:
    return str(file.name)
