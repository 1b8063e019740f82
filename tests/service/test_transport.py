"""The network under a device: a request ends in time, whatever the other side does, and reaches every kind of host."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import pytest

from sottovoce.client import Https, Reply, Unreachable
from sottovoce.client.transport import Deadline, Wire

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKS = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LONGEST = 120.0
"""Seconds after which the other side of a test gives up: no request may come near it."""


@contextmanager
def speaking(say: Callable[[socket.socket], None], *, family: int = socket.AF_INET) -> Iterator[int]:
    """One connection on loopback, and what is said on it; the port."""
    listener = socket.socket(family)
    listener.bind(("127.0.0.1" if family == socket.AF_INET else "::1", 0))
    listener.listen(1)
    listener.settimeout(LONGEST)

    def serve() -> None:
        with suppress(OSError):
            own, _ = listener.accept()
            own.settimeout(LONGEST)
            with own, suppress(OSError):
                own.recv(2**16)
                say(own)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()
        thread.join(LONGEST)


def flood(first: bytes, again: bytes) -> Callable[[socket.socket], None]:
    """Says the same without end, until nobody listens."""

    def say(own: socket.socket) -> None:
        own.sendall(first)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            own.sendall(again)

    return say


ENDLESS = {
    "come on": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "headers of one that comes on": (b"HTTP/1.1 100 Continue\r\n", b"X"),
    "a head": (HEAD, b"X"),
    "the head of a chunk": (CHUNKS, b"0"),
    "chunks": (CHUNKS, b"1\r\nx\r\n"),
    "a body": (HEAD + b"Content-Length: 60000\r\n\r\n", b"x"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_reply_that_does_not_end_is_ended(name: str) -> None:
    """Each word comes in time; the whole does not."""
    first, again = ENDLESS[name]
    said_all = threading.Event()

    def drip(own: socket.socket) -> None:
        own.sendall(first)
        for _ in range(int(LONGEST / 0.02)):
            own.sendall(again)
            time.sleep(0.02)
        said_all.set()

    with speaking(drip) as port, pytest.raises(Unreachable):
        Https(timeout_seconds=0.1).request("GET", f"http://127.0.0.1:{port}/", limit=2**16)
    assert not said_all.is_set()


@pytest.mark.parametrize("patience, longest", [(float("inf"), 60), (20.0, 20), (0.0, 15)])
def test_a_request_lasts_no_longer_than_patience(patience: float, longest: int) -> None:
    seconds = count()
    line = Https(timeout_seconds=15.0, clock=lambda: float(next(seconds)))  # a second for each look at it
    with speaking(flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n")) as port, pytest.raises(Unreachable, match="Timeout"):
        line.request("GET", f"http://127.0.0.1:{port}/", limit=9, patience_seconds=patience)
    assert next(seconds) == longest + 1


def test_a_handshake_that_does_not_end_is_ended() -> None:
    over, waited = threading.Event(), list[bool]()
    with speaking(lambda own: waited.append(over.wait(LONGEST))) as port:
        with pytest.raises(Unreachable):
            Https(timeout_seconds=0.1).request("GET", f"https://127.0.0.1:{port}/", limit=9)
        over.set()
    assert waited == [True], "the other side was still there, and said nothing"


@pytest.mark.parametrize("family, host", [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "[::1]")])
def test_a_reply_of_either_kind_of_address(family: int, host: str) -> None:
    try:
        with speaking(lambda own: own.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}"), family=family) as port:
            found = Https().request("GET", f"http://{host}:{port}/", limit=9)
    except OSError:
        pytest.skip("this machine has no such address")
    assert found == Reply(status=200, body=b"{}")


@pytest.mark.parametrize("host", ["2001:db8::1", "::1", "example.org"])
def test_an_address_is_taken_as_it_is(host: str) -> None:
    deadline = Deadline(end=1.0, step=1.0, clock=lambda: 0.0)
    wire = Wire(host, None, context=None, deadline=deadline)
    assert (wire.host, wire.port) == (host, 80)


def test_a_name_that_no_resolver_takes_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(Unreachable, match=r"\(UnicodeError\)"):
        Https().request("GET", "https://example.org/", limit=9)
