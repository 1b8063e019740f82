"""What was published, as plain data that can be compared; nothing that could be read in two ways."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from sottovoce.messages import Malformed, canonical, from_plain, to_plain

Message = TypeVar("Message")


def as_read(message: Message) -> Message:
    """A message as whoever reads it has it: its numbers with a point are floats, whatever they were made of."""
    return from_plain(type(message), json.loads(canonical.dumps(to_plain(message))))


def answer_of(text: str) -> Any:
    """An answer's plain data, from the only text that an answer with these data has: ``Answer.to_json``.

    Raises
    ------
    Malformed
        It is no JSON, holds a name twice, a number that is none, or is written in another form.
    """
    try:
        plain = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        again = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("it is no JSON document") from None
    if again != text:
        raise Malformed("it is not in the form in which answers are written")
    return plain


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(made := dict(pairs)) < len(pairs):
        raise Malformed("it holds a name twice")
    return made


def _constant(token: str) -> Any:
    raise Malformed(f"it holds {token}, which is no number")
