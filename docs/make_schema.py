"""The JSON schema of answers, format 2: every kind with its fields, every code of a note.

``python docs/make_schema.py`` writes docs/schema/answer-2.json and docs/reference/notes.md; tests hold the files to it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import types
from enum import Enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from sottovoce import problems  # every kind of answer
from sottovoce.answers import Answer, Answers, Note, NoteCode
from sottovoce.messages import Fact
from sottovoce.words import catalogue

FILE = Path(__file__).parent / "schema" / "answer-2.json"
NOTES = Path(__file__).parent / "reference" / "notes.md"
_HEAD = """\
# Notes of an answer

What is to be known about an answer beside its numbers: `answer.notes`, each with a `code`, a `severity` and `data`, the
numbers that belong to it. A program reacts to the code, `NoteCode.RANGE_MAY_MISS_USERS in answer.note_codes`;
`str(note)` says it in words, which may change from one release to the next. `answer.warnings` are the notes of severity
*warning* in words. The set of codes is closed: a [JSON Schema](../schema/answer-2.json) lists them with every kind
of answer. Written by `python docs/make_schema.py`.

| code | severity | data |
|---|---|---|
"""

_FACT = {
    "type": "object",
    "required": ["code", "data"],
    "properties": {"code": {"type": "string"}, "data": {"type": "object"}},
    "additionalProperties": False,
}
_NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity", "NaN"]}]}
_SIMPLE: dict[Any, dict[str, Any]] = {
    float: {"$ref": "#/$defs/number"},
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
}


def schema() -> dict[str, Any]:
    """The whole schema."""
    problems.problems()
    parts: dict[str, Any] = {"number": _NUMBER, "fact": _FACT, "note": _note()}
    kinds = [_object(cls, parts, kind=cls.kind, version=cls.version) for _, cls in sorted(Answer.kinds.items())]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An answer of Sottovoce, format 2",
        "oneOf": [*kinds, _several()],
        "$defs": dict(sorted(parts.items())),
    }


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=1) + "\n"


def notes() -> str:
    """The page that lists every code, with the data that its message takes."""
    rows = []
    for code in NoteCode:
        named = ", ".join(f"`{name}`" for name in sorted(_variables(code.value, set())))
        rows.append(f"| `{code.value}` | {code.severity.value} | {named or '–'} |\n")
    return _HEAD + "".join(rows)


def _variables(code: str, seen: set[str]) -> set[str]:
    """What a message takes, those that it refers to included."""
    if code in seen or code not in catalogue().written:
        return set()
    seen.add(code)
    written = catalogue().written[code]
    inside = (_variables(name, seen) for name in re.findall(r"\{ ([a-z][a-z0-9-]*) \}", written))
    return set(re.findall(r"\$([a-z_]+)", written)).union(*inside)


def _note() -> dict[str, Any]:
    """A fact whose code is one of a closed set; its severity follows from the code."""
    codes = [{"properties": {"code": {"const": code}, "severity": {"const": code.severity}}} for code in NoteCode]
    return {
        "type": "object",
        "required": ["code", "severity", "data"],
        "properties": {"code": {"type": "string"}, "severity": {"type": "string"}, "data": {"type": "object"}},
        "additionalProperties": False,
        "oneOf": codes,
    }


def _object(cls: Any, parts: dict[str, Any], **heading: Any) -> dict[str, Any]:
    """A dataclass: fields without a default must be there, and what follows from them may."""
    hints = get_type_hints(cls)
    fields = {field.name: _typed(hints[field.name], parts) for field in dataclasses.fields(cls)}
    more = dict.fromkeys((*getattr(cls, "derived", ()), *getattr(cls, "beside", ())), True)
    needed = [field.name for field in dataclasses.fields(cls) if field.default is dataclasses.MISSING]
    return {
        "type": "object",
        "required": [*heading, *needed],
        "properties": {name: {"const": value} for name, value in heading.items()} | fields | more,
        "additionalProperties": False,
    }


def _typed(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_typed(one, parts) for one in arguments]}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _typed(arguments[0], parts)}
    if origin is tuple:
        entries = [_typed(one, parts) for one in arguments]
        return {"type": "array", "prefixItems": entries, "minItems": len(entries), "maxItems": len(entries)}
    if issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if issubclass(hint, Fact):
        return {"$ref": "#/$defs/note" if issubclass(hint, Note) else "#/$defs/fact"}
    if hint.__name__ not in parts:
        parts[hint.__name__] = {}
        parts[hint.__name__] = _object(hint, parts)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _several() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["kind", "version", "split", "chosen", "answers"],
        "properties": {
            "kind": {"const": Answers.kind},
            "version": {"const": Answers.version},
            "split": {"type": "string"},
            "chosen": {"$ref": "#/$defs/fact"},
            "answers": {"type": "object", "additionalProperties": {"$ref": "#"}},
        }
        | dict.fromkeys(Answers.beside, True),
        "additionalProperties": False,
    }


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    NOTES.write_text(notes(), encoding="utf-8")
