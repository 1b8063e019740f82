"""A computation that is given up after so many seconds, in the thread that it runs in.

Nobody can end a thread from outside. Python can be told to raise an exception there, at its next step; what computes
plans takes many steps, and holds nothing that an exception would leave broken.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sottovoce.service.errors import Refused

Result = TypeVar("Result")


class _OutOfTime(BaseException):
    """Not an `Exception`: nothing on the way mistakes it for one of its own."""


def bounded(call: Callable[[], Result], *, seconds: float, what: str) -> Result:
    """Its result, in this thread; or a refusal that says that `what` takes too long."""
    lock, thread = threading.Lock(), threading.get_ident()
    ended = told = False

    def end() -> None:
        nonlocal told
        with lock:
            if not ended:
                told = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_OutOfTime))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    try:
        try:
            timer.start()
            return call()
        except _OutOfTime:
            told = False  # it has arrived
            raise
        finally:
            with lock:
                ended = True
            while told:  # it arrives here at the latest, never in what this thread does next
                time.sleep(0)
    except _OutOfTime:
        raise Refused(
            status=503,
            code="busy",
            message=f"{what} takes longer than {seconds:g} seconds, and was given up",
            do="ask for something simpler: fewer observations, users, bins or coordinates",
            retry_after=seconds,
        ) from None
    finally:
        timer.cancel()
