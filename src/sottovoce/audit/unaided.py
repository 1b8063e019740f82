"""The entropy layer where nobody hands in a source: many users at once, and the engine in this process.

Tests and the audit hand in their own words, people do not: so what is drawn then must be looked at too. OpenSSL is put
on a script; reports must be what its words give when they are handed in, which the other layers look at. No word may
be left, and the operating system is asked for nothing but what OpenSSL is fed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import numpy as np

from sottovoce.audit.findings import Finding, examine
from sottovoce.audit.neighbours import crowd
from sottovoce.audit.openssl import genuine
from sottovoce.audit.path import Integers
from sottovoce.audit.scripts import Tape
from sottovoce.audit.system import Kernel, questions, scripted_kernel
from sottovoce.device import Collections, bulk
from sottovoce.engines import Ask, Seats, shuffled
from sottovoce.messages import Batch, Question, Slots

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
