"""Running a collector: one worker or several, in this process or in a thread of it."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO

import uvicorn

from sottovoce.messages import InvalidInput, check_address, is_loopback
from sottovoce.service import access
from sottovoce.service.collector import Collector
from sottovoce.service.http import application
from sottovoce.service.limits import Limits
from sottovoce.service.logs import Log
from sottovoce.service.protocol import patient
from sottovoce.service.store import Store, open_store
from sottovoce.service.writer import Writer

Clock = Callable[[], float]
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
            raise InvalidInput("a certificate and its key go together: give --tls-cert and --tls-key")
        if not is_loopback(self.host) and self.tls_cert is None and not self.behind_proxy:
            raise InvalidInput(
                f"{self.host} is not this very machine, and reports travel over TLS: give --tls-cert and --tls-key, "
                "or --behind-proxy if a proxy in front speaks TLS, or --host 127.0.0.1"
            )
        if self.workers > 1 and not self.store.startswith("postgresql:"):
            raise InvalidInput(
                "several workers need PostgreSQL: on one SQLite file they would wait for each other; "
                "give --workers 1 or --store postgresql://…"
            )
        if self.base:
            check_address(self.base)

    def url(self, port: int) -> str:
        """Where it listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.tls_cert is None else 'https'}://{host}:{port}"


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

    Where it listens is said on `announce` (standard output); so is the administrator's token, once, of a new store.
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
    with open_store(settings.store) as store:
        token = new_administrator(store)
    with _listening(settings) as sock:
        url = settings.url(sock.getsockname()[1])
        if token is not None:
            print(f"administrator's token, shown this once: {token}", file=told)
        print(f"listening on {url}", file=told, flush=True)
        if settings.workers == 1:
            work(settings, sock, clock)
        else:
            _supervise(settings, sock)


def new_administrator(store: Store) -> str | None:
    """The token of a store that has none yet; None where it has one."""
    if store.admin() is not None:
        return None
    token = access.new_token()
    store.set_admin(access.hashed(token))
    return token


def work(settings: Serving, sock: socket.socket, clock: Clock = time.time) -> None:
    """One worker, in this process."""
    with open_store(settings.store) as store, _logging(sys.stderr, clock) as log:
        server = _server(settings, store, clock, log)
        server.run(sockets=[sock])


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
        loop="uvloop",
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


@contextlib.contextmanager
def _logging(stream: TextIO, clock: Clock) -> Iterator[Log]:
    """Our own lines instead of uvicorn's, which name addresses; its warnings and errors by their kind."""
    log = Log(stream, clock=clock)
    handler = _Handed(log)
    logger = logging.getLogger("uvicorn.error")
    before = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield log
    finally:
        logger.removeHandler(handler)
        logger.propagate, logger.level = before
        log.stop()


class _Handed(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._log.failure(record.exc_info[1])
        else:
            self._log.event("server", message=str(record.msg))  # the text without what is put into it


@contextlib.contextmanager
def _listening(settings: Serving) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((settings.host, settings.port))
        except OSError as error:
            raise InvalidInput(
                f"cannot listen on port {settings.port}: {error.strerror}; give another --port"
            ) from None
        sock.listen(_BACKLOG)
        sock.set_inheritable(True)
        yield sock


def _check_certificate(settings: Serving) -> None:
    for path in (settings.tls_cert, settings.tls_key):
        if path is not None and not Path(path).is_file():
            raise InvalidInput("there is no such certificate or key file; give --tls-cert and --tls-key as PEM files")
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
        process = spawn.Process(target=work, args=(settings, sock), name="sotto-worker")
        process.start()
        return process

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    workers = [start() for _ in range(settings.workers)]
    try:
        while not stopping.wait(0.5):
            workers = [worker if worker.is_alive() else start() for worker in workers]
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(STOP_SECONDS + 5)
        for number, handler in before.items():
            signal.signal(number, handler)


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
    store: Store, *, clock: Clock = time.time, limits: Limits | None = None, log: TextIO | None = None, base: str = ""
) -> Iterator[Running]:
    """A collector on loopback, on a port of the system's choice, in a thread: for tests and demonstrations.

    The store stays open; whoever opened it closes it.
    """
    settings = Serving(store="sqlite:", port=0, base=base, limits=Limits() if limits is None else limits)
    with _listening(settings) as sock, _logging(sys.stderr if log is None else log, clock) as told:
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
