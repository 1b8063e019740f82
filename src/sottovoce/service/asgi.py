"""Reading a request and sending an answer with nothing in between: sizes and seconds are bounded before all else."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeVar

import msgspec

from sottovoce.service.errors import Refused, malformed, unauthorised
from sottovoce.service.limits import Room

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
    return next((value for key, value in scope["headers"] if key == name), None)


def check_media(scope: Scope, media: bytes) -> None:
    """Refuse another media type, and any encoding of the body."""
    sent = header(scope, b"content-type") or b""
    encoding = header(scope, b"content-encoding") or b"identity"
    if sent != media and sent.partition(b";")[0].strip().lower() != media:
        expected, got = media.decode(), sent
        message = f"a body of type {expected} is expected"
    elif encoding.strip().lower() != b"identity":
        expected, got = "identity", encoding
        message = "a body is sent as it is: no content encoding"
    else:
        return
    shown = got[:60].decode("ascii", errors="replace")
    do = "send it that way"
    raise Refused(status=415, code="media-type", message=message, expected=expected, got=shown, do=do, hang_up=True)


def bearer_token(scope: Scope, *, do: str) -> str:
    """The token of the Authorization header."""
    authorization = header(scope, b"authorization")
    if authorization is None:
        raise unauthorised("this needs a token", do)
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != b"bearer" or not (0 < len(token) <= 256) or not token.isascii():
        raise unauthorised("the Authorization header holds no bearer token", do)
    return token.decode("ascii")


async def read_body(scope: Scope, receive: Receive, *, limit: int, seconds: float, room: Room) -> bytes:
    """The body, of at most `limit` bytes, within so many seconds; longer ones are refused unread.

    Room is taken for what has arrived, never for what was announced: who sends nothing takes nothing from others.
    """
    declared = header(scope, b"content-length")
    if declared is not None and not (declared.isdigit() and len(declared) < 16):
        raise malformed("the Content-Length is not a size")
    if declared is not None and int(declared) > limit:
        raise await _too_large(receive, limit)
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(seconds):
            while more and size <= limit:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                parts.append(message.get("body", b""))
                room.take(len(parts[-1]))
                size, more = size + len(parts[-1]), message.get("more_body", False)
            if size > limit:
                raise await _too_large(receive, limit)
            return b"".join(parts)  # of one part, that part itself
    except TimeoutError:
        slow = f"the body did not arrive within {seconds:g} seconds"
        raise Refused(status=408, code="slow", message=slow, do="try again", hang_up=True) from None
    finally:
        room.give(size)


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


def decode_body(data: bytes, kind: type[Kind]) -> Kind:
    """One JSON document as one of our types. Names that appear twice, NaN and deep nesting are malformed."""
    try:
        document = msgspec.json.decode(data, type=kind)
        json.loads(data, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        known = isinstance(error, (msgspec.ValidationError, _NotStrict))
        raise malformed(str(error)[:200] if known else "not a JSON document") from None
    return document


class _NotStrict(ValueError):  # noqa: N818 - a document is not strict JSON
    """What the decoder lets pass, and a message must not hold."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NotStrict("a name appears twice in one object")
    return members


def _refuse_constant(token: str) -> float:
    raise _NotStrict("a message holds finite numbers only")


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """An answer; a long one in parts, so that no more of it waits than the other side takes."""
    with_length = [*headers, (b"content-length", b"%d" % len(body))] if status not in (204, 304) else [*headers]
    await send({"type": "http.response.start", "status": status, "headers": with_length})
    whole = memoryview(body)
    for first in range(0, len(body) - _PART, _PART):
        await send({"type": "http.response.body", "body": bytes(whole[first : first + _PART]), "more_body": True})
    rest = max(0, -(-len(body) // _PART) - 1) * _PART
    await send({"type": "http.response.body", "body": bytes(whole[rest:]) if rest else body})
