"""The server's side of a connection, with a clock: whoever sends, reads or waits too slowly is cut off.

Uvicorn bounds the pause between two requests only. A head that never ends, a connection that never speaks, a body that
goes on after its answer, an answer that is never read and a handshake that never ends would otherwise be held for ever.
Nor does it bound what comes besides bodies: heads, and the trailers of a body in chunks, which nobody here reads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sottovoce.service.errors import Refused, overloaded
from sottovoce.service.limits import Limits

MAX_HEAD_BYTES = 32 * 2**10
_GOODBYE_SECONDS = 0.5
_LINGER_SECONDS = 2.0


class Patient(HttpToolsProtocol):
    """Patient, but not for ever."""

    limits: Limits

    _timer: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None
    _head = 0
    """Bytes that came since the last head was complete, or the last piece of a body: of a head or of trailers."""
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._hang_up(overloaded("too many connections are open"))
            return
        self._cut_off(self.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._head += len(data)
        if self._in_head and self._timer is None:
            self._cut_off(self.limits.head_seconds)
        super().data_received(data)
        if self._head > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._hang_up(
                Refused(
                    status=431, code="too-large", message="the head is too large", expected=f"{MAX_HEAD_BYTES} bytes"
                )
            )

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # a trailer adds nothing to a request that is being answered
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head, self._head = False, 0
        self._stop_waiting()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head, self._head = True, 0
        if self.cycle.response_complete:  # the answer came first; uvicorn no longer waits for the next request
            self._cut_off(self.limits.idle_seconds)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._cut_off(self.limits.body_seconds)
        elif not self._in_head and self.cycle.response_complete:  # answered, and its body is still on the way
            self._cut_off(min(_LINGER_SECONDS, self.limits.body_seconds))

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._cut_off(self.limits.body_seconds)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reader is None:
            self._reader = self.loop.call_later(self.limits.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(_GOODBYE_SECONDS, self._goodbye)

    def _goodbye(self) -> None:
        """A client that keeps its end open, as TLS lets it, does not hold up the end of the collector."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()
        else:
            self.loop.call_later(_GOODBYE_SECONDS, self._goodbye)

    def send_400_response(self, msg: str) -> None:
        self._hang_up(Refused(status=400, code="malformed", message="this is not HTTP/1.1"))

    def _cut_off(self, seconds: float) -> None:
        """After so many seconds, unless what is waited for comes. To close is not enough: it waits for a reader."""
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hang_up(self, refusal: Refused) -> None:
        """One answer without a request, and the end; where its own answer is under way, the end alone."""
        if not self._in_head and self.cycle.response_started:
            self.transport.abort()
            return
        refusal.hang_up = True
        body = refusal.body()
        lines = [b"HTTP/1.1 %d Refused" % refusal.status, b"content-length: %d" % len(body)]
        lines += [name + b": " + value for name, value in refusal.headers()]
        self.transport.write(b"\r\n".join([*lines, b"", b""]) + body)
        self.transport.close()
        self._cut_off(self.limits.body_seconds)


class _Loop(uvloop.Loop):
    """Uvicorn passes no bound on a handshake, and the loop's own is a minute."""

    handshake_seconds: float

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("ssl") is not None:
            kwargs |= {"ssl_handshake_timeout": self.handshake_seconds, "ssl_shutdown_timeout": self.handshake_seconds}
        return await super().create_server(*args, **kwargs)


def patient_loop(limits: Limits) -> Callable[[], asyncio.AbstractEventLoop]:
    """Makes the loop that a collector runs in; a handshake has as long as the head of a request."""
    made: Callable[[], asyncio.AbstractEventLoop] = type(
        "PatientLoop", (_Loop,), {"handshake_seconds": limits.head_seconds}
    )
    return made


def patient(limits: Limits) -> Any:
    """The protocol with these limits, as a class: uvicorn makes one for each connection."""
    return type("Patient", (Patient,), {"limits": limits})
