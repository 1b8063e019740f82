"""A connection that ends in time, however slowly the other side speaks: no step of it waits beyond one deadline."""

from __future__ import annotations

import io
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Deadline:
    """`end` by `clock`, and at most `step` seconds for each wait before."""

    end: float
    step: float
    clock: Callable[[], float]

    def bound(self, own: socket.socket) -> None:
        """The next wait of a socket ends in time; where it is too late for one, `TimeoutError`."""
        left = self.end - self.clock()
        if left <= 0:
            raise TimeoutError("the request takes too long")
        own.settimeout(min(left, self.step))


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
            own = socket.socket(family, kind, protocol)
            try:
                self._deadline.bound(own)
                own.connect(address)
                own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is not None:
                    self._deadline.bound(own)  # for the handshake as a whole
                    own = self._tls.wrap_socket(own, server_hostname=self.host)
            except OSError as error:
                own.close()
                failed = error
                continue
            except BaseException:
                own.close()
                raise
            self.sock = _Bounded(own, self._deadline)
            return
        raise failed


class _Bounded:
    """As much of a socket as `http.client` uses, each step of it within the deadline."""

    def __init__(self, own: socket.socket, deadline: Deadline) -> None:
        self._own, self._deadline = own, deadline

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._deadline.bound(self._own)
            rest = rest[self._own.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._own, self._deadline))

    def close(self) -> None:
        self._own.close()


class _Reader(io.RawIOBase):
    """What a socket receives."""

    def __init__(self, own: socket.socket, deadline: Deadline) -> None:
        self._own, self._deadline = own, deadline
        self._file = own.makefile("rb", buffering=0)  # keeps the socket open until it is closed too

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._deadline.bound(self._own)
        return self._file.readinto(buffer)

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()
        super().close()
