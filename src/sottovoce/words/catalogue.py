"""The catalogue of messages: files of one language, read once, and how a message with data becomes text.

The files are Project Fluent, of which this reads a part: messages with placeables, that is variables, functions with
literals, other messages, texts in quotes, and choices (``{ $n -> [one] … *[other] … }``) by word, number or plural. A
message may go over several lines, joined by a blank. `docs/decisions/0014-a-catalogue-of-messages.md` says why;
``web/shared/catalogue.js`` is the same in JavaScript, and both are held to the same cases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any, TypeAlias

from sottovoce.messages import Fact, InvalidInput
from sottovoce.words.numbers import FUNCTIONS, plural, shown

LANGUAGE = "en"
_ENTRY = re.compile(r"([a-zA-Z][\w-]*) =(.*)", re.ASCII | re.DOTALL)
_VARIABLE = r"\{\s*(?:\$([a-zA-Z][\w-]*)\s*\})?"
_PLACEABLE = re.compile(_VARIABLE, re.ASCII)
_CASE = re.compile(_VARIABLE + r"|\n\s*(?=[\[*}])", re.ASCII)
"""What ends the text of a case: another one, or the end of the choice, each on a line of its own."""
_KEY = re.compile(r"(\*?)\[\s*([\w.-]+)\s*\]|\}", re.ASCII)
_END = re.compile(r"\s*(?:(->)\s*|\})")
_EXPRESSION = re.compile(r'\$([a-zA-Z][\w-]*)|"([^"\n]*)"|(-?\d+(?:\.\d+)?)|([a-zA-Z][\w-]*)(\()?', re.ASCII)
_ARGUMENT = re.compile(r'\s*,?\s*(?:(\))|(\w+):\s*(?:"([^"\n]*)"|(-?\d+(?:\.\d+)?))|\$([a-zA-Z][\w-]*)|)', re.ASCII)
"""The end of a call, an option, a variable, or nothing, where another expression follows."""
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

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """What stands here, and go on behind it."""
        found = pattern.match(self.text, self.at)
        if found is None:
            raise InvalidInput(f"unreadable after {self.text[: self.at]!r}")
        self.at = found.end()
        return found

    def pattern(self, stop: re.Pattern[str]) -> Text:
        """Text and placeables up to the end, or up to what stops it: lines joined by a blank, none at either end."""
        parts: list[Part] = []
        while found := stop.search(self.text, self.at):
            parts.append(_BREAK.sub(" ", self.text[self.at : found.start()]))
            self.at = found.end()
            if found[0][0] != "{":
                break
            parts.append(Variable(found[1]) if found[1] else self.placeable())
        else:
            parts.append(_BREAK.sub(" ", self.text[self.at :]))
            self.at = len(self.text)
        parts[0] = str(parts[0]).lstrip()
        parts[-1] = str(parts[-1]).rstrip()
        return tuple(filter(None, parts))

    def placeable(self) -> Part:
        """What stands between braces, the first of which is read."""
        part = self.expression()
        return self.choice(part) if self.take(_END)[1] else part

    def expression(self) -> Part:
        variable, quoted, number, name, call = self.take(_EXPRESSION).groups()
        if variable is not None:
            return Variable(variable)
        if name is None:
            return Literal(number if quoted is None else quoted)
        return self.call(name) if call else Message(name)

    def call(self, name: str) -> Call:
        arguments: list[Part] = []
        options: list[tuple[str, str | float]] = []
        while not (found := self.take(_ARGUMENT))[1]:
            if found[2] is not None:
                options.append((found[2], float(found[4]) if found[3] is None else found[3]))
            else:
                arguments.append(Variable(found[5]) if found[5] else self.expression())
        return Call(name, tuple(arguments), tuple(options))

    def choice(self, by: Part) -> Choice:
        cases: list[tuple[str, Text]] = []
        otherwise: Text | None = None
        while (found := self.take(_KEY))[2] is not None:
            text = self.pattern(_CASE)
            cases.append((found[2], text))
            otherwise = text if found[1] else otherwise
        if otherwise is None:
            raise InvalidInput(f"a choice has a case with a star: {self.text!r}")
        return Choice(by, tuple(cases), otherwise)


def parsed(written: str) -> Text:
    """One message as it is written, as parts."""
    return _Reader(written).pattern(_PLACEABLE)


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
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return ", ".join(map(self.shown, value))
        if not isinstance(value, Fact):
            return shown(value)
        return self.tell(value) if value.code in self.written else repr(value)

    def _join(self, text: Text, data: Mapping[str, Any]) -> str:
        joined = ""
        for part in text:
            value: Any = part
            if isinstance(part, Variable) and part.name in data:
                value = data[part.name]
            elif not isinstance(part, str):
                value = self._value(part, data)
            joined += value if isinstance(value, str) else self.shown(value)
        return joined

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
                return FUNCTIONS[function](
                    self,
                    *[self._value(one, data) for one in arguments],
                    **dict(options),
                )
            case Choice(by, cases, otherwise):
                texts = [text for key in _keys(self._value(by, data)) for case, text in cases if case == key]
                return self._join((texts or [otherwise])[0], data)


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
    for file in sorted(files("sottovoce.words").joinpath(language).iterdir(), key=attrgetter("name")):
        if file.name.endswith(".ftl"):
            own = entries(file.read_text(encoding="utf-8"))
            if twice := written.keys() & own.keys():
                raise InvalidInput(f"{file.name}: {', '.join(sorted(twice))} stands in another file too")
            written |= own
    return Catalogue(written, language)
