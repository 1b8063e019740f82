"""Running a collector: one worker or several, until it is told to stop."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO

from sottovoce.messages import InvalidInput
from sottovoce.service.collector import Clock
from sottovoce.service.limits import Limits
from sottovoce.service.store import open_store
from sottovoce.service.worker import STOP_SECONDS, Serving, listening, on_signals, work


def serve(
    store_url: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    tls_cert: str | None = None,
    tls_key: str | None = None,
    behind_proxy: bool = False,
    base: str = "",
    listed: bool = True,
    limits: Limits | None = None,
    clock: Clock = time.time,
    announce: TextIO | None = None,
) -> None:
    """Run until SIGTERM or Ctrl-C; then stop accepting, store what was accepted, and return.

    Where it listens is said on `announce` (standard output).
    """
    settings = Serving(
        store=store_url,
        host=host,
        port=port,
        workers=workers,
        tls_cert=tls_cert,
        tls_key=tls_key,
        behind_proxy=behind_proxy,
        base=base,
        listed=listed,
        limits=Limits() if limits is None else limits,
    )
    told = sys.stdout if announce is None else announce
    if settings.tls_cert is not None:
        _check_certificate(settings)
    with open_store(settings.store) as store:  # what is wrong with it is said before anybody is told to come
        if settings.workers == 1:
            with _announced(settings, told) as sock:
                work(settings, store, sock, clock)
            return
    with _announced(settings, told) as sock:
        _supervise(settings, sock)


@contextlib.contextmanager
def _announced(settings: Serving, told: TextIO) -> Iterator[socket.socket]:
    """From here on whoever comes is answered: at once, or as soon as a worker has started."""
    with listening(settings) as sock:
        print(f"listening on {settings.url(sock.getsockname()[1])}", file=told, flush=True)
        yield sock


def _check_certificate(settings: Serving) -> None:
    for path in (settings.tls_cert, settings.tls_key):
        if path is not None and not Path(path).is_file():
            raise InvalidInput(
                "there is no such certificate or key file", fix="give --tls-cert and --tls-key as PEM files"
            )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(str(settings.tls_cert), settings.tls_key)
    except ssl.SSLError:
        raise InvalidInput("the certificate and the key do not go together, or are no PEM files") from None


def _supervise(settings: Serving, sock: socket.socket) -> None:
    """Several workers on one socket. One that dies is replaced; a signal stops all, each after its own last reports."""
    spawn = multiprocessing.get_context("spawn")
    stopping = threading.Event()

    def stop(number: int, frame: object) -> None:
        stopping.set()

    def start() -> BaseProcess:
        process = spawn.Process(target=_supervised, args=(settings, sock), name="sotto-worker")
        process.start()
        return process

    with on_signals(stop):
        workers = [start() for _ in range(settings.workers)]
        try:
            while not stopping.wait(0.5):
                workers = [worker if worker.is_alive() else start() for worker in workers]
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(STOP_SECONDS + 5)


def _supervised(settings: Serving, sock: socket.socket) -> None:
    """One of several workers, in a process of its own. It stops as if it were told to when its supervisor is gone.

    One that was killed tells nobody, and workers that went on without it would keep the port from its successor.
    """
    supervisor = multiprocessing.parent_process()
    assert supervisor is not None

    def follow() -> None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow, name="sotto-follow", daemon=True).start()
    with open_store(settings.store) as store:
        work(replace(settings, limits=settings.limits.shared(settings.workers)), store, sock)
