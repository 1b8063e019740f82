"""One request and what is sent back: what every route's function is given, and what several of them do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sottovoce.service import access
from sottovoce.service.asgi import Headers, Receive, Scope, bearer, check_media, decoded, header, read
from sottovoce.service.errors import forbidden
from sottovoce.service.messages import JSON
from sottovoce.service.route import Route
from sottovoce.service.state import State

NOW = (b"cache-control", b"no-store")
CHECKED = (b"cache-control", b"no-cache")
"""To be asked for again each time; sent again only where it changed."""
FOREVER = (b"cache-control", b"public, max-age=31536000, immutable")
ADMIN = "sotto survey administrator makes that token, in place of the one before"


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request: to which route, about which survey (empty: none), with which parts of its path."""

    route: Route
    scope: Scope
    receive: Receive
    survey: str
    parts: dict[str, str]


@dataclass(frozen=True)
class Sent:
    """What is sent back."""

    status: int
    body: bytes
    headers: Headers
    media: str = JSON


Handler = Callable[[State, Call], Awaitable[Sent]]


async def body_of(state: State, call: Call, kind: Any) -> Any:
    """What a request carries, as one of our types."""
    check_media(call.scope, JSON.encode())
    return decoded(await _read(state, call), kind)


async def optional_body(state: State, call: Call, kind: Any) -> Any:
    """A request that may carry a body; without one, all is as it is by default."""
    data = await _read(state, call)
    if not data:
        return kind()
    check_media(call.scope, JSON.encode())
    return decoded(data, kind)


async def _read(state: State, call: Call) -> bytes:
    seconds = state.limits.body_seconds
    return await read(call.scope, call.receive, limit=call.route.limit, seconds=seconds, room=state.room)


async def administrator(state: State, call: Call) -> None:
    """Refuse everybody else."""
    token = bearer(call.scope, do=ADMIN)
    if not access.holds(token, await state.aside(state.collector.store.admin)):
        raise forbidden("this is not the administrator's token", do=ADMIN)


def tagged(call: Call, data: bytes, digest: str, headers: Headers, media: str = JSON, *, weak: bool = False) -> Sent:
    """These bytes, or that the other side has them."""
    tag = f'"{digest}"'.encode()
    headers = [*headers, (b"etag", b"W/" + tag if weak else tag)]
    asked = header(call.scope, b"if-none-match") or b""
    if tag in [part.strip().removeprefix(b"W/") for part in asked.split(b",")]:
        return Sent(304, b"", headers, media="")
    return Sent(200, data, headers, media)
