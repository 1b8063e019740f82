"""Reading a request and sending an answer with nothing in between: sizes and seconds are bounded before all else."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeVar

import msgspec

from sottovoce.service.errors import Refused, malformed, unauthorised
from sottovoce.service.limits import Room, Taken

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]
Kind = TypeVar("Kind")

_PART = 64 * 2**10
_LINGER_BYTES = 8 * 2**20
_LINGER_SECONDS = 2.0


class Gone(Exception):  # noqa: N818 - the other side is gone
    """The other side hung up before it had said everything: there is nobody to answer."""


def header(scope: Scope, name: bytes) -> bytes | None:
    """The first header of this name, lower case; None where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None


def check_media(scope: Scope, spoken: bytes) -> None:
    """Refuse another media type, and any encoding of the body."""
    given = header(scope, b"content-type") or b""
    if given != spoken and given.partition(b";")[0].strip().lower() != spoken:
        raise _media(f"a body of type {spoken.decode()} is expected", expected=spoken.decode(), got=_shown(given))
    encoding = header(scope, b"content-encoding")
    if encoding is not None and encoding.strip().lower() != b"identity":
        raise _media("a body is sent as it is: no content encoding", expected="identity", got=_shown(encoding))


def _media(message: str, *, expected: str, got: str) -> Refused:
    return Refused(
        status=415, code="media-type", message=message, expected=expected, got=got, do="send it that way", hang_up=True
    )


def _shown(value: bytes) -> str:
    return value[:60].decode("ascii", errors="replace")


def bearer(scope: Scope, *, do: str) -> str:
    """The token of the Authorization header."""
    given = header(scope, b"authorization")
    if given is None:
        raise unauthorised("this needs a token", do)
    scheme, _, token = given.partition(b" ")
    if scheme.lower() != b"bearer" or not (0 < len(token) <= 256) or not token.isascii():
        raise unauthorised("the Authorization header holds no bearer token", do)
    return token.decode("ascii")


async def read(scope: Scope, receive: Receive, *, limit: int, seconds: float, room: Room) -> bytes:
    """The body, of at most `limit` bytes, within so many seconds; longer ones are refused unread.

    Room is taken for what has arrived, never for what was announced: who sends nothing takes nothing from others.
    """
    declared = header(scope, b"content-length")
    if declared is not None and not (declared.isdigit() and len(declared) < 16):
        raise malformed("the Content-Length is not a size")
    if declared is not None and int(declared) > limit:
        raise await _too_large(receive, limit)
    taken = Taken(room)
    try:
        async with asyncio.timeout(seconds):
            return await _whole(receive, limit, taken)
    except TimeoutError:
        raise Refused(
            status=408,
            code="slow",
            message=f"the body did not arrive within {seconds:g} seconds",
            do="try again",
            hang_up=True,
        ) from None
    finally:
        taken.give()


async def _whole(receive: Receive, limit: int, taken: Taken) -> bytes:
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        taken.more(len(parts[-1]))
        size, more = size + len(parts[-1]), message.get("more_body", False)
    if size > limit:
        raise await _too_large(receive, limit)
    return b"".join(parts)  # of one part, that part itself


async def _too_large(receive: Receive, limit: int) -> Refused:
    """What is still on its way is thrown away for a moment, so that the refusal is read before the line is cut."""
    left = _LINGER_BYTES
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    break
    return Refused(
        status=413,
        code="too-large",
        message="the body is too large",
        expected=f"at most {limit} bytes",
        do="send less at once",
        hang_up=True,
    )


def decoded(data: bytes, kind: type[Kind]) -> Kind:
    """One JSON document as one of our types. Names that appear twice, NaN and deep nesting are malformed."""
    try:
        found = msgspec.json.decode(data, type=kind)
        json.loads(data, object_pairs_hook=_once, parse_constant=_constant)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        told = str(error) if isinstance(error, (msgspec.ValidationError, _Twice)) else "not a JSON document"
        raise malformed(told[:200]) from None
    return found


class _Twice(ValueError):  # noqa: N818 - a name appears twice
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Twice("a name appears twice in one object")
    return made


def _constant(token: str) -> float:
    raise _Twice("a message holds finite numbers only")


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """An answer; a long one in parts, so that no more of it waits than the other side takes."""
    with_length = [*headers, (b"content-length", b"%d" % len(body))] if status not in (204, 304) else [*headers]
    await send({"type": "http.response.start", "status": status, "headers": with_length})
    whole = memoryview(body)
    for first in range(0, len(body) - _PART, _PART):
        await send({"type": "http.response.body", "body": bytes(whole[first : first + _PART]), "more_body": True})
    rest = max(0, -(-len(body) // _PART) - 1) * _PART
    await send({"type": "http.response.body", "body": bytes(whole[rest:]) if rest else body})
