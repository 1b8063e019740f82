"""Running a collector: connections that are cut off in time, one worker on a socket, or several until told to stop.

Uvicorn bounds the pause between two requests only. A head that never ends, a connection that never speaks, a body that
goes on after its answer, an answer that is never read and a handshake that never ends would otherwise be held for ever.
Nor does it bound what comes besides bodies: heads, and the trailers of a body in chunks, which nobody here reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TextIO

import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sottovoce.messages import InvalidInput, check_address, is_loopback
from sottovoce.service.collector import Clock, Collector
from sottovoce.service.errors import Refused, overloaded
from sottovoce.service.http import Application
from sottovoce.service.limits import Limits
from sottovoce.service.log_and_metrics import Log, open_log
from sottovoce.service.state import State
from sottovoce.service.store import Store, open_store, store_file
from sottovoce.service.writer import Writer

MAX_HEAD_BYTES = 32 * 2**10
_GOODBYE_SECONDS = 0.5
_LINGER_SECONDS = 2.0


class TimedConnection(HttpToolsProtocol):
    """The server's side of a connection, with a clock: whoever sends, reads or waits too slowly is cut off."""

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


class TimedLoop(uvloop.Loop):
    """Uvicorn passes no bound on a handshake, and the loop's own is a minute."""

    handshake_seconds: float

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("ssl") is not None:
            kwargs |= {"ssl_handshake_timeout": self.handshake_seconds, "ssl_shutdown_timeout": self.handshake_seconds}
        return await super().create_server(*args, **kwargs)


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
def listening(settings: Serving, announce: TextIO | None = None) -> Iterator[socket.socket]:
    """The socket that all workers accept from; port 0 is one of the system's choice.

    From when that is said on `announce`, whoever comes is answered: at once, or as soon as a worker has started.
    """
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
        if announce is not None:
            print(f"listening on {settings.url(sock.getsockname()[1])}", file=announce, flush=True)
        yield sock


def run_worker(settings: Serving, store: Store, sock: socket.socket, clock: Clock = time.time) -> None:
    """One worker, in this process, until a signal; then what was accepted is stored."""
    settings = replace(settings, limits=settings.limits.fitting())
    with open_log(sys.stderr, clock) as log:
        server = _make_server(settings, store, clock, log)

        def stop(number: int, frame: object) -> None:
            """Uvicorn raises a signal again once it has stopped; here that ends in a return: the store is closed."""
            server.should_exit = True

        with calling_on_signals(stop):
            server.run(sockets=[sock])


@contextlib.contextmanager
def calling_on_signals(stop: Callable[[int, object], None]) -> Iterator[None]:
    """What is told to stop calls this; afterwards signals are handled as before."""
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _make_server(settings: Serving, store: Store, clock: Clock, log: Log) -> uvicorn.Server:
    state = State(
        Collector(store, clock=clock),
        Writer(store),
        clock=clock,
        limits=settings.limits,
        log=log,
        base=settings.base,
        listed=settings.listed,
    )
    # As classes: uvicorn makes the loop, and a connection for each; a handshake has as long as the head of a request.
    loop = type("Loop", (TimedLoop,), {"handshake_seconds": settings.limits.head_seconds})
    connection = type("Connection", (TimedConnection,), {"limits": settings.limits})
    config = uvicorn.Config(
        Application(state),
        loop=loop,  # type: ignore[arg-type]  # what is no name is taken as it is
        http=connection,
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
    limits = limits or Limits()
    settings = Serving(store="sqlite:", port=0, base=base, limits=limits, tls_cert=tls_cert, tls_key=tls_key)
    with listening(settings) as sock, open_log(log or sys.stderr, clock) as lines:
        server = _make_server(settings, store, clock, lines)
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


def serve(settings: Serving, *, clock: Clock = time.time, announce: TextIO | None = None) -> None:
    """Run until SIGTERM or Ctrl-C; then stop accepting, store what was accepted, and return.

    Where it listens is said on `announce` (standard output).
    """
    announce = announce or sys.stdout
    if settings.tls_cert is not None:
        _check_certificate(settings)
    with open_store(settings.store) as store:  # what is wrong with it is said before anybody is told to come
        if settings.workers == 1:
            with listening(settings, announce) as sock:
                run_worker(settings, store, sock, clock)
            return
    with listening(settings, announce) as sock:
        _supervise(settings, sock)


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
        process = spawn.Process(target=_run_supervised, args=(settings, sock), name="sotto-worker")
        process.start()
        return process

    with calling_on_signals(stop):
        workers = [start() for _ in range(settings.workers)]
        try:
            while not stopping.wait(0.5):
                workers = [worker if worker.is_alive() else start() for worker in workers]
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(STOP_SECONDS + 5)


def _run_supervised(settings: Serving, sock: socket.socket) -> None:
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
        run_worker(replace(settings, limits=settings.limits.shared(settings.workers)), store, sock)
