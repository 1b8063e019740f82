"""An answer back from what it wrote."""

from __future__ import annotations

import json
from typing import Any

from sottovoce.answers.base import Answer
from sottovoce.answers.method_choice import Assumes, ChosenBy
from sottovoce.answers.plain import from_plain
from sottovoce.answers.vector import Answers
from sottovoce.messages import Fact, Malformed

# Answers of format 1, which held sentences: their numbers are read, and their sentences kept as they were written.

SENTENCES = (
    "assumes",
    "estimand",
    "instead",
    "interval_kind",
    "left_out",
    "model_assumes",
    "no_truth",
    "note",
    "protects",
    "reason",
    "statement",
    "warnings",
    "whole_assumes",
)
"""Fields of format 1 that held sentences."""
_ASSUMPTIONS = ("assumes", "model_assumes", "whole_assumes")
_NOTHING = ("nothing: it holds whatever the users are", "nothing: they hold whatever the users are")


_NEW = frozenset(("chosen", "least_share", "notes", "outside_set", "written"))
"""Fields of format 2 that hold what sentences said in format 1."""


def facts(plain: Any, own: Any) -> Any:
    """What of an answer is no sentence, whatever its format: what can be compared with `own`, in format 2.

    What is not known stands there as null in one format and not at all in the other; what `own` says by a fact, such
    as the names of quantiles, was written out in words.
    """
    if isinstance(plain, list):
        return [facts(value, None) for value in plain]
    if not isinstance(plain, dict):
        return plain
    beside = own if isinstance(own, dict) else {}
    left_out = {*SENTENCES, *_NEW, "version", *(name for name, value in beside.items() if _holds_fact(value))}
    return {
        name: facts(value, beside.get(name))
        for name, value in plain.items()
        if name not in left_out and value is not None
    }


def _holds_fact(value: Any) -> bool:
    inside = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and one.keys() == {"code", "data"} for one in inside)


def upgrade_format_1(plain: dict[str, Any]) -> dict[str, Any]:
    """An answer of format 1 in the form of format 2; the answers within several are as they were."""
    if plain.keys() & _NEW:
        raise Malformed("an answer of format 1 has a field of format 2")
    if plain.get("kind") == "several":
        rest = {name: value for name, value in plain.items() if name != "reason"}
        return rest | {"version": 2, "chosen": _format_1_fact(plain.get("reason"))}
    made = {name: value for name, value in plain.items() if name not in ("warnings", "reason", "note", "instead")}
    texts = {name: plain[name] for name in (*_ASSUMPTIONS, "instead", "note") if plain.get(name)}
    for name in _ASSUMPTIONS:
        text = made.pop(name, "")
        if text:
            made[name] = str(Assumes.NOTHING if text in _NOTHING else Assumes.AS_WRITTEN)
    for name in ("interval_kind", "estimand", "left_out"):
        if name in made:
            made[name] = _format_1_fact(made[name])
    warnings = plain.get("warnings", [])
    made["notes"] = [_format_1_fact(text) for text in warnings] if isinstance(warnings, list) else warnings
    made["chosen"] = {"by": str(ChosenBy.AS_WRITTEN), "details": [_format_1_fact(plain.get("reason"))]}
    made["privacy"] = _without_statement(plain.get("privacy"), protects=_format_1_fact)
    if "colluders" in made:
        made["colluders"] = _without_statement(made["colluders"])
    if isinstance(seen := made.get("rehearsal"), dict):
        why = seen.get("no_truth")
        made["rehearsal"] = seen | {"no_truth": _format_1_fact(why) if why else None}
    written = [[name, text] for name, text in texts.items()]
    return made | {"version": 2} | ({"written": written} if written else {})


def _format_1_fact(text: Any) -> dict[str, Any]:
    if not isinstance(text, str):
        raise Malformed("a sentence of an answer in format 1 is missing, or is no text")
    return {"code": "as-written", "data": {"text": text}}


def _without_statement(part: Any, **changed: Any) -> Any:
    """A part of an answer whose sentence followed from its numbers."""
    if not isinstance(part, dict):
        return part
    rest = {name: value for name, value in part.items() if name != "statement"}
    return rest | {name: change(rest[name]) for name, change in changed.items() if name in rest}


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
        plain = upgrade_format_1(plain)
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
        plain = json.loads(text, object_pairs_hook=_object_without_repeats, parse_constant=_refuse_constant)
    except Malformed:
        raise
    except (ValueError, RecursionError) as error:
        raise Malformed("an answer is a JSON document; this is none") from error
    if not isinstance(plain, dict):
        raise Malformed("an answer is a JSON object; this document holds something else")
    return plain


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a field of an answer stands twice")
    return found


def _refuse_constant(literal: str) -> Any:
    raise Malformed(f"{literal} is no JSON; an answer writes such a number as a text")
