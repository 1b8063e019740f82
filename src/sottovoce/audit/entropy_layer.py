"""The entropy and processes layers: words are the bytes that the operating system gave, and nobody has them twice.

No test of outputs can tell a good generator with a small seed from the kernel's. So the kernel's answers are put on a
script here, and the source must give them back: the same bytes, in order, as many as were asked for, nothing kept and
nothing added. Then the same through a device as a whole, from the kernel's bytes to the bytes of the report.

For many users at once the words are OpenSSL's, which is put on a script as well, and what it is given to mix in is
looked at: bytes that the kernel gave a moment before, in every process before it draws for the first time, and again
after as many bytes as the decision says. Where Python has another library in OpenSSL's place, every word must be the
operating system's. Tests and the audit hand in their own words, people do not: so what is drawn then is looked at too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from unittest import mock

import numpy as np

from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import SHIPPED
from sottovoce.audit.findings import Finding, examine, verdict
from sottovoce.audit.ledger_faults import CAN_FORK, finish, start
from sottovoce.audit.neighbours import SIZES, crowd
from sottovoce.audit.questions import every_statistic, small_instances
from sottovoce.audit.sampler_layer import expected_reports
from sottovoce.audit.word_scripts import Tape
from sottovoce.device import Collections, Entropy, SystemEntropy, bulk, encode
from sottovoce.engines import Ask, Seats, shuffled
from sottovoce.messages import Batch, Question, Slots

WORDS = 256
"""Words drawn by each process. Twelve processes repeat one by chance once in 4·10^12 runs."""
SMALL_COUNTS = tuple(1 + call % 5 for call in range(300))
"""Further calls for a few words each: a source may have gone well for a while."""
COUNTS = (1, 2, 0, 7, 64, 1, 1000, 129, 2**21 + 3, *SMALL_COUNTS)
"""Words asked for, one after another: also more than one answer of the kernel may hold."""
FRESH_AFTER = 2**26
"""Bytes that may be drawn from OpenSSL before the operating system's are mixed in again."""
_FRESH_PROCESS = (
    "import sys; from sottovoce.device import SystemEntropy as S; sys.stdout.buffer.write(S().words({0}).tobytes())"
)
_FRESH_BYTES = 32  # bytes of the kernel's that count as fresh
_LARGE = 2**17  # words of one request
_LATE, _STALE = 3, 4
_ENDINGS = {
    0: "",
    _LATE: "a forked process draws before anything fresh is mixed in",
    _STALE: "nothing fresh is mixed in for too long",
}
"""Exit codes of the process in which OpenSSL is looked at, in words."""
Answers = Callable[[Question, Collections, Integers], Iterable[Batch]]
Engine = Callable[..., Ask]
"""As `engines.local`."""
_CROWD_SIZES = (*range(25), 1001)
_LARGE_CROWD = (1001,) * 300
"""Users of so many observations that they do not fit into one block."""


def repeats(streams: Iterable[bytes]) -> int:
    """How many 64-bit words occur again, anywhere."""
    words = np.frombuffer(b"".join(streams), dtype=np.uint64)
    return len(words) - len(np.unique(words))


def _write_words(source: Entropy, writer: int) -> None:
    os.write(writer, source.words(WORDS).tobytes())


def forked_streams(source: Entropy) -> list[bytes]:
    """What a source that was used before gives to four forked children and, after them, to their parent."""
    streams = [source.words(WORDS).tobytes()]
    for _ in range(4):
        reader, writer = os.pipe()
        child = start(partial(_write_words, source, writer))
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            streams.append(pipe.read())
        finish(child)
    return [*streams, source.words(WORDS).tobytes()]


def fresh_streams(*, processes: int = 2) -> list[bytes]:
    """What the shipped source gives in processes started from nothing."""
    command = [sys.executable, "-c", _FRESH_PROCESS.format(WORDS)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return [
        subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=120, env=environment).stdout
        for _ in range(processes)
    ]


def words_never_repeat(subject: str, make: Callable[[], Entropy] = SystemEntropy, *, started: bool = True) -> Finding:
    """Forks (where the system has them) and fresh processes; any repeated word is an alarm."""
    streams = forked_streams(make()) + forked_streams(make()) if CAN_FORK else [make().words(WORDS).tobytes()]
    if started:
        streams += fresh_streams()
    again, missing = repeats(streams), sum(len(one) != 8 * WORDS for one in streams)
    detail = f"{len(streams)} streams of {WORDS} words, {again} repeated" + (f", {missing} cut" if missing else "")
    problem = detail if again or missing else ""
    return verdict(subject, "processes", "entropy across processes", problem, detail)


class Kernel:
    """The system's generator for this thread, on a script unless there is no seed; `given` is what it gave so far."""

    def __init__(self, seed: int | None) -> None:
        self._thread, self._real = threading.get_ident(), os.urandom
        self._draw = self._real if seed is None else np.random.Generator(np.random.PCG64(seed)).bytes
        self.given: list[bytes] = []

    def __call__(self, size: int, /) -> bytes:
        if threading.get_ident() != self._thread:
            return self._real(size)
        self.given.append(self._draw(size))
        return self.given[-1]


def scripted_kernel(seed: int) -> AbstractContextManager[Kernel]:
    """``os.urandom`` answers from a script as long as this lasts."""
    return mock.patch.object(os, "urandom", Kernel(seed))


def questions() -> tuple[Question, ...]:
    """Every channel, small, and every statistic."""
    return (*small_instances(1.0), *every_statistic(1.0))


def exactly_the_systems_bytes(subject: str, make: Callable[[], Entropy]) -> list[Finding]:
    """Two findings: the source alone, and a device that draws from it."""

    def alone() -> str:
        return _problem_of_source("system", make, "os.urandom", 1)

    def answer(question: Question, one: Collections, slot: int, seed: int) -> tuple[bytes, bytes]:
        source = make()
        with scripted_kernel(seed) as kernel:
            return SHIPPED.respond(question, one, slot, source), b"".join(kernel.given)

    return source_findings(
        subject, "operating system", len(COUNTS), alone, lambda: problem_of_reports("system", answer)
    )


def source_findings(
    subject: str, giver: str, calls: int, alone: Callable[[], str], through: Callable[[], str]
) -> list[Finding]:
    """What is wrong with a source alone, and with a device that draws from it."""
    answers, to_report = len(SIZES) * len(questions()), f"from the {giver}'s bytes to the report"
    return [
        *examine(subject, "entropy", f"the {giver}'s bytes, no others", alone, f"{calls} calls, all alike"),
        *examine(subject, "entropy", to_report, through, f"{answers} answers, all alike"),
    ]


def problem_of_bytes(giver: str, count: int, given: bytes, taken: bytes) -> str:
    """What is wrong with the bytes that a source gave, when it took these."""
    if len(taken) != 8 * count:
        return f"{count} words were asked for, {len(taken)} bytes were taken from the {giver}"
    return "" if given == taken else f"{count} words were asked for, and other bytes came than the {giver} gave"


def problem_of_reports(giver: str, answer: Callable[[Question, Collections, int, int], tuple[bytes, bytes]]) -> str:
    """The first question whose report is not what the bytes give that were taken for it."""
    for seed, (question, size) in enumerate(product(questions(), SIZES)):
        one, slot = crowd(question, [size]), question.slots.first + seed % question.slots.count
        report, taken = answer(question, one, slot, seed)
        tape, slots = Tape(np.frombuffer(taken, dtype="<u8").tolist()), np.array([slot])
        inputs = [int(value) for value in encode(question, one, slots, tape).ravel()]
        if [report] != expected_reports(question, slots, inputs, tape) or tape.left:
            return f"{question.role}: the report is not what the {giver}'s bytes give"
    return ""


def examine_openssl_source(subject: str, make: Callable[[], Entropy]) -> list[Finding]:
    """Two findings: what is drawn, and what was mixed in before."""
    if not is_openssl():
        return exactly_the_systems_bytes(subject, make)
    forks = "in a forked process, and again" if CAN_FORK else "again"
    return [
        *examine(
            subject,
            "entropy",
            "OpenSSL's bytes, no others",
            lambda: _problem_of_source("OpenSSL", make, "ssl.RAND_bytes", 2),
            f"{len(COUNTS)} calls, all alike",
        ),
        *examine(
            subject,
            "entropy",
            "fed by the operating system",
            lambda: _problem_of_feeding(make),
            f"before the first words, {forks}",
        ),
    ]


def is_openssl() -> bool:
    """Whether Python's `ssl` is OpenSSL from 1.1.1 on; else every word is the operating system's."""
    try:
        import ssl  # an odd build of Python has none
    except ImportError:
        return False
    named = ssl.OPENSSL_VERSION.startswith("OpenSSL ") and "compatible" not in ssl.OPENSSL_VERSION
    return named and ssl.OPENSSL_VERSION_INFO >= (1, 1, 1)


def _problem_of_source(giver: str, make: Callable[[], Entropy], generator: str, seed: int) -> str:
    """What is wrong with the words of a source while a generator, by its name in Python, is on a script."""
    source = make()
    with mock.patch(generator, Kernel(seed)) as script:
        for count in COUNTS:
            script.given.clear()
            words = np.ascontiguousarray(source.words(count)).tobytes()
            if problem := problem_of_bytes(giver, count, words, b"".join(script.given)):
                return problem
    return ""


@contextmanager
def _bytes_since_fed() -> Iterator[list[int]]:
    """How many bytes were drawn since OpenSSL was fed with fresh ones: one number for each time it draws."""
    kernel, since, drawn = Kernel(3), [2**62], list[int]()

    def draw(size: int, /) -> bytes:
        since[0] += size
        drawn.append(since[0])
        return bytes(size)

    def mix(given: bytes, entropy: float, /) -> None:
        if len(given) >= _FRESH_BYTES and given in kernel.given:
            kernel.given.clear()
            since[0] = 0

    with mock.patch("os.urandom", kernel), mock.patch("ssl.RAND_bytes", draw), mock.patch("ssl.RAND_add", mix):
        yield drawn


def _problem_of_feeding(make: Callable[[], Entropy]) -> str:
    source = make()
    source.words(1)  # as in a process that has drawn before

    def child() -> None:
        with _bytes_since_fed() as drawn:
            source.words(1)
        os._exit(_LATE if drawn[0] > 8 else _staleness_code(source))

    code = finish(start(child))[0] if CAN_FORK else _staleness_code(source)
    return _ENDINGS.get(code, "a forked process could not draw")


def _staleness_code(source: Entropy) -> int:
    """`_STALE` where more is drawn than the decision allows before something fresh is mixed in, else 0."""
    with _bytes_since_fed() as drawn:
        for _ in range(3 * FRESH_AFTER // (8 * _LARGE)):
            source.words(_LARGE)
    late = max(drawn[FRESH_AFTER // (8 * _LARGE) + 1 :]) > FRESH_AFTER + 8 * _LARGE
    return _STALE if late else 0


def openssls_bytes_by_default(subject: str, answers: Answers, engine: Engine) -> list[Finding]:
    """Two findings, where nobody hands in a source: what is answered for many users, and through the engine.

    Reports must be what OpenSSL's words give when they are handed in, which the other layers look at. No word may be
    left, and the operating system is asked for nothing but what OpenSSL is fed.
    """
    asked: list[tuple[Question, Sequence[int]]] = [(question, _CROWD_SIZES) for question in questions()]
    asked.append(next((one, _LARGE_CROWD) for one in questions() if one.encoder.statistic.needs != "averages"))
    done = f"{len(asked)} questions to {len(_CROWD_SIZES)} users and more, all alike"

    def other(given: Callable[..., Iterable[Batch]], expected: Callable[..., Iterable[Batch]]) -> str:
        problems = (_problem_of_batches(seed, *one, given, expected) for seed, one in enumerate(asked))
        return next(filter(None, problems), "")

    def engine_batches(question: Question, people: Collections) -> list[Batch]:
        batches: list[Batch] = []
        engine(people, keep=batches.append)(question)
        return batches

    def seated(question: Question, people: Collections, tape: Tape) -> Iterable[Batch]:
        seats = Seats(people, shuffled(people.users, tape.words(4)))
        return bulk.respond_many(question, *seats.asked(question, tape), tape)

    def many(question: Question, people: Collections, *tape: Tape) -> Iterable[Batch]:
        slots = np.arange(people.users)
        return bulk.respond_many(question, people, slots, *tape) if tape else answers(question, people, slots)

    here = "no source handed in, in this process: OpenSSL's bytes"
    return [
        *examine(subject, "entropy", "no source handed in: OpenSSL's bytes", lambda: other(many, many), done),
        *examine(subject, "entropy", here, lambda: other(engine_batches, seated), done),
    ]


def _problem_of_batches(
    seed: int,
    question: Question,
    sizes: Sequence[int],
    given: Callable[..., Iterable[Batch]],
    expected: Callable[..., Iterable[Batch]],
) -> str:
    question = replace(question, slots=Slots(first=0, count=len(sizes)))
    people = crowd(question, sizes)
    bulk.BulkEntropy().words(1)  # as in a process that has drawn before
    with _scripted_openssl(seed) as (drawn, asked_for, fed):
        batches = [(batch.slots.tolist(), batch.payloads.tobytes()) for batch in given(question, people)]
    tape = Tape(np.frombuffer(b"".join(drawn.given), dtype="<u8").tolist())
    words = tape.left
    right = [(batch.slots.tolist(), batch.payloads.tobytes()) for batch in expected(question, people, tape)]
    if batches != right or tape.left or not words:
        return f"{question.role}: the reports are not what OpenSSL's bytes give"
    if sizes == _LARGE_CROWD and len(batches) < 2:
        return f"{len(sizes)} users were one block, and nothing was seen of another"
    return "" if asked_for == fed else f"{question.role}: the operating system was asked for more than OpenSSL was fed"


@contextmanager
def _scripted_openssl(seed: int) -> Iterator[tuple[Kernel, list[bytes], list[bytes]]]:
    """The generator on a script; what the operating system gave besides, and what OpenSSL was fed."""
    if not is_openssl():
        with scripted_kernel(seed) as kernel:
            yield kernel, [], []
        return
    import ssl  # an odd build of Python has none

    fed, real = list[bytes](), ssl.RAND_add

    def mix(given: bytes, entropy: float, /) -> None:
        fed.append(given)
        real(given, entropy)

    with (
        mock.patch("os.urandom", Kernel(None)) as system,
        mock.patch("ssl.RAND_bytes", Kernel(seed)) as openssl,
        mock.patch("ssl.RAND_add", mix),
    ):
        yield openssl, system.given, fed
