"""A call to a server ends, also where the server stands still: then it says nothing, and its machine still listens."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def within(seconds: float | None, line: int) -> Iterator[None]:
    """Cut the line, a socket's descriptor, after so many seconds: whoever waits on it hears that it is gone."""
    if seconds is None:
        yield
        return
    own = socket.socket(fileno=os.dup(line))
    timer = threading.Timer(seconds, _cut, [own])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        own.close()


def _cut(line: socket.socket) -> None:
    with suppress(OSError):  # the other side was faster
        line.shutdown(socket.SHUT_RDWR)
