"""An answer back from what it wrote."""

from __future__ import annotations

import json
from typing import Any

from sottovoce.answers.base import Answer
from sottovoce.answers.format1 import upgraded
from sottovoce.answers.plain import from_plain
from sottovoce.answers.several import Answers
from sottovoce.messages import Fact, Malformed


def read(document: str | bytes | dict[str, Any]) -> Answer | Answers:
    """The answer that `to_json` or `to_dict` wrote, or the several of one survey, equal to what was written.

    Of an answer in format 1 the numbers are read, and its sentences kept as they were written.

    Raises
    ------
    Malformed
        Not JSON, an unknown kind or version, a field that is unknown, missing or of another type.
    """
    try:
        return _answer(document if isinstance(document, dict) else _parsed(document))
    except RecursionError as error:
        raise Malformed("an answer holds facts within facts, too deep to read") from error


def _answer(plain: dict[str, Any]) -> Answer | Answers:
    if type(plain.get("version")) is int and plain["version"] == 1:
        plain = upgraded(plain)
    if plain.get("kind") == Answers.kind:
        return _several(plain)
    kind = plain.get("kind")
    cls = Answer.kinds.get(kind) if isinstance(kind, str) else None
    if cls is None:
        known = ", ".join((*Answer.kinds, Answers.kind))
        raise Malformed(f"an answer has a kind, one of {known}; this document has none of them")
    return from_plain(cls, _fields(cls, plain))


def _fields(cls: type[Answer | Answers], plain: dict[str, Any]) -> dict[str, Any]:
    """What a document of the right version says, without what only heads it or stands beside it."""
    version = plain.get("version")
    if type(version) is not int or version != cls.version:
        raise Malformed(
            f"an answer of kind {cls.kind!r} has version {cls.version} or 1 here; this document has another"
        )
    return {name: value for name, value in plain.items() if name not in ("kind", "version", *cls.beside)}


def _several(plain: dict[str, Any]) -> Answers:
    fields = _fields(Answers, plain)
    own = fields.pop("answers", None)
    if not isinstance(own, dict) or not all(isinstance(one, dict) for one in own.values()):
        raise Malformed("Answers.answers: an object was expected, with an answer for each name")
    found = tuple(one for one in map(_answer, own.values()) if isinstance(one, Answer))
    if len(found) != len(own):
        raise Malformed("Answers.answers: one of them holds several answers itself")
    if set(fields) != {"split", "chosen"} or not isinstance(fields["split"], str):
        raise Malformed("Answers: split, a text, and chosen, a fact, were expected, and nothing else")
    return Answers(names=tuple(own), answers=found, split=fields["split"], chosen=Fact.from_plain(fields["chosen"]))


def _parsed(document: str | bytes) -> dict[str, Any]:
    try:
        text = document if isinstance(document, str) else document.decode()
        plain = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except Malformed:
        raise
    except (ValueError, RecursionError) as error:
        raise Malformed("an answer is a JSON document; this is none") from error
    if not isinstance(plain, dict):
        raise Malformed("an answer is a JSON object; this document holds something else")
    return plain


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a field of an answer stands twice")
    return found


def _refused(literal: str) -> Any:
    raise Malformed(f"{literal} is no JSON; an answer writes such a number as a text")
