"""The entropy layer: the words are exactly the bytes that the operating system gave.

No test of outputs can tell a good generator with a small seed from the kernel's. So the kernel's answers are put on a
script here, and the source must give them back: the same bytes, in order, as many as were asked for, nothing kept and
nothing added. Then the same through a device as a whole, from the kernel's bytes to the bytes of the report.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import numpy as np

from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import SHIPPED
from sottovoce.audit.findings import Finding, examine
from sottovoce.audit.ledger_faults import CAN_FORK, finish, start
from sottovoce.audit.neighbours import SIZES, crowd
from sottovoce.audit.questions import every_statistic, small_instances
from sottovoce.audit.sampler_layer import reports
from sottovoce.audit.word_scripts import Tape
from sottovoce.device import Collections, Entropy, SystemEntropy, bulk, encode
from sottovoce.engines import Ask, Seats, shuffled
from sottovoce.messages import Batch, Question, Slots

# Do processes repeat one another's noise? A source that was used before a fork, its children, and fresh processes.

WORDS = 256
"""Words drawn by each process. Twelve processes repeat one by chance once in 4·10^12 runs."""

_FRESH = (
    "import sys; from sottovoce.device import SystemEntropy as S; sys.stdout.buffer.write(S().words({0}).tobytes())"
)


def repeats(streams: Iterable[bytes]) -> int:
    """How many 64-bit words occur again, anywhere."""
    words = np.frombuffer(b"".join(streams), dtype=np.uint64)
    return len(words) - len(np.unique(words))


def forked(source: Entropy, *, children: int = 4) -> list[bytes]:
    """What a source that was used before gives to forked children and, after them, to their parent."""
    streams = [source.words(WORDS).tobytes()]
    for _ in range(children):
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a fork with threads: the child only draws and leaves
            child = os.fork()
        if child == 0:
            try:
                os.write(writer, source.words(WORDS).tobytes())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            streams.append(pipe.read())
        os.waitpid(child, 0)
    return [*streams, source.words(WORDS).tobytes()]


def fresh(*, processes: int = 2) -> list[bytes]:
    """What the shipped source gives in processes started from nothing."""
    command = [sys.executable, "-c", _FRESH.format(WORDS)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return [
        subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=120, env=environment).stdout
        for _ in range(processes)
    ]


def never_repeats(subject: str, make: Callable[[], Entropy] = SystemEntropy, *, started: bool = True) -> Finding:
    """Forks (where the system has them) and fresh processes; any repeated word is an alarm."""
    streams = forked(make()) + forked(make()) if hasattr(os, "fork") else [make().words(WORDS).tobytes()]
    if started:
        streams += fresh()
    again, missing = repeats(streams), sum(len(one) != 8 * WORDS for one in streams)
    return Finding(
        subject=subject,
        layer="processes",
        check="entropy across processes",
        passed=again == 0 and missing == 0,
        detail=f"{len(streams)} streams of {WORDS} words, {again} repeated" + (f", {missing} cut" if missing else ""),
    )


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


# The entropy layer for many users: the words are exactly OpenSSL's bytes, and OpenSSL is fed by the operating system.

FRESH_AFTER = 2**26
"""Bytes that may be drawn before the operating system's are mixed in again."""
_ENOUGH = 32
_LARGE = 2**17
_LATE, _STALE = 3, 4
_WORDS = {
    0: "",
    _LATE: "a forked process draws before anything fresh is mixed in",
    _STALE: "nothing fresh is mixed in for too long",
}


def exactly_openssls_bytes(subject: str, make: Callable[[], Entropy]) -> list[Finding]:
    """Two findings: what is drawn, and what was mixed in before."""
    if not genuine():
        return exactly_the_systems_bytes(subject, make)
    drawn, fed = "OpenSSL's bytes, no others", "fed by the operating system"
    calls, forked = f"{len(COUNTS) + AGAIN} calls, all alike", "in a forked process, and again" if CAN_FORK else "again"
    return [
        *examine(subject, "entropy", drawn, lambda: _drawn(make), calls),
        *examine(subject, "entropy", fed, lambda: _fed(make), f"before the first words, {forked}"),
    ]


def genuine() -> bool:
    """Whether Python's `ssl` is OpenSSL from 1.1.1 on; else every word is the operating system's."""
    try:
        import ssl  # an odd build of Python has none
    except ImportError:
        return False
    named = ssl.OPENSSL_VERSION.startswith("OpenSSL ") and "compatible" not in ssl.OPENSSL_VERSION
    return named and ssl.OPENSSL_VERSION_INFO >= (1, 1, 1)


def _drawn(make: Callable[[], Entropy]) -> str:
    import ssl  # an odd build of Python has none

    source, openssl = make(), Kernel(2)
    with mock.patch.object(ssl, "RAND_bytes", openssl):
        for count in (*COUNTS, *(1 + call % 5 for call in range(AGAIN))):
            openssl.forget()
            if np.ascontiguousarray(source.words(count)).tobytes() != b"".join(openssl.given):
                return f"{count} words were asked for, and other bytes came than OpenSSL gave"
    return ""


@contextmanager
def _events() -> Iterator[list[int]]:
    """How many bytes were drawn since OpenSSL was fed with fresh ones: one number for each time it draws."""
    import ssl

    kernel, since, told = Kernel(3), [2**62], list[int]()

    def draw(size: int, /) -> bytes:
        since[0] += size
        told.append(since[0])
        return bytes(size)

    def mix(given: bytes, entropy: float, /) -> None:
        if len(given) >= _ENOUGH and given in kernel.given:
            kernel.forget()
            since[0] = 0

    with (
        mock.patch.object(os, "urandom", kernel),
        mock.patch.object(ssl, "RAND_bytes", draw),
        mock.patch.object(ssl, "RAND_add", mix),
    ):
        yield told


def _fed(make: Callable[[], Entropy]) -> str:
    source = make()
    source.words(1)  # as in a process that has drawn before

    def child() -> None:
        with _events() as told:
            source.words(1)
        os._exit(_LATE if told[0] > 8 else _STALE if _stale(source) else 0)

    if not CAN_FORK:
        return _WORDS[_STALE] if _stale(source) else ""
    return _WORDS.get(finish(start(child))[0], "a forked process could not draw")


def _stale(source: Entropy) -> bool:
    """Whether more is drawn than the decision allows before something fresh is mixed in."""
    with _events() as told:
        for _ in range(3 * FRESH_AFTER // (8 * _LARGE)):
            source.words(_LARGE)
    return max(told[FRESH_AFTER // (8 * _LARGE) + 1 :]) > FRESH_AFTER + 8 * _LARGE


# The entropy layer where nobody hands in a source: many users at once, and the engine in this process.

Answers = Callable[[Question, Collections, Integers], Iterable[Batch]]
Engine = Callable[..., Ask]
"""As `engines.local`."""
_Given = Callable[[Question, Collections], Sequence[Batch]]
_Expected = Callable[[Question, Collections, Tape], Iterable[Batch]]
_SIZES = (*range(25), 1001)
_CROWD = (1001,) * 300
"""Users of so many observations that they do not fit into one block."""


def openssls_unless_told(subject: str, answers: Answers, engine: Engine) -> list[Finding]:
    """Two findings: what is answered for many users, and through the engine."""
    asked: list[tuple[Question, Sequence[int]]] = [(question, _SIZES) for question in questions()]
    asked.append(next((one, _CROWD) for one in questions() if one.encoder.statistic.needs != "averages"))
    done = f"{len(asked)} questions to {len(_SIZES)} users and more, all alike"

    def problem(given: _Given, expected: _Expected) -> str:
        return next((found for one in enumerate(asked) if (found := _other(*one, given, expected))), "")

    def answered(question: Question, people: Collections) -> list[Batch]:
        return list(answers(question, people, _slots(question)))

    def kept(question: Question, people: Collections) -> list[Batch]:
        batches: list[Batch] = []
        engine(people, keep=batches.append)(question)
        return batches

    many, here = "no source handed in: OpenSSL's bytes", "no source handed in, in this process: OpenSSL's bytes"
    return [
        *examine(subject, "entropy", many, lambda: problem(answered, _answered), done),
        *examine(subject, "entropy", here, lambda: problem(kept, _through_seats), done),
    ]


def _other(seed: int, asked: tuple[Question, Sequence[int]], given: _Given, expected: _Expected) -> str:
    question, sizes = replace(asked[0], slots=Slots(first=0, count=len(asked[1]))), asked[1]
    people = crowd(question, sizes)
    bulk.BulkEntropy().words(1)  # as in a process that has drawn before
    with _script(seed) as (drawn, asked_for, fed):
        told = [(batch.slots.tolist(), batch.payloads.tobytes()) for batch in given(question, people)]
    tape = Tape(np.frombuffer(b"".join(drawn.given), dtype="<u8").tolist())
    words = tape.left
    right = [(batch.slots.tolist(), batch.payloads.tobytes()) for batch in expected(question, people, tape)]
    if told != right or tape.left or not words:
        return f"{question.role}: the reports are not what OpenSSL's bytes give"
    if sizes == _CROWD and len(told) < 2:
        return f"{len(sizes)} users were one block, and nothing was seen of another"
    return "" if asked_for == fed else f"{question.role}: the operating system was asked for more than OpenSSL was fed"


@contextmanager
def _script(seed: int) -> Iterator[tuple[Kernel, list[bytes], list[bytes]]]:
    """The generator on a script; what the operating system gave besides, and what OpenSSL was fed."""
    if not genuine():
        with scripted_kernel(seed) as kernel:
            yield kernel, [], []
        return
    import ssl  # an odd build of Python has none

    system, fed, real = _Heard(seed), list[bytes](), ssl.RAND_add

    def mix(given: bytes, entropy: float, /) -> None:
        fed.append(given)
        real(given, entropy)

    openssl = Kernel(seed)
    with (
        mock.patch.object(os, "urandom", system),
        mock.patch.object(ssl, "RAND_bytes", openssl),
        mock.patch.object(ssl, "RAND_add", mix),
    ):
        yield openssl, system.given, fed


class _Heard(Kernel):
    """The operating system's generator, as it is."""

    def draw(self, size: int) -> bytes:
        return self.real(size)


def _slots(question: Question) -> Integers:
    return np.arange(question.slots.count)


def _answered(question: Question, people: Collections, tape: Tape) -> Iterable[Batch]:
    return bulk.respond_many(question, people, _slots(question), tape)


def _through_seats(question: Question, people: Collections, tape: Tape) -> Iterable[Batch]:
    asked, slots = Seats(people, shuffled(people.users, tape.words(4))).asked(question, tape)
    return bulk.respond_many(question, asked, slots, tape)
