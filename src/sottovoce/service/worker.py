"""One worker of a collector: a server on a socket, in this process or in a thread of it."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TextIO

import uvicorn

from sottovoce.messages import InvalidInput, check_address, is_loopback
from sottovoce.service.collector import Clock, Collector
from sottovoce.service.http import application
from sottovoce.service.limits import Limits
from sottovoce.service.logs import Log, logging_to
from sottovoce.service.protocol import patient, patient_loop
from sottovoce.service.store import Store, store_file
from sottovoce.service.writer import Writer

STOP_SECONDS = 15
_BACKLOG = 1_024


@dataclass(frozen=True, kw_only=True)
class Serving:
    """How a collector is reached, and what it takes on."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    tls_cert: str | None = None
    tls_key: str | None = None
    behind_proxy: bool = False
    base: str = ""
    """What devices call it; empty: as it listens."""
    listed: bool = True
    """Whether the front page shows what is running."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise InvalidInput("a certificate and its key go together:", fix="give --tls-cert and --tls-key")
        if not is_loopback(self.host) and self.tls_cert is None and not self.behind_proxy:
            raise InvalidInput(
                f"{self.host} is not this very machine, and reports travel over TLS:",
                fix="give --tls-cert and --tls-key, or --behind-proxy if a proxy in front speaks TLS, or --host "
                "127.0.0.1",
            )
        if self.workers > 1 and store_file(self.store) is not None:
            raise InvalidInput(
                "several workers need PostgreSQL: on one SQLite file they would wait for each other",
                fix="give --workers 1 or --store postgresql://…",
            )
        if self.base:
            check_address(self.base)

    def url(self, port: int) -> str:
        """Where it listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.tls_cert is None else 'https'}://{host}:{port}"


@contextlib.contextmanager
def listening(settings: Serving) -> Iterator[socket.socket]:
    """The socket that all workers accept from; port 0 is one of the system's choice."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((settings.host, settings.port))
        except OSError as error:
            raise InvalidInput(
                f"cannot listen on port {settings.port}: {error.strerror}", fix="give another --port"
            ) from None
        sock.listen(_BACKLOG)
        sock.set_inheritable(True)
        yield sock


def work(settings: Serving, store: Store, sock: socket.socket, clock: Clock = time.time) -> None:
    """One worker, in this process, until a signal; then what was accepted is stored."""
    settings = replace(settings, limits=settings.limits.fitting())
    with logging_to(sys.stderr, clock) as log:
        server = _server(settings, store, clock, log)

        def stop(number: int, frame: object) -> None:
            """Uvicorn raises a signal again once it has stopped; here that ends in a return: the store is closed."""
            server.should_exit = True

        with on_signals(stop):
            server.run(sockets=[sock])


@contextlib.contextmanager
def on_signals(stop: Callable[[int, object], None]) -> Iterator[None]:
    """What is told to stop calls this; afterwards signals are handled as before."""
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _server(settings: Serving, store: Store, clock: Clock, log: Log) -> uvicorn.Server:
    app = application(
        Collector(store, clock=clock),
        Writer(store),
        clock=clock,
        limits=settings.limits,
        log=log,
        base=settings.base,
        listed=settings.listed,
    )
    config = uvicorn.Config(
        app,
        loop=patient_loop(settings.limits),  # type: ignore[arg-type]  # what is no name is taken as it is
        http=patient(settings.limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=settings.limits.idle_seconds,  # type: ignore[arg-type]  # passed on to call_later
        timeout_graceful_shutdown=STOP_SECONDS,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )
    return uvicorn.Server(config)


@dataclass(frozen=True, kw_only=True)
class Running:
    """A collector in a thread of this process."""

    url: str
    host: str
    port: int
    server: uvicorn.Server
    application: object


@contextlib.contextmanager
def running(
    store: Store,
    *,
    clock: Clock = time.time,
    limits: Limits | None = None,
    log: TextIO | None = None,
    base: str = "",
    tls_cert: str | None = None,
    tls_key: str | None = None,
) -> Iterator[Running]:
    """A collector on loopback, on a port of the system's choice, in a thread: for tests and demonstrations.

    The store stays open; whoever opened it closes it.
    """
    bounds = Limits() if limits is None else limits
    settings = Serving(store="sqlite:", port=0, base=base, limits=bounds, tls_cert=tls_cert, tls_key=tls_key)
    with listening(settings) as sock, logging_to(sys.stderr if log is None else log, clock) as told:
        server = _server(settings, store, clock, told)
        port = sock.getsockname()[1]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, name="sotto-serve", daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise RuntimeError("the collector did not start; its log says why")
                time.sleep(0.005)
            app = server.config.app
            yield Running(url=settings.url(port), host=settings.host, port=port, server=server, application=app)
        finally:
            server.should_exit = True
            thread.join(STOP_SECONDS + 5)
