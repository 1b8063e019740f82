"""Requests over the network: the standard library's, with limits on time and size, and nothing that follows a person.

No redirects, no cookies, no compression, no names of programs; one connection for each request. TLS by the system's
certificates; plain http reaches this very machine only.
"""

from __future__ import annotations

import io
import json
import math
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from secrets import SystemRandom
from typing import Any, Protocol
from urllib.parse import urlsplit

from sottovoce.messages import Declined, Fact, SottovoceError, check_address


@dataclass(frozen=True, kw_only=True)
class Deadline:
    """`end` by `clock`, and at most `step` seconds for each wait before."""

    end: float
    step: float
    clock: Callable[[], float]

    def limit_wait(self, sock: socket.socket) -> None:
        """The next wait of a socket ends in time; where it is too late for one, `TimeoutError`."""
        left = self.end - self.clock()
        if left <= 0:
            raise TimeoutError("the request takes too long")
        sock.settimeout(min(left, self.step))


class Wire(HTTPConnection):
    """One connection to a host, by TLS where there is a `context`."""

    def __init__(self, host: str, port: int | None, *, context: ssl.SSLContext | None, deadline: Deadline) -> None:
        self.default_port = 443 if context else 80
        # The port is always said: http.client would look for one in an IPv6 address.
        super().__init__(host, self.default_port if port is None else port, timeout=deadline.step)
        self._tls, self._deadline = context, deadline

    def connect(self) -> None:
        """To the first address of the host that answers."""
        failed: OSError = OSError("the host has no address")
        for family, kind, protocol, _, address in socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM):
            sock = socket.socket(family, kind, protocol)
            try:
                self._deadline.limit_wait(sock)
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is not None:
                    self._deadline.limit_wait(sock)  # for the handshake as a whole
                    sock = self._tls.wrap_socket(sock, server_hostname=self.host)
            except OSError as error:
                sock.close()
                failed = error
                continue
            except BaseException:
                sock.close()
                raise
            self.sock = _TimedSocket(sock, self._deadline)
            return
        raise failed


class _TimedSocket:
    """As much of a socket as `http.client` uses, each step of it within the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._deadline.limit_wait(self._sock)
            rest = rest[self._sock.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline))

    def close(self) -> None:
        self._sock.close()


class _TimedReader(io.RawIOBase):
    """What a socket receives."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline
        self._file = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed too

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._deadline.limit_wait(self._sock)
        return self._file.readinto(buffer)

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()
        super().close()


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
        headers["Connection"] = "close"
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        parts = urlsplit(url)
        context = (self.context or ssl.create_default_context()) if parts.scheme == "https" else None
        deadline = Deadline(end=self.clock() + seconds, step=self.timeout_seconds, clock=self.clock)
        try:
            with closing(Wire(parts.hostname or "", parts.port, context=context, deadline=deadline)) as wire:
                wire.request(method, parts.path or "/", body=body, headers=headers)
                with wire.getresponse() as response:
                    return _read(response, limit)
        except (OSError, HTTPException, ValueError) as error:  # its words may name an address: only its kind is told
            raise Unreachable(f"the collector cannot be reached ({type(error).__name__})") from None


def _read(response: HTTPResponse, limit: int) -> Reply:
    declared = response.length
    if declared is not None and declared > limit:
        raise TooLarge(f"a reply of at most {limit} bytes was expected; it announces {declared}")
    body = bytearray()
    while block := response.read1(_BLOCK):
        body += block
        if len(body) > limit:
            raise TooLarge(f"a reply of at most {limit} bytes was expected; it has more")
    if declared is not None and len(body) != declared:
        raise Unreachable("the collector's reply broke off")
    wait = response.headers.get("Retry-After") or ""  # a date is passed over: the device's own patience goes on
    seconds = min(float(wait), LONGEST_WAIT) if wait.isascii() and wait.isdigit() and len(wait) <= 9 else None
    return Reply(status=response.status, body=bytes(body), wait_seconds=seconds)


_SOON, _LATE = 0.5, 60.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""What may go well another time: busy, broken, or not open yet."""
_chance = SystemRandom()
_LONGEST = 181
"""Letters of what a collector says that are passed on."""


class VisitEnded(Exception):  # noqa: N818 - a signal inside this room
    """A visit ends here without an answer: its outcome's state, code and reason, and when to try again, if ever."""

    def __init__(self, state: str, code: str, why: Fact, *, again_at: float | None = None) -> None:
        super().__init__(why)
        self.state, self.code, self.why, self.again_at = state, code, why, again_at


class CollectorRefusal(Exception):  # noqa: N818 - a signal inside this room
    """The collector's word is final. `code` is its own, or stands for its status."""

    def __init__(self, status: int, code: str, why: Fact) -> None:
        super().__init__(why)
        self.status, self.code, self.why = status, code, why


@dataclass(frozen=True, kw_only=True)
class CollectorLine:
    """To the collector at `base`. `end` is when patience ends; whatever is asked, is asked once in any case.

    `until` is when the survey closes, by its manifest: once the device's own clock is there, nothing is asked or sent.
    """

    base: str
    transport: Transport
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    end: float
    until: float = math.inf

    @property
    def open(self) -> bool:
        """Whether the survey is, by the device's own clock; a collector that goes on is left alone."""
        return self.clock() < self.until

    def ask(
        self, method: str, path: str, *, token: str = "", body: bytes | None = None, limit: int = MAX_REPLY_BYTES
    ) -> Reply:
        """A reply of the kind 200, or `VisitEnded`, or `CollectorRefusal`; the same bytes at every try."""
        tries = 0
        while True:
            if not self.open:
                raise CollectorRefusal(410, "expired", Fact("outcome-expired"))
            try:
                left = max(0.0, self.end - self.clock())
                reply = self.transport.request(
                    method, self.base + path, token=token, body=body, limit=limit, patience_seconds=left
                )
            except Unreachable as error:
                code, why, wanted = "unreachable", Fact("outcome-error", message=str(error)), None
            except TooLarge as error:
                raise Declined("malformed", str(error)) from None
            else:
                if reply.status in (200, 201):
                    return reply
                code, why, wanted = *error_of_reply(reply), reply.wait_seconds
                if reply.status not in _AGAIN:
                    raise CollectorRefusal(reply.status, code, why)
            self.wait(code, why, tries=tries, wanted=wanted)
            tries += 1

    def wait(self, code: str, why: Fact, *, tries: int, wanted: float | None) -> None:
        """Sleep: twice as long at each try, spread by chance, and never less than the collector wants."""
        delay = min(_LATE, _SOON * 2.0 ** min(tries, 10)) * _chance.uniform(0.5, 1.5)
        self.pause(code, why, max(delay, wanted or 0.0))

    def pause(self, code: str, why: Fact, seconds: float) -> None:
        """Sleep so long, or `VisitEnded` where patience ends before; once the survey has closed there is no later."""
        now = self.clock()
        then = now + seconds
        if then > self.end or then >= self.until:
            raise VisitEnded("waiting", code, why, again_at=then if then < self.until else now)
        self.sleep(seconds)


def error_of_reply(reply: Reply) -> tuple[str, Fact]:
    """The code of an error, and what is said of it; nothing from a collector is trusted to be short or printable."""
    try:
        error = read_object(reply.body)["error"]
        code, message = error.get("code"), error.get("message")
    except (Declined, KeyError, AttributeError):
        code = message = None
    plain = isinstance(code, str) and 0 < len(code) <= 32 and code.isascii() and code.replace("-", "").isalpha()
    why = Fact("outcome-collector-answers", status=reply.status)
    if isinstance(message, str) and message.isprintable():
        why = Fact("outcome-collector-says", message=repr(message)[:_LONGEST])
    return str(code) if plain else f"status-{reply.status}", why


def read_object(body: bytes) -> dict[str, Any]:
    """A small JSON object from a collector; anything else is `Declined` as malformed."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Declined("malformed", "the collector's reply is not a JSON object")
    return value
