"""Faults for a ledger: crashes, full disks, I/O errors and limits on files, in processes of their own.

What is under test opens its database with ``sqlite3.connect``; while a fault is armed that name gives connections
that count statements, and at a chosen one they end the process, or raise what SQLite raises. A limit on the size of
files does the same in the middle of a write. Nothing else of the ledger is known here.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

CRASHED = 9
"""The exit code of a process that was ended by a fault."""
_PATIENCE = 60
"""Seconds after which a process that hangs is ended."""
_MESSAGES = {"full": "database or disk is full", "io": "disk I/O error"}
CAN_FORK = hasattr(os, "fork")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What happens at statement `step`, before it or `after` it.

    A ``crash`` ends the process; an ``io`` error happens once; a ``full`` disk stays full, but for a rollback.
    """

    kind: str
    step: int
    after: bool = False

    def strike(self, statement: str, step: int, *, after: bool) -> None:
        lasting = self.kind == "full" and step >= self.step and not statement.upper().startswith("ROLLBACK")
        if self.after != after or not (lasting or step == self.step):
            return
        if self.kind == "crash":
            os._exit(CRASHED)
        raise sqlite3.OperationalError(_MESSAGES[self.kind])


NO_FAULT = Fault(kind="none", step=-1)


class Watch:
    """The connections that were opened, and the statements that they were given, in order."""

    def __init__(self, fault: Fault) -> None:
        self.connections: list[sqlite3.Connection] = []
        self.statements: list[str] = []
        self._fault = fault

    @contextmanager
    def around(self, statement: str) -> Iterator[None]:
        step = len(self.statements)
        self.statements.append(statement)
        self._fault.strike(statement, step, after=False)
        yield
        self._fault.strike(statement, step, after=True)


@contextmanager
def watched(fault: Fault = NO_FAULT) -> Iterator[Watch]:
    """As long as this lasts, new connections are watched, and struck by the fault."""
    watch, real = Watch(fault), sqlite3.connect

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *values: Any) -> Any:
            with watch.around(sql):
                return super().execute(sql, *values)

        def executescript(self, sql: str) -> Any:
            with watch.around(sql):
                return super().executescript(sql)

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

        def execute(self, sql: str, *values: Any) -> Any:
            return self.cursor().execute(sql, *values)

        def executescript(self, sql: str) -> Any:
            return self.cursor().executescript(sql)

        def commit(self) -> None:
            with watch.around("COMMIT"):
                super().commit()

        def rollback(self) -> None:
            with watch.around("ROLLBACK"):
                super().rollback()

    def connect(*place: Any, **settings: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = real(*place, **settings, factory=Connection)
        watch.connections.append(made)
        return made

    sqlite3.connect = connect  # type: ignore[assignment]
    try:
        yield watch
    finally:
        sqlite3.connect = real


def limit_files(size: int, *, deadly: bool) -> None:
    """From now on no file of this process may grow beyond `size` bytes: a full disk, or a crash in the middle."""
    import resource  # only where there are forks

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def start(work: Callable[[], None]) -> int:
    """Do the work in a forked process, which ends without a word more; its id."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork with threads: the child calls none of them
        child = os.fork()
    if child:
        return child
    with suppress(BaseException):  # what it raised shows in what it did not do
        signal.alarm(_PATIENCE)
        work()
    os._exit(0)


def finish(*children: int) -> list[int]:
    """Wait until they have ended; their exit codes, a signal as a negative number."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
