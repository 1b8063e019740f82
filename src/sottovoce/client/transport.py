"""Requests over the network: the standard library's, with limits on time and size, and nothing that follows a person.

No redirects, no cookies, no compression, no names of programs; one connection for each request. TLS by the system's
certificates; plain http reaches this very machine only.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Protocol
from urllib.parse import urlsplit

from sottovoce.client.wire import Deadline, Wire
from sottovoce.messages import SottovoceError, check_address

AGENT = "sottovoce"
MAX_REPLY_BYTES = 2**16
LONGEST_WAIT = 86_400.0
"""Seconds that a collector can make a device wait by one reply."""
_BLOCK = 2**14


class Unreachable(SottovoceError):  # noqa: N818 - reads better than UnreachableError where it is caught
    """No reply: the network, the collector's machine or its certificate."""


class TooLarge(SottovoceError):  # noqa: N818 - a reply is too large
    """A reply that is longer than what was asked for can be."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back. `wait_seconds` is what ``Retry-After`` asks for, if it does."""

    status: int
    body: bytes = field(repr=False)
    wait_seconds: float | None = None


class Transport(Protocol):
    """One request, one reply, or `Unreachable`. `limit` is how many bytes a reply may have, else it is `TooLarge`."""

    def request(
        self,
        method: str,
        url: str,
        *,
        token: str = "",
        body: bytes | None = None,
        limit: int,
        patience_seconds: float = float("inf"),
    ) -> Reply:
        """`token` is shown as ``Authorization: Bearer``; `body` is JSON; `patience_seconds` is what is left of it."""


@dataclass(frozen=True, kw_only=True)
class Https:
    """The network. A request takes at most four times `timeout_seconds`, and no longer than patience lasts.

    It is given `timeout_seconds` in any case. However slowly the other side sends, and whatever it sends in between,
    the request ends then. Only the system's search for the address of a name has limits of its own.
    """

    timeout_seconds: float = 15.0
    context: ssl.SSLContext | None = None
    """None: the system's certificates, checked in the default way."""
    clock: Callable[[], float] = time.monotonic

    def request(
        self,
        method: str,
        url: str,
        *,
        token: str = "",
        body: bytes | None = None,
        limit: int,
        patience_seconds: float = float("inf"),
    ) -> Reply:
        check_address(url)
        seconds = max(self.timeout_seconds, min(4 * self.timeout_seconds, patience_seconds))
        headers = {"User-Agent": AGENT, "Accept": "application/json", "Accept-Encoding": "identity"}
        headers |= {"Connection": "close"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        parts = urlsplit(url)
        context = (self.context or ssl.create_default_context()) if parts.scheme == "https" else None
        deadline = Deadline(end=self.clock() + seconds, step=self.timeout_seconds, clock=self.clock)
        try:
            wire = Wire(parts.hostname or "", parts.port, context=context, deadline=deadline)
            try:
                wire.request(method, parts.path or "/", body=body, headers=headers)
                with wire.getresponse() as response:
                    return self._read(response, limit=limit)
            finally:
                wire.close()
        except (OSError, HTTPException, ValueError) as error:  # its words may name an address: only its kind is told
            raise Unreachable(f"the collector cannot be reached ({type(error).__name__})") from None

    def _read(self, response: HTTPResponse, *, limit: int) -> Reply:
        declared = response.length
        if declared is not None and declared > limit:
            raise TooLarge(f"a reply of at most {limit} bytes was expected; it announces {declared}")
        parts, size = [], 0
        while block := response.read1(_BLOCK):
            parts.append(block)
            size += len(block)
            if size > limit:
                raise TooLarge(f"a reply of at most {limit} bytes was expected; it has more")
        if declared is not None and size != declared:
            raise Unreachable("the collector's reply broke off")
        return Reply(
            status=response.status, body=b"".join(parts), wait_seconds=_seconds(response.headers.get("Retry-After"))
        )


def _seconds(text: str | None) -> float | None:
    """``Retry-After`` as seconds; a date in its place is passed over, and the device's own patience goes on."""
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return None
    return min(float(text), LONGEST_WAIT)
