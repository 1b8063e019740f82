"""The entropy layer: the words are exactly the bytes that the operating system gave.

No test of outputs can tell a good generator with a small seed from the kernel's. So the kernel's answers are put on a
script here, and the source must give them back: the same bytes, in order, as many as were asked for, nothing kept and
nothing added. Then the same through a device as a whole, from the kernel's bytes to the bytes of the report.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from sottovoce.audit.findings import Finding, examine
from sottovoce.audit.instances import every_statistic, small_instances
from sottovoce.audit.neighbours import SIZES, crowd
from sottovoce.audit.path import SHIPPED
from sottovoce.audit.scripted import reports
from sottovoce.audit.scripts import Tape
from sottovoce.device import Entropy, encode
from sottovoce.messages import Question

COUNTS = (1, 2, 0, 7, 64, 1, 1000, 129, 2**21 + 3)
"""Words asked for, one after another: also more than one answer of the kernel may hold."""
AGAIN = 300
"""Further calls for a few words each: a source may have gone well for a while."""


class Kernel:
    """The operating system's generator on a script, for this thread; `given` is what it has given since `forget`."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._thread = threading.get_ident()
        self.real = os.urandom
        self.given: list[bytes] = []

    def __call__(self, size: int, /) -> bytes:
        if threading.get_ident() != self._thread:
            return self.real(size)
        self.given.append(self.draw(size))
        return self.given[-1]

    def draw(self, size: int) -> bytes:
        return self._generator.bytes(size)

    def forget(self) -> None:
        self.given.clear()


@contextmanager
def scripted_kernel(seed: int) -> Iterator[Kernel]:
    """``os.urandom`` answers from a script as long as this lasts."""
    kernel = Kernel(seed)
    real, os.urandom = os.urandom, kernel
    try:
        yield kernel
    finally:
        os.urandom = real


def exactly_the_systems_bytes(subject: str, make: Callable[[], Entropy]) -> list[Finding]:
    """Two findings: the source alone, and a device that draws from it."""
    alone, through = "the operating system's bytes, no others", "from the operating system's bytes to the report"
    calls, answers = len(COUNTS) + AGAIN, len(SIZES) * len(questions())
    return [
        *examine(subject, "entropy", alone, lambda: _alone(make), f"{calls} calls, all alike"),
        *examine(subject, "entropy", through, lambda: _through_a_device(make), f"{answers} answers, all alike"),
    ]


def questions() -> tuple[Question, ...]:
    """Every channel, small, and every statistic."""
    return (*small_instances(1.0), *every_statistic(1.0))


def _alone(make: Callable[[], Entropy]) -> str:
    source = make()
    with scripted_kernel(1) as kernel:
        for count in (*COUNTS, *(1 + call % 5 for call in range(AGAIN))):
            kernel.forget()
            given = np.ascontiguousarray(source.words(count)).tobytes()
            taken = b"".join(kernel.given)
            if len(taken) != 8 * count:
                return f"{count} words were asked for, {len(taken)} bytes were taken from the system"
            if given != taken:
                return f"{count} words were asked for, and other bytes came than the system gave"
    return ""


def _through_a_device(make: Callable[[], Entropy]) -> str:
    for place, question in enumerate(questions()):
        for turn, size in enumerate(SIZES):
            if problem := _answer(question, size, make(), seed=len(SIZES) * place + turn):
                return problem
    return ""


def _answer(question: Question, size: int, source: Entropy, *, seed: int) -> str:
    one, slot = crowd(question, [size]), question.slots.first + seed % question.slots.count
    slots = np.array([slot])
    with scripted_kernel(seed) as kernel:
        given = SHIPPED.respond(question, one, slot, source)
        taken = np.frombuffer(b"".join(kernel.given), dtype="<u8").tolist()
    tape = Tape(taken)
    inputs = [int(value) for value in encode(question, one, slots, tape).ravel()]
    same = [given] == reports(question, slots, inputs, tape) and not tape.left
    return "" if same else f"{question.role}: the report is not what the system's bytes give"
